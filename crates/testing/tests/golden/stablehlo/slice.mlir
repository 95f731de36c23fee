module @jit_slice attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "result[0]"}, tensor<3x2xf32> {jax.result_info = "result[1]"}, tensor<2x2xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.slice %arg0 [1:3, 0:4] : (tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:4:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %2 = stablehlo.slice %arg0 [0:2, 1:4:2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
    %3 = stablehlo.reverse %arg0, dims = [0] : tensor<3x4xf32>
    return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<3x4xf32>
  }
}
