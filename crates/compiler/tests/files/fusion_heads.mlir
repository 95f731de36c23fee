// pass: fusion
module @heads {
  func.func public @main(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<2x4x3x8xf32>) -> tensor<2x3x4x8xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<2x3x4x8xf32>
    %2 = stablehlo.iota dim = 2 : tensor<2x3x4x8xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x3x4x8xf32>
    return %3 : tensor<2x3x4x8xf32>
  }
}
