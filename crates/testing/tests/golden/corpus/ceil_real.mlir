module @jit_ceil_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<26xf16>, %arg1: tensor<26xbf16>, %arg2: tensor<26xf32>, %arg3: tensor<26xf64>) -> (tensor<26xf16> {jax.result_info = "result[0]"}, tensor<26xbf16> {jax.result_info = "result[1]"}, tensor<26xf32> {jax.result_info = "result[2]"}, tensor<26xf64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.ceil %arg0 : tensor<26xf16>
    %1 = stablehlo.ceil %arg1 : tensor<26xbf16>
    %2 = stablehlo.ceil %arg2 : tensor<26xf32>
    %3 = stablehlo.ceil %arg3 : tensor<26xf64>
    return %0, %1, %2, %3 : tensor<26xf16>, tensor<26xbf16>, tensor<26xf32>, tensor<26xf64>
  }
}
