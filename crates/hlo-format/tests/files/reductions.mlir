// Named reducers lose their neutral start, other starts are folded in, a region may be a named reducer or not.
module @reductions {
  func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.multiply across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %3 = "stablehlo.reduce"(%arg0, %cst) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %5 = stablehlo.minimum %arg2, %arg1 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %4 = stablehlo.reduce(%arg0 init: %cst_1) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
      %5 = stablehlo.multiply %arg1, %cst_1 : tensor<f32>
      %6 = stablehlo.add %5, %arg2 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }
    return %0, %1, %2, %3, %4 : tensor<f32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>
  }
}
