func.func @main() -> (tensor<2xi32>, tensor<1xf32>) {
  %0 = stablehlo.constant dense_resource<blob> : tensor<2xi32>
  %1 = stablehlo.constant dense_resource<"other one"> : tensor<1xf32>
  return %0, %1 : tensor<2xi32>, tensor<1xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000FFFFFFFF",
      "other one": "0x040000000000C03F"
    }
  },
  external_resources: { tool: { x: true } }
#-}
