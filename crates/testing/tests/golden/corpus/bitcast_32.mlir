module @jit_bitcast_32 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10xui32>) -> (tensor<10xui32> {jax.result_info = "result[0]"}, tensor<10xui32> {jax.result_info = "result[1]"}, tensor<10xui32> {jax.result_info = "result[2]"}, tensor<10xi32> {jax.result_info = "result[3]"}, tensor<10xui32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<10xui32>) -> tensor<10xi32>
    %1 = stablehlo.bitcast_convert %0 : (tensor<10xi32>) -> tensor<10xui32>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<10xui32>) -> tensor<10xui32>
    %3 = stablehlo.bitcast_convert %2 : (tensor<10xui32>) -> tensor<10xui32>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<10xui32>) -> tensor<10xf32>
    %5 = stablehlo.bitcast_convert %4 : (tensor<10xf32>) -> tensor<10xui32>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<10xui32>) -> tensor<10xi32>
    %7 = stablehlo.bitcast_convert %arg0 : (tensor<10xui32>) -> tensor<10xui32>
    return %1, %3, %5, %6, %7 : tensor<10xui32>, tensor<10xui32>, tensor<10xui32>, tensor<10xi32>, tensor<10xui32>
  }
}
