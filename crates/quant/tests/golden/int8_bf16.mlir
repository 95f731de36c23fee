module @jit_convert attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x512xbf16>, %arg1: tensor<512x256xi8>, %arg2: tensor<256xbf16>) -> (tensor<4x256xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<512x256xi8>) -> tensor<512x256xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xbf16>) -> tensor<1x256xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x256xbf16>) -> tensor<512x256xbf16>
    %3 = stablehlo.multiply %0, %2 : tensor<512x256xbf16>
    %4 = stablehlo.dot_general %arg0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x512xbf16>, tensor<512x256xbf16>) -> tensor<4x256xbf16>
    return %4 : tensor<4x256xbf16>
  }
}
