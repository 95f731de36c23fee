module @movement {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> (tensor<1x4xf32>, tensor<6x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 1], interior = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %1 = stablehlo.slice %0 [0:4:2, 0:2] : (tensor<4x3xf32>) -> tensor<2x2xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x2xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %4 = stablehlo.reverse %3, dims = [0, 1] : tensor<3x2xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    %6 = stablehlo.dynamic_update_slice %arg0, %arg0, %arg2, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %7 = stablehlo.clamp %arg1, %6, %arg1 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %8 = stablehlo.iota dim = 1 : tensor<2x3xui32>
    %9 = stablehlo.bitcast_convert %8 : (tensor<2x3xui32>) -> tensor<2x3xf32>
    %10 = stablehlo.optimization_barrier %9 : tensor<2x3xf32>
    return %2, %5, %7, %10 : tensor<1x4xf32>, tensor<6x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
