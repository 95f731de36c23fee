module @jit_pad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<6x11xf32> {jax.result_info = "result[0]"}, tensor<2x3xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [1, 0], high = [2, 1], interior = [0, 2] : (tensor<3x4xf32>, tensor<f32>) -> tensor<6x11xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %arg0, %cst_0, low = [-1, 1], high = [0, -2], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %0, %1 : tensor<6x11xf32>, tensor<2x3xf32>
  }
}
