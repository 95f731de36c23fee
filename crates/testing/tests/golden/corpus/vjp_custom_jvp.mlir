module @jit_vjp_custom_jvp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.exponential %arg0 : tensor<3x4xf32>
    %1 = stablehlo.log_plus_one %0 : tensor<3x4xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
