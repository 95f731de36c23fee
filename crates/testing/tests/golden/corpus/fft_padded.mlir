module @jit_fft_padded attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>) -> (tensor<2x6xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<2x5xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<2x8xf32> {jax.result_info = "result[2]"}, tensor<2x5xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<2x8xf32> {jax.result_info = "result[4]"}, tensor<8xf32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<2x8xf32>, tensor<i32>) -> tensor<2x11xf32>
    %1 = call @fft(%0) : (tensor<2x11xf32>) -> tensor<2x6xcomplex<f32>>
    %2 = stablehlo.slice %arg0 [0:2, 0:5] : (tensor<2x8xf32>) -> tensor<2x5xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @_pad_0(%2, %c_0) : (tensor<2x5xf32>, tensor<i32>) -> tensor<2x5xf32>
    %4 = call @fft_1(%3) : (tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %5 = stablehlo.slice %arg0 [0:2, 0:5] : (tensor<2x8xf32>) -> tensor<2x5xf32>
    %6 = call @fft_2(%5) : (tensor<2x5xf32>) -> tensor<2x8xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x8xf32>
    %9 = call @fft_3(%arg0) : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    %10 = stablehlo.real %9 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %11 = stablehlo.imag %9 : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %12 = stablehlo.negate %11 : tensor<2x5xf32>
    %13 = stablehlo.complex %10, %12 : tensor<2x5xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.250000e-01,0.000000e+00)> : tensor<complex<f32>>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %15 = stablehlo.multiply %13, %14 : tensor<2x5xcomplex<f32>>
    %16 = call @_roll_static(%arg0) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %17 = stablehlo.iota dim = 0 : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %19 = stablehlo.add %17, %18 : tensor<8xf32>
    %c_3 = stablehlo.constant dense<8> : tensor<i32>
    %20 = call @remainder(%19, %c_3) : (tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.subtract %20, %21 : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %24 = stablehlo.divide %22, %23 : tensor<8xf32>
    return %1, %4, %8, %15, %16, %24 : tensor<2x6xcomplex<f32>>, tensor<2x5xcomplex<f32>>, tensor<2x8xf32>, tensor<2x5xcomplex<f32>>, tensor<2x8xf32>, tensor<8xf32>
  }
  func.func private @_pad(%arg0: tensor<2x8xf32>, %arg1: tensor<i32>) -> tensor<2x11xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 3], interior = [0, 0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x11xf32>
    return %1 : tensor<2x11xf32>
  }
  func.func private @fft(%arg0: tensor<2x11xf32>) -> tensor<2x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [11] : (tensor<2x11xf32>) -> tensor<2x6xcomplex<f32>>
    return %0 : tensor<2x6xcomplex<f32>>
  }
  func.func private @_pad_0(%arg0: tensor<2x5xf32>, %arg1: tensor<i32>) -> tensor<2x5xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    return %1 : tensor<2x5xf32>
  }
  func.func private @fft_1(%arg0: tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [5] : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    return %1 : tensor<2x5xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<2x5xf32>) -> tensor<2x8xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    return %1 : tensor<2x8xf32>
  }
  func.func private @fft_3(%arg0: tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    return %0 : tensor<2x5xcomplex<f32>>
  }
  func.func private @_roll_static(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = stablehlo.slice %arg0 [1:2, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.slice %2 [0:2, 4:8] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.slice %2 [0:2, 0:4] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
    return %5 : tensor<2x8xf32>
  }
  func.func private @remainder(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.remainder %arg0, %1 : tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.compare NE, %2, %3, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.compare LT, %2, %5, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.compare LT, %0, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %9 = stablehlo.compare NE, %6, %8, UNSIGNED : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
    %10 = stablehlo.and %9, %4 : tensor<8xi1>
    %11 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.add %2, %11 : tensor<8xf32>
    %13 = stablehlo.select %10, %12, %2 : tensor<8xi1>, tensor<8xf32>
    return %13 : tensor<8xf32>
  }
}
