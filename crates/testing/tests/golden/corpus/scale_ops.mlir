module @jit_scale_ops attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<13xf8E8M0FNU>, %arg1: tensor<13xf8E8M0FNU>) -> (tensor<13xf8E8M0FNU> {jax.result_info = "result[0]"}, tensor<13xf8E8M0FNU> {jax.result_info = "result[1]"}, tensor<13xf8E8M0FNU> {jax.result_info = "result[2]"}, tensor<13xi1> {jax.result_info = "result[3]"}, tensor<13xi1> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<13xf8E8M0FNU>
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<13xf8E8M0FNU>
    %2 = stablehlo.minimum %arg0, %arg1 : tensor<13xf8E8M0FNU>
    %3 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<13xf8E8M0FNU>, tensor<13xf8E8M0FNU>) -> tensor<13xi1>
    %4 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<13xf8E8M0FNU>, tensor<13xf8E8M0FNU>) -> tensor<13xi1>
    return %0, %1, %2, %3, %4 : tensor<13xf8E8M0FNU>, tensor<13xf8E8M0FNU>, tensor<13xf8E8M0FNU>, tensor<13xi1>, tensor<13xi1>
  }
}
