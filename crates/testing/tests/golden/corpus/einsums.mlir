module @jit_einsums attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>, %arg2: tensor<3x2x2xf32>) -> (tensor<2x3x5xf32> {jax.result_info = "result[0]"}, tensor<2x3x3xf32> {jax.result_info = "result[1]"}, tensor<4x3xf32> {jax.result_info = "result[2]"}, tensor<3xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<2xf32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    %1 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %4 = stablehlo.iota dim = 0 : tensor<2x2xui32>
    %5 = stablehlo.iota dim = 1 : tensor<2x2xui32>
    %6 = stablehlo.compare EQ, %4, %5, UNSIGNED : (tensor<2x2xui32>, tensor<2x2xui32>) -> tensor<2x2xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<2x2xi1>) -> tensor<3x2x2xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2x2xf32>
    %9 = stablehlo.select %7, %arg2, %8 : tensor<3x2x2xi1>, tensor<3x2x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x2x2xf32>, tensor<f32>) -> tensor<3xf32>
    %11 = stablehlo.slice %arg0 [0:1, 0:3, 0:4] : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
    %13 = stablehlo.slice %arg1 [0:1, 0:4, 0:5] : (tensor<2x4x5xf32>) -> tensor<1x4x5xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
    %15 = stablehlo.slice %arg1 [1:2, 0:4, 0:5] : (tensor<2x4x5xf32>) -> tensor<1x4x5xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
    %18 = stablehlo.dot_general %14, %12, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5xf32>, tensor<3x4xf32>) -> tensor<5x3xf32>
    %19 = stablehlo.dot_general %18, %17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    %20 = stablehlo.slice %arg1 [0:1, 0:1, 0:5] : (tensor<2x4x5xf32>) -> tensor<1x1x5xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x1x5xf32>) -> tensor<5xf32>
    %22 = stablehlo.dot_general %arg1, %21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5xf32>, tensor<5xf32>) -> tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %24 = stablehlo.dot_general %23, %22, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    return %0, %1, %3, %10, %19, %24 : tensor<2x3x5xf32>, tensor<2x3x3xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<3x4xf32>, tensor<2xf32>
  }
}
