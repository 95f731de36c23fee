module @jit_reduce_c128 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xcomplex<f64>>) -> (tensor<2x4xcomplex<f64>> {jax.result_info = "result[0]"}, tensor<3xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<2x3xcomplex<f64>> {jax.result_info = "result[2]"}, tensor<complex<f64>> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x3x4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x4xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %2 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.multiply across dimensions = [2] : (tensor<2x3x4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %3 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    return %0, %1, %2, %3 : tensor<2x4xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<complex<f64>>
  }
}
