module @jit_inverse_square_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<12xcomplex<f32>>
    %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<12xcomplex<f32>>
    %2 = stablehlo.divide %1, %0 : tensor<12xcomplex<f32>>
    %3 = stablehlo.multiply %arg1, %arg1 : tensor<12xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<12xcomplex<f64>>
    %5 = stablehlo.divide %4, %3 : tensor<12xcomplex<f64>>
    return %2, %5 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
