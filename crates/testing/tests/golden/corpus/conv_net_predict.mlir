module @jit_conv_net_predict attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<3x3x2x4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<3x3x2x4xf32>, %arg7: tensor<3xf32>, %arg8: tensor<16x3xf32>, %arg9: tensor<3x8x8x2xf32>) -> (tensor<3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg9, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<3x8x8x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %4 = stablehlo.subtract %0, %3 : tensor<3x8x8x4xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %6 = stablehlo.add %2, %5 : tensor<1x1x1x4xf32>
    %7 = stablehlo.rsqrt %6 : tensor<1x1x1x4xf32>
    %8 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<1x1x1x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %11 = stablehlo.multiply %4, %10 : tensor<3x8x8x4xf32>
    %12 = stablehlo.reshape %arg2 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %14 = stablehlo.add %11, %13 : tensor<3x8x8x4xf32>
    %15 = call @relu(%14) : (tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.reduce_window"(%15, %16) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %32 = stablehlo.maximum %arg10, %arg11 : tensor<f32>
      stablehlo.return %32 : tensor<f32>
    }) : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x4x4x4xf32>
    %18 = stablehlo.convolution(%17, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x2x4xf32>) -> tensor<3x2x2x4xf32>
    %19 = stablehlo.reshape %arg5 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x2x2x4xf32>
    %21 = stablehlo.add %18, %20 : tensor<3x2x2x4xf32>
    %22 = call @relu_0(%21) : (tensor<3x2x2x4xf32>) -> tensor<3x2x2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.reduce_window"(%22, %23) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %32 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %32 : tensor<f32>
    }) : (tensor<3x2x2x4xf32>, tensor<f32>) -> tensor<3x2x2x4xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %26 = stablehlo.divide %24, %25 : tensor<3x2x2x4xf32>
    %27 = stablehlo.reshape %26 : (tensor<3x2x2x4xf32>) -> tensor<3x16xf32>
    %28 = stablehlo.dot_general %27, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x3xf32>) -> tensor<3x3xf32>
    %29 = stablehlo.reshape %arg7 : (tensor<3xf32>) -> tensor<1x3xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %31 = stablehlo.add %28, %30 : tensor<3x3xf32>
    return %31 : tensor<3x3xf32>
  }
  func.func private @relu(%arg0: tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x8x8x4xf32>
    return %1 : tensor<3x8x8x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<3x2x2x4xf32>) -> tensor<3x2x2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x2x2x4xf32>
    return %1 : tensor<3x2x2x4xf32>
  }
}
