module @jit_conv_2d_odd_layout attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x3x2x5xf32>, %arg1: tensor<3x4x2x3xf32>) -> (tensor<5x2x4x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [1, f, b, 0]x[i, o, 0, 1]->[0, b, f, 1], window = {stride = [1, 1], pad = [[0, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<6x3x2x5xf32>, tensor<3x4x2x3xf32>) -> tensor<5x2x4x6xf32>
    return %0 : tensor<5x2x4x6xf32>
  }
}
