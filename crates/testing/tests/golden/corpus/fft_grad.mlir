module @jit_fft_grad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>) -> (tensor<2x8xf32> {jax.result_info = "result[0]"}, tensor<2x8xf32> {jax.result_info = "result[1]"}) {
    %0 = call @fft(%arg0) : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    %1 = stablehlo.abs %0 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %2 = stablehlo.real %0 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %3 = stablehlo.imag %0 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %4 = stablehlo.negate %3 : tensor<2x5xf32>
    %5 = stablehlo.complex %2, %4 : tensor<2x5xcomplex<f32>>
    %6 = stablehlo.convert %1 : (tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %8 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xi1>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %10 = stablehlo.select %8, %9, %6 : tensor<2x5xi1>, tensor<2x5xcomplex<f32>>
    %11 = stablehlo.divide %5, %10 : tensor<2x5xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %15 = stablehlo.complex %13, %14 : tensor<2x5xcomplex<f32>>
    %16 = stablehlo.multiply %15, %11 : tensor<2x5xcomplex<f32>>
    %17 = call @fft_0(%16) : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    %18 = call @fft(%arg0) : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    %19 = stablehlo.multiply %18, %18 : tensor<2x5xcomplex<f32>>
    %cst_4 = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %21 = stablehlo.multiply %20, %18 : tensor<2x5xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %22:2 = call @_pad(%19, %c) : (tensor<2x5xcomplex<f32>>, tensor<i32>) -> (tensor<2x5xcomplex<f32>>, tensor<complex<f32>>)
    %23 = call @fft_2(%22#0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
    %25 = stablehlo.reshape %24 : (tensor<f32>) -> tensor<1x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<2x8xf32>
    %27 = stablehlo.compare EQ, %23, %26, FLOAT : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %28 = stablehlo.convert %27 : (tensor<2x8xi1>) -> tensor<2x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.divide %cst_7, %29 : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %32 = stablehlo.multiply %31, %28 : tensor<2x8xf32>
    %33 = call @fft_3(%32) : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    %34 = call @_pad_5(%22#1, %33) : (tensor<complex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    %35 = stablehlo.multiply %34, %21 : tensor<2x5xcomplex<f32>>
    %36 = call @fft_0(%35) : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    return %17, %36 : tensor<2x8xf32>, tensor<2x8xf32>
  }
  func.func private @fft(%arg0: tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    return %0 : tensor<2x5xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32> {
    %0 = call @_rfft_transpose(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
  func.func private @_rfft_transpose(%arg0: tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32> {
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %0, %1, %c : (tensor<5xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<5xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %2, %3, %c_2 : (tensor<5xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<5xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<5xcomplex<f32>>) -> tensor<1x5xcomplex<f32>>
    %6 = stablehlo.real %arg0 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %7 = stablehlo.imag %arg0 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %8 = stablehlo.negate %7 : tensor<2x5xf32>
    %9 = stablehlo.complex %6, %8 : tensor<2x5xcomplex<f32>>
    %10 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    %11 = stablehlo.divide %9, %10 : tensor<2x5xcomplex<f32>>
    %12 = call @fft_1(%11) : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<2x8xf32>
    return %14 : tensor<2x8xf32>
  }
  func.func private @fft_1(%arg0: tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
  func.func private @_pad(%arg0: tensor<2x5xcomplex<f32>>, %arg1: tensor<i32>) -> (tensor<2x5xcomplex<f32>>, tensor<complex<f32>>) {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    return %1, %cst : tensor<2x5xcomplex<f32>>, tensor<complex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
  func.func private @fft_3(%arg0: tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>> {
    %0 = call @fft_4(%arg0) : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %1, %2, %c : (tensor<5xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<5xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %5 = stablehlo.dynamic_update_slice %3, %4, %c_2 : (tensor<5xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<5xcomplex<f32>>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<5xcomplex<f32>>) -> tensor<1x5xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(1.250000e-01,0.000000e+00)> : tensor<complex<f32>>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f32>>) -> tensor<1x5xcomplex<f32>>
    %8 = stablehlo.multiply %7, %6 : tensor<1x5xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    %10 = stablehlo.multiply %9, %0 : tensor<2x5xcomplex<f32>>
    %11 = stablehlo.real %10 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %12 = stablehlo.imag %10 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %13 = stablehlo.negate %12 : tensor<2x5xf32>
    %14 = stablehlo.complex %11, %13 : tensor<2x5xcomplex<f32>>
    return %14 : tensor<2x5xcomplex<f32>>
  }
  func.func private @fft_4(%arg0: tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    return %0 : tensor<2x5xcomplex<f32>>
  }
  func.func private @_pad_5(%arg0: tensor<complex<f32>>, %arg1: tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>> {
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.pad %arg1, %cst, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %1 = stablehlo.slice %0 [0:2, 0:5] : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    return %1 : tensor<2x5xcomplex<f32>>
  }
}
