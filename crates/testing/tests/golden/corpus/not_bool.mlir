module @jit_not_bool attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi1>) -> (tensor<12xi1> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.not %arg0 : tensor<12xi1>
    return %0 : tensor<12xi1>
  }
}
