module @jit_convert_wraps attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xi64>, %arg1: tensor<9xui64>) -> (tensor<9xi2> {jax.result_info = "result[0]"}, tensor<9xi4> {jax.result_info = "result[1]"}, tensor<9xi8> {jax.result_info = "result[2]"}, tensor<9xi16> {jax.result_info = "result[3]"}, tensor<9xi32> {jax.result_info = "result[4]"}, tensor<9xui2> {jax.result_info = "result[5]"}, tensor<9xui4> {jax.result_info = "result[6]"}, tensor<9xui8> {jax.result_info = "result[7]"}, tensor<9xui16> {jax.result_info = "result[8]"}, tensor<9xui32> {jax.result_info = "result[9]"}, tensor<9xui64> {jax.result_info = "result[10]"}, tensor<9xi2> {jax.result_info = "result[11]"}, tensor<9xi4> {jax.result_info = "result[12]"}, tensor<9xi8> {jax.result_info = "result[13]"}, tensor<9xi16> {jax.result_info = "result[14]"}, tensor<9xi32> {jax.result_info = "result[15]"}, tensor<9xui2> {jax.result_info = "result[16]"}, tensor<9xui4> {jax.result_info = "result[17]"}, tensor<9xui8> {jax.result_info = "result[18]"}, tensor<9xui16> {jax.result_info = "result[19]"}, tensor<9xui32> {jax.result_info = "result[20]"}, tensor<9xui64> {jax.result_info = "result[21]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xi2>
    %1 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xi4>
    %2 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xi8>
    %3 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xi16>
    %4 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xi32>
    %5 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xui2>
    %6 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xui4>
    %7 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xui8>
    %8 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xui16>
    %9 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xui32>
    %10 = stablehlo.convert %arg0 : (tensor<9xi64>) -> tensor<9xui64>
    %11 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xi2>
    %12 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xi4>
    %13 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xi8>
    %14 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xi16>
    %15 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xi32>
    %16 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xui2>
    %17 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xui4>
    %18 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xui8>
    %19 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xui16>
    %20 = stablehlo.convert %arg1 : (tensor<9xui64>) -> tensor<9xui32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %arg1 : tensor<9xi2>, tensor<9xi4>, tensor<9xi8>, tensor<9xi16>, tensor<9xi32>, tensor<9xui2>, tensor<9xui4>, tensor<9xui8>, tensor<9xui16>, tensor<9xui32>, tensor<9xui64>, tensor<9xi2>, tensor<9xi4>, tensor<9xi8>, tensor<9xi16>, tensor<9xi32>, tensor<9xui2>, tensor<9xui4>, tensor<9xui8>, tensor<9xui16>, tensor<9xui32>, tensor<9xui64>
  }
}
