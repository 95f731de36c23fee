module @jit_cube_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf16>, %arg1: tensor<12xbf16>, %arg2: tensor<12xf32>, %arg3: tensor<12xf64>) -> (tensor<12xf16> {jax.result_info = "result[0]"}, tensor<12xbf16> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<12xf16>
    %1 = stablehlo.multiply %0, %arg0 : tensor<12xf16>
    %2 = stablehlo.multiply %arg1, %arg1 : tensor<12xbf16>
    %3 = stablehlo.multiply %2, %arg1 : tensor<12xbf16>
    %4 = stablehlo.multiply %arg2, %arg2 : tensor<12xf32>
    %5 = stablehlo.multiply %4, %arg2 : tensor<12xf32>
    %6 = stablehlo.multiply %arg3, %arg3 : tensor<12xf64>
    %7 = stablehlo.multiply %6, %arg3 : tensor<12xf64>
    return %1, %3, %5, %7 : tensor<12xf16>, tensor<12xbf16>, tensor<12xf32>, tensor<12xf64>
  }
}
