module @jit_bitcast_widening attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xui8>, %arg1: tensor<2x2xui32>) -> (tensor<3xui32> {jax.result_info = "result[0]"}, tensor<2xf64> {jax.result_info = "result[1]"}, tensor<3xi16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3x4xui8>) -> tensor<3xui32>
    %1 = stablehlo.bitcast_convert %arg1 : (tensor<2x2xui32>) -> tensor<2xf64>
    %2 = stablehlo.slice %arg0 [0:3, 0:2] : (tensor<3x4xui8>) -> tensor<3x2xui8>
    %3 = stablehlo.bitcast_convert %2 : (tensor<3x2xui8>) -> tensor<3xi16>
    return %0, %1, %3 : tensor<3xui32>, tensor<2xf64>, tensor<3xi16>
  }
}
