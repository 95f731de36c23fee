module @jit_conv_vmapped attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1x2x4x4xf32>, %arg1: tensor<3x2x2x2x2xf32>) -> (tensor<3x1x2x4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0, 2, 3, 4] : (tensor<3x1x2x4x4xf32>) -> tensor<1x3x2x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
    %2 = stablehlo.reshape %arg1 : (tensor<3x2x2x2x2xf32>) -> tensor<6x2x2x2xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x4x4xf32>, tensor<6x2x2x2xf32>) -> tensor<1x6x4x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x6x4x4xf32>) -> tensor<1x3x2x4x4xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0, 2, 3, 4] : (tensor<1x3x2x4x4xf32>) -> tensor<3x1x2x4x4xf32>
    return %5 : tensor<3x1x2x4x4xf32>
  }
}
