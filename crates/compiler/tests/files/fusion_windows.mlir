// pass: fusion
module @windows {
  func.func public @main(%arg0: tensor<3x4x12xf32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4x6xf32>, tensor<3x3xf32>, tensor<3x4xf32>) {
    %0 = stablehlo.slice %arg0 [0:3, 0:4, 0:6] : (tensor<3x4x12xf32>) -> tensor<3x4x6xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:4, 6:12] : (tensor<3x4x12xf32>) -> tensor<3x4x6xf32>
    %2 = stablehlo.logistic %1 : tensor<3x4x6xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<3x4x6xf32>
    %4 = stablehlo.slice %arg1 [0:3, 1:4] : (tensor<3x4xf32>) -> tensor<3x3xf32>
    %5 = stablehlo.slice %arg1 [0:3, 0:3] : (tensor<3x4xf32>) -> tensor<3x3xf32>
    %6 = stablehlo.subtract %4, %5 : tensor<3x3xf32>
    %7 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x4xf32>
    %8 = stablehlo.add %7, %arg1 : tensor<3x4xf32>
    return %3, %6, %8 : tensor<3x4x6xf32>, tensor<3x3xf32>, tensor<3x4xf32>
  }
}
