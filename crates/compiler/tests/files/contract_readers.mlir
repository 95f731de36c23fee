// pass: contract
// A kernel that is not right behind a product, and a reshape of a product that others read, before the kernel.
func.func @readers(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<2x2x8xf32>, tensor<32xf32>, tensor<4x8xf32>) {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r = stablehlo.reshape %p : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %f = stablehlo.reshape %p : (tensor<4x8xf32>) -> tensor<32xf32>
  %e = stablehlo.exponential %r : tensor<2x2x8xf32>
  %q = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %e, %f, %q : tensor<2x2x8xf32>, tensor<32xf32>, tensor<4x8xf32>
}
