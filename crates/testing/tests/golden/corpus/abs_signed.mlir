module @jit_abs_signed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi8>, %arg1: tensor<12xi16>, %arg2: tensor<12xi32>, %arg3: tensor<12xi64>) -> (tensor<12xi8> {jax.result_info = "result[0]"}, tensor<12xi16> {jax.result_info = "result[1]"}, tensor<12xi32> {jax.result_info = "result[2]"}, tensor<12xi64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.abs %arg0 : tensor<12xi8>
    %1 = stablehlo.abs %arg1 : tensor<12xi16>
    %2 = stablehlo.abs %arg2 : tensor<12xi32>
    %3 = stablehlo.abs %arg3 : tensor<12xi64>
    return %0, %1, %2, %3 : tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>
  }
}
