module @jit_bit_counts attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xui32>) -> (tensor<6xui32> {jax.result_info = "result[0]"}, tensor<6xui32> {jax.result_info = "result[1]"}, tensor<6xui32> {jax.result_info = "result[2]"}, tensor<6xui32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.popcnt %arg0 : tensor<6xui32>
    %1 = stablehlo.count_leading_zeros %arg0 : tensor<6xui32>
    %2 = stablehlo.add %arg0, %arg0 : tensor<6xui32>
    %c = stablehlo.constant dense<2654435761> : tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<6xui32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<6xui32>
    return %0, %1, %2, %4 : tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>
  }
}
