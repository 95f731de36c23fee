module @jit_logistic_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<26xf16>, %arg1: tensor<26xbf16>, %arg2: tensor<26xf32>, %arg3: tensor<26xf64>) -> (tensor<26xf16> {jax.result_info = "result[0]"}, tensor<26xbf16> {jax.result_info = "result[1]"}, tensor<26xf32> {jax.result_info = "result[2]"}, tensor<26xf64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.negate %arg0 : tensor<26xf16>
    %1 = stablehlo.exponential %0 : tensor<26xf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<26xf16>
    %3 = stablehlo.add %2, %1 : tensor<26xf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<26xf16>
    %5 = stablehlo.divide %4, %3 : tensor<26xf16>
    %6 = stablehlo.negate %arg1 : tensor<26xbf16>
    %7 = stablehlo.exponential %6 : tensor<26xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<26xbf16>
    %9 = stablehlo.add %8, %7 : tensor<26xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<26xbf16>
    %11 = stablehlo.divide %10, %9 : tensor<26xbf16>
    %12 = stablehlo.negate %arg2 : tensor<26xf32>
    %13 = stablehlo.exponential %12 : tensor<26xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<26xf32>
    %15 = stablehlo.add %14, %13 : tensor<26xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<26xf32>
    %17 = stablehlo.divide %16, %15 : tensor<26xf32>
    %18 = stablehlo.negate %arg3 : tensor<26xf64>
    %19 = stablehlo.exponential %18 : tensor<26xf64>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<26xf64>
    %21 = stablehlo.add %20, %19 : tensor<26xf64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<26xf64>
    %23 = stablehlo.divide %22, %21 : tensor<26xf64>
    return %5, %11, %17, %23 : tensor<26xf16>, tensor<26xbf16>, tensor<26xf32>, tensor<26xf64>
  }
}
