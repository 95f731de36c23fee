// pass: contract
// Matrices of int8 with scales, and rows, made as a product of groups of rows reads them. The loop that makes sizes stays before it.
func.func @experts(%x: tensor<4x8xbf16>, %q: tensor<3x8x8xi8>, %s: tensor<3x8xf32>, %n: tensor<3xi64>) -> tensor<4x8xf32> {
  %0 = stablehlo.convert %q : (tensor<3x8x8xi8>) -> tensor<3x8x8xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<3x8xf32>) -> tensor<3x8x8xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3x8x8xf32>
  %3 = stablehlo.convert %n : (tensor<3xi64>) -> tensor<3xi32>
  %4 = stablehlo.convert %x : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %5 = "jarrah.ragged_dot"(%4, %2, %3) {kind = "rows"} : (tensor<4x8xf32>, tensor<3x8x8xf32>, tensor<3xi32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
