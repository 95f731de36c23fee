module @jit_logistic_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.negate %arg0 : tensor<12xcomplex<f32>>
    %1 = stablehlo.exponential %0 : tensor<12xcomplex<f32>>
    %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<12xcomplex<f32>>
    %3 = stablehlo.add %2, %1 : tensor<12xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<12xcomplex<f32>>
    %5 = stablehlo.divide %4, %3 : tensor<12xcomplex<f32>>
    %6 = stablehlo.negate %arg1 : tensor<12xcomplex<f64>>
    %7 = stablehlo.exponential %6 : tensor<12xcomplex<f64>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<12xcomplex<f64>>
    %9 = stablehlo.add %8, %7 : tensor<12xcomplex<f64>>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<12xcomplex<f64>>
    %11 = stablehlo.divide %10, %9 : tensor<12xcomplex<f64>>
    return %5, %11 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
