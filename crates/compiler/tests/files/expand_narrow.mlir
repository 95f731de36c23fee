// pass: expand
// Floats of eight bits are multiplied as `bf16`, and what is summed is rounded once; so is what is summed for a type that is
// neither that of the operands nor that of the sum.
module @narrow {
  func.func public @main(%x: tensor<4x8xf8E4M3FN>, %w: tensor<8x8xf8E4M3FN>, %y: tensor<4x8xbf16>) -> (tensor<4x8xf32>, tensor<4x8xf8E4M3FN>, tensor<4x4xf64>, tensor<4x4xbf16>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf8E4M3FN>, tensor<8x8xf8E4M3FN>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4x8xf8E4M3FN>, tensor<8x8xf8E4M3FN>) -> tensor<4x8xf8E4M3FN>
    %2 = stablehlo.dot_general %y, %y, contracting_dims = [1] x [1] : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x4xf64>
    %3 = stablehlo.dot_general %y, %y, contracting_dims = [1] x [1] : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x4xbf16>
    return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf8E4M3FN>, tensor<4x4xf64>, tensor<4x4xbf16>
  }
}
