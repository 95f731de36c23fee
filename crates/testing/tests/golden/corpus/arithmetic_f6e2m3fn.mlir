module @jit_arithmetic_f6e2m3fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf6E2M3FN>, %arg1: tensor<16xf6E2M3FN>) -> (tensor<16xf6E2M3FN> {jax.result_info = "result[0]"}, tensor<16xf6E2M3FN> {jax.result_info = "result[1]"}, tensor<16xf6E2M3FN> {jax.result_info = "result[2]"}, tensor<16xi1> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<16xf6E2M3FN>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<16xf6E2M3FN>
    %2 = stablehlo.maximum %arg0, %arg1 : tensor<16xf6E2M3FN>
    %3 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<16xf6E2M3FN>, tensor<16xf6E2M3FN>) -> tensor<16xi1>
    return %0, %1, %2, %3 : tensor<16xf6E2M3FN>, tensor<16xf6E2M3FN>, tensor<16xf6E2M3FN>, tensor<16xi1>
  }
}
