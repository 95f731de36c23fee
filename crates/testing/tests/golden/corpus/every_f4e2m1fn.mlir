module @jit_every_f4e2m1fn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf4E2M1FN>) -> (tensor<16xf32> {jax.result_info = "result[0]"}, tensor<16xbf16> {jax.result_info = "result[1]"}, tensor<16xf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<16xf4E2M1FN>) -> tensor<16xf32>
    %1 = stablehlo.convert %arg0 : (tensor<16xf4E2M1FN>) -> tensor<16xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<16xf4E2M1FN>) -> tensor<16xf16>
    return %0, %1, %2 : tensor<16xf32>, tensor<16xbf16>, tensor<16xf16>
  }
}
