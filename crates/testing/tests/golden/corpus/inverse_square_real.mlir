module @jit_inverse_square_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf16>, %arg1: tensor<12xbf16>, %arg2: tensor<12xf32>, %arg3: tensor<12xf64>) -> (tensor<12xf16> {jax.result_info = "result[0]"}, tensor<12xbf16> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<12xf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<12xf16>
    %2 = stablehlo.divide %1, %0 : tensor<12xf16>
    %3 = stablehlo.multiply %arg1, %arg1 : tensor<12xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<12xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<12xbf16>
    %6 = stablehlo.multiply %arg2, %arg2 : tensor<12xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %8 = stablehlo.divide %7, %6 : tensor<12xf32>
    %9 = stablehlo.multiply %arg3, %arg3 : tensor<12xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %11 = stablehlo.divide %10, %9 : tensor<12xf64>
    return %2, %5, %8, %11 : tensor<12xf16>, tensor<12xbf16>, tensor<12xf32>, tensor<12xf64>
  }
}
