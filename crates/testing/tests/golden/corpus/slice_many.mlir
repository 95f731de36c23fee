module @jit_slice_many attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> (tensor<2x2x4xf32> {jax.result_info = "result[0]"}, tensor<2x2x2xf32> {jax.result_info = "result[1]"}, tensor<2x3x4xf32> {jax.result_info = "result[2]"}, tensor<2x3xf32> {jax.result_info = "result[3]"}, tensor<2x2x2xf32> {jax.result_info = "result[4]"}, tensor<0x3x4xf32> {jax.result_info = "result[5]"}, tensor<2x3x2xf32> {jax.result_info = "result[6][0]"}, tensor<2x3x2xf32> {jax.result_info = "result[6][1]"}, tensor<2x1x4xf32> {jax.result_info = "result[7][0]"}, tensor<2x2x4xf32> {jax.result_info = "result[7][1]"}) {
    %0 = stablehlo.slice %arg0 [0:2, 1:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:3:2, 1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
    %2 = stablehlo.reverse %arg0, dims = [0] : tensor<2x3x4xf32>
    %3 = stablehlo.slice %arg0 [0:2, 0:3, 3:4] : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
    %5 = stablehlo.slice %arg0 [0:2, 1:3, 0:3:2] : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
    %6 = stablehlo.slice %arg0 [0:0, 0:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<0x3x4xf32>
    %7 = stablehlo.slice %arg0 [0:2, 0:3, 0:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
    %8 = stablehlo.slice %arg0 [0:2, 0:3, 2:4] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
    %9 = stablehlo.slice %arg0 [0:2, 0:1, 0:4] : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
    %10 = stablehlo.slice %arg0 [0:2, 1:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
    return %0, %1, %2, %4, %5, %6, %7, %8, %9, %10 : tensor<2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x3x4xf32>, tensor<2x3xf32>, tensor<2x2x2xf32>, tensor<0x3x4xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x1x4xf32>, tensor<2x2x4xf32>
  }
}
