module @jit_reduce_precision_halves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24xf16>, %arg1: tensor<24xbf16>) -> (tensor<24xf16> {jax.result_info = "result[0]"}, tensor<24xbf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reduce_precision %arg0, format = e4m3 : tensor<24xf16>
    %1 = stablehlo.reduce_precision %arg1, format = e4m3 : tensor<24xbf16>
    return %0, %1 : tensor<24xf16>, tensor<24xbf16>
  }
}
