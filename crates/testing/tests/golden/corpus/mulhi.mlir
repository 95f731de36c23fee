module @jit_mulhi attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>, %arg2: tensor<9xui32>, %arg3: tensor<9xui32>, %arg4: tensor<9xi64>, %arg5: tensor<9xi64>, %arg6: tensor<9xui64>, %arg7: tensor<9xui64>) -> (tensor<9xi32> {jax.result_info = "result[0]"}, tensor<9xui32> {jax.result_info = "result[1]"}, tensor<9xi64> {jax.result_info = "result[2]"}, tensor<9xui64> {jax.result_info = "result[3]"}) {
    %0 = chlo.mulhi %arg0, %arg1 : tensor<9xi32>, tensor<9xi32> -> tensor<9xi32>
    %1 = chlo.mulhi %arg2, %arg3 : tensor<9xui32>, tensor<9xui32> -> tensor<9xui32>
    %2 = chlo.mulhi %arg4, %arg5 : tensor<9xi64>, tensor<9xi64> -> tensor<9xi64>
    %3 = chlo.mulhi %arg6, %arg7 : tensor<9xui64>, tensor<9xui64> -> tensor<9xui64>
    return %0, %1, %2, %3 : tensor<9xi32>, tensor<9xui32>, tensor<9xi64>, tensor<9xui64>
  }
}
