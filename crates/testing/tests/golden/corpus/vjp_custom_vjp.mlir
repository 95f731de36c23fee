module @jit_vjp_custom_vjp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.sine %arg0 : tensor<3x4xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<3x4xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
