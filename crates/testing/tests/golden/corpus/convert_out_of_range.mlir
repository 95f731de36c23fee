module @jit_convert_out_of_range attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf32>, %arg1: tensor<17xf64>) -> (tensor<17xi1> {jax.result_info = "result[0]"}, tensor<17xi8> {jax.result_info = "result[1]"}, tensor<17xi16> {jax.result_info = "result[2]"}, tensor<17xi32> {jax.result_info = "result[3]"}, tensor<17xi64> {jax.result_info = "result[4]"}, tensor<17xui8> {jax.result_info = "result[5]"}, tensor<17xui16> {jax.result_info = "result[6]"}, tensor<17xui32> {jax.result_info = "result[7]"}, tensor<17xui64> {jax.result_info = "result[8]"}, tensor<17xi1> {jax.result_info = "result[9]"}, tensor<17xi8> {jax.result_info = "result[10]"}, tensor<17xi16> {jax.result_info = "result[11]"}, tensor<17xi32> {jax.result_info = "result[12]"}, tensor<17xi64> {jax.result_info = "result[13]"}, tensor<17xui8> {jax.result_info = "result[14]"}, tensor<17xui16> {jax.result_info = "result[15]"}, tensor<17xui32> {jax.result_info = "result[16]"}, tensor<17xui64> {jax.result_info = "result[17]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %2 = stablehlo.convert %1 : tensor<17xi1>
    %3 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xi8>
    %4 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xi16>
    %5 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xi32>
    %6 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xi64>
    %7 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xui8>
    %8 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xui16>
    %9 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xui32>
    %10 = stablehlo.convert %arg0 : (tensor<17xf32>) -> tensor<17xui64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %12 = stablehlo.compare NE, %arg1, %11, FLOAT : (tensor<17xf64>, tensor<17xf64>) -> tensor<17xi1>
    %13 = stablehlo.convert %12 : tensor<17xi1>
    %14 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xi8>
    %15 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xi16>
    %16 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xi32>
    %17 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xi64>
    %18 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xui8>
    %19 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xui16>
    %20 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xui32>
    %21 = stablehlo.convert %arg1 : (tensor<17xf64>) -> tensor<17xui64>
    return %2, %3, %4, %5, %6, %7, %8, %9, %10, %13, %14, %15, %16, %17, %18, %19, %20, %21 : tensor<17xi1>, tensor<17xi8>, tensor<17xi16>, tensor<17xi32>, tensor<17xi64>, tensor<17xui8>, tensor<17xui16>, tensor<17xui32>, tensor<17xui64>, tensor<17xi1>, tensor<17xi8>, tensor<17xi16>, tensor<17xi32>, tensor<17xi64>, tensor<17xui8>, tensor<17xui16>, tensor<17xui32>, tensor<17xui64>
  }
}
