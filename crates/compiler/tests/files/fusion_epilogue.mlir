// pass: fusion
module @epilogue {
  func.func public @main(%arg0: tensor<2x4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8xf32>) -> tensor<2x4x8xbf16> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<8xf32>) -> tensor<2x4x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4x8xf32>
    %3 = stablehlo.tanh %2 : tensor<2x4x8xf32>
    %4 = stablehlo.convert %3 : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
    return %4 : tensor<2x4x8xbf16>
  }
}
