module @jit_lgamma_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf8E3M4>, %arg1: tensor<12xf8E4M3>, %arg2: tensor<12xf8E4M3B11FNUZ>, %arg3: tensor<12xf8E4M3FN>, %arg4: tensor<12xf8E4M3FNUZ>, %arg5: tensor<12xf8E5M2>, %arg6: tensor<12xf8E5M2FNUZ>, %arg7: tensor<12xf4E2M1FN>) -> (tensor<12xf8E3M4> {jax.result_info = "result[0]"}, tensor<12xf8E4M3> {jax.result_info = "result[1]"}, tensor<12xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<12xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<12xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<12xf8E5M2> {jax.result_info = "result[5]"}, tensor<12xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<12xf4E2M1FN> {jax.result_info = "result[7]"}) {
    %0 = chlo.lgamma %arg0 : tensor<12xf8E3M4> -> tensor<12xf8E3M4>
    %1 = chlo.lgamma %arg1 : tensor<12xf8E4M3> -> tensor<12xf8E4M3>
    %2 = chlo.lgamma %arg2 : tensor<12xf8E4M3B11FNUZ> -> tensor<12xf8E4M3B11FNUZ>
    %3 = chlo.lgamma %arg3 : tensor<12xf8E4M3FN> -> tensor<12xf8E4M3FN>
    %4 = chlo.lgamma %arg4 : tensor<12xf8E4M3FNUZ> -> tensor<12xf8E4M3FNUZ>
    %5 = chlo.lgamma %arg5 : tensor<12xf8E5M2> -> tensor<12xf8E5M2>
    %6 = chlo.lgamma %arg6 : tensor<12xf8E5M2FNUZ> -> tensor<12xf8E5M2FNUZ>
    %7 = chlo.lgamma %arg7 : tensor<12xf4E2M1FN> -> tensor<12xf4E2M1FN>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<12xf8E3M4>, tensor<12xf8E4M3>, tensor<12xf8E4M3B11FNUZ>, tensor<12xf8E4M3FN>, tensor<12xf8E4M3FNUZ>, tensor<12xf8E5M2>, tensor<12xf8E5M2FNUZ>, tensor<12xf4E2M1FN>
  }
}
