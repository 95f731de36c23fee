module @jit_convert_f6e3m2fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf6E3M2FN>, %arg1: tensor<40xf32>) -> (tensor<64xf32> {jax.result_info = "result[0]"}, tensor<40xf6E3M2FN> {jax.result_info = "result[1]"}, tensor<64xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<64xf6E3M2FN>) -> tensor<64xf32>
    %1 = stablehlo.convert %arg1 : (tensor<40xf32>) -> tensor<40xf6E3M2FN>
    %2 = stablehlo.convert %arg0 : (tensor<64xf6E3M2FN>) -> tensor<64xbf16>
    return %0, %1, %2 : tensor<64xf32>, tensor<40xf6E3M2FN>, tensor<64xbf16>
  }
}
