// pass: contract
// Weights of bf16 and of int8 with a scale, made as products read them: one for two products, with a function behind; one on the left.
// Not those that something else reads too: the last is a result.
func.func @weights(%x: tensor<4x8xf32>, %w: tensor<8x8xbf16>, %q: tensor<8x8xi8>, %s: tensor<8xf32>, %v: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.convert %w : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.tanh %1 : tensor<4x8xf32>
  %3 = stablehlo.dot_general %2, %0, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.convert %q : (tensor<8x8xi8>) -> tensor<8x8xf32>
  %5 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<8x8xf32>
  %7 = stablehlo.dot_general %6, %x, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
  %8 = stablehlo.negate %v : tensor<8x8xf32>
  %9 = stablehlo.exponential %8 : tensor<8x8xf32>
  %10 = stablehlo.dot_general %x, %9, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2, %3, %7, %10, %9 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x8xf32>
}
