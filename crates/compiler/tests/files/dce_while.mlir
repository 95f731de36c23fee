// pass: dce
module @dead_carry {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:3 = stablehlo.while(%i = %arg0, %x = %arg1, %y = %arg2) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %x, %x : tensor<4xf32>
      %3 = stablehlo.multiply %y, %x : tensor<4xf32>
      stablehlo.return %1, %2, %3 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
    }
    return %0#1 : tensor<4xf32>
  }
}
