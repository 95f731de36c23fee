module @jit_pad_many attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> (tensor<5x7x2xf32> {jax.result_info = "result[0]"}, tensor<1x5x4xf32> {jax.result_info = "result[1]"}, tensor<3x5x6xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [1, 0, -1], high = [2, 0, -1], interior = [0, 2, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<5x7x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %arg0, %cst_0, low = [-1, 2, 0], high = [0, -2, 0], interior = [0, 1, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<1x5x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.pad %arg0, %cst_1, low = [0, -2, 3], high = [0, 0, -1], interior = [1, 2, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x5x6xf32>
    return %0, %1, %2 : tensor<5x7x2xf32>, tensor<1x5x4xf32>, tensor<3x5x6xf32>
  }
}
