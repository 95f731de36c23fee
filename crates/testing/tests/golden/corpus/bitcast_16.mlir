module @jit_bitcast_16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10xui16>) -> (tensor<10xui16> {jax.result_info = "result[0]"}, tensor<10xui16> {jax.result_info = "result[1]"}, tensor<10xui16> {jax.result_info = "result[2]"}, tensor<10xui16> {jax.result_info = "result[3]"}, tensor<10xi16> {jax.result_info = "result[4]"}, tensor<10xui16> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<10xui16>) -> tensor<10xi16>
    %1 = stablehlo.bitcast_convert %0 : (tensor<10xi16>) -> tensor<10xui16>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<10xui16>) -> tensor<10xui16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<10xui16>) -> tensor<10xui16>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<10xui16>) -> tensor<10xf16>
    %5 = stablehlo.bitcast_convert %4 : (tensor<10xf16>) -> tensor<10xui16>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<10xui16>) -> tensor<10xbf16>
    %7 = stablehlo.bitcast_convert %6 : (tensor<10xbf16>) -> tensor<10xui16>
    %8 = stablehlo.bitcast_convert %arg0 : (tensor<10xui16>) -> tensor<10xi16>
    %9 = stablehlo.bitcast_convert %arg0 : (tensor<10xui16>) -> tensor<10xui16>
    return %1, %3, %5, %7, %8, %9 : tensor<10xui16>, tensor<10xui16>, tensor<10xui16>, tensor<10xui16>, tensor<10xi16>, tensor<10xui16>
  }
}
