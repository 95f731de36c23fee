module @jit_conv_local attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x2x4x4xf32>, %arg1: tensor<3x8x3x3xf32>) -> (tensor<1x3x3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %2 = stablehlo.add %0, %1 : tensor<4x4xi32>
    %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %7 = stablehlo.reshape %6 : (tensor<2x4x4xf32>) -> tensor<8x1x2x2xf32>
    %8 = stablehlo.convolution(%arg0, %7) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x4x4xf32>, tensor<8x1x2x2xf32>) -> tensor<1x8x3x3xf32>
    %9 = stablehlo.dot_general %8, %arg1, batching_dims = [2, 3] x [2, 3], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x3x3xf32>, tensor<3x8x3x3xf32>) -> tensor<3x3x1x3xf32>
    %10 = stablehlo.transpose %9, dims = [2, 3, 0, 1] : (tensor<3x3x1x3xf32>) -> tensor<1x3x3x3xf32>
    return %10 : tensor<1x3x3x3xf32>
  }
}
