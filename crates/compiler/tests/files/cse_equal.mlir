// pass: cse
module @equal {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %1 = stablehlo.add %arg1, %arg0 : tensor<4xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<4xf32>
    %3 = stablehlo.optimization_barrier %arg0 : tensor<4xf32>
    %4 = stablehlo.add %3, %arg1 : tensor<4xf32>
    %5 = stablehlo.multiply %2, %4 : tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}
