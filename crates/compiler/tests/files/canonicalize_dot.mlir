// pass: canonicalize
module @apart {
  func.func public @main(%arg0: tensor<2x5x3xf32>, %arg1: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x5x3xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
}
