module @jit_reduce_precision_e8m0 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<41xf32>, %arg1: tensor<41xf64>) -> (tensor<41xf32> {jax.result_info = "result[0]"}, tensor<41xf64> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reduce_precision %arg0, format = e8m0 : tensor<41xf32>
    %1 = stablehlo.reduce_precision %arg1, format = e8m0 : tensor<41xf64>
    return %0, %1 : tensor<41xf32>, tensor<41xf64>
  }
}
