// pass: raise
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %2, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.multiply %9, %9 : tensor<2x4x5x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<2x4x5x1xf32>
    %15 = stablehlo.transpose %arg3, dims = [0, 2, 3, 1] : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.dot_general %15, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %15, %11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %19 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<2x4x5x6xf32>
    %21 = stablehlo.multiply %20, %7 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %24 = stablehlo.negate %23 : tensor<2x4x5x1xf32>
    %25 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %26 = stablehlo.divide %16, %25 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%24 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
    %29 = stablehlo.add %26, %28 : tensor<2x4x5x6xf32>
    %30 = stablehlo.multiply %29, %7 : tensor<2x4x5x6xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<2x4x5x6xf32>
    %33 = stablehlo.dot_general %32, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x3xf32>
    %34 = stablehlo.transpose %33, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %35 = stablehlo.dot_general %32, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x3xf32>
    %36 = stablehlo.transpose %35, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    return %36, %34, %18 : tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>
  }
}
