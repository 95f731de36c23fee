module @jit_compare_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xi32>, %arg1: tensor<3x4xi32>) -> (tensor<3x4xi1> {jax.result_info = "result[0]"}, tensor<3x4xi1> {jax.result_info = "result[1]"}, tensor<3x4xi1> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %1 = stablehlo.compare GE, %arg0, %arg1, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %2 = stablehlo.compare EQ, %arg0, %arg1, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    return %0, %1, %2 : tensor<3x4xi1>, tensor<3x4xi1>, tensor<3x4xi1>
  }
}
