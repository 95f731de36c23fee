module @jit_bitcast attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x512xf32>, %arg1: tensor<512x128xui8>, %arg2: tensor<256xf32>) -> (tensor<4x256xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.bitcast_convert %arg1 : (tensor<512x128xui8>) -> tensor<512x128x2xi4>
    %1 = stablehlo.reshape %0 : (tensor<512x128x2xi4>) -> tensor<512x256xi4>
    %2 = stablehlo.convert %1 : (tensor<512x256xi4>) -> tensor<512x256xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %5 = stablehlo.multiply %2, %4 : tensor<512x256xf32>
    %6 = stablehlo.dot_general %arg0, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x512xf32>, tensor<512x256xf32>) -> tensor<4x256xf32>
    return %6 : tensor<4x256xf32>
  }
}
