module @jit_bitcast_64 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10xui64>) -> (tensor<10xui64> {jax.result_info = "result[0]"}, tensor<10xui64> {jax.result_info = "result[1]"}, tensor<10xui64> {jax.result_info = "result[2]"}, tensor<10xi64> {jax.result_info = "result[3]"}, tensor<10xui64> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<10xui64>) -> tensor<10xi64>
    %1 = stablehlo.bitcast_convert %0 : (tensor<10xi64>) -> tensor<10xui64>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<10xui64>) -> tensor<10xui64>
    %3 = stablehlo.bitcast_convert %2 : (tensor<10xui64>) -> tensor<10xui64>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<10xui64>) -> tensor<10xf64>
    %5 = stablehlo.bitcast_convert %4 : (tensor<10xf64>) -> tensor<10xui64>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<10xui64>) -> tensor<10xi64>
    %7 = stablehlo.bitcast_convert %arg0 : (tensor<10xui64>) -> tensor<10xui64>
    return %1, %3, %5, %6, %7 : tensor<10xui64>, tensor<10xui64>, tensor<10xui64>, tensor<10xi64>, tensor<10xui64>
  }
}
