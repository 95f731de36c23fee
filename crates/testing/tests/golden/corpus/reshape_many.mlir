module @jit_reshape_many attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> (tensor<24xf32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}, tensor<2x1x12x1xf32> {jax.result_info = "result[2]"}, tensor<3x8xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<1x2x1x3x4xf32> {jax.result_info = "result[5]"}, tensor<2x12xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<24xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<2x1x12x1xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.reshape %4 : (tensor<4x6xf32>) -> tensor<3x8xf32>
    %6 = stablehlo.slice %arg0 [0:1, 0:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [1, 3, 4] : (tensor<2x3x4xf32>) -> tensor<1x2x1x3x4xf32>
    %9 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
    return %0, %1, %2, %5, %7, %8, %9 : tensor<24xf32>, tensor<4x6xf32>, tensor<2x1x12x1xf32>, tensor<3x8xf32>, tensor<3x4xf32>, tensor<1x2x1x3x4xf32>, tensor<2x12xf32>
  }
}
