module @jit_select_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi1>, %arg1: tensor<i1>, %arg2: tensor<12xf8E3M4>, %arg3: tensor<12xf8E3M4>, %arg4: tensor<12xf8E4M3>, %arg5: tensor<12xf8E4M3>, %arg6: tensor<12xf8E4M3B11FNUZ>, %arg7: tensor<12xf8E4M3B11FNUZ>, %arg8: tensor<12xf8E4M3FN>, %arg9: tensor<12xf8E4M3FN>, %arg10: tensor<12xf8E4M3FNUZ>, %arg11: tensor<12xf8E4M3FNUZ>, %arg12: tensor<12xf8E5M2>, %arg13: tensor<12xf8E5M2>, %arg14: tensor<12xf8E5M2FNUZ>, %arg15: tensor<12xf8E5M2FNUZ>, %arg16: tensor<12xf4E2M1FN>, %arg17: tensor<12xf4E2M1FN>) -> (tensor<12xf8E3M4> {jax.result_info = "result[0]"}, tensor<12xf8E4M3> {jax.result_info = "result[1]"}, tensor<12xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<12xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<12xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<12xf8E5M2> {jax.result_info = "result[5]"}, tensor<12xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<12xf4E2M1FN> {jax.result_info = "result[7]"}, tensor<12xf8E3M4> {jax.result_info = "result[8]"}, tensor<12xf8E4M3> {jax.result_info = "result[9]"}, tensor<12xf8E4M3B11FNUZ> {jax.result_info = "result[10]"}, tensor<12xf8E4M3FN> {jax.result_info = "result[11]"}, tensor<12xf8E4M3FNUZ> {jax.result_info = "result[12]"}, tensor<12xf8E5M2> {jax.result_info = "result[13]"}, tensor<12xf8E5M2FNUZ> {jax.result_info = "result[14]"}, tensor<12xf4E2M1FN> {jax.result_info = "result[15]"}) {
    %0 = stablehlo.select %arg0, %arg2, %arg3 : tensor<12xi1>, tensor<12xf8E3M4>
    %1 = stablehlo.select %arg0, %arg4, %arg5 : tensor<12xi1>, tensor<12xf8E4M3>
    %2 = stablehlo.select %arg0, %arg6, %arg7 : tensor<12xi1>, tensor<12xf8E4M3B11FNUZ>
    %3 = stablehlo.select %arg0, %arg8, %arg9 : tensor<12xi1>, tensor<12xf8E4M3FN>
    %4 = stablehlo.select %arg0, %arg10, %arg11 : tensor<12xi1>, tensor<12xf8E4M3FNUZ>
    %5 = stablehlo.select %arg0, %arg12, %arg13 : tensor<12xi1>, tensor<12xf8E5M2>
    %6 = stablehlo.select %arg0, %arg14, %arg15 : tensor<12xi1>, tensor<12xf8E5M2FNUZ>
    %7 = stablehlo.select %arg0, %arg16, %arg17 : tensor<12xi1>, tensor<12xf4E2M1FN>
    %8 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<12xf8E3M4>
    %9 = stablehlo.select %arg1, %arg4, %arg5 : tensor<i1>, tensor<12xf8E4M3>
    %10 = stablehlo.select %arg1, %arg6, %arg7 : tensor<i1>, tensor<12xf8E4M3B11FNUZ>
    %11 = stablehlo.select %arg1, %arg8, %arg9 : tensor<i1>, tensor<12xf8E4M3FN>
    %12 = stablehlo.select %arg1, %arg10, %arg11 : tensor<i1>, tensor<12xf8E4M3FNUZ>
    %13 = stablehlo.select %arg1, %arg12, %arg13 : tensor<i1>, tensor<12xf8E5M2>
    %14 = stablehlo.select %arg1, %arg14, %arg15 : tensor<i1>, tensor<12xf8E5M2FNUZ>
    %15 = stablehlo.select %arg1, %arg16, %arg17 : tensor<i1>, tensor<12xf4E2M1FN>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<12xf8E3M4>, tensor<12xf8E4M3>, tensor<12xf8E4M3B11FNUZ>, tensor<12xf8E4M3FN>, tensor<12xf8E4M3FNUZ>, tensor<12xf8E5M2>, tensor<12xf8E5M2FNUZ>, tensor<12xf4E2M1FN>, tensor<12xf8E3M4>, tensor<12xf8E4M3>, tensor<12xf8E4M3B11FNUZ>, tensor<12xf8E4M3FN>, tensor<12xf8E4M3FNUZ>, tensor<12xf8E5M2>, tensor<12xf8E5M2FNUZ>, tensor<12xf4E2M1FN>
  }
}
