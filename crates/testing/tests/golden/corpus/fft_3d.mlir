module @jit_fft_3d attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x3x4xcomplex<f32>>, %arg1: tensor<2x2x3x4xf32>) -> (tensor<2x2x3x4xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<2x2x3x3xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<2x2x3x4xf32> {jax.result_info = "result[2]"}, tensor<2x2x3x4xcomplex<f32>> {jax.result_info = "result[3]"}) {
    %0 = call @fft(%arg0) : (tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x4xcomplex<f32>>
    %1 = call @fft_0(%arg1) : (tensor<2x2x3x4xf32>) -> tensor<2x2x3x3xcomplex<f32>>
    %2 = stablehlo.slice %arg0 [0:2, 0:2, 0:3, 0:3] : (tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x3xcomplex<f32>>
    %3 = call @fft_1(%2) : (tensor<2x2x3x3xcomplex<f32>>) -> tensor<2x2x3x4xf32>
    %4 = call @fft_2(%arg0) : (tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x4xcomplex<f32>>
    return %0, %1, %3, %4 : tensor<2x2x3x4xcomplex<f32>>, tensor<2x2x3x3xcomplex<f32>>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xcomplex<f32>>
  }
  func.func private @fft(%arg0: tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [2, 3, 4] : (tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x4xcomplex<f32>>
    return %0 : tensor<2x2x3x4xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<2x2x3x4xf32>) -> tensor<2x2x3x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [2, 3, 4] : (tensor<2x2x3x4xf32>) -> tensor<2x2x3x3xcomplex<f32>>
    return %0 : tensor<2x2x3x3xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<2x2x3x3xcomplex<f32>>) -> tensor<2x2x3x4xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [2, 3, 4] : (tensor<2x2x3x3xcomplex<f32>>) -> tensor<2x2x3x4xf32>
    return %0 : tensor<2x2x3x4xf32>
  }
  func.func private @fft_2(%arg0: tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [3, 4] : (tensor<2x2x3x4xcomplex<f32>>) -> tensor<2x2x3x4xcomplex<f32>>
    return %0 : tensor<2x2x3x4xcomplex<f32>>
  }
}
