module @jit_ge_unsigned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xui2>, %arg1: tensor<12xui2>, %arg2: tensor<12xui4>, %arg3: tensor<12xui4>, %arg4: tensor<12xui8>, %arg5: tensor<12xui8>, %arg6: tensor<12xui16>, %arg7: tensor<12xui16>, %arg8: tensor<12xui32>, %arg9: tensor<12xui32>, %arg10: tensor<12xui64>, %arg11: tensor<12xui64>) -> (tensor<12xi1> {jax.result_info = "result[0]"}, tensor<12xi1> {jax.result_info = "result[1]"}, tensor<12xi1> {jax.result_info = "result[2]"}, tensor<12xi1> {jax.result_info = "result[3]"}, tensor<12xi1> {jax.result_info = "result[4]"}, tensor<12xi1> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.compare GE, %arg0, %arg1, UNSIGNED : (tensor<12xui2>, tensor<12xui2>) -> tensor<12xi1>
    %1 = stablehlo.compare GE, %arg2, %arg3, UNSIGNED : (tensor<12xui4>, tensor<12xui4>) -> tensor<12xi1>
    %2 = stablehlo.compare GE, %arg4, %arg5, UNSIGNED : (tensor<12xui8>, tensor<12xui8>) -> tensor<12xi1>
    %3 = stablehlo.compare GE, %arg6, %arg7, UNSIGNED : (tensor<12xui16>, tensor<12xui16>) -> tensor<12xi1>
    %4 = stablehlo.compare GE, %arg8, %arg9, UNSIGNED : (tensor<12xui32>, tensor<12xui32>) -> tensor<12xi1>
    %5 = stablehlo.compare GE, %arg10, %arg11, UNSIGNED : (tensor<12xui64>, tensor<12xui64>) -> tensor<12xi1>
    return %0, %1, %2, %3, %4, %5 : tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>
  }
}
