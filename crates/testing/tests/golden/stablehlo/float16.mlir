module @jit_float16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf16>, %arg1: tensor<6xf16>) -> (tensor<6xf16> {jax.result_info = "result[0]"}, tensor<6xf16> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<6xf16>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<6xf16>
    %2 = stablehlo.convert %arg0 : (tensor<6xf16>) -> tensor<6xf32>
    return %0, %1, %2 : tensor<6xf16>, tensor<6xf16>, tensor<6xf32>
  }
}
