module @constants {
  func.func public @main() -> (tensor<2x2xf32>, tensor<3xi32>, tensor<2x3xf32>, tensor<4xi1>, tensor<2xbf16>, tensor<10xi1>, tensor<0xf32>, tensor<f64>, tensor<2xui8>) {
    %0 = stablehlo.constant dense<[[1.0, -2.5e-01], [0x7F800000, 3.0]]> : tensor<2x2xf32>
    %1 = stablehlo.constant dense<"0x010000000200000003000000"> : tensor<3xi32>
    %2 = stablehlo.constant dense<1.000000e-01> : tensor<2x3xf32>
    %3 = stablehlo.constant dense<[true, false, false, true]> : tensor<4xi1>
    %4 = stablehlo.constant dense<[0x3F80, 2.000000e+00]> : tensor<2xbf16>
    %5 = stablehlo.constant dense<"0x0503"> : tensor<10xi1>
    %6 = stablehlo.constant dense<> : tensor<0xf32>
    %7 = "stablehlo.constant"() <{value = dense<3.1415926535897931> : tensor<f64>}> : () -> tensor<f64>
    %8 = stablehlo.constant {some.note = "kept nowhere"} dense<[0, 255]> : tensor<2xui8>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2x2xf32>, tensor<3xi32>, tensor<2x3xf32>, tensor<4xi1>, tensor<2xbf16>, tensor<10xi1>, tensor<0xf32>, tensor<f64>, tensor<2xui8>
  }
}
