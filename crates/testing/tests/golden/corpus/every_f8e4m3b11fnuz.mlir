module @jit_every_f8e4m3b11fnuz attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xf8E4M3B11FNUZ>) -> (tensor<256xf32> {jax.result_info = "result[0]"}, tensor<256xbf16> {jax.result_info = "result[1]"}, tensor<256xf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf32>
    %1 = stablehlo.convert %arg0 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf16>
    return %0, %1, %2 : tensor<256xf32>, tensor<256xbf16>, tensor<256xf16>
  }
}
