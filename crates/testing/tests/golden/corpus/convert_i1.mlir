module @jit_convert_i1 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xi1>, %arg1: tensor<0xi1>) -> (tensor<2xi2> {jax.result_info = "result[0]"}, tensor<2xi4> {jax.result_info = "result[1]"}, tensor<2xi8> {jax.result_info = "result[2]"}, tensor<2xi16> {jax.result_info = "result[3]"}, tensor<2xi32> {jax.result_info = "result[4]"}, tensor<2xi64> {jax.result_info = "result[5]"}, tensor<2xui2> {jax.result_info = "result[6]"}, tensor<2xui4> {jax.result_info = "result[7]"}, tensor<2xui8> {jax.result_info = "result[8]"}, tensor<2xui16> {jax.result_info = "result[9]"}, tensor<2xui32> {jax.result_info = "result[10]"}, tensor<2xui64> {jax.result_info = "result[11]"}, tensor<2xf16> {jax.result_info = "result[12]"}, tensor<2xbf16> {jax.result_info = "result[13]"}, tensor<2xf32> {jax.result_info = "result[14]"}, tensor<2xf64> {jax.result_info = "result[15]"}, tensor<2xf8E3M4> {jax.result_info = "result[16]"}, tensor<2xf8E4M3> {jax.result_info = "result[17]"}, tensor<2xf8E4M3B11FNUZ> {jax.result_info = "result[18]"}, tensor<2xf8E4M3FN> {jax.result_info = "result[19]"}, tensor<2xf8E4M3FNUZ> {jax.result_info = "result[20]"}, tensor<2xf8E5M2> {jax.result_info = "result[21]"}, tensor<2xf8E5M2FNUZ> {jax.result_info = "result[22]"}, tensor<2xf4E2M1FN> {jax.result_info = "result[23]"}, tensor<2xcomplex<f32>> {jax.result_info = "result[24]"}, tensor<2xcomplex<f64>> {jax.result_info = "result[25]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi2>
    %1 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi4>
    %2 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi8>
    %3 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi16>
    %4 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi32>
    %5 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi64>
    %6 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui2>
    %7 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui4>
    %8 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui8>
    %9 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui16>
    %10 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui32>
    %11 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui64>
    %12 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf16>
    %13 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xbf16>
    %14 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf32>
    %15 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf64>
    %16 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E3M4>
    %17 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3>
    %18 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3B11FNUZ>
    %19 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3FN>
    %20 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E4M3FNUZ>
    %21 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E5M2>
    %22 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf8E5M2FNUZ>
    %23 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xf4E2M1FN>
    %24 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xcomplex<f32>>
    %25 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25 : tensor<2xi2>, tensor<2xi4>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui2>, tensor<2xui4>, tensor<2xui8>, tensor<2xui16>, tensor<2xui32>, tensor<2xui64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf32>, tensor<2xf64>, tensor<2xf8E3M4>, tensor<2xf8E4M3>, tensor<2xf8E4M3B11FNUZ>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FNUZ>, tensor<2xf8E5M2>, tensor<2xf8E5M2FNUZ>, tensor<2xf4E2M1FN>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f64>>
  }
}
