module @jit_powers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.power %arg0, %arg1 : tensor<3x4xf32>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<3x4xf32>
    %3 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<3x4xf32>
    %6 = chlo.square %arg0 : tensor<3x4xf32> -> tensor<3x4xf32>
    return %0, %2, %5, %6 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
}
