// pass: fusion
module @softmax {
  func.func public @main(%arg0: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x8xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<2x3x8xf32>
    %3 = stablehlo.exponential %2 : tensor<2x3x8xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x8xf32>
    %6 = stablehlo.divide %3, %5 : tensor<2x3x8xf32>
    return %6 : tensor<2x3x8xf32>
  }
}
