module @jit_dot_f8e4m3_f32 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf8E4M3>, %arg1: tensor<5x4xf8E4M3>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf8E4M3>, tensor<5x4xf8E4M3>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
