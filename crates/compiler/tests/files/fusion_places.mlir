// pass: fusion
func.func public @places(%a: tensor<4x8x32xf32>, %b: tensor<4x8x32xf32>, %c: tensor<4x8x64xf32>, %d: tensor<4x4x32xf32>) -> (tensor<4x8x64xf32>, tensor<4x12x32xf32>, tensor<4x8xf32>, tensor<4x12x32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // Each box loads what lies there.
  %left = stablehlo.pad %a, %zero, low = [0, 0, 0], high = [0, 0, 32], interior = [0, 0, 0] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8x64xf32>
  %right = stablehlo.pad %b, %zero, low = [0, 0, 32], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8x64xf32>
  %both = stablehlo.add %left, %right : tensor<4x8x64xf32>
  %sum = stablehlo.multiply %both, %c : tensor<4x8x64xf32>
  %joined = stablehlo.concatenate %a, %d, dim = 1 : (tensor<4x8x32xf32>, tensor<4x4x32xf32>) -> tensor<4x12x32xf32>
  %sine = stablehlo.sine %joined : tensor<4x12x32xf32>
  // Rows along which a pad runs are folded over memory.
  %wide = stablehlo.pad %b, %zero, low = [0, 0, 16], high = [0, 0, 16], interior = [0, 0, 0] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8x64xf32>
  %rows = stablehlo.reduce(%wide init: %zero) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<4x8xf32>
  // A result is a copy.
  %result = stablehlo.concatenate %d, %a, dim = 1 : (tensor<4x4x32xf32>, tensor<4x8x32xf32>) -> tensor<4x12x32xf32>
  return %sum, %sine, %rows, %result : tensor<4x8x64xf32>, tensor<4x12x32xf32>, tensor<4x8xf32>, tensor<4x12x32xf32>
}
