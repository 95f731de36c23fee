// pass: expand
// Floats of eight bits are multiplied as floats of 32 bits, and what is summed is rounded once.
module @narrow {
  func.func public @main(%x: tensor<4x8xf8E4M3FN>, %w: tensor<8x8xf8E4M3FN>) -> (tensor<4x8xf32>, tensor<4x8xf8E4M3FN>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf8E4M3FN>, tensor<8x8xf8E4M3FN>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4x8xf8E4M3FN>, tensor<8x8xf8E4M3FN>) -> tensor<4x8xf8E4M3FN>
    return %0, %1 : tensor<4x8xf32>, tensor<4x8xf8E4M3FN>
  }
}
