module @jit_convert_rounds_double attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<79xf64>) -> (tensor<79xf16> {jax.result_info = "result[0]"}, tensor<79xbf16> {jax.result_info = "result[1]"}, tensor<79xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<79xf64>) -> tensor<79xf16>
    %1 = stablehlo.convert %arg0 : (tensor<79xf64>) -> tensor<79xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<79xf64>) -> tensor<79xf32>
    return %0, %1, %2 : tensor<79xf16>, tensor<79xbf16>, tensor<79xf32>
  }
}
