module @jit_mul_unsigned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xui2>, %arg1: tensor<12xui2>, %arg2: tensor<12xui4>, %arg3: tensor<12xui4>, %arg4: tensor<12xui8>, %arg5: tensor<12xui8>, %arg6: tensor<12xui16>, %arg7: tensor<12xui16>, %arg8: tensor<12xui32>, %arg9: tensor<12xui32>, %arg10: tensor<12xui64>, %arg11: tensor<12xui64>) -> (tensor<12xui2> {jax.result_info = "result[0]"}, tensor<12xui4> {jax.result_info = "result[1]"}, tensor<12xui8> {jax.result_info = "result[2]"}, tensor<12xui16> {jax.result_info = "result[3]"}, tensor<12xui32> {jax.result_info = "result[4]"}, tensor<12xui64> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<12xui2>
    %1 = stablehlo.multiply %arg2, %arg3 : tensor<12xui4>
    %2 = stablehlo.multiply %arg4, %arg5 : tensor<12xui8>
    %3 = stablehlo.multiply %arg6, %arg7 : tensor<12xui16>
    %4 = stablehlo.multiply %arg8, %arg9 : tensor<12xui32>
    %5 = stablehlo.multiply %arg10, %arg11 : tensor<12xui64>
    return %0, %1, %2, %3, %4, %5 : tensor<12xui2>, tensor<12xui4>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>
  }
}
