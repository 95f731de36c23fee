module @jit_convert_scale attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<13xf32>, %arg1: tensor<18xf8E8M0FNU>) -> (tensor<13xf8E8M0FNU> {jax.result_info = "result[0]"}, tensor<18xf32> {jax.result_info = "result[1]"}, tensor<18xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<13xf32>) -> tensor<13xf8E8M0FNU>
    %1 = stablehlo.convert %arg1 : (tensor<18xf8E8M0FNU>) -> tensor<18xf32>
    %2 = stablehlo.convert %arg1 : (tensor<18xf8E8M0FNU>) -> tensor<18xbf16>
    return %0, %1, %2 : tensor<13xf8E8M0FNU>, tensor<18xf32>, tensor<18xbf16>
  }
}
