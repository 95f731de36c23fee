module @jit_vjp_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xcomplex<f32>>) -> (tensor<5xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<5xf32> {jax.result_info = "result[3]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<5xcomplex<f32>>
    %1 = stablehlo.exponential %arg0 : tensor<5xcomplex<f32>>
    %2 = stablehlo.abs %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %3 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %4 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<5xf32>
    %6 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %7 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %8 = stablehlo.negate %7 : tensor<5xf32>
    %9 = stablehlo.complex %6, %8 : tensor<5xcomplex<f32>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
    %11 = stablehlo.multiply %9, %10 : tensor<5xcomplex<f32>>
    %12 = stablehlo.log %arg0 : tensor<5xcomplex<f32>>
    return %0, %1, %2, %5, %11, %12 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  }
}
