module @jit_linen_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<11x8xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<2x4x8xf32>, %arg3: tensor<8x2x4xf32>, %arg4: tensor<8x2x4xf32>, %arg5: tensor<8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<11xf32>, %arg8: tensor<8x11xf32>, %arg9: tensor<2x6xi32>, %arg10: tensor<2x6xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<11x8xf32> {jax.result_info = "result[1]['params']['layers_0']['embedding']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['params']['layers_1']['key']['kernel']"}, tensor<2x4x8xf32> {jax.result_info = "result[1]['params']['layers_1']['out']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['params']['layers_1']['query']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['params']['layers_1']['value']['kernel']"}, tensor<8xf32> {jax.result_info = "result[1]['params']['layers_2']['bias']"}, tensor<8xf32> {jax.result_info = "result[1]['params']['layers_2']['scale']"}, tensor<11xf32> {jax.result_info = "result[1]['params']['layers_3']['bias']"}, tensor<8x11xf32> {jax.result_info = "result[1]['params']['layers_3']['kernel']"}) {
    %c = stablehlo.constant dense<11> : tensor<i32>
    %0 = call @remainder(%arg9, %c) : (tensor<2x6xi32>, tensor<i32>) -> tensor<2x6xi32>
    %1:2 = call @_take(%arg0, %0) : (tensor<11x8xf32>, tensor<2x6xi32>) -> (tensor<2x6x8xf32>, tensor<2x6x1xi32>)
    %2 = stablehlo.dot_general %1#0, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x2x4xf32>) -> tensor<2x6x2x4xf32>
    %3 = stablehlo.dot_general %1#0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x2x4xf32>) -> tensor<2x6x2x4xf32>
    %4 = stablehlo.dot_general %1#0, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x2x4xf32>) -> tensor<2x6x2x4xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %5 = stablehlo.sqrt %cst : tensor<f32>
    %6 = stablehlo.convert %5 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<2x6x2x4xf32>
    %8 = stablehlo.divide %2, %7 : tensor<2x6x2x4xf32>
    %9 = stablehlo.dot_general %8, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %11 = stablehlo.reshape %10 : (tensor<2x2x6xf32>) -> tensor<2x2x6x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %13 = stablehlo.compare EQ, %9, %12, FLOAT : (tensor<2x2x6x6xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xi1>
    %14 = stablehlo.convert %13 : (tensor<2x2x6x6xi1>) -> tensor<2x2x6x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %17 = stablehlo.maximum %16, %10 : tensor<2x2x6xf32>
    %18 = stablehlo.compare EQ, %10, %17, FLOAT : (tensor<2x2x6xf32>, tensor<2x2x6xf32>) -> tensor<2x2x6xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %21 = stablehlo.select %18, %19, %20 : tensor<2x2x6xi1>, tensor<2x2x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %23 = stablehlo.compare EQ, %22, %17, FLOAT : (tensor<2x2x6xf32>, tensor<2x2x6xf32>) -> tensor<2x2x6xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x6xf32>
    %26 = stablehlo.select %23, %24, %25 : tensor<2x2x6xi1>, tensor<2x2x6xf32>
    %27 = stablehlo.divide %21, %26 : tensor<2x2x6xf32>
    %28 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %30 = stablehlo.subtract %9, %29 : tensor<2x2x6x6xf32>
    %31 = stablehlo.exponential %30 : tensor<2x2x6x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %35 = stablehlo.divide %31, %34 : tensor<2x2x6x6xf32>
    %36 = stablehlo.multiply %33, %33 : tensor<2x2x6x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x2x6x1xf32>
    %38 = stablehlo.divide %37, %36 : tensor<2x2x6x1xf32>
    %39 = stablehlo.dot_general %4, %35, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x4x6xf32>
    %40 = stablehlo.transpose %39, dims = [0, 3, 1, 2] : (tensor<2x2x4x6xf32>) -> tensor<2x6x2x4xf32>
    %41 = stablehlo.dot_general %40, %arg2, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x6x8xf32>
    %42 = chlo.square %41 : tensor<2x6x8xf32> -> tensor<2x6x8xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x6x8xf32>
    %44 = stablehlo.multiply %43, %41 : tensor<2x6x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%41 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %47 = stablehlo.divide %45, %46 : tensor<2x6xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%42 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %50 = stablehlo.divide %48, %49 : tensor<2x6xf32>
    %51 = chlo.square %47 : tensor<2x6xf32> -> tensor<2x6xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %53 = stablehlo.multiply %52, %47 : tensor<2x6xf32>
    %54 = stablehlo.subtract %50, %51 : tensor<2x6xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %56 = stablehlo.maximum %55, %54 : tensor<2x6xf32>
    %57 = stablehlo.compare EQ, %54, %56, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %60 = stablehlo.select %57, %58, %59 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %62 = stablehlo.compare EQ, %61, %56, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_20 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %65 = stablehlo.select %62, %63, %64 : tensor<2x6xi1>, tensor<2x6xf32>
    %66 = stablehlo.divide %60, %65 : tensor<2x6xf32>
    %67 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %68 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %69 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %70 = stablehlo.subtract %41, %69 : tensor<2x6x8xf32>
    %cst_22 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %72 = stablehlo.add %68, %71 : tensor<2x6x1xf32>
    %73 = stablehlo.rsqrt %72 : tensor<2x6x1xf32>
    %74 = stablehlo.divide %73, %72 : tensor<2x6x1xf32>
    %cst_23 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %76 = stablehlo.multiply %75, %74 : tensor<2x6x1xf32>
    %77 = stablehlo.reshape %arg6 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %78 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<2x6x8xf32>
    %81 = stablehlo.multiply %70, %80 : tensor<2x6x8xf32>
    %82 = stablehlo.reshape %arg5 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %84 = stablehlo.add %81, %83 : tensor<2x6x8xf32>
    %85 = stablehlo.dot_general %84, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x11xf32>) -> tensor<2x6x11xf32>
    %86 = stablehlo.reshape %arg7 : (tensor<11xf32>) -> tensor<1x1x11xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x1x11xf32>) -> tensor<2x6x11xf32>
    %88 = stablehlo.add %85, %87 : tensor<2x6x11xf32>
    %c_24 = stablehlo.constant dense<11> : tensor<i32>
    %89 = call @remainder(%arg10, %c_24) : (tensor<2x6xi32>, tensor<i32>) -> tensor<2x6xi32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %91:2 = call @take_along_axis(%88, %90) : (tensor<2x6x11xf32>, tensor<2x6x1xi32>) -> (tensor<2x6x1xf32>, tensor<2x6x1x1xi32>)
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %92:2 = call @_take_1(%91#0, %c_25) : (tensor<2x6x1xf32>, tensor<i32>) -> (tensor<2x6xf32>, tensor<1xi32>)
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %93 = stablehlo.reduce(%88 init: %cst_26) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x11xf32>, tensor<f32>) -> tensor<2x6xf32>
    %94 = stablehlo.reshape %93 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x11xf32>
    %96 = stablehlo.compare EQ, %88, %95, FLOAT : (tensor<2x6x11xf32>, tensor<2x6x11xf32>) -> tensor<2x6x11xi1>
    %97 = stablehlo.convert %96 : (tensor<2x6x11xi1>) -> tensor<2x6x11xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<2x6x11xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %100 = stablehlo.maximum %99, %93 : tensor<2x6xf32>
    %101 = stablehlo.compare EQ, %93, %100, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %104 = stablehlo.select %101, %102, %103 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %106 = stablehlo.compare EQ, %105, %100, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_32 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %109 = stablehlo.select %106, %107, %108 : tensor<2x6xi1>, tensor<2x6xf32>
    %110 = stablehlo.divide %104, %109 : tensor<2x6xf32>
    %111 = stablehlo.is_finite %100 : (tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %113 = stablehlo.select %111, %100, %112 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %115 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x11xf32>
    %117 = stablehlo.subtract %88, %116 : tensor<2x6x11xf32>
    %118 = stablehlo.exponential %117 : tensor<2x6x11xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_36) applies stablehlo.add across dimensions = [2] : (tensor<2x6x11xf32>, tensor<f32>) -> tensor<2x6xf32>
    %120 = stablehlo.sign %119 : tensor<2x6xf32>
    %121 = stablehlo.abs %119 : tensor<2x6xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %123 = stablehlo.compare GE, %119, %122, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %124 = stablehlo.log %121 : tensor<2x6xf32>
    %125 = stablehlo.add %124, %113 : tensor<2x6xf32>
    %126 = stablehlo.subtract %125, %92#0 : tensor<2x6xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_38) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_39 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %128 = stablehlo.divide %127, %cst_39 : tensor<f32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_41 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %129 = stablehlo.divide %cst_40, %cst_41 : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %131 = stablehlo.negate %130 : tensor<2x6xf32>
    %132 = stablehlo.divide %130, %121 : tensor<2x6xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %134 = stablehlo.select %123, %133, %132 : tensor<2x6xi1>, tensor<2x6xf32>
    %135 = stablehlo.select %123, %132, %133 : tensor<2x6xi1>, tensor<2x6xf32>
    %136 = stablehlo.negate %134 : tensor<2x6xf32>
    %137 = stablehlo.add %135, %136 : tensor<2x6xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x11xf32>
    %139 = stablehlo.multiply %138, %118 : tensor<2x6x11xf32>
    %140 = call @_take_3(%92#1, %131) : (tensor<1xi32>, tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %141 = call @take_along_axis_4(%91#1, %140) : (tensor<2x6x1x1xi32>, tensor<2x6x1xf32>) -> tensor<2x6x11xf32>
    %142 = stablehlo.add %139, %141 : tensor<2x6x11xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x11xf32>, tensor<f32>) -> tensor<11xf32>
    %144 = stablehlo.reshape %143 : (tensor<11xf32>) -> tensor<1x1x11xf32>
    %145 = stablehlo.reshape %144 : (tensor<1x1x11xf32>) -> tensor<11xf32>
    %146 = stablehlo.dot_general %142, %84, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x11xf32>, tensor<2x6x8xf32>) -> tensor<11x8xf32>
    %147 = stablehlo.transpose %146, dims = [1, 0] : (tensor<11x8xf32>) -> tensor<8x11xf32>
    %148 = stablehlo.dot_general %142, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x11xf32>, tensor<8x11xf32>) -> tensor<2x6x8xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %150 = stablehlo.reshape %149 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %151 = stablehlo.reshape %150 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %152 = stablehlo.multiply %70, %148 : tensor<2x6x8xf32>
    %153 = stablehlo.multiply %148, %80 : tensor<2x6x8xf32>
    %154 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %155 = stablehlo.multiply %154, %152 : tensor<2x6x8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.reduce(%155 init: %cst_45) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %157 = stablehlo.reshape %156 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %158 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %159 = stablehlo.multiply %152, %158 : tensor<2x6x8xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.reduce(%159 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %161 = stablehlo.reshape %160 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %162 = stablehlo.reshape %157 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %163 = stablehlo.multiply %161, %76 : tensor<2x6x1xf32>
    %164 = stablehlo.negate %153 : tensor<2x6x8xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%164 init: %cst_47) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %166 = stablehlo.reshape %165 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%163 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%166 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %169 = stablehlo.multiply %167, %66 : tensor<2x6xf32>
    %170 = stablehlo.negate %169 : tensor<2x6xf32>
    %171 = stablehlo.multiply %170, %53 : tensor<2x6xf32>
    %172 = stablehlo.add %168, %171 : tensor<2x6xf32>
    %cst_50 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %174 = stablehlo.divide %169, %173 : tensor<2x6xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %cst_51 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %177 = stablehlo.divide %172, %176 : tensor<2x6xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %179 = stablehlo.add %153, %178 : tensor<2x6x8xf32>
    %180 = stablehlo.multiply %175, %44 : tensor<2x6x8xf32>
    %181 = stablehlo.add %179, %180 : tensor<2x6x8xf32>
    %182 = stablehlo.dot_general %181, %40, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x6x2x4xf32>) -> tensor<8x2x4xf32>
    %183 = stablehlo.transpose %182, dims = [1, 2, 0] : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
    %184 = stablehlo.dot_general %181, %arg2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x4x8xf32>) -> tensor<2x6x2x4xf32>
    %185 = stablehlo.transpose %184, dims = [0, 2, 3, 1] : (tensor<2x6x2x4xf32>) -> tensor<2x2x4x6xf32>
    %186 = stablehlo.dot_general %185, %4, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x6xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x6xf32>
    %187 = stablehlo.dot_general %185, %35, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x6xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x4x6xf32>
    %188 = stablehlo.transpose %187, dims = [0, 3, 1, 2] : (tensor<2x2x4x6xf32>) -> tensor<2x6x2x4xf32>
    %189 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %190 = stablehlo.multiply %186, %189 : tensor<2x2x6x6xf32>
    %191 = stablehlo.multiply %190, %31 : tensor<2x2x6x6xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_52) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %193 = stablehlo.reshape %192 : (tensor<2x2x6xf32>) -> tensor<2x2x6x1xf32>
    %194 = stablehlo.negate %193 : tensor<2x2x6x1xf32>
    %195 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %196 = stablehlo.divide %186, %195 : tensor<2x2x6x6xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = stablehlo.reduce(%194 init: %cst_53) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x1xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %199 = stablehlo.add %196, %198 : tensor<2x2x6x6xf32>
    %200 = stablehlo.multiply %199, %31 : tensor<2x2x6x6xf32>
    %201 = stablehlo.dot_general %200, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x6x6xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %202 = stablehlo.transpose %201, dims = [0, 2, 1, 3] : (tensor<2x2x6x4xf32>) -> tensor<2x6x2x4xf32>
    %203 = stablehlo.dot_general %200, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x6x6xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %204 = stablehlo.transpose %203, dims = [0, 2, 1, 3] : (tensor<2x2x6x4xf32>) -> tensor<2x6x2x4xf32>
    %205 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<2x6x2x4xf32>
    %206 = stablehlo.divide %204, %205 : tensor<2x6x2x4xf32>
    %207 = stablehlo.dot_general %188, %1#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
    %208 = stablehlo.transpose %207, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %209 = stablehlo.dot_general %188, %arg4, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<8x2x4xf32>) -> tensor<2x6x8xf32>
    %210 = stablehlo.dot_general %202, %1#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
    %211 = stablehlo.transpose %210, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %212 = stablehlo.dot_general %202, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<8x2x4xf32>) -> tensor<2x6x8xf32>
    %213 = stablehlo.add %209, %212 : tensor<2x6x8xf32>
    %214 = stablehlo.dot_general %206, %1#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
    %215 = stablehlo.transpose %214, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %216 = stablehlo.dot_general %206, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<8x2x4xf32>) -> tensor<2x6x8xf32>
    %217 = stablehlo.add %213, %216 : tensor<2x6x8xf32>
    %218 = call @_take_5(%1#1, %217) : (tensor<2x6x1xi32>, tensor<2x6x8xf32>) -> tensor<11x8xf32>
    %cst_54 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<11x8xf32>
    %220 = stablehlo.multiply %219, %218 : tensor<11x8xf32>
    %cst_55 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %222 = stablehlo.multiply %221, %211 : tensor<8x2x4xf32>
    %cst_56 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %224 = stablehlo.multiply %223, %183 : tensor<2x4x8xf32>
    %cst_57 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %226 = stablehlo.multiply %225, %215 : tensor<8x2x4xf32>
    %cst_58 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %228 = stablehlo.multiply %227, %208 : tensor<8x2x4xf32>
    %cst_59 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %230 = stablehlo.multiply %229, %151 : tensor<8xf32>
    %cst_60 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %232 = stablehlo.multiply %231, %162 : tensor<8xf32>
    %cst_61 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<11xf32>
    %234 = stablehlo.multiply %233, %145 : tensor<11xf32>
    %cst_62 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x11xf32>
    %236 = stablehlo.multiply %235, %147 : tensor<8x11xf32>
    %237 = stablehlo.add %arg0, %220 : tensor<11x8xf32>
    %238 = stablehlo.add %arg1, %222 : tensor<8x2x4xf32>
    %239 = stablehlo.add %arg2, %224 : tensor<2x4x8xf32>
    %240 = stablehlo.add %arg3, %226 : tensor<8x2x4xf32>
    %241 = stablehlo.add %arg4, %228 : tensor<8x2x4xf32>
    %242 = stablehlo.add %arg5, %230 : tensor<8xf32>
    %243 = stablehlo.add %arg6, %232 : tensor<8xf32>
    %244 = stablehlo.add %arg7, %234 : tensor<11xf32>
    %245 = stablehlo.add %arg8, %236 : tensor<8x11xf32>
    return %128, %237, %238, %239, %240, %241, %242, %243, %244, %245 : tensor<f32>, tensor<11x8xf32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<11xf32>, tensor<8x11xf32>
  }
  func.func private @remainder(%arg0: tensor<2x6xi32>, %arg1: tensor<i32>) -> tensor<2x6xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<2x6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<2x6xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<2x6xi1>, tensor<2x6xi1>) -> tensor<2x6xi1>
    %12 = stablehlo.and %11, %6 : tensor<2x6xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %14 = stablehlo.add %4, %13 : tensor<2x6xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<2x6xi1>, tensor<2x6xi32>
    return %15 : tensor<2x6xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_take(%arg0: tensor<11x8xf32>, %arg1: tensor<2x6xi32>) -> (tensor<2x6x8xf32>, tensor<2x6x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_0 = stablehlo.constant dense<11> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6xi32>
    %4 = call @_where_0(%1, %3, %arg1) : (tensor<2x6xi1>, tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %c_1 = stablehlo.constant dense<10> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x6x1xi1>, tensor<i1>) -> tensor<2x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<11x8xf32>, tensor<2x6x1xi32>) -> tensor<2x6x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x6xi1>) -> tensor<2x6x8xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x8xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x6x8xi1>, tensor<2x6x8xf32>
    return %16, %5 : tensor<2x6x8xf32>, tensor<2x6x1xi32>
  }
  func.func private @_where_0(%arg0: tensor<2x6xi1>, %arg1: tensor<2x6xi32>, %arg2: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x6xi1>, tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x6x11xf32>, %arg1: tensor<2x6x1xi32>) -> (tensor<2x6x1xf32>, tensor<2x6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %c_0 = stablehlo.constant dense<11> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x6x1xi1>, tensor<2x6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x6x1xi32>) -> tensor<2x6x1x1xi32>
    %c_1 = stablehlo.constant dense<10> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1x1xi32>, tensor<2x6x1x1xi32>) -> tensor<2x6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1x1xi32>, tensor<2x6x1x1xi32>) -> tensor<2x6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x6x1x1xi1>, tensor<i1>) -> tensor<2x6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x6x11xf32>, tensor<2x6x1x1xi32>) -> tensor<2x6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x6x1xi1>, tensor<2x6x1xf32>
    return %15, %5 : tensor<2x6x1xf32>, tensor<2x6x1x1xi32>
  }
  func.func private @_take_1(%arg0: tensor<2x6x1xf32>, %arg1: tensor<i32>) -> (tensor<2x6xf32>, tensor<1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = call @_where_2(%0, %1, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
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
    %10 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 2, 6, 1>}> : (tensor<2x6x1xf32>, tensor<1xi32>) -> tensor<2x6xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<2x6xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %13 = stablehlo.select %11, %10, %12 : tensor<2x6xi1>, tensor<2x6xf32>
    return %13, %3 : tensor<2x6xf32>, tensor<1xi32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_take_3(%arg0: tensor<1xi32>, %arg1: tensor<2x6xf32>) -> tensor<2x6x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x6x1xf32>, tensor<1xi32>, tensor<2x6xf32>) -> tensor<2x6x1xf32>
    return %1 : tensor<2x6x1xf32>
  }
  func.func private @take_along_axis_4(%arg0: tensor<2x6x1x1xi32>, %arg1: tensor<2x6x1xf32>) -> tensor<2x6x11xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x11xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x6x11xf32>, tensor<2x6x1x1xi32>, tensor<2x6x1xf32>) -> tensor<2x6x11xf32>
    return %1 : tensor<2x6x11xf32>
  }
  func.func private @_take_5(%arg0: tensor<2x6x1xi32>, %arg1: tensor<2x6x8xf32>) -> tensor<11x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<11x8xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<11x8xf32>, tensor<2x6x1xi32>, tensor<2x6x8xf32>) -> tensor<11x8xf32>
    return %1 : tensor<11x8xf32>
  }
}
