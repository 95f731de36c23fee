module @jit_convert_f16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf16>, %arg1: tensor<8xf16>) -> (tensor<8xi1> {jax.result_info = "result[0]"}, tensor<8xi2> {jax.result_info = "result[1]"}, tensor<8xi4> {jax.result_info = "result[2]"}, tensor<8xi8> {jax.result_info = "result[3]"}, tensor<8xi16> {jax.result_info = "result[4]"}, tensor<8xi32> {jax.result_info = "result[5]"}, tensor<8xi64> {jax.result_info = "result[6]"}, tensor<8xui2> {jax.result_info = "result[7]"}, tensor<8xui4> {jax.result_info = "result[8]"}, tensor<8xui8> {jax.result_info = "result[9]"}, tensor<8xui16> {jax.result_info = "result[10]"}, tensor<8xui32> {jax.result_info = "result[11]"}, tensor<8xui64> {jax.result_info = "result[12]"}, tensor<8xbf16> {jax.result_info = "result[13]"}, tensor<8xf32> {jax.result_info = "result[14]"}, tensor<8xf64> {jax.result_info = "result[15]"}, tensor<8xf8E3M4> {jax.result_info = "result[16]"}, tensor<8xf8E4M3> {jax.result_info = "result[17]"}, tensor<8xf8E4M3B11FNUZ> {jax.result_info = "result[18]"}, tensor<8xf8E4M3FN> {jax.result_info = "result[19]"}, tensor<8xf8E4M3FNUZ> {jax.result_info = "result[20]"}, tensor<8xf8E5M2> {jax.result_info = "result[21]"}, tensor<8xf8E5M2FNUZ> {jax.result_info = "result[22]"}, tensor<8xf4E2M1FN> {jax.result_info = "result[23]"}, tensor<8xcomplex<f32>> {jax.result_info = "result[24]"}, tensor<8xcomplex<f64>> {jax.result_info = "result[25]"}, tensor<8xi1> {jax.result_info = "result[26]"}, tensor<8xi2> {jax.result_info = "result[27]"}, tensor<8xi4> {jax.result_info = "result[28]"}, tensor<8xi8> {jax.result_info = "result[29]"}, tensor<8xi16> {jax.result_info = "result[30]"}, tensor<8xi32> {jax.result_info = "result[31]"}, tensor<8xi64> {jax.result_info = "result[32]"}, tensor<8xbf16> {jax.result_info = "result[33]"}, tensor<8xf32> {jax.result_info = "result[34]"}, tensor<8xf64> {jax.result_info = "result[35]"}, tensor<8xf8E3M4> {jax.result_info = "result[36]"}, tensor<8xf8E4M3> {jax.result_info = "result[37]"}, tensor<8xf8E4M3B11FNUZ> {jax.result_info = "result[38]"}, tensor<8xf8E4M3FN> {jax.result_info = "result[39]"}, tensor<8xf8E4M3FNUZ> {jax.result_info = "result[40]"}, tensor<8xf8E5M2> {jax.result_info = "result[41]"}, tensor<8xf8E5M2FNUZ> {jax.result_info = "result[42]"}, tensor<8xf4E2M1FN> {jax.result_info = "result[43]"}, tensor<8xcomplex<f32>> {jax.result_info = "result[44]"}, tensor<8xcomplex<f64>> {jax.result_info = "result[45]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<8xf16>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xi1>
    %2 = stablehlo.convert %1 : tensor<8xi1>
    %3 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xi2>
    %4 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xi4>
    %5 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xi8>
    %6 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xi16>
    %7 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xi32>
    %8 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xi64>
    %9 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xui2>
    %10 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xui4>
    %11 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xui8>
    %12 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xui16>
    %13 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xui32>
    %14 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xui64>
    %15 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xbf16>
    %16 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf32>
    %17 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf64>
    %18 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E3M4>
    %19 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E4M3>
    %20 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E4M3B11FNUZ>
    %21 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E4M3FN>
    %22 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E4M3FNUZ>
    %23 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E5M2>
    %24 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf8E5M2FNUZ>
    %25 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xf4E2M1FN>
    %26 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xcomplex<f32>>
    %27 = stablehlo.convert %arg0 : (tensor<8xf16>) -> tensor<8xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %28 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<8xf16>
    %29 = stablehlo.compare NE, %arg1, %28, FLOAT : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xi1>
    %30 = stablehlo.convert %29 : tensor<8xi1>
    %31 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xi2>
    %32 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xi4>
    %33 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xi8>
    %34 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xi16>
    %35 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xi32>
    %36 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xi64>
    %37 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xbf16>
    %38 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf32>
    %39 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf64>
    %40 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E3M4>
    %41 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E4M3>
    %42 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E4M3B11FNUZ>
    %43 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E4M3FN>
    %44 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E4M3FNUZ>
    %45 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E5M2>
    %46 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf8E5M2FNUZ>
    %47 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf4E2M1FN>
    %48 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xcomplex<f32>>
    %49 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xcomplex<f64>>
    return %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49 : tensor<8xi1>, tensor<8xi2>, tensor<8xi4>, tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi64>, tensor<8xui2>, tensor<8xui4>, tensor<8xui8>, tensor<8xui16>, tensor<8xui32>, tensor<8xui64>, tensor<8xbf16>, tensor<8xf32>, tensor<8xf64>, tensor<8xf8E3M4>, tensor<8xf8E4M3>, tensor<8xf8E4M3B11FNUZ>, tensor<8xf8E4M3FN>, tensor<8xf8E4M3FNUZ>, tensor<8xf8E5M2>, tensor<8xf8E5M2FNUZ>, tensor<8xf4E2M1FN>, tensor<8xcomplex<f32>>, tensor<8xcomplex<f64>>, tensor<8xi1>, tensor<8xi2>, tensor<8xi4>, tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi64>, tensor<8xbf16>, tensor<8xf32>, tensor<8xf64>, tensor<8xf8E3M4>, tensor<8xf8E4M3>, tensor<8xf8E4M3B11FNUZ>, tensor<8xf8E4M3FN>, tensor<8xf8E4M3FNUZ>, tensor<8xf8E5M2>, tensor<8xf8E5M2FNUZ>, tensor<8xf4E2M1FN>, tensor<8xcomplex<f32>>, tensor<8xcomplex<f64>>
  }
}
