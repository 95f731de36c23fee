module @jit_vjp_rfft attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<4xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}) {
    %0 = call @fft(%arg0) : (tensor<6xf32>) -> tensor<4xcomplex<f32>>
    %1 = call @fft(%arg0) : (tensor<6xf32>) -> tensor<4xcomplex<f32>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = stablehlo.multiply %1, %2 : tensor<4xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_pad(%3, %c) : (tensor<4xcomplex<f32>>, tensor<i32>) -> tensor<4xcomplex<f32>>
    %5 = call @fft_0(%4) : (tensor<4xcomplex<f32>>) -> tensor<6xf32>
    return %0, %5 : tensor<4xcomplex<f32>>, tensor<6xf32>
  }
  func.func private @fft(%arg0: tensor<6xf32>) -> tensor<4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<6xf32>) -> tensor<4xcomplex<f32>>
    return %0 : tensor<4xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<4xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<4xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [0], interior = [0] : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    return %1 : tensor<4xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<4xcomplex<f32>>) -> tensor<6xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [6] : (tensor<4xcomplex<f32>>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}
