module @jit_shifted attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x512xf32>, %arg1: tensor<256x256xui8>, %arg2: tensor<256xf32>) -> (tensor<4x256xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 4]> : tensor<2xui8>
    %0 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<2xui8>) -> tensor<2x1xui8>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<256x256xui8>) -> tensor<256x1x256xui8>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x1xui8>) -> tensor<1x2x1xui8>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<256x1x256xui8>) -> tensor<256x2x256xui8>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x2x1xui8>) -> tensor<256x2x256xui8>
    %5 = stablehlo.shift_right_logical %3, %4 : tensor<256x2x256xui8>
    %c_0 = stablehlo.constant dense<15> : tensor<ui8>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<256x2x256xui8>
    %7 = stablehlo.and %5, %6 : tensor<256x2x256xui8>
    %8 = stablehlo.reshape %7 : (tensor<256x2x256xui8>) -> tensor<512x256xui8>
    %9 = stablehlo.convert %8 : (tensor<512x256xui8>) -> tensor<512x256xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<512x256xf32>
    %12 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<512x256xf32>
    %15 = stablehlo.dot_general %arg0, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x512xf32>, tensor<512x256xf32>) -> tensor<4x256xf32>
    return %15 : tensor<4x256xf32>
  }
}
