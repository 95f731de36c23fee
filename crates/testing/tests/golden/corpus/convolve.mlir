module @jit_convolve attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> (tensor<9xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<9xf32> {jax.result_info = "result[2]"}, tensor<9x9xf32> {jax.result_info = "result[3]"}) {
    %0 = call @convolve(%arg0, %arg1) : (tensor<7xf32>, tensor<3xf32>) -> tensor<9xf32>
    %1 = call @convolve_0(%arg0, %arg1) : (tensor<7xf32>, tensor<3xf32>) -> tensor<7xf32>
    %2 = call @correlate(%arg0, %arg1) : (tensor<7xf32>, tensor<3xf32>) -> tensor<9xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x7xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<7x7xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<7x7xf32>
    %8 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<3x3xf32>
    %13 = call @_flip_3(%12) : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %14 = stablehlo.broadcast_in_dim %7, dims = [2, 3] : (tensor<7x7xf32>) -> tensor<1x1x7x7xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [2, 3] : (tensor<3x3xf32>) -> tensor<1x1x3x3xf32>
    %16 = stablehlo.convolution(%14, %15) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x7x7xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x9x9xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x1x9x9xf32>) -> tensor<9x9xf32>
    return %0, %1, %2, %17 : tensor<9xf32>, tensor<7xf32>, tensor<9xf32>, tensor<9x9xf32>
  }
  func.func private @convolve(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> tensor<9xf32> {
    %0 = call @_conv(%arg0, %arg1) : (tensor<7xf32>, tensor<3xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @_conv(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> tensor<9xf32> {
    %0 = call @_flip(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<7xf32>) -> tensor<1x1x7xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x7xf32>, tensor<1x1x3xf32>) -> tensor<1x1x9xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x9xf32>) -> tensor<9xf32>
    return %4 : tensor<9xf32>
  }
  func.func private @_flip(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @convolve_0(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> tensor<7xf32> {
    %0 = call @_conv_1(%arg0, %arg1) : (tensor<7xf32>, tensor<3xf32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @_conv_1(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> tensor<7xf32> {
    %0 = call @_flip(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<7xf32>) -> tensor<1x1x7xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x7xf32>, tensor<1x1x3xf32>) -> tensor<1x1x7xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x7xf32>) -> tensor<7xf32>
    return %4 : tensor<7xf32>
  }
  func.func private @correlate(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> tensor<9xf32> {
    %0 = call @_conv_2(%arg0, %arg1) : (tensor<7xf32>, tensor<3xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @_conv_2(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>) -> tensor<9xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<7xf32>) -> tensor<1x1x7xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x7xf32>, tensor<1x1x3xf32>) -> tensor<1x1x9xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x1x9xf32>) -> tensor<9xf32>
    return %3 : tensor<9xf32>
  }
  func.func private @_flip_3(%arg0: tensor<3x3xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<3x3xf32>
    return %0 : tensor<3x3xf32>
  }
}
