// pass: simplify
module @movement {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<1x2xf32>, tensor<4x6xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
    %2 = stablehlo.slice %arg0 [0:2, 1:2, 1:4] : (tensor<2x3x4xf32>) -> tensor<2x1x3xf32>
    %3 = stablehlo.slice %2 [0:2, 0:1, 1:2] : (tensor<2x1x3xf32>) -> tensor<2x1x1xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0, 2] : (tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2x1xf32>) -> tensor<1x2xf32>
    %6 = stablehlo.reshape %0 : (tensor<4x2x3xf32>) -> tensor<4x6xf32>
    return %1, %5, %6 : tensor<2x3x4xf32>, tensor<1x2xf32>, tensor<4x6xf32>
  }
}
