// pass: fusion
module @columns {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<6xf32>) -> tensor<6x8xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<6x8xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<6x8xf32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.negate %4 : tensor<8xf32>
    return %3, %5 : tensor<8xf32>, tensor<8xf32>
  }
}
