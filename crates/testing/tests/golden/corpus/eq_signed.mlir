module @jit_eq_signed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi2>, %arg1: tensor<12xi2>, %arg2: tensor<12xi4>, %arg3: tensor<12xi4>, %arg4: tensor<12xi8>, %arg5: tensor<12xi8>, %arg6: tensor<12xi16>, %arg7: tensor<12xi16>, %arg8: tensor<12xi32>, %arg9: tensor<12xi32>, %arg10: tensor<12xi64>, %arg11: tensor<12xi64>) -> (tensor<12xi1> {jax.result_info = "result[0]"}, tensor<12xi1> {jax.result_info = "result[1]"}, tensor<12xi1> {jax.result_info = "result[2]"}, tensor<12xi1> {jax.result_info = "result[3]"}, tensor<12xi1> {jax.result_info = "result[4]"}, tensor<12xi1> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.compare EQ, %arg0, %arg1, SIGNED : (tensor<12xi2>, tensor<12xi2>) -> tensor<12xi1>
    %1 = stablehlo.compare EQ, %arg2, %arg3, SIGNED : (tensor<12xi4>, tensor<12xi4>) -> tensor<12xi1>
    %2 = stablehlo.compare EQ, %arg4, %arg5, SIGNED : (tensor<12xi8>, tensor<12xi8>) -> tensor<12xi1>
    %3 = stablehlo.compare EQ, %arg6, %arg7, SIGNED : (tensor<12xi16>, tensor<12xi16>) -> tensor<12xi1>
    %4 = stablehlo.compare EQ, %arg8, %arg9, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %5 = stablehlo.compare EQ, %arg10, %arg11, SIGNED : (tensor<12xi64>, tensor<12xi64>) -> tensor<12xi1>
    return %0, %1, %2, %3, %4, %5 : tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>
  }
}
