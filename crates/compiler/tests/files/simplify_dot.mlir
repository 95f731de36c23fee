// pass: simplify
module @dot {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.negate %0 : tensor<3x5xf32>
    %4 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    return %1, %2, %5 : tensor<3x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>
  }
}
