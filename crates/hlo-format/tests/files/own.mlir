// Ops that StableHLO lacks.
module @own {
  func.func public @main(%arg0: tensor<f32> {jarrah.path = "carry"}, %arg1: tensor<10xf32>) -> (tensor<f32>, tensor<10xf32>) {
    %0:2 = "jarrah.scan"(%arg0, %arg1) <{carry = 1 : i64, consts = 0 : i64, length = 10 : i64, reverse = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2, %2 : tensor<f32>, tensor<f32>
    }) : (tensor<f32>, tensor<10xf32>) -> (tensor<f32>, tensor<10xf32>)
    %1 = "jarrah.kernel"(%0#1) <{grid = array<i64: 2>, inputs = [[{block = 5 : i64, grid = 0 : i64}]], outputs = [[{block = 5 : i64, grid = 0 : i64}]]}> ({
    ^bb0(%arg2: memref<5xf32>, %arg3: memref<5xf32>):
      %2 = "jarrah.load"(%arg2) : (memref<5xf32>) -> tensor<5xf32>
      %3 = chlo.erf %2 : tensor<5xf32> -> tensor<5xf32>
      "jarrah.store"(%arg3, %3) : (memref<5xf32>, tensor<5xf32>) -> ()
      stablehlo.return
    }) : (tensor<10xf32>) -> tensor<10xf32>
    return %0#0, %1 : tensor<f32>, tensor<10xf32>
  }
}
