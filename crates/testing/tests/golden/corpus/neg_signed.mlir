module @jit_neg_signed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi2>, %arg1: tensor<12xi4>, %arg2: tensor<12xi8>, %arg3: tensor<12xi16>, %arg4: tensor<12xi32>, %arg5: tensor<12xi64>) -> (tensor<12xi2> {jax.result_info = "result[0]"}, tensor<12xi4> {jax.result_info = "result[1]"}, tensor<12xi8> {jax.result_info = "result[2]"}, tensor<12xi16> {jax.result_info = "result[3]"}, tensor<12xi32> {jax.result_info = "result[4]"}, tensor<12xi64> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.negate %arg0 : tensor<12xi2>
    %1 = stablehlo.negate %arg1 : tensor<12xi4>
    %2 = stablehlo.negate %arg2 : tensor<12xi8>
    %3 = stablehlo.negate %arg3 : tensor<12xi16>
    %4 = stablehlo.negate %arg4 : tensor<12xi32>
    %5 = stablehlo.negate %arg5 : tensor<12xi64>
    return %0, %1, %2, %3, %4, %5 : tensor<12xi2>, tensor<12xi4>, tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>
  }
}
