module @jit_while_captures attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg0, %iterArg_1 = %arg0) : tensor<f32>, tensor<3x4xf32>, tensor<3x4xf32>
    cond {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%iterArg_1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
      %2 = stablehlo.compare LT, %1, %iterArg, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %1 = stablehlo.abs %iterArg_0 : tensor<3x4xf32>
      %2 = stablehlo.add %iterArg_1, %1 : tensor<3x4xf32>
      stablehlo.return %iterArg, %iterArg_0, %2 : tensor<f32>, tensor<3x4xf32>, tensor<3x4xf32>
    }
    return %0#2 : tensor<3x4xf32>
  }
}
