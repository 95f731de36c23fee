module @jit_jnp_shapes attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<3x4x1xf32> {jax.result_info = "result[1]"}, tensor<3x2xf32> {jax.result_info = "result[2][0]"}, tensor<3x1xf32> {jax.result_info = "result[2][1]"}, tensor<3x1xf32> {jax.result_info = "result[2][2]"}, tensor<3x4x2xf32> {jax.result_info = "result[3]"}, tensor<3x8xf32> {jax.result_info = "result[4]"}, tensor<4x3xf32> {jax.result_info = "result[5]"}, tensor<3x4xf32> {jax.result_info = "result[6]"}, tensor<5x3xf32> {jax.result_info = "result[7]"}, tensor<6x8xf32> {jax.result_info = "result[8]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %1 = call @atleast_3d(%arg0) : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
    %2 = stablehlo.slice %arg0 [0:3, 0:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %3 = stablehlo.slice %arg0 [0:3, 2:3] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %4 = stablehlo.slice %arg0 [0:3, 3:4] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %5 = call @atleast_3d(%arg0) : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
    %6 = call @atleast_3d(%arg0) : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 2 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
    %8 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
    %9 = call @rollaxis(%arg0) : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %10 = call @_flip(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = call @resize(%arg0) : (tensor<3x4xf32>) -> tensor<5x3xf32>
    %12 = call @block(%arg0, %arg0, %arg0, %arg0) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x8xf32>
    return %0, %1, %2, %3, %4, %7, %8, %9, %10, %11, %12 : tensor<12xf32>, tensor<3x4x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x4x2xf32>, tensor<3x8xf32>, tensor<4x3xf32>, tensor<3x4xf32>, tensor<5x3xf32>, tensor<6x8xf32>
  }
  func.func private @atleast_3d(%arg0: tensor<3x4xf32>) -> tensor<3x4x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
    return %0 : tensor<3x4x1xf32>
  }
  func.func private @rollaxis(%arg0: tensor<3x4xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
  func.func private @_flip(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @resize(%arg0: tensor<3x4xf32>) -> tensor<5x3xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<1x12xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<2x12xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x12xf32>) -> tensor<24xf32>
    %4 = stablehlo.slice %3 [0:15] : (tensor<24xf32>) -> tensor<15xf32>
    %5 = stablehlo.reshape %4 : (tensor<15xf32>) -> tensor<5x3xf32>
    return %5 : tensor<5x3xf32>
  }
  func.func private @block(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<3x4xf32>) -> tensor<6x8xf32> {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
    %1 = stablehlo.concatenate %arg2, %arg3, dim = 1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<6x8xf32>
    return %2 : tensor<6x8xf32>
  }
}
