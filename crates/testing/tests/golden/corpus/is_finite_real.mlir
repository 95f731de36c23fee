module @jit_is_finite_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<26xf16>, %arg1: tensor<26xbf16>, %arg2: tensor<26xf32>, %arg3: tensor<26xf64>) -> (tensor<26xi1> {jax.result_info = "result[0]"}, tensor<26xi1> {jax.result_info = "result[1]"}, tensor<26xi1> {jax.result_info = "result[2]"}, tensor<26xi1> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.is_finite %arg0 : (tensor<26xf16>) -> tensor<26xi1>
    %1 = stablehlo.is_finite %arg1 : (tensor<26xbf16>) -> tensor<26xi1>
    %2 = stablehlo.is_finite %arg2 : (tensor<26xf32>) -> tensor<26xi1>
    %3 = stablehlo.is_finite %arg3 : (tensor<26xf64>) -> tensor<26xi1>
    return %0, %1, %2, %3 : tensor<26xi1>, tensor<26xi1>, tensor<26xi1>, tensor<26xi1>
  }
}
