// pass: contract
// A product in groups, with loops that make the right operand and the scales, and the loop behind.
module @m {
  func.func public @main(%x: tensor<3x2x8xf32>, %w: tensor<2x8x5xi8>, %s: tensor<2x5xf16>, %z: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %n = stablehlo.convert %w : (tensor<2x8x5xi8>) -> tensor<2x8x5xf32>
    %f = stablehlo.convert %s : (tensor<2x5xf16>) -> tensor<2x5xf32>
    %p = stablehlo.dot_general %x, %n, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<3x2x8xf32>, tensor<2x8x5xf32>) -> tensor<2x3x5xf32>
    %b = stablehlo.broadcast_in_dim %f, dims = [0, 2] : (tensor<2x5xf32>) -> tensor<2x3x5xf32>
    %y = stablehlo.dot_general %p, %b, batching_dims = [1, 2] x [1, 2], contracting_dims = [0] x [0] : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<3x5xf32>
    %r = stablehlo.add %y, %z : tensor<3x5xf32>
    return %r : tensor<3x5xf32>
  }
}
