module @jit_reciprocal_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<26xf16>, %arg1: tensor<26xbf16>, %arg2: tensor<26xf32>, %arg3: tensor<26xf64>) -> (tensor<26xf16> {jax.result_info = "result[0]"}, tensor<26xbf16> {jax.result_info = "result[1]"}, tensor<26xf32> {jax.result_info = "result[2]"}, tensor<26xf64> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<26xf16>
    %1 = stablehlo.divide %0, %arg0 : tensor<26xf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<26xbf16>
    %3 = stablehlo.divide %2, %arg1 : tensor<26xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<26xf32>
    %5 = stablehlo.divide %4, %arg2 : tensor<26xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<26xf64>
    %7 = stablehlo.divide %6, %arg3 : tensor<26xf64>
    return %1, %3, %5, %7 : tensor<26xf16>, tensor<26xbf16>, tensor<26xf32>, tensor<26xf64>
  }
}
