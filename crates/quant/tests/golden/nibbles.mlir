module @jit_nibbles attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x512xf32>, %arg1: tensor<256x256xui8>, %arg2: tensor<256xf32>) -> (tensor<4x256xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<15> : tensor<ui8>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<256x256xui8>
    %1 = stablehlo.and %arg1, %0 : tensor<256x256xui8>
    %c_0 = stablehlo.constant dense<4> : tensor<ui8>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<256x256xui8>
    %3 = stablehlo.shift_right_logical %arg1, %2 : tensor<256x256xui8>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<256x256xui8>) -> tensor<256x1x256xui8>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<256x256xui8>) -> tensor<256x1x256xui8>
    %6 = stablehlo.concatenate %4, %5, dim = 1 : (tensor<256x1x256xui8>, tensor<256x1x256xui8>) -> tensor<256x2x256xui8>
    %7 = stablehlo.reshape %6 : (tensor<256x2x256xui8>) -> tensor<512x256xui8>
    %8 = stablehlo.convert %7 : (tensor<512x256xui8>) -> tensor<512x256xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %10 = stablehlo.subtract %8, %9 : tensor<512x256xf32>
    %11 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<512x256xf32>
    %14 = stablehlo.dot_general %arg0, %13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x512xf32>, tensor<512x256xf32>) -> tensor<4x256xf32>
    return %14 : tensor<4x256xf32>
  }
}
