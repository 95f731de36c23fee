module @jit_maximum_corners attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100xf32>, %arg1: tensor<100xf32>) -> (tensor<100xf32> {jax.result_info = "result[0]"}, tensor<100xf32> {jax.result_info = "result[1]"}, tensor<100xf32> {jax.result_info = "result[2]"}, tensor<100xf32> {jax.result_info = "result[3]"}, tensor<100xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<100xf32>
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<100xf32>
    %2 = stablehlo.remainder %arg0, %arg1 : tensor<100xf32>
    %3 = stablehlo.add %arg0, %arg1 : tensor<100xf32>
    %4 = stablehlo.multiply %arg0, %arg1 : tensor<100xf32>
    return %0, %1, %2, %3, %4 : tensor<100xf32>, tensor<100xf32>, tensor<100xf32>, tensor<100xf32>, tensor<100xf32>
  }
}
