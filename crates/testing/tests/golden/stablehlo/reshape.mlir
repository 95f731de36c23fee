module @jit_reshape attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<2x6xf32> {jax.result_info = "result[1]"}, tensor<3x1x4xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<2x6xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<3x1x4xf32>
    return %0, %1, %2 : tensor<12xf32>, tensor<2x6xf32>, tensor<3x1x4xf32>
  }
}
