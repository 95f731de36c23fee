module @jit_select_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi1>, %arg1: tensor<i1>, %arg2: tensor<12xf16>, %arg3: tensor<12xf16>, %arg4: tensor<12xbf16>, %arg5: tensor<12xbf16>, %arg6: tensor<12xf32>, %arg7: tensor<12xf32>, %arg8: tensor<12xf64>, %arg9: tensor<12xf64>) -> (tensor<12xf16> {jax.result_info = "result[0]"}, tensor<12xbf16> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf64> {jax.result_info = "result[3]"}, tensor<12xf16> {jax.result_info = "result[4]"}, tensor<12xbf16> {jax.result_info = "result[5]"}, tensor<12xf32> {jax.result_info = "result[6]"}, tensor<12xf64> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.select %arg0, %arg2, %arg3 : tensor<12xi1>, tensor<12xf16>
    %1 = stablehlo.select %arg0, %arg4, %arg5 : tensor<12xi1>, tensor<12xbf16>
    %2 = stablehlo.select %arg0, %arg6, %arg7 : tensor<12xi1>, tensor<12xf32>
    %3 = stablehlo.select %arg0, %arg8, %arg9 : tensor<12xi1>, tensor<12xf64>
    %4 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<12xf16>
    %5 = stablehlo.select %arg1, %arg4, %arg5 : tensor<i1>, tensor<12xbf16>
    %6 = stablehlo.select %arg1, %arg6, %arg7 : tensor<i1>, tensor<12xf32>
    %7 = stablehlo.select %arg1, %arg8, %arg9 : tensor<i1>, tensor<12xf64>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<12xf16>, tensor<12xbf16>, tensor<12xf32>, tensor<12xf64>, tensor<12xf16>, tensor<12xbf16>, tensor<12xf32>, tensor<12xf64>
  }
}
