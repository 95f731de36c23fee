module @jit_convert attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xi32>, %arg2: tensor<3x4xi1>) -> (tensor<3x4xi32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xbf16> {jax.result_info = "result[3]"}, tensor<3x4xf64> {jax.result_info = "result[4]"}, tensor<3x4xui8> {jax.result_info = "result[5]"}, tensor<3x4xi1> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<3x4xf32>) -> tensor<3x4xi32>
    %1 = stablehlo.convert %arg1 : (tensor<3x4xi32>) -> tensor<3x4xf32>
    %2 = stablehlo.convert %arg2 : (tensor<3x4xi1>) -> tensor<3x4xf32>
    %3 = stablehlo.convert %arg0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    %4 = stablehlo.convert %arg0 : (tensor<3x4xf32>) -> tensor<3x4xf64>
    %5 = stablehlo.convert %arg1 : (tensor<3x4xi32>) -> tensor<3x4xui8>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %7 = stablehlo.compare NE, %arg0, %6, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %8 = stablehlo.convert %7 : tensor<3x4xi1>
    return %0, %1, %2, %3, %4, %5, %8 : tensor<3x4xi32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xbf16>, tensor<3x4xf64>, tensor<3x4xui8>, tensor<3x4xi1>
  }
}
