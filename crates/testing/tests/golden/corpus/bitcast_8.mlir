module @jit_bitcast_8 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10xui8>) -> (tensor<10xui8> {jax.result_info = "result[0]"}, tensor<10xui8> {jax.result_info = "result[1]"}, tensor<10xui8> {jax.result_info = "result[2]"}, tensor<10xui8> {jax.result_info = "result[3]"}, tensor<10xui8> {jax.result_info = "result[4]"}, tensor<10xui8> {jax.result_info = "result[5]"}, tensor<10xui8> {jax.result_info = "result[6]"}, tensor<10xui8> {jax.result_info = "result[7]"}, tensor<10xui8> {jax.result_info = "result[8]"}, tensor<10xi8> {jax.result_info = "result[9]"}, tensor<10xui8> {jax.result_info = "result[10]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xi8>
    %1 = stablehlo.bitcast_convert %0 : (tensor<10xi8>) -> tensor<10xui8>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xui8>
    %3 = stablehlo.bitcast_convert %2 : (tensor<10xui8>) -> tensor<10xui8>
    %4 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E3M4>
    %5 = stablehlo.bitcast_convert %4 : (tensor<10xf8E3M4>) -> tensor<10xui8>
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E4M3>
    %7 = stablehlo.bitcast_convert %6 : (tensor<10xf8E4M3>) -> tensor<10xui8>
    %8 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E4M3B11FNUZ>
    %9 = stablehlo.bitcast_convert %8 : (tensor<10xf8E4M3B11FNUZ>) -> tensor<10xui8>
    %10 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E4M3FN>
    %11 = stablehlo.bitcast_convert %10 : (tensor<10xf8E4M3FN>) -> tensor<10xui8>
    %12 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E4M3FNUZ>
    %13 = stablehlo.bitcast_convert %12 : (tensor<10xf8E4M3FNUZ>) -> tensor<10xui8>
    %14 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E5M2>
    %15 = stablehlo.bitcast_convert %14 : (tensor<10xf8E5M2>) -> tensor<10xui8>
    %16 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xf8E5M2FNUZ>
    %17 = stablehlo.bitcast_convert %16 : (tensor<10xf8E5M2FNUZ>) -> tensor<10xui8>
    %18 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xi8>
    %19 = stablehlo.bitcast_convert %arg0 : (tensor<10xui8>) -> tensor<10xui8>
    return %1, %3, %5, %7, %9, %11, %13, %15, %17, %18, %19 : tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xui8>, tensor<10xi8>, tensor<10xui8>
  }
}
