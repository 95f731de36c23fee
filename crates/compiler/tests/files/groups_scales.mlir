// pass: groups
// Groups of a contracted axis whose sums have scales, of several rows and of one, where a scale for each sum needs no broadcast.
module @m {
  func.func public @main(%x: tensor<3x2x8xbf16>, %w: tensor<2x8x5xbf16>, %s: tensor<2x5xf32>, %one: tensor<2x8xbf16>) -> (tensor<3x5xf32>, tensor<5xf32>, tensor<3x5xf32>) {
    %p = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<3x2x8xbf16>, tensor<2x8x5xbf16>) -> tensor<2x3x5xf32>
    %b = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<2x5xf32>) -> tensor<2x3x5xf32>
    %y = stablehlo.dot_general %p, %b, batching_dims = [1, 2] x [1, 2], contracting_dims = [0] x [0] : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<3x5xf32>
    %q = stablehlo.dot_general %one, %w, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x8xbf16>, tensor<2x8x5xbf16>) -> tensor<2x5xf32>
    %z = stablehlo.dot_general %q, %s, batching_dims = [1] x [1], contracting_dims = [0] x [0] : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<5xf32>
    // Rows have scales of their own: these are no scales of columns.
    %c = stablehlo.exponential %b : tensor<2x3x5xf32>
    %t = stablehlo.negate %x : tensor<3x2x8xbf16>
    %o = stablehlo.dot_general %t, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<3x2x8xbf16>, tensor<2x8x5xbf16>) -> tensor<2x3x5xf32>
    %r = stablehlo.dot_general %o, %c, batching_dims = [1, 2] x [1, 2], contracting_dims = [0] x [0] : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<3x5xf32>
    return %y, %z, %r : tensor<3x5xf32>, tensor<5xf32>, tensor<3x5xf32>
  }
}
