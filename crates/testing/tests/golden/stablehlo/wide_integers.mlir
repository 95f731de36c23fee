module @jit_wide_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xi64>) -> (tensor<5xi64> {jax.result_info = "result[0]"}, tensor<5xi64> {jax.result_info = "result[1]"}, tensor<5xi64> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<5xi64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<5xi64>
    %2 = stablehlo.subtract %arg0, %1 : tensor<5xi64>
    %c_0 = stablehlo.constant dense<3> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<5xi64>
    %4 = stablehlo.shift_right_arithmetic %arg0, %3 : tensor<5xi64>
    return %0, %2, %4 : tensor<5xi64>, tensor<5xi64>, tensor<5xi64>
  }
}
