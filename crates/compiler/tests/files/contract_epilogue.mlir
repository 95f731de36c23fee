// pass: contract
// A bias and a function, then a residual; the first product is needed once more, the second one is not.
func.func @block(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %b: tensor<32xf32>, %v: tensor<32x16xf32>) -> (tensor<8x16xf32>, tensor<8x32xf32>) {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %wide = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
  %sum = stablehlo.add %p, %wide : tensor<8x32xf32>
  %h = stablehlo.tanh %sum : tensor<8x32xf32>
  %q = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %y = stablehlo.add %q, %x : tensor<8x16xf32>
  return %y, %p : tensor<8x16xf32>, tensor<8x32xf32>
}
