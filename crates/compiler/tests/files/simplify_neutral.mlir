// pass: simplify
module @neutral {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %none = stablehlo.constant dense<0> : tensor<4xi32>
    %0 = stablehlo.multiply %arg0, %one : tensor<4xf32>
    %1 = stablehlo.divide %0, %one : tensor<4xf32>
    %2 = stablehlo.negate %1 : tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %4 = stablehlo.add %arg0, %zero : tensor<4xf32>
    %5 = stablehlo.add %arg1, %none : tensor<4xi32>
    %6 = stablehlo.subtract %arg0, %zero : tensor<4xf32>
    return %3, %4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
  }
}
