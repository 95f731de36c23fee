module @jit_select_bool attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi1>, %arg1: tensor<i1>, %arg2: tensor<12xi1>, %arg3: tensor<12xi1>) -> (tensor<12xi1> {jax.result_info = "result[0]"}, tensor<12xi1> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.select %arg0, %arg2, %arg3 : tensor<12xi1>, tensor<12xi1>
    %1 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<12xi1>
    return %0, %1 : tensor<12xi1>, tensor<12xi1>
  }
}
