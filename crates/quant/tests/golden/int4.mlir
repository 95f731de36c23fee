module @jit_convert attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x512xf32>, %arg1: tensor<512x256xi4>, %arg2: tensor<256xf32>) -> (tensor<4x256xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<512x256xi4>) -> tensor<512x256xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<256xf32>) -> tensor<1x256xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x256xf32>) -> tensor<512x256xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<512x256xf32>
    %4 = stablehlo.dot_general %arg0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x512xf32>, tensor<512x256xf32>) -> tensor<4x256xf32>
    return %4 : tensor<4x256xf32>
  }
}
