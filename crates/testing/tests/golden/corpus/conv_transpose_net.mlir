module @jit_conv_transpose_net attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<3x3x2x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2xf32>, %arg5: tensor<2x2x4x2xf32>, %arg6: tensor<3x8x8x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]['params']['layers_0']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[1]['params']['layers_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['layers_1']['bias']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['layers_1']['scale']"}, tensor<2xf32> {jax.result_info = "result[1]['params']['layers_3']['bias']"}, tensor<2x2x4x2xf32> {jax.result_info = "result[1]['params']['layers_3']['kernel']"}) {
    %0 = stablehlo.convolution(%arg6, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<3x8x8x4xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<3x8x8x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<3x8x8x4xf32>) -> tensor<3x8x8x2x2xf32>
    %5 = chlo.square %4 : tensor<3x8x8x2x2xf32> -> tensor<3x8x8x2x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x2x2xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<3x8x8x2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<3x8x8x2x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_1 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %10 = stablehlo.divide %8, %9 : tensor<3x2xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<3x8x8x2x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_3 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %13 = stablehlo.divide %11, %12 : tensor<3x2xf32>
    %14 = chlo.square %10 : tensor<3x2xf32> -> tensor<3x2xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %16 = stablehlo.multiply %15, %10 : tensor<3x2xf32>
    %17 = stablehlo.subtract %13, %14 : tensor<3x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<3x2xf32>
    %20 = stablehlo.compare EQ, %17, %19, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %23 = stablehlo.select %20, %21, %22 : tensor<3x2xi1>, tensor<3x2xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %25 = stablehlo.compare EQ, %24, %19, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %28 = stablehlo.select %25, %26, %27 : tensor<3x2xi1>, tensor<3x2xf32>
    %29 = stablehlo.divide %23, %28 : tensor<3x2xf32>
    %30 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x2xf32>
    %31 = stablehlo.reshape %30 : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
    %32 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x2xf32>
    %33 = stablehlo.reshape %32 : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
    %34 = stablehlo.broadcast_in_dim %31, dims = [0, 3] : (tensor<3x4xf32>) -> tensor<3x1x1x4xf32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 3] : (tensor<3x4xf32>) -> tensor<3x1x1x4xf32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<3x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %37 = stablehlo.subtract %3, %36 : tensor<3x8x8x4xf32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x1x1x4xf32>
    %39 = stablehlo.add %35, %38 : tensor<3x1x1x4xf32>
    %40 = stablehlo.rsqrt %39 : tensor<3x1x1x4xf32>
    %41 = stablehlo.divide %40, %39 : tensor<3x1x1x4xf32>
    %cst_12 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x1x1x4xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<3x1x1x4xf32>
    %44 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x1x1x4xf32>
    %46 = stablehlo.multiply %40, %45 : tensor<3x1x1x4xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<3x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %48 = stablehlo.multiply %37, %47 : tensor<3x8x8x4xf32>
    %49 = stablehlo.reshape %arg2 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %51 = stablehlo.add %48, %50 : tensor<3x8x8x4xf32>
    %52:3 = call @silu(%51) : (tensor<3x8x8x4xf32>) -> (tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>)
    %53 = stablehlo.convolution(%52#0, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x4xf32>, tensor<2x2x4x2xf32>) -> tensor<3x16x16x2xf32>
    %54 = stablehlo.reshape %arg4 : (tensor<2xf32>) -> tensor<1x1x1x2xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<1x1x1x2xf32>) -> tensor<3x16x16x2xf32>
    %56 = stablehlo.add %53, %55 : tensor<3x16x16x2xf32>
    %57 = chlo.square %56 : tensor<3x16x16x2xf32> -> tensor<3x16x16x2xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3x16x16x2xf32>
    %59 = stablehlo.multiply %58, %56 : tensor<3x16x16x2xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%57 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<3x16x16x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.536000e+03> : tensor<f32>
    %61 = stablehlo.divide %60, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.536000e+03> : tensor<f32>
    %62 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [] : (tensor<f32>) -> tensor<3x16x16x2xf32>
    %64 = stablehlo.multiply %63, %59 : tensor<3x16x16x2xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x16x16x2xf32>, tensor<f32>) -> tensor<2xf32>
    %66 = stablehlo.reshape %65 : (tensor<2xf32>) -> tensor<1x1x1x2xf32>
    %67 = stablehlo.reshape %66 : (tensor<1x1x1x2xf32>) -> tensor<2xf32>
    %68 = stablehlo.convolution(%52#0, %64) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x4xf32>, tensor<3x16x16x2xf32>) -> tensor<2x2x4x2xf32>
    %69 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<2x2x4x2xf32>
    %70 = stablehlo.convolution(%64, %69) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x16x2xf32>, tensor<2x2x4x2xf32>) -> tensor<3x8x8x4xf32>
    %71 = call @silu_0(%52#1, %52#2, %51, %70) : (tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_19) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %73 = stablehlo.reshape %72 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %74 = stablehlo.reshape %73 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %75 = stablehlo.multiply %37, %71 : tensor<3x8x8x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75 init: %cst_20) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %77 = stablehlo.reshape %76 : (tensor<3x4xf32>) -> tensor<3x1x1x4xf32>
    %78 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<3x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %79 = stablehlo.multiply %71, %78 : tensor<3x8x8x4xf32>
    %80 = stablehlo.multiply %40, %77 : tensor<3x1x1x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_21) applies stablehlo.add across dimensions = [0] : (tensor<3x1x1x4xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %82 = stablehlo.reshape %81 : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
    %83 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x1x1x4xf32>
    %84 = stablehlo.multiply %77, %83 : tensor<3x1x1x4xf32>
    %85 = stablehlo.reshape %82 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %86 = stablehlo.multiply %84, %43 : tensor<3x1x1x4xf32>
    %87 = stablehlo.negate %79 : tensor<3x8x8x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_22) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %89 = stablehlo.reshape %88 : (tensor<3x4xf32>) -> tensor<3x1x1x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%86 init: %cst_23) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x1x1x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%89 init: %cst_24) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x1x1x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %92 = stablehlo.reshape %90 : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<3x2x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %94 = stablehlo.reshape %91 : (tensor<3x4xf32>) -> tensor<3x2x2xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_26) applies stablehlo.add across dimensions = [2] : (tensor<3x2x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %96 = stablehlo.multiply %93, %29 : tensor<3x2xf32>
    %97 = stablehlo.negate %96 : tensor<3x2xf32>
    %98 = stablehlo.multiply %97, %16 : tensor<3x2xf32>
    %99 = stablehlo.add %95, %98 : tensor<3x2xf32>
    %cst_27 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %101 = stablehlo.divide %96, %100 : tensor<3x2xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 3] : (tensor<3x2xf32>) -> tensor<3x8x8x2x2xf32>
    %cst_28 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %104 = stablehlo.divide %99, %103 : tensor<3x2xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 3] : (tensor<3x2xf32>) -> tensor<3x8x8x2x2xf32>
    %106 = stablehlo.multiply %102, %7 : tensor<3x8x8x2x2xf32>
    %107 = stablehlo.add %105, %106 : tensor<3x8x8x2x2xf32>
    %108 = stablehlo.reshape %107 : (tensor<3x8x8x2x2xf32>) -> tensor<3x8x8x4xf32>
    %109 = stablehlo.add %79, %108 : tensor<3x8x8x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %111 = stablehlo.reshape %110 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %112 = stablehlo.reshape %111 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %113 = stablehlo.convolution(%arg6, %109) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<3x8x8x4xf32>) -> tensor<3x3x2x4xf32>
    %cst_30 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %115 = stablehlo.multiply %114, %112 : tensor<4xf32>
    %cst_31 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %117 = stablehlo.multiply %116, %113 : tensor<3x3x2x4xf32>
    %cst_32 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %119 = stablehlo.multiply %118, %74 : tensor<4xf32>
    %cst_33 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %121 = stablehlo.multiply %120, %85 : tensor<4xf32>
    %cst_34 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %123 = stablehlo.multiply %122, %67 : tensor<2xf32>
    %cst_35 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x2x4x2xf32>
    %125 = stablehlo.multiply %124, %68 : tensor<2x2x4x2xf32>
    %126 = stablehlo.add %arg0, %115 : tensor<4xf32>
    %127 = stablehlo.add %arg1, %117 : tensor<3x3x2x4xf32>
    %128 = stablehlo.add %arg2, %119 : tensor<4xf32>
    %129 = stablehlo.add %arg3, %121 : tensor<4xf32>
    %130 = stablehlo.add %arg4, %123 : tensor<2xf32>
    %131 = stablehlo.add %arg5, %125 : tensor<2x2x4x2xf32>
    return %61, %126, %127, %128, %129, %130, %131 : tensor<f32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2x2x4x2xf32>
  }
  func.func private @silu(%arg0: tensor<3x8x8x4xf32>) -> (tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<3x8x8x4xf32>
    %1 = stablehlo.exponential %0 : tensor<3x8x8x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %3 = stablehlo.add %2, %1 : tensor<3x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<3x8x8x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<3x8x8x4xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<3x8x8x4xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<3x8x8x4xf32>
    return %9, %8, %5 : tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>
  }
  func.func private @silu_0(%arg0: tensor<3x8x8x4xf32>, %arg1: tensor<3x8x8x4xf32>, %arg2: tensor<3x8x8x4xf32>, %arg3: tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<3x8x8x4xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<3x8x8x4xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<3x8x8x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<3x8x8x4xf32>
    return %3 : tensor<3x8x8x4xf32>
  }
}
