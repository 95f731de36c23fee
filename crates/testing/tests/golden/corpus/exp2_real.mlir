module @jit_exp2_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<26xf16>, %arg1: tensor<26xbf16>, %arg2: tensor<26xf32>, %arg3: tensor<26xf64>) -> (tensor<26xf16> {jax.result_info = "result[0]"}, tensor<26xbf16> {jax.result_info = "result[1]"}, tensor<26xf32> {jax.result_info = "result[2]"}, tensor<26xf64> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<6.933590e-01> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<26xf16>
    %1 = stablehlo.multiply %0, %arg0 : tensor<26xf16>
    %2 = stablehlo.exponential %1 : tensor<26xf16>
    %cst_0 = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<26xbf16>
    %4 = stablehlo.multiply %3, %arg1 : tensor<26xbf16>
    %5 = stablehlo.exponential %4 : tensor<26xbf16>
    %cst_1 = stablehlo.constant dense<0.693147182> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<26xf32>
    %7 = stablehlo.multiply %6, %arg2 : tensor<26xf32>
    %8 = stablehlo.exponential %7 : tensor<26xf32>
    %cst_2 = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<26xf64>
    %10 = stablehlo.multiply %9, %arg3 : tensor<26xf64>
    %11 = stablehlo.exponential %10 : tensor<26xf64>
    return %2, %5, %8, %11 : tensor<26xf16>, tensor<26xbf16>, tensor<26xf32>, tensor<26xf64>
  }
}
