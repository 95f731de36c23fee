module @jit_small_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xui8>, %arg1: tensor<8xui8>) -> (tensor<8xui8> {jax.result_info = "result[0]"}, tensor<8xui8> {jax.result_info = "result[1]"}, tensor<8xui8> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8xui8>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<8xui8>
    %2 = stablehlo.remainder %arg0, %arg1 : tensor<8xui8>
    return %0, %1, %2 : tensor<8xui8>, tensor<8xui8>, tensor<8xui8>
  }
}
