module @jit_bitcast_narrowing attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf64>, %arg2: tensor<2x2xi32>) -> (tensor<2x3x4xui8> {jax.result_info = "result[0]"}, tensor<3x2xui32> {jax.result_info = "result[1]"}, tensor<2x2x2xui16> {jax.result_info = "result[2]"}, tensor<2x3x2xbf16> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3x4xui8>
    %1 = stablehlo.bitcast_convert %arg1 : (tensor<3xf64>) -> tensor<3x2xui32>
    %2 = stablehlo.bitcast_convert %arg2 : (tensor<2x2xi32>) -> tensor<2x2x2xui16>
    %3 = stablehlo.bitcast_convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3x2xbf16>
    return %0, %1, %2, %3 : tensor<2x3x4xui8>, tensor<3x2xui32>, tensor<2x2x2xui16>, tensor<2x3x2xbf16>
  }
}
