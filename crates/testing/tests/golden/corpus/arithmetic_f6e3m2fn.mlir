module @jit_arithmetic_f6e3m2fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf6E3M2FN>, %arg1: tensor<16xf6E3M2FN>) -> (tensor<16xf6E3M2FN> {jax.result_info = "result[0]"}, tensor<16xf6E3M2FN> {jax.result_info = "result[1]"}, tensor<16xf6E3M2FN> {jax.result_info = "result[2]"}, tensor<16xi1> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<16xf6E3M2FN>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<16xf6E3M2FN>
    %2 = stablehlo.maximum %arg0, %arg1 : tensor<16xf6E3M2FN>
    %3 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<16xf6E3M2FN>, tensor<16xf6E3M2FN>) -> tensor<16xi1>
    return %0, %1, %2, %3 : tensor<16xf6E3M2FN>, tensor<16xf6E3M2FN>, tensor<16xf6E3M2FN>, tensor<16xi1>
  }
}
