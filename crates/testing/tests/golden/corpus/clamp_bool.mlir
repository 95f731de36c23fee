module @jit_clamp_bool attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<12xi1>, %arg2: tensor<i1>) -> (tensor<12xi1> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<i1>) -> tensor<12xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i1>) -> tensor<12xi1>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<12xi1>
    return %2 : tensor<12xi1>
  }
}
