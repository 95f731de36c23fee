module @jit_optimization_barrier attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<3x4xf32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<3x4xf32>
    %2:2 = stablehlo.optimization_barrier %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
    return %2#0, %2#1 : tensor<3x4xf32>, tensor<3x4xf32>
  }
}
