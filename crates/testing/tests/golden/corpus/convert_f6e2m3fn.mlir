module @jit_convert_f6e2m3fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf6E2M3FN>, %arg1: tensor<40xf32>) -> (tensor<64xf32> {jax.result_info = "result[0]"}, tensor<40xf6E2M3FN> {jax.result_info = "result[1]"}, tensor<64xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<64xf6E2M3FN>) -> tensor<64xf32>
    %1 = stablehlo.convert %arg1 : (tensor<40xf32>) -> tensor<40xf6E2M3FN>
    %2 = stablehlo.convert %arg0 : (tensor<64xf6E2M3FN>) -> tensor<64xbf16>
    return %0, %1, %2 : tensor<64xf32>, tensor<40xf6E2M3FN>, tensor<64xbf16>
  }
}
