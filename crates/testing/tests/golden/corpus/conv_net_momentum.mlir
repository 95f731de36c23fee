module @jit_conv_net_momentum attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<3x3x2x4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<3x3x2x4xf32>, %arg5: tensor<3xf32>, %arg6: tensor<16x3xf32>, %arg7: tensor<4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<3x3x2x4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<3x3x2x4xf32>, %arg14: tensor<3xf32>, %arg15: tensor<16x3xf32>, %arg16: tensor<3x8x8x2xf32>, %arg17: tensor<3xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]['BatchNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[1]['BatchNorm_0']['scale']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[1]['Conv_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['Conv_1']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[1]['Conv_1']['kernel']"}, tensor<3xf32> {jax.result_info = "result[1]['Dense_0']['bias']"}, tensor<16x3xf32> {jax.result_info = "result[1]['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2]['BatchNorm_0']['mean']"}, tensor<4xf32> {jax.result_info = "result[2]['BatchNorm_0']['var']"}, tensor<4xf32> {jax.result_info = "result[3][0].trace['BatchNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[3][0].trace['BatchNorm_0']['scale']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[3][0].trace['Conv_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[3][0].trace['Conv_1']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[3][0].trace['Conv_1']['kernel']"}, tensor<3xf32> {jax.result_info = "result[3][0].trace['Dense_0']['bias']"}, tensor<16x3xf32> {jax.result_info = "result[3][0].trace['Dense_0']['kernel']"}) {
    %0 = stablehlo.convolution(%arg16, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<3x8x8x4xf32>
    %1 = chlo.square %0 : tensor<3x8x8x4xf32> -> tensor<3x8x8x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %3 = stablehlo.multiply %2, %0 : tensor<3x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_3 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.divide %7, %8 : tensor<4xf32>
    %10 = chlo.square %6 : tensor<4xf32> -> tensor<4xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.multiply %11, %6 : tensor<4xf32>
    %13 = stablehlo.subtract %9, %10 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<4xf32>
    %16 = stablehlo.compare EQ, %13, %15, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %19 = stablehlo.select %16, %17, %18 : tensor<4xi1>, tensor<4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %21 = stablehlo.compare EQ, %20, %15, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %24 = stablehlo.select %21, %22, %23 : tensor<4xi1>, tensor<4xf32>
    %25 = stablehlo.divide %19, %24 : tensor<4xf32>
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %27 = stablehlo.multiply %26, %arg7 : tensor<4xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %29 = stablehlo.multiply %28, %6 : tensor<4xf32>
    %30 = stablehlo.add %27, %29 : tensor<4xf32>
    %cst_13 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %32 = stablehlo.multiply %31, %arg8 : tensor<4xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %34 = stablehlo.multiply %33, %15 : tensor<4xf32>
    %35 = stablehlo.add %32, %34 : tensor<4xf32>
    %36 = stablehlo.broadcast_in_dim %6, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %37 = stablehlo.broadcast_in_dim %15, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %39 = stablehlo.subtract %0, %38 : tensor<3x8x8x4xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %41 = stablehlo.add %37, %40 : tensor<1x1x1x4xf32>
    %42 = stablehlo.rsqrt %41 : tensor<1x1x1x4xf32>
    %43 = stablehlo.divide %42, %41 : tensor<1x1x1x4xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1x1x4xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<1x1x1x4xf32>
    %46 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %47 = stablehlo.multiply %42, %46 : tensor<1x1x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %49 = stablehlo.multiply %39, %48 : tensor<3x8x8x4xf32>
    %50 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %52 = stablehlo.add %49, %51 : tensor<3x8x8x4xf32>
    %53 = call @relu(%52) : (tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %55 = stablehlo.compare GT, %52, %54, FLOAT : (tensor<3x8x8x4xf32>, tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xi1>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<f32>
    %58 = "stablehlo.reduce_window"(%53, %57) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %251 = stablehlo.maximum %arg18, %arg19 : tensor<f32>
      stablehlo.return %251 : tensor<f32>
    }) : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x4x4x4xf32>
    %59 = stablehlo.convolution(%58, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x3x2x4xf32>) -> tensor<3x2x2x4xf32>
    %60 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x2x2x4xf32>
    %62 = stablehlo.add %59, %61 : tensor<3x2x2x4xf32>
    %63 = call @relu_0(%62) : (tensor<3x2x2x4xf32>) -> tensor<3x2x2x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %65 = stablehlo.compare GT, %62, %64, FLOAT : (tensor<3x2x2x4xf32>, tensor<3x2x2x4xf32>) -> tensor<3x2x2x4xi1>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<f32>
    %68 = "stablehlo.reduce_window"(%63, %67) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %251 = stablehlo.add %arg18, %arg19 : tensor<f32>
      stablehlo.return %251 : tensor<f32>
    }) : (tensor<3x2x2x4xf32>, tensor<f32>) -> tensor<3x2x2x4xf32>
    %cst_23 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %70 = stablehlo.divide %68, %69 : tensor<3x2x2x4xf32>
    %71 = stablehlo.reshape %70 : (tensor<3x2x2x4xf32>) -> tensor<3x16xf32>
    %72 = stablehlo.dot_general %71, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x3xf32>) -> tensor<3x3xf32>
    %73 = stablehlo.reshape %arg5 : (tensor<3xf32>) -> tensor<1x3xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %75 = stablehlo.add %72, %74 : tensor<3x3xf32>
    %76 = stablehlo.broadcast_in_dim %arg17, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %77:2 = call @take_along_axis(%75, %76) : (tensor<3x3xf32>, tensor<3x1xi32>) -> (tensor<3x1xf32>, tensor<3x1x1xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %78:2 = call @_take(%77#0, %c) : (tensor<3x1xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<1xi32>)
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %79 = stablehlo.reduce(%75 init: %cst_24) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %80 = stablehlo.reshape %79 : (tensor<3xf32>) -> tensor<3x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %82 = stablehlo.compare EQ, %75, %81, FLOAT : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xi1>
    %83 = stablehlo.convert %82 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_25) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %86 = stablehlo.maximum %85, %79 : tensor<3xf32>
    %87 = stablehlo.compare EQ, %79, %86, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %90 = stablehlo.select %87, %88, %89 : tensor<3xi1>, tensor<3xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %92 = stablehlo.compare EQ, %91, %86, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %95 = stablehlo.select %92, %93, %94 : tensor<3xi1>, tensor<3xf32>
    %96 = stablehlo.divide %90, %95 : tensor<3xf32>
    %97 = stablehlo.is_finite %86 : (tensor<3xf32>) -> tensor<3xi1>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %99 = stablehlo.select %97, %86, %98 : tensor<3xi1>, tensor<3xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %101 = stablehlo.broadcast_in_dim %99, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %103 = stablehlo.subtract %75, %102 : tensor<3x3xf32>
    %104 = stablehlo.exponential %103 : tensor<3x3xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.reduce(%104 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %106 = stablehlo.sign %105 : tensor<3xf32>
    %107 = stablehlo.abs %105 : tensor<3xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %109 = stablehlo.compare GE, %105, %108, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %110 = stablehlo.log %107 : tensor<3xf32>
    %111 = stablehlo.add %110, %99 : tensor<3xf32>
    %112 = stablehlo.subtract %111, %78#0 : tensor<3xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_36) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_37 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %114 = stablehlo.divide %113, %cst_37 : tensor<f32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_39 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %115 = stablehlo.divide %cst_38, %cst_39 : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %117 = stablehlo.negate %116 : tensor<3xf32>
    %118 = stablehlo.divide %116, %107 : tensor<3xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %120 = stablehlo.select %109, %119, %118 : tensor<3xi1>, tensor<3xf32>
    %121 = stablehlo.select %109, %118, %119 : tensor<3xi1>, tensor<3xf32>
    %122 = stablehlo.negate %120 : tensor<3xf32>
    %123 = stablehlo.add %121, %122 : tensor<3xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<3xf32>) -> tensor<3x3xf32>
    %125 = stablehlo.multiply %124, %104 : tensor<3x3xf32>
    %126 = call @_take_1(%78#1, %117) : (tensor<1xi32>, tensor<3xf32>) -> tensor<3x1xf32>
    %127 = call @take_along_axis_2(%77#1, %126) : (tensor<3x1x1xi32>, tensor<3x1xf32>) -> tensor<3x3xf32>
    %128 = stablehlo.add %125, %127 : tensor<3x3xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_41) applies stablehlo.add across dimensions = [0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %130 = stablehlo.reshape %129 : (tensor<3xf32>) -> tensor<1x3xf32>
    %131 = stablehlo.reshape %130 : (tensor<1x3xf32>) -> tensor<3xf32>
    %132 = stablehlo.dot_general %128, %71, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
    %133 = stablehlo.transpose %132, dims = [1, 0] : (tensor<3x16xf32>) -> tensor<16x3xf32>
    %134 = stablehlo.dot_general %128, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<16x3xf32>) -> tensor<3x16xf32>
    %135 = stablehlo.reshape %134 : (tensor<3x16xf32>) -> tensor<3x2x2x4xf32>
    %cst_42 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %137 = stablehlo.divide %135, %136 : tensor<3x2x2x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.pad %137, %cst_43, low = [0, 1, 1, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<3x2x2x4xf32>, tensor<f32>) -> tensor<3x3x3x4xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<f32>
    %140 = "stablehlo.reduce_window"(%138, %139) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %251 = stablehlo.add %arg18, %arg19 : tensor<f32>
      stablehlo.return %251 : tensor<f32>
    }) : (tensor<3x3x3x4xf32>, tensor<f32>) -> tensor<3x2x2x4xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<3x2x2x4xf32>
    %142 = stablehlo.select %65, %140, %141 : tensor<3x2x2x4xi1>, tensor<3x2x2x4xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_46) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x2x2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %144 = stablehlo.reshape %143 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %145 = stablehlo.reshape %144 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %146 = stablehlo.convolution(%58, %142) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x4x4xf32>, tensor<3x2x2x4xf32>) -> tensor<3x3x2x4xf32>
    %147 = stablehlo.reshape %arg4 : (tensor<3x3x2x4xf32>) -> tensor<3x3x2x2x2xf32>
    %148 = stablehlo.transpose %147, dims = [0, 1, 3, 2, 4] : (tensor<3x3x2x2x2xf32>) -> tensor<3x3x2x2x2xf32>
    %149 = stablehlo.reshape %148 : (tensor<3x3x2x2x2xf32>) -> tensor<3x3x4x2xf32>
    %150 = stablehlo.reverse %149, dims = [0, 1] : tensor<3x3x4x2xf32>
    %151 = stablehlo.convolution(%142, %150) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x2x2x4xf32>, tensor<3x3x4x2xf32>) -> tensor<3x4x4x4xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %152 = stablehlo.pad %53, %cst_47, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<3x8x8x4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = "stablehlo.select_and_scatter"(%152, %151, %cst_48) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %251 = stablehlo.compare GE, %arg18, %arg19, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %251 : tensor<i1>
    }, {
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %251 = stablehlo.add %arg18, %arg19 : tensor<f32>
      stablehlo.return %251 : tensor<f32>
    }) : (tensor<3x8x8x4xf32>, tensor<3x4x4x4xf32>, tensor<f32>) -> tensor<3x8x8x4xf32>
    %154 = stablehlo.slice %153 [0:3, 0:8, 0:8, 0:4] : (tensor<3x8x8x4xf32>) -> tensor<3x8x8x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<3x8x8x4xf32>
    %156 = stablehlo.select %55, %154, %155 : tensor<3x8x8x4xi1>, tensor<3x8x8x4xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_50) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %158 = stablehlo.reshape %157 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %159 = stablehlo.reshape %158 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %160 = stablehlo.multiply %39, %156 : tensor<3x8x8x4xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.reduce(%160 init: %cst_51) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %162 = stablehlo.reshape %161 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %163 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<3x8x8x4xf32>
    %164 = stablehlo.multiply %156, %163 : tensor<3x8x8x4xf32>
    %165 = stablehlo.multiply %42, %162 : tensor<1x1x1x4xf32>
    %166 = stablehlo.multiply %162, %46 : tensor<1x1x1x4xf32>
    %167 = stablehlo.reshape %165 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %168 = stablehlo.multiply %166, %45 : tensor<1x1x1x4xf32>
    %169 = stablehlo.negate %164 : tensor<3x8x8x4xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%169 init: %cst_52) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x8x8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %171 = stablehlo.reshape %170 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%168 init: %cst_53) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.reduce(%171 init: %cst_54) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %174 = stablehlo.multiply %172, %25 : tensor<4xf32>
    %175 = stablehlo.negate %174 : tensor<4xf32>
    %176 = stablehlo.multiply %175, %12 : tensor<4xf32>
    %177 = stablehlo.add %173, %176 : tensor<4xf32>
    %cst_55 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %179 = stablehlo.divide %174, %178 : tensor<4xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [3] : (tensor<4xf32>) -> tensor<3x8x8x4xf32>
    %cst_56 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %182 = stablehlo.divide %177, %181 : tensor<4xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [3] : (tensor<4xf32>) -> tensor<3x8x8x4xf32>
    %184 = stablehlo.add %164, %183 : tensor<3x8x8x4xf32>
    %185 = stablehlo.multiply %180, %3 : tensor<3x8x8x4xf32>
    %186 = stablehlo.add %184, %185 : tensor<3x8x8x4xf32>
    %187 = stablehlo.convolution(%arg16, %186) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x8x2xf32>, tensor<3x8x8x4xf32>) -> tensor<3x3x2x4xf32>
    %cst_57 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %189 = stablehlo.multiply %188, %arg9 : tensor<4xf32>
    %190 = stablehlo.add %159, %189 : tensor<4xf32>
    %cst_58 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %192 = stablehlo.multiply %191, %arg10 : tensor<4xf32>
    %193 = stablehlo.add %167, %192 : tensor<4xf32>
    %cst_59 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %195 = stablehlo.multiply %194, %arg11 : tensor<3x3x2x4xf32>
    %196 = stablehlo.add %187, %195 : tensor<3x3x2x4xf32>
    %cst_60 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %198 = stablehlo.multiply %197, %arg12 : tensor<4xf32>
    %199 = stablehlo.add %145, %198 : tensor<4xf32>
    %cst_61 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %201 = stablehlo.multiply %200, %arg13 : tensor<3x3x2x4xf32>
    %202 = stablehlo.add %146, %201 : tensor<3x3x2x4xf32>
    %cst_62 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %204 = stablehlo.multiply %203, %arg14 : tensor<3xf32>
    %205 = stablehlo.add %131, %204 : tensor<3xf32>
    %cst_63 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x3xf32>
    %207 = stablehlo.multiply %206, %arg15 : tensor<16x3xf32>
    %208 = stablehlo.add %133, %207 : tensor<16x3xf32>
    %cst_64 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %210 = stablehlo.multiply %209, %190 : tensor<4xf32>
    %211 = stablehlo.add %159, %210 : tensor<4xf32>
    %cst_65 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %213 = stablehlo.multiply %212, %193 : tensor<4xf32>
    %214 = stablehlo.add %167, %213 : tensor<4xf32>
    %cst_66 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %216 = stablehlo.multiply %215, %196 : tensor<3x3x2x4xf32>
    %217 = stablehlo.add %187, %216 : tensor<3x3x2x4xf32>
    %cst_67 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %219 = stablehlo.multiply %218, %199 : tensor<4xf32>
    %220 = stablehlo.add %145, %219 : tensor<4xf32>
    %cst_68 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %222 = stablehlo.multiply %221, %202 : tensor<3x3x2x4xf32>
    %223 = stablehlo.add %146, %222 : tensor<3x3x2x4xf32>
    %cst_69 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %225 = stablehlo.multiply %224, %205 : tensor<3xf32>
    %226 = stablehlo.add %131, %225 : tensor<3xf32>
    %cst_70 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x3xf32>
    %228 = stablehlo.multiply %227, %208 : tensor<16x3xf32>
    %229 = stablehlo.add %133, %228 : tensor<16x3xf32>
    %cst_71 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %231 = stablehlo.multiply %230, %211 : tensor<4xf32>
    %cst_72 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %233 = stablehlo.multiply %232, %214 : tensor<4xf32>
    %cst_73 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %235 = stablehlo.multiply %234, %217 : tensor<3x3x2x4xf32>
    %cst_74 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %237 = stablehlo.multiply %236, %220 : tensor<4xf32>
    %cst_75 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %239 = stablehlo.multiply %238, %223 : tensor<3x3x2x4xf32>
    %cst_76 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %241 = stablehlo.multiply %240, %226 : tensor<3xf32>
    %cst_77 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<16x3xf32>
    %243 = stablehlo.multiply %242, %229 : tensor<16x3xf32>
    %244 = stablehlo.add %arg0, %231 : tensor<4xf32>
    %245 = stablehlo.add %arg1, %233 : tensor<4xf32>
    %246 = stablehlo.add %arg2, %235 : tensor<3x3x2x4xf32>
    %247 = stablehlo.add %arg3, %237 : tensor<4xf32>
    %248 = stablehlo.add %arg4, %239 : tensor<3x3x2x4xf32>
    %249 = stablehlo.add %arg5, %241 : tensor<3xf32>
    %250 = stablehlo.add %arg6, %243 : tensor<16x3xf32>
    return %114, %244, %245, %246, %247, %248, %249, %250, %30, %35, %190, %193, %196, %199, %202, %205, %208 : tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<3xf32>, tensor<16x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<3xf32>, tensor<16x3xf32>
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
  func.func private @take_along_axis(%arg0: tensor<3x3xf32>, %arg1: tensor<3x1xi32>) -> (tensor<3x1xf32>, tensor<3x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3x1xi1>, tensor<3x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<3x1xi32>) -> tensor<3x1x1xi32>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<3x1x1xi1>, tensor<i1>) -> tensor<3x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xf32>, tensor<3x1x1xi32>) -> tensor<3x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<3x1xi1>, tensor<3x1xf32>
    return %15, %5 : tensor<3x1xf32>, tensor<3x1x1xi32>
  }
  func.func private @_take(%arg0: tensor<3x1xf32>, %arg1: tensor<i32>) -> (tensor<3xf32>, tensor<1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = call @_where(%0, %1, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %4 = stablehlo.convert %3 : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %7 = stablehlo.compare LE, %4, %c_1, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %8 = stablehlo.and %6, %7 : tensor<1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_3) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x1xf32>, tensor<1xi32>) -> tensor<3xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<3xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %13 = stablehlo.select %11, %10, %12 : tensor<3xi1>, tensor<3xf32>
    return %13, %3 : tensor<3xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_take_1(%arg0: tensor<1xi32>, %arg1: tensor<3xf32>) -> tensor<3x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x1xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<3x1xf32>
    return %1 : tensor<3x1xf32>
  }
  func.func private @take_along_axis_2(%arg0: tensor<3x1x1xi32>, %arg1: tensor<3x1xf32>) -> tensor<3x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<3x1x1xi32>, tensor<3x1xf32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}
