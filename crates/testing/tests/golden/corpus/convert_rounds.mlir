module @jit_convert_rounds attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<79xf32>) -> (tensor<79xf16> {jax.result_info = "result[0]"}, tensor<79xbf16> {jax.result_info = "result[1]"}, tensor<79xf64> {jax.result_info = "result[2]"}, tensor<79xf8E3M4> {jax.result_info = "result[3]"}, tensor<79xf8E4M3> {jax.result_info = "result[4]"}, tensor<79xf8E4M3B11FNUZ> {jax.result_info = "result[5]"}, tensor<79xf8E4M3FN> {jax.result_info = "result[6]"}, tensor<79xf8E4M3FNUZ> {jax.result_info = "result[7]"}, tensor<79xf8E5M2> {jax.result_info = "result[8]"}, tensor<79xf8E5M2FNUZ> {jax.result_info = "result[9]"}, tensor<79xf4E2M1FN> {jax.result_info = "result[10]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf16>
    %1 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf64>
    %3 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E3M4>
    %4 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E4M3>
    %5 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E4M3B11FNUZ>
    %6 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E4M3FN>
    %7 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E4M3FNUZ>
    %8 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E5M2>
    %9 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf8E5M2FNUZ>
    %10 = stablehlo.convert %arg0 : (tensor<79xf32>) -> tensor<79xf4E2M1FN>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<79xf16>, tensor<79xbf16>, tensor<79xf64>, tensor<79xf8E3M4>, tensor<79xf8E4M3>, tensor<79xf8E4M3B11FNUZ>, tensor<79xf8E4M3FN>, tensor<79xf8E4M3FNUZ>, tensor<79xf8E5M2>, tensor<79xf8E5M2FNUZ>, tensor<79xf4E2M1FN>
  }
}
