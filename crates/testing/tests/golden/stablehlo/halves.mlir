module @jit_halves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xbf16>, %arg1: tensor<6xbf16>) -> (tensor<6xbf16> {jax.result_info = "result[0]"}, tensor<6xbf16> {jax.result_info = "result[1]"}, tensor<6xbf16> {jax.result_info = "result[2]"}, tensor<6xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<6xbf16>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<6xbf16>
    %2 = stablehlo.exponential %arg0 : tensor<6xbf16>
    %3 = stablehlo.convert %arg0 : (tensor<6xbf16>) -> tensor<6xf32>
    return %0, %1, %2, %3 : tensor<6xbf16>, tensor<6xbf16>, tensor<6xbf16>, tensor<6xf32>
  }
}
