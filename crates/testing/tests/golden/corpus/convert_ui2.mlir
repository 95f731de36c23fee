module @jit_convert_ui2 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xui2>, %arg1: tensor<0xui2>) -> (tensor<4xi1> {jax.result_info = "result[0]"}, tensor<4xi2> {jax.result_info = "result[1]"}, tensor<4xi4> {jax.result_info = "result[2]"}, tensor<4xi8> {jax.result_info = "result[3]"}, tensor<4xi16> {jax.result_info = "result[4]"}, tensor<4xi32> {jax.result_info = "result[5]"}, tensor<4xi64> {jax.result_info = "result[6]"}, tensor<4xui4> {jax.result_info = "result[7]"}, tensor<4xui8> {jax.result_info = "result[8]"}, tensor<4xui16> {jax.result_info = "result[9]"}, tensor<4xui32> {jax.result_info = "result[10]"}, tensor<4xui64> {jax.result_info = "result[11]"}, tensor<4xf16> {jax.result_info = "result[12]"}, tensor<4xbf16> {jax.result_info = "result[13]"}, tensor<4xf32> {jax.result_info = "result[14]"}, tensor<4xf64> {jax.result_info = "result[15]"}, tensor<4xf8E3M4> {jax.result_info = "result[16]"}, tensor<4xf8E4M3> {jax.result_info = "result[17]"}, tensor<4xf8E4M3B11FNUZ> {jax.result_info = "result[18]"}, tensor<4xf8E4M3FN> {jax.result_info = "result[19]"}, tensor<4xf8E4M3FNUZ> {jax.result_info = "result[20]"}, tensor<4xf8E5M2> {jax.result_info = "result[21]"}, tensor<4xf8E5M2FNUZ> {jax.result_info = "result[22]"}, tensor<4xf4E2M1FN> {jax.result_info = "result[23]"}, tensor<4xcomplex<f32>> {jax.result_info = "result[24]"}, tensor<4xcomplex<f64>> {jax.result_info = "result[25]"}) {
    %c = stablehlo.constant dense<0> : tensor<ui2>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui2>) -> tensor<4xui2>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<4xui2>, tensor<4xui2>) -> tensor<4xi1>
    %2 = stablehlo.convert %1 : tensor<4xi1>
    %3 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi2>
    %4 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi4>
    %5 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi8>
    %6 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi16>
    %7 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi32>
    %8 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi64>
    %9 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui4>
    %10 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui8>
    %11 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui16>
    %12 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui32>
    %13 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui64>
    %14 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf16>
    %15 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xbf16>
    %16 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf32>
    %17 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf64>
    %18 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E3M4>
    %19 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E4M3>
    %20 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E4M3B11FNUZ>
    %21 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E4M3FN>
    %22 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E4M3FNUZ>
    %23 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E5M2>
    %24 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf8E5M2FNUZ>
    %25 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xf4E2M1FN>
    %26 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xcomplex<f32>>
    %27 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xcomplex<f64>>
    return %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 : tensor<4xi1>, tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xf16>, tensor<4xbf16>, tensor<4xf32>, tensor<4xf64>, tensor<4xf8E3M4>, tensor<4xf8E4M3>, tensor<4xf8E4M3B11FNUZ>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FNUZ>, tensor<4xf8E5M2>, tensor<4xf8E5M2FNUZ>, tensor<4xf4E2M1FN>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f64>>
  }
}
