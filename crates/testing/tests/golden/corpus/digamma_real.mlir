module @jit_digamma_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf16>, %arg1: tensor<12xbf16>, %arg2: tensor<12xf32>, %arg3: tensor<12xf64>) -> (tensor<12xf16> {jax.result_info = "result[0]"}, tensor<12xbf16> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf64> {jax.result_info = "result[3]"}) {
    %0 = chlo.digamma %arg0 : tensor<12xf16> -> tensor<12xf16>
    %1 = chlo.digamma %arg1 : tensor<12xbf16> -> tensor<12xbf16>
    %2 = chlo.digamma %arg2 : tensor<12xf32> -> tensor<12xf32>
    %3 = chlo.digamma %arg3 : tensor<12xf64> -> tensor<12xf64>
    return %0, %1, %2, %3 : tensor<12xf16>, tensor<12xbf16>, tensor<12xf32>, tensor<12xf64>
  }
}
