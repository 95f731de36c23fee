// pass: canonicalize
module @bytes_of_words {
  func.func public @main(%arg0: tensor<3x4x5xui8>) -> tensor<3x5xui32> {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x4x5xui8>) -> tensor<3x5x4xui8>
    %1 = stablehlo.bitcast_convert %0 : (tensor<3x5x4xui8>) -> tensor<3x5xui32>
    return %1 : tensor<3x5xui32>
  }
}
