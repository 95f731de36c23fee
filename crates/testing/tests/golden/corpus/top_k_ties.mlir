module @jit_top_k_ties attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0][0]"}, tensor<3x4xi32> {jax.result_info = "result[0][1]"}, tensor<2x8xf32> {jax.result_info = "result[1][0]"}, tensor<2x8xi32> {jax.result_info = "result[1][1]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 4) : tensor<3x8xf32> -> (tensor<3x4xf32>, tensor<3x4xi32>)
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
    %values_0, %indices_1 = chlo.top_k(%0, k = 2) : tensor<8x3xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
    %1 = stablehlo.transpose %values_0, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %2 = stablehlo.transpose %indices_1, dims = [1, 0] : (tensor<8x2xi32>) -> tensor<2x8xi32>
    return %values, %indices, %1, %2 : tensor<3x4xf32>, tensor<3x4xi32>, tensor<2x8xf32>, tensor<2x8xi32>
  }
}
