module @jit_iota_every_type attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<3x4xi4> {jax.result_info = "result[0]"}, tensor<3x4xi4> {jax.result_info = "result[1]"}, tensor<3x4xi8> {jax.result_info = "result[2]"}, tensor<3x4xi8> {jax.result_info = "result[3]"}, tensor<3x4xi16> {jax.result_info = "result[4]"}, tensor<3x4xi16> {jax.result_info = "result[5]"}, tensor<3x4xi32> {jax.result_info = "result[6]"}, tensor<3x4xi32> {jax.result_info = "result[7]"}, tensor<3x4xi64> {jax.result_info = "result[8]"}, tensor<3x4xi64> {jax.result_info = "result[9]"}, tensor<3x4xui4> {jax.result_info = "result[10]"}, tensor<3x4xui4> {jax.result_info = "result[11]"}, tensor<3x4xui8> {jax.result_info = "result[12]"}, tensor<3x4xui8> {jax.result_info = "result[13]"}, tensor<3x4xui16> {jax.result_info = "result[14]"}, tensor<3x4xui16> {jax.result_info = "result[15]"}, tensor<3x4xui32> {jax.result_info = "result[16]"}, tensor<3x4xui32> {jax.result_info = "result[17]"}, tensor<3x4xui64> {jax.result_info = "result[18]"}, tensor<3x4xui64> {jax.result_info = "result[19]"}, tensor<3x4xf16> {jax.result_info = "result[20]"}, tensor<3x4xf16> {jax.result_info = "result[21]"}, tensor<3x4xbf16> {jax.result_info = "result[22]"}, tensor<3x4xbf16> {jax.result_info = "result[23]"}, tensor<3x4xf32> {jax.result_info = "result[24]"}, tensor<3x4xf32> {jax.result_info = "result[25]"}, tensor<3x4xf64> {jax.result_info = "result[26]"}, tensor<3x4xf64> {jax.result_info = "result[27]"}, tensor<3x4xcomplex<f32>> {jax.result_info = "result[28]"}, tensor<3x4xcomplex<f32>> {jax.result_info = "result[29]"}, tensor<3x4xcomplex<f64>> {jax.result_info = "result[30]"}, tensor<3x4xcomplex<f64>> {jax.result_info = "result[31]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3x4xi4>
    %1 = stablehlo.iota dim = 1 : tensor<3x4xi4>
    %2 = stablehlo.iota dim = 0 : tensor<3x4xi8>
    %3 = stablehlo.iota dim = 1 : tensor<3x4xi8>
    %4 = stablehlo.iota dim = 0 : tensor<3x4xi16>
    %5 = stablehlo.iota dim = 1 : tensor<3x4xi16>
    %6 = stablehlo.iota dim = 0 : tensor<3x4xi32>
    %7 = stablehlo.iota dim = 1 : tensor<3x4xi32>
    %8 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %9 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %10 = stablehlo.iota dim = 0 : tensor<3x4xui4>
    %11 = stablehlo.iota dim = 1 : tensor<3x4xui4>
    %12 = stablehlo.iota dim = 0 : tensor<3x4xui8>
    %13 = stablehlo.iota dim = 1 : tensor<3x4xui8>
    %14 = stablehlo.iota dim = 0 : tensor<3x4xui16>
    %15 = stablehlo.iota dim = 1 : tensor<3x4xui16>
    %16 = stablehlo.iota dim = 0 : tensor<3x4xui32>
    %17 = stablehlo.iota dim = 1 : tensor<3x4xui32>
    %18 = stablehlo.iota dim = 0 : tensor<3x4xui64>
    %19 = stablehlo.iota dim = 1 : tensor<3x4xui64>
    %20 = stablehlo.iota dim = 0 : tensor<3x4xf16>
    %21 = stablehlo.iota dim = 1 : tensor<3x4xf16>
    %22 = stablehlo.iota dim = 0 : tensor<3x4xbf16>
    %23 = stablehlo.iota dim = 1 : tensor<3x4xbf16>
    %24 = stablehlo.iota dim = 0 : tensor<3x4xf32>
    %25 = stablehlo.iota dim = 1 : tensor<3x4xf32>
    %26 = stablehlo.iota dim = 0 : tensor<3x4xf64>
    %27 = stablehlo.iota dim = 1 : tensor<3x4xf64>
    %28 = stablehlo.iota dim = 0 : tensor<3x4xcomplex<f32>>
    %29 = stablehlo.iota dim = 1 : tensor<3x4xcomplex<f32>>
    %30 = stablehlo.iota dim = 0 : tensor<3x4xcomplex<f64>>
    %31 = stablehlo.iota dim = 1 : tensor<3x4xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31 : tensor<3x4xi4>, tensor<3x4xi4>, tensor<3x4xi8>, tensor<3x4xi8>, tensor<3x4xi16>, tensor<3x4xi16>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi64>, tensor<3x4xi64>, tensor<3x4xui4>, tensor<3x4xui4>, tensor<3x4xui8>, tensor<3x4xui8>, tensor<3x4xui16>, tensor<3x4xui16>, tensor<3x4xui32>, tensor<3x4xui32>, tensor<3x4xui64>, tensor<3x4xui64>, tensor<3x4xf16>, tensor<3x4xf16>, tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f64>>, tensor<3x4xcomplex<f64>>
  }
}
