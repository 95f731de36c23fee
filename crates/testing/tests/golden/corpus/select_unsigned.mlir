module @jit_select_unsigned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi1>, %arg1: tensor<i1>, %arg2: tensor<12xui2>, %arg3: tensor<12xui2>, %arg4: tensor<12xui4>, %arg5: tensor<12xui4>, %arg6: tensor<12xui8>, %arg7: tensor<12xui8>, %arg8: tensor<12xui16>, %arg9: tensor<12xui16>, %arg10: tensor<12xui32>, %arg11: tensor<12xui32>, %arg12: tensor<12xui64>, %arg13: tensor<12xui64>) -> (tensor<12xui2> {jax.result_info = "result[0]"}, tensor<12xui4> {jax.result_info = "result[1]"}, tensor<12xui8> {jax.result_info = "result[2]"}, tensor<12xui16> {jax.result_info = "result[3]"}, tensor<12xui32> {jax.result_info = "result[4]"}, tensor<12xui64> {jax.result_info = "result[5]"}, tensor<12xui2> {jax.result_info = "result[6]"}, tensor<12xui4> {jax.result_info = "result[7]"}, tensor<12xui8> {jax.result_info = "result[8]"}, tensor<12xui16> {jax.result_info = "result[9]"}, tensor<12xui32> {jax.result_info = "result[10]"}, tensor<12xui64> {jax.result_info = "result[11]"}) {
    %0 = stablehlo.select %arg0, %arg2, %arg3 : tensor<12xi1>, tensor<12xui2>
    %1 = stablehlo.select %arg0, %arg4, %arg5 : tensor<12xi1>, tensor<12xui4>
    %2 = stablehlo.select %arg0, %arg6, %arg7 : tensor<12xi1>, tensor<12xui8>
    %3 = stablehlo.select %arg0, %arg8, %arg9 : tensor<12xi1>, tensor<12xui16>
    %4 = stablehlo.select %arg0, %arg10, %arg11 : tensor<12xi1>, tensor<12xui32>
    %5 = stablehlo.select %arg0, %arg12, %arg13 : tensor<12xi1>, tensor<12xui64>
    %6 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<12xui2>
    %7 = stablehlo.select %arg1, %arg4, %arg5 : tensor<i1>, tensor<12xui4>
    %8 = stablehlo.select %arg1, %arg6, %arg7 : tensor<i1>, tensor<12xui8>
    %9 = stablehlo.select %arg1, %arg8, %arg9 : tensor<i1>, tensor<12xui16>
    %10 = stablehlo.select %arg1, %arg10, %arg11 : tensor<i1>, tensor<12xui32>
    %11 = stablehlo.select %arg1, %arg12, %arg13 : tensor<i1>, tensor<12xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<12xui2>, tensor<12xui4>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xui2>, tensor<12xui4>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>
  }
}
