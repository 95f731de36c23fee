module @jit_vjp_arithmetic attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.add %arg1, %1 : tensor<3x4xf32>
    %3 = stablehlo.divide %arg0, %2 : tensor<3x4xf32>
    %4 = stablehlo.subtract %0, %3 : tensor<3x4xf32>
    %5 = stablehlo.add %arg0, %arg1 : tensor<3x4xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<3x4xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<3x4xf32>
    %8 = stablehlo.negate %arg0 : tensor<3x4xf32>
    return %4, %7, %8 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
}
