module @jit_jnp_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xcomplex<f32>>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<5xf32> {jax.result_info = "result[3]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<complex<f32>> {jax.result_info = "result[5]"}, tensor<complex<f32>> {jax.result_info = "result[6]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[7]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[8]"}, tensor<5xcomplex<f32>> {jax.result_info = "result[9]"}, tensor<5xi1> {jax.result_info = "result[10]"}, tensor<complex<f32>> {jax.result_info = "result[11]"}, tensor<complex<f32>> {jax.result_info = "result[12]"}) {
    %0 = call @angle(%arg0) : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %1 = stablehlo.abs %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %2 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %3 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %4 = stablehlo.negate %3 : tensor<5xf32>
    %5 = stablehlo.complex %2, %4 : tensor<5xcomplex<f32>>
    %6 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %7 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %8 = stablehlo.add %6, %7 : tensor<5xf32>
    %9 = stablehlo.abs %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %10 = stablehlo.convert %9 : (tensor<5xf32>) -> tensor<5xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
    %12 = stablehlo.multiply %11, %10 : tensor<5xcomplex<f32>>
    %13 = stablehlo.exponential %12 : tensor<5xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %14 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %cst_1 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %15 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %cst_2 = stablehlo.constant dense<(5.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %16 = stablehlo.divide %15, %cst_2 : tensor<complex<f32>>
    %17 = stablehlo.sqrt %arg0 : tensor<5xcomplex<f32>>
    %18 = stablehlo.multiply %arg0, %arg0 : tensor<5xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
    %20 = stablehlo.multiply %arg0, %19 : tensor<5xcomplex<f32>>
    %21 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %22 = stablehlo.is_finite %21 : (tensor<5xf32>) -> tensor<5xi1>
    %23 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %24 = stablehlo.is_finite %23 : (tensor<5xf32>) -> tensor<5xi1>
    %25 = stablehlo.and %22, %24 : tensor<5xi1>
    %26 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> tensor<complex<f32>>
    %27 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %28 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %29 = stablehlo.negate %28 : tensor<5xf32>
    %30 = stablehlo.complex %27, %29 : tensor<5xcomplex<f32>>
    %31 = stablehlo.dot_general %30, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> tensor<complex<f32>>
    return %0, %1, %5, %8, %13, %14, %16, %17, %18, %20, %25, %26, %31 : tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xcomplex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xi1>, tensor<complex<f32>>, tensor<complex<f32>>
  }
  func.func private @angle(%arg0: tensor<5xcomplex<f32>>) -> tensor<5xf32> {
    %0 = stablehlo.real %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %1 = stablehlo.imag %arg0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    %2 = stablehlo.atan2 %1, %0 : tensor<5xf32>
    return %2 : tensor<5xf32>
  }
}
