module @jit_transpose_many attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32> {jax.result_info = "result[0]"}, tensor<3x2x4xf32> {jax.result_info = "result[1]"}, tensor<4x3x2xf32> {jax.result_info = "result[2]"}, tensor<3x4x2xf32> {jax.result_info = "result[3]"}, tensor<2x4x3xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
    %2 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
    %3 = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
    %4 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    return %0, %1, %2, %3, %4 : tensor<4x2x3xf32>, tensor<3x2x4xf32>, tensor<4x3x2xf32>, tensor<3x4x2xf32>, tensor<2x4x3xf32>
  }
}
