module @jit_top_k_ui8 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8xui8>) -> (tensor<3x3xui8> {jax.result_info = "result[0][0]"}, tensor<3x3xi32> {jax.result_info = "result[0][1]"}, tensor<3x8xui8> {jax.result_info = "result[1][0]"}, tensor<3x8xi32> {jax.result_info = "result[1][1]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<3x8xui8> -> (tensor<3x3xui8>, tensor<3x3xi32>)
    %values_0, %indices_1 = chlo.top_k(%arg0, k = 8) : tensor<3x8xui8> -> (tensor<3x8xui8>, tensor<3x8xi32>)
    return %values, %indices, %values_0, %indices_1 : tensor<3x3xui8>, tensor<3x3xi32>, tensor<3x8xui8>, tensor<3x8xi32>
  }
}
