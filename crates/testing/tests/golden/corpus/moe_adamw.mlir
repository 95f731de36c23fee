module @jit_moe_adamw attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x6x4xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<3x4x6xf32>, %arg3: tensor<i32>, %arg4: tensor<3x6x4xf32>, %arg5: tensor<4x3xf32>, %arg6: tensor<3x4x6xf32>, %arg7: tensor<3x6x4xf32>, %arg8: tensor<4x3xf32>, %arg9: tensor<3x4x6xf32>, %arg10: tensor<7x4xf32>, %arg11: tensor<7x4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x6x4xf32> {jax.result_info = "result[1]['down']"}, tensor<4x3xf32> {jax.result_info = "result[1]['router']"}, tensor<3x4x6xf32> {jax.result_info = "result[1]['up']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<3x6x4xf32> {jax.result_info = "result[2][0].mu['down']"}, tensor<4x3xf32> {jax.result_info = "result[2][0].mu['router']"}, tensor<3x4x6xf32> {jax.result_info = "result[2][0].mu['up']"}, tensor<3x6x4xf32> {jax.result_info = "result[2][0].nu['down']"}, tensor<4x3xf32> {jax.result_info = "result[2][0].nu['router']"}, tensor<3x4x6xf32> {jax.result_info = "result[2][0].nu['up']"}) {
    %0 = stablehlo.dot_general %arg10, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x4xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
    %2 = stablehlo.reshape %1 : (tensor<7xf32>) -> tensor<7x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x3xf32>
    %4 = stablehlo.compare EQ, %0, %3, FLOAT : (tensor<7x3xf32>, tensor<7x3xf32>) -> tensor<7x3xi1>
    %5 = stablehlo.convert %4 : (tensor<7x3xi1>) -> tensor<7x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %8 = stablehlo.maximum %7, %1 : tensor<7xf32>
    %9 = stablehlo.compare EQ, %1, %8, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %12 = stablehlo.select %9, %10, %11 : tensor<7xi1>, tensor<7xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %14 = stablehlo.compare EQ, %13, %8, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %17 = stablehlo.select %14, %15, %16 : tensor<7xi1>, tensor<7xf32>
    %18 = stablehlo.divide %12, %17 : tensor<7xf32>
    %19 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x3xf32>
    %21 = stablehlo.subtract %0, %20 : tensor<7x3xf32>
    %22 = stablehlo.exponential %21 : tensor<7x3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x3xf32>
    %26 = stablehlo.divide %22, %25 : tensor<7x3xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<7x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<7x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<7x1xf32>
    %values, %indices = chlo.top_k(%26, k = 2) : tensor<7x3xf32> -> (tensor<7x2xf32>, tensor<7x2xi32>)
    %30 = stablehlo.reshape %indices : (tensor<7x2xi32>) -> tensor<7x2x1xi32>
    %31 = stablehlo.reshape %indices : (tensor<7x2xi32>) -> tensor<14xi32>
    %32 = stablehlo.broadcast_in_dim %arg10, dims = [0, 2] : (tensor<7x4xf32>) -> tensor<7x2x4xf32>
    %33 = stablehlo.reshape %32 : (tensor<7x2x4xf32>) -> tensor<14x4xf32>
    %34 = call @argsort(%31) : (tensor<14xi32>) -> tensor<14xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %36 = call @clip(%31, %c_9) : (tensor<14xi32>, tensor<i32>) -> tensor<14xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %38 = stablehlo.compare LT, %36, %37, SIGNED : (tensor<14xi32>, tensor<14xi32>) -> tensor<14xi1>
    %c_11 = stablehlo.constant dense<3> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %40 = stablehlo.add %36, %39 : tensor<14xi32>
    %41 = stablehlo.select %38, %40, %36 : tensor<14xi1>, tensor<14xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<14xi32>) -> tensor<14x1xi32>
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %44 = "stablehlo.scatter"(%35, %42, %43) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg12: tensor<i32>, %arg13: tensor<i32>):
      %352 = stablehlo.add %arg12, %arg13 : tensor<i32>
      stablehlo.return %352 : tensor<i32>
    }) : (tensor<3xi32>, tensor<14x1xi32>, tensor<14xi32>) -> tensor<3xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %46 = stablehlo.compare LT, %34, %45, SIGNED : (tensor<14xi32>, tensor<14xi32>) -> tensor<14xi1>
    %c_14 = stablehlo.constant dense<14> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %48 = stablehlo.add %34, %47 : tensor<14xi32>
    %49 = stablehlo.select %46, %48, %34 : tensor<14xi1>, tensor<14xi32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<14xi32>) -> tensor<14x1xi32>
    %51 = "stablehlo.gather"(%33, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<14x4xf32>, tensor<14x1xi32>) -> tensor<14x4xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [1, 2] : (tensor<14x4xf32>) -> tensor<3x14x4xf32>
    %53 = stablehlo.iota dim = 1 : tensor<3x14x4xi32>
    %54 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %56 = stablehlo.slice %55 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %57 = stablehlo.slice %54 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %58 = stablehlo.concatenate %56, %57, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %59 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %60 = stablehlo.broadcast_in_dim %58, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %61 = stablehlo.compare LE, %60, %53, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %62 = stablehlo.compare LT, %53, %59, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %63 = stablehlo.and %61, %62 : tensor<3x14x4xi1>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x14x4xf32>
    %65 = stablehlo.select %63, %52, %64 : tensor<3x14x4xi1>, tensor<3x14x4xf32>
    %66 = stablehlo.dot_general %65, %arg2, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<3x14x4xf32>, tensor<3x4x6xf32>) -> tensor<14x6xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<14x6xf32>
    %68:3 = call @silu(%66) : (tensor<14x6xf32>) -> (tensor<14x6xf32>, tensor<14x6xf32>, tensor<14x6xf32>)
    %69 = stablehlo.broadcast_in_dim %68#0, dims = [1, 2] : (tensor<14x6xf32>) -> tensor<3x14x6xf32>
    %70 = stablehlo.iota dim = 1 : tensor<3x14x6xi32>
    %71 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %73 = stablehlo.slice %72 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %74 = stablehlo.slice %71 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %75 = stablehlo.concatenate %73, %74, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %76 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<3xi32>) -> tensor<3x14x6xi32>
    %77 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<3xi32>) -> tensor<3x14x6xi32>
    %78 = stablehlo.compare LE, %77, %70, SIGNED : (tensor<3x14x6xi32>, tensor<3x14x6xi32>) -> tensor<3x14x6xi1>
    %79 = stablehlo.compare LT, %70, %76, SIGNED : (tensor<3x14x6xi32>, tensor<3x14x6xi32>) -> tensor<3x14x6xi1>
    %80 = stablehlo.and %78, %79 : tensor<3x14x6xi1>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3x14x6xf32>
    %82 = stablehlo.select %80, %69, %81 : tensor<3x14x6xi1>, tensor<3x14x6xf32>
    %83 = stablehlo.dot_general %82, %arg0, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<3x14x6xf32>, tensor<3x6x4xf32>) -> tensor<14x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %85 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %86 = stablehlo.compare LT, %34, %85, SIGNED : (tensor<14xi32>, tensor<14xi32>) -> tensor<14xi1>
    %c_22 = stablehlo.constant dense<14> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %88 = stablehlo.add %34, %87 : tensor<14xi32>
    %89 = stablehlo.select %86, %88, %34 : tensor<14xi1>, tensor<14xi32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0] : (tensor<14xi32>) -> tensor<14x1xi32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %92 = stablehlo.iota dim = 0 : tensor<14xui32>
    %93 = stablehlo.reshape %92 : (tensor<14xui32>) -> tensor<14x1xui32>
    %c_24 = stablehlo.constant dense<1> : tensor<ui32>
    %94 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<14x4xui32>
    %95 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<14x1xui32>) -> tensor<14x4xui32>
    %96 = stablehlo.add %95, %94 : tensor<14x4xui32>
    %c_25 = stablehlo.constant dense<0> : tensor<ui32>
    %97 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui32>) -> tensor<14x4xui32>
    %98 = "stablehlo.scatter"(%97, %90, %96) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg12: tensor<ui32>, %arg13: tensor<ui32>):
      stablehlo.return %arg13 : tensor<ui32>
    }) : (tensor<14x4xui32>, tensor<14x1xi32>, tensor<14x4xui32>) -> tensor<14x4xui32>
    %99 = "stablehlo.gather"(%98, %90) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<14x4xui32>, tensor<14x1xi32>) -> tensor<14x4xui32>
    %c_26 = stablehlo.constant dense<0> : tensor<ui32>
    %100 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui32>) -> tensor<14x4xui32>
    %101 = stablehlo.compare EQ, %98, %100, UNSIGNED : (tensor<14x4xui32>, tensor<14x4xui32>) -> tensor<14x4xi1>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %103 = stablehlo.select %101, %84, %102 : tensor<14x4xi1>, tensor<14x4xf32>
    %104 = stablehlo.compare EQ, %96, %99, UNSIGNED : (tensor<14x4xui32>, tensor<14x4xui32>) -> tensor<14x4xi1>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %106 = stablehlo.select %104, %83, %105 : tensor<14x4xi1>, tensor<14x4xf32>
    %c_29 = stablehlo.constant dense<0> : tensor<ui32>
    %107 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui32>) -> tensor<14x4xui32>
    %108 = stablehlo.compare EQ, %98, %107, UNSIGNED : (tensor<14x4xui32>, tensor<14x4xui32>) -> tensor<14x4xi1>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %110 = stablehlo.select %108, %91, %109 : tensor<14x4xi1>, tensor<14x4xf32>
    %111 = stablehlo.compare EQ, %96, %99, UNSIGNED : (tensor<14x4xui32>, tensor<14x4xui32>) -> tensor<14x4xi1>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %113 = "stablehlo.scatter"(%103, %90, %106) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %352 = stablehlo.add %arg12, %arg13 : tensor<f32>
      stablehlo.return %352 : tensor<f32>
    }) : (tensor<14x4xf32>, tensor<14x1xi32>, tensor<14x4xf32>) -> tensor<14x4xf32>
    %114 = stablehlo.reshape %values : (tensor<7x2xf32>) -> tensor<14x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x4xf32>
    %116 = stablehlo.multiply %113, %115 : tensor<14x4xf32>
    %117 = stablehlo.reshape %116 : (tensor<14x4xf32>) -> tensor<7x2x4xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_32) applies stablehlo.add across dimensions = [1] : (tensor<7x2x4xf32>, tensor<f32>) -> tensor<7x4xf32>
    %119 = stablehlo.subtract %118, %arg11 : tensor<7x4xf32>
    %120 = chlo.square %119 : tensor<7x4xf32> -> tensor<7x4xf32>
    %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %122 = stablehlo.multiply %121, %119 : tensor<7x4xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%120 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_35 = stablehlo.constant dense<2.800000e+01> : tensor<f32>
    %124 = stablehlo.divide %123, %cst_35 : tensor<f32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%26 init: %cst_36) applies stablehlo.add across dimensions = [0] : (tensor<7x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_37 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %127 = stablehlo.divide %125, %126 : tensor<3xf32>
    %128 = stablehlo.convert %44 : (tensor<3xi32>) -> tensor<3xf32>
    %129 = stablehlo.multiply %127, %128 : tensor<3xf32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %130 = stablehlo.reduce(%44 init: %c_38) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %131 = stablehlo.convert %130 : (tensor<i32>) -> tensor<f32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %133 = stablehlo.divide %129, %132 : tensor<3xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.reduce(%133 init: %cst_39) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_40 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %135 = stablehlo.multiply %cst_40, %134 : tensor<f32>
    %136 = stablehlo.add %124, %135 : tensor<f32>
    %cst_41 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %137 = stablehlo.multiply %cst_41, %cst_42 : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %139 = stablehlo.broadcast_in_dim %131, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %140 = stablehlo.divide %138, %139 : tensor<3xf32>
    %141 = stablehlo.multiply %140, %128 : tensor<3xf32>
    %cst_43 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %143 = stablehlo.divide %141, %142 : tensor<3xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [1] : (tensor<3xf32>) -> tensor<7x3xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_45 = stablehlo.constant dense<2.800000e+01> : tensor<f32>
    %145 = stablehlo.divide %cst_44, %cst_45 : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %147 = stablehlo.multiply %146, %122 : tensor<7x4xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 2] : (tensor<7x4xf32>) -> tensor<7x2x4xf32>
    %149 = stablehlo.reshape %148 : (tensor<7x2x4xf32>) -> tensor<14x4xf32>
    %150 = stablehlo.multiply %113, %149 : tensor<14x4xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%150 init: %cst_46) applies stablehlo.add across dimensions = [1] : (tensor<14x4xf32>, tensor<f32>) -> tensor<14xf32>
    %152 = stablehlo.reshape %151 : (tensor<14xf32>) -> tensor<14x1xf32>
    %153 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x4xf32>
    %154 = stablehlo.multiply %149, %153 : tensor<14x4xf32>
    %155 = stablehlo.reshape %152 : (tensor<14x1xf32>) -> tensor<7x2xf32>
    %c_47 = stablehlo.constant dense<13> : tensor<1xi32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %156 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i32>) -> tensor<14x1xi32>
    %157 = stablehlo.compare GE, %90, %156, SIGNED : (tensor<14x1xi32>, tensor<14x1xi32>) -> tensor<14x1xi1>
    %158 = stablehlo.broadcast_in_dim %c_47, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<14x1xi32>
    %160 = stablehlo.compare LE, %90, %159, SIGNED : (tensor<14x1xi32>, tensor<14x1xi32>) -> tensor<14x1xi1>
    %161 = stablehlo.and %157, %160 : tensor<14x1xi1>
    %c_49 = stablehlo.constant dense<true> : tensor<i1>
    %162 = stablehlo.reduce(%161 init: %c_49) applies stablehlo.and across dimensions = [1] : (tensor<14x1xi1>, tensor<i1>) -> tensor<14xi1>
    %163 = "stablehlo.gather"(%154, %90) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<14x4xf32>, tensor<14x1xi32>) -> tensor<14x4xf32>
    %164 = stablehlo.broadcast_in_dim %162, dims = [0] : (tensor<14xi1>) -> tensor<14x4xi1>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %166 = stablehlo.select %164, %163, %165 : tensor<14x4xi1>, tensor<14x4xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<14x4xf32>
    %168 = stablehlo.select %111, %166, %167 : tensor<14x4xi1>, tensor<14x4xf32>
    %169 = stablehlo.broadcast_in_dim %68#0, dims = [1, 2] : (tensor<14x6xf32>) -> tensor<3x14x6xf32>
    %170 = stablehlo.iota dim = 1 : tensor<3x14x6xi32>
    %171 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_52 = stablehlo.constant dense<0> : tensor<i32>
    %172 = stablehlo.broadcast_in_dim %c_52, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %173 = stablehlo.slice %172 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %174 = stablehlo.slice %171 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %175 = stablehlo.concatenate %173, %174, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %176 = stablehlo.broadcast_in_dim %171, dims = [0] : (tensor<3xi32>) -> tensor<3x14x6xi32>
    %177 = stablehlo.broadcast_in_dim %175, dims = [0] : (tensor<3xi32>) -> tensor<3x14x6xi32>
    %178 = stablehlo.compare LE, %177, %170, SIGNED : (tensor<3x14x6xi32>, tensor<3x14x6xi32>) -> tensor<3x14x6xi1>
    %179 = stablehlo.compare LT, %170, %176, SIGNED : (tensor<3x14x6xi32>, tensor<3x14x6xi32>) -> tensor<3x14x6xi1>
    %180 = stablehlo.and %178, %179 : tensor<3x14x6xi1>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<3x14x6xf32>
    %182 = stablehlo.select %180, %169, %181 : tensor<3x14x6xi1>, tensor<3x14x6xf32>
    %183 = stablehlo.broadcast_in_dim %168, dims = [1, 2] : (tensor<14x4xf32>) -> tensor<3x14x4xf32>
    %184 = stablehlo.iota dim = 1 : tensor<3x14x4xi32>
    %185 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %186 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %187 = stablehlo.slice %186 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %188 = stablehlo.slice %185 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %189 = stablehlo.concatenate %187, %188, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %190 = stablehlo.broadcast_in_dim %185, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %191 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %192 = stablehlo.compare LE, %191, %184, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %193 = stablehlo.compare LT, %184, %190, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %194 = stablehlo.and %192, %193 : tensor<3x14x4xi1>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<3x14x4xf32>
    %196 = stablehlo.select %194, %183, %195 : tensor<3x14x4xi1>, tensor<3x14x4xf32>
    %197 = stablehlo.dot_general %182, %196, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x14x6xf32>, tensor<3x14x4xf32>) -> tensor<3x6x4xf32>
    %198 = stablehlo.broadcast_in_dim %168, dims = [1, 2] : (tensor<14x4xf32>) -> tensor<3x14x4xf32>
    %199 = stablehlo.iota dim = 1 : tensor<3x14x4xi32>
    %200 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_56 = stablehlo.constant dense<0> : tensor<i32>
    %201 = stablehlo.broadcast_in_dim %c_56, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %202 = stablehlo.slice %201 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %203 = stablehlo.slice %200 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %204 = stablehlo.concatenate %202, %203, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %205 = stablehlo.broadcast_in_dim %200, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %206 = stablehlo.broadcast_in_dim %204, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %207 = stablehlo.compare LE, %206, %199, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %208 = stablehlo.compare LT, %199, %205, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %209 = stablehlo.and %207, %208 : tensor<3x14x4xi1>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<3x14x4xf32>
    %211 = stablehlo.select %209, %198, %210 : tensor<3x14x4xi1>, tensor<3x14x4xf32>
    %212 = stablehlo.dot_general %211, %arg0, contracting_dims = [2, 0] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<3x14x4xf32>, tensor<3x6x4xf32>) -> tensor<14x6xf32>
    %213 = call @silu_0(%68#1, %68#2, %66, %212) : (tensor<14x6xf32>, tensor<14x6xf32>, tensor<14x6xf32>, tensor<14x6xf32>) -> tensor<14x6xf32>
    %214 = stablehlo.broadcast_in_dim %51, dims = [1, 2] : (tensor<14x4xf32>) -> tensor<3x14x4xf32>
    %215 = stablehlo.iota dim = 1 : tensor<3x14x4xi32>
    %216 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_58 = stablehlo.constant dense<0> : tensor<i32>
    %217 = stablehlo.broadcast_in_dim %c_58, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %218 = stablehlo.slice %217 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %219 = stablehlo.slice %216 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %220 = stablehlo.concatenate %218, %219, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %221 = stablehlo.broadcast_in_dim %216, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %222 = stablehlo.broadcast_in_dim %220, dims = [0] : (tensor<3xi32>) -> tensor<3x14x4xi32>
    %223 = stablehlo.compare LE, %222, %215, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %224 = stablehlo.compare LT, %215, %221, SIGNED : (tensor<3x14x4xi32>, tensor<3x14x4xi32>) -> tensor<3x14x4xi1>
    %225 = stablehlo.and %223, %224 : tensor<3x14x4xi1>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x14x4xf32>
    %227 = stablehlo.select %225, %214, %226 : tensor<3x14x4xi1>, tensor<3x14x4xf32>
    %228 = stablehlo.broadcast_in_dim %213, dims = [1, 2] : (tensor<14x6xf32>) -> tensor<3x14x6xf32>
    %229 = stablehlo.iota dim = 1 : tensor<3x14x6xi32>
    %230 = call @cumsum(%44) : (tensor<3xi32>) -> tensor<3xi32>
    %c_60 = stablehlo.constant dense<0> : tensor<i32>
    %231 = stablehlo.broadcast_in_dim %c_60, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %232 = stablehlo.slice %231 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %233 = stablehlo.slice %230 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %234 = stablehlo.concatenate %232, %233, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %235 = stablehlo.broadcast_in_dim %230, dims = [0] : (tensor<3xi32>) -> tensor<3x14x6xi32>
    %236 = stablehlo.broadcast_in_dim %234, dims = [0] : (tensor<3xi32>) -> tensor<3x14x6xi32>
    %237 = stablehlo.compare LE, %236, %229, SIGNED : (tensor<3x14x6xi32>, tensor<3x14x6xi32>) -> tensor<3x14x6xi1>
    %238 = stablehlo.compare LT, %229, %235, SIGNED : (tensor<3x14x6xi32>, tensor<3x14x6xi32>) -> tensor<3x14x6xi1>
    %239 = stablehlo.and %237, %238 : tensor<3x14x6xi1>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<3x14x6xf32>
    %241 = stablehlo.select %239, %228, %240 : tensor<3x14x6xi1>, tensor<3x14x6xf32>
    %242 = stablehlo.dot_general %227, %241, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x14x4xf32>, tensor<3x14x6xf32>) -> tensor<3x4x6xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<7x3xf32>
    %244 = "stablehlo.scatter"(%243, %30, %155) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %352 = stablehlo.add %arg12, %arg13 : tensor<f32>
      stablehlo.return %352 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<7x2x1xi32>, tensor<7x2xf32>) -> tensor<7x3xf32>
    %245 = stablehlo.add %144, %244 : tensor<7x3xf32>
    %246 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x3xf32>
    %247 = stablehlo.multiply %245, %246 : tensor<7x3xf32>
    %248 = stablehlo.multiply %247, %22 : tensor<7x3xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.reduce(%248 init: %cst_63) applies stablehlo.add across dimensions = [1] : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
    %250 = stablehlo.reshape %249 : (tensor<7xf32>) -> tensor<7x1xf32>
    %251 = stablehlo.negate %250 : tensor<7x1xf32>
    %252 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x3xf32>
    %253 = stablehlo.divide %245, %252 : tensor<7x3xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%251 init: %cst_64) applies stablehlo.add across dimensions = [1] : (tensor<7x1xf32>, tensor<f32>) -> tensor<7xf32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [0] : (tensor<7xf32>) -> tensor<7x3xf32>
    %256 = stablehlo.add %253, %255 : tensor<7x3xf32>
    %257 = stablehlo.multiply %256, %22 : tensor<7x3xf32>
    %258 = stablehlo.dot_general %257, %arg10, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x3xf32>, tensor<7x4xf32>) -> tensor<3x4xf32>
    %259 = stablehlo.transpose %258, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %261 = stablehlo.multiply %260, %197 : tensor<3x6x4xf32>
    %cst_66 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %263 = stablehlo.multiply %262, %arg4 : tensor<3x6x4xf32>
    %264 = stablehlo.add %261, %263 : tensor<3x6x4xf32>
    %cst_67 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %266 = stablehlo.multiply %265, %259 : tensor<4x3xf32>
    %cst_68 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %268 = stablehlo.multiply %267, %arg5 : tensor<4x3xf32>
    %269 = stablehlo.add %266, %268 : tensor<4x3xf32>
    %cst_69 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %271 = stablehlo.multiply %270, %242 : tensor<3x4x6xf32>
    %cst_70 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %273 = stablehlo.multiply %272, %arg6 : tensor<3x4x6xf32>
    %274 = stablehlo.add %271, %273 : tensor<3x4x6xf32>
    %275 = stablehlo.multiply %197, %197 : tensor<3x6x4xf32>
    %cst_71 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %277 = stablehlo.multiply %276, %275 : tensor<3x6x4xf32>
    %cst_72 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %279 = stablehlo.multiply %278, %arg7 : tensor<3x6x4xf32>
    %280 = stablehlo.add %277, %279 : tensor<3x6x4xf32>
    %281 = stablehlo.multiply %259, %259 : tensor<4x3xf32>
    %cst_73 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %283 = stablehlo.multiply %282, %281 : tensor<4x3xf32>
    %cst_74 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %285 = stablehlo.multiply %284, %arg8 : tensor<4x3xf32>
    %286 = stablehlo.add %283, %285 : tensor<4x3xf32>
    %287 = stablehlo.multiply %242, %242 : tensor<3x4x6xf32>
    %cst_75 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %289 = stablehlo.multiply %288, %287 : tensor<3x4x6xf32>
    %cst_76 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %291 = stablehlo.multiply %290, %arg9 : tensor<3x4x6xf32>
    %292 = stablehlo.add %289, %291 : tensor<3x4x6xf32>
    %c_77 = stablehlo.constant dense<2147483647> : tensor<i32>
    %293 = stablehlo.compare LT, %arg3, %c_77, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_78 = stablehlo.constant dense<1> : tensor<i32>
    %294 = stablehlo.add %arg3, %c_78 : tensor<i32>
    %c_79 = stablehlo.constant dense<2147483647> : tensor<i32>
    %295 = call @_where(%293, %294, %c_79) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %296 = stablehlo.convert %295 : (tensor<i32>) -> tensor<f32>
    %cst_80 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %297 = stablehlo.convert %295 : (tensor<i32>) -> tensor<f32>
    %298 = stablehlo.power %cst_80, %297 : tensor<f32>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %299 = stablehlo.subtract %cst_81, %298 : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %301 = stablehlo.divide %264, %300 : tensor<3x6x4xf32>
    %302 = stablehlo.broadcast_in_dim %299, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %303 = stablehlo.divide %269, %302 : tensor<4x3xf32>
    %304 = stablehlo.broadcast_in_dim %299, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %305 = stablehlo.divide %274, %304 : tensor<3x4x6xf32>
    %306 = stablehlo.convert %295 : (tensor<i32>) -> tensor<f32>
    %cst_82 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %307 = stablehlo.convert %295 : (tensor<i32>) -> tensor<f32>
    %308 = stablehlo.power %cst_82, %307 : tensor<f32>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %309 = stablehlo.subtract %cst_83, %308 : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %309, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %311 = stablehlo.divide %280, %310 : tensor<3x6x4xf32>
    %312 = stablehlo.broadcast_in_dim %309, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %313 = stablehlo.divide %286, %312 : tensor<4x3xf32>
    %314 = stablehlo.broadcast_in_dim %309, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %315 = stablehlo.divide %292, %314 : tensor<3x4x6xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %317 = stablehlo.add %311, %316 : tensor<3x6x4xf32>
    %318 = stablehlo.sqrt %317 : tensor<3x6x4xf32>
    %cst_85 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %320 = stablehlo.add %318, %319 : tensor<3x6x4xf32>
    %321 = stablehlo.divide %301, %320 : tensor<3x6x4xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %323 = stablehlo.add %313, %322 : tensor<4x3xf32>
    %324 = stablehlo.sqrt %323 : tensor<4x3xf32>
    %cst_87 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %326 = stablehlo.add %324, %325 : tensor<4x3xf32>
    %327 = stablehlo.divide %303, %326 : tensor<4x3xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %329 = stablehlo.add %315, %328 : tensor<3x4x6xf32>
    %330 = stablehlo.sqrt %329 : tensor<3x4x6xf32>
    %cst_89 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %332 = stablehlo.add %330, %331 : tensor<3x4x6xf32>
    %333 = stablehlo.divide %305, %332 : tensor<3x4x6xf32>
    %cst_90 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %335 = stablehlo.multiply %334, %arg0 : tensor<3x6x4xf32>
    %336 = stablehlo.add %321, %335 : tensor<3x6x4xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %338 = stablehlo.multiply %337, %arg1 : tensor<4x3xf32>
    %339 = stablehlo.add %327, %338 : tensor<4x3xf32>
    %cst_92 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %341 = stablehlo.multiply %340, %arg2 : tensor<3x4x6xf32>
    %342 = stablehlo.add %333, %341 : tensor<3x4x6xf32>
    %cst_93 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<3x6x4xf32>
    %344 = stablehlo.multiply %343, %336 : tensor<3x6x4xf32>
    %cst_94 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %346 = stablehlo.multiply %345, %339 : tensor<4x3xf32>
    %cst_95 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %348 = stablehlo.multiply %347, %342 : tensor<3x4x6xf32>
    %349 = stablehlo.add %arg0, %344 : tensor<3x6x4xf32>
    %350 = stablehlo.add %arg1, %346 : tensor<4x3xf32>
    %351 = stablehlo.add %arg2, %348 : tensor<3x4x6xf32>
    return %136, %349, %350, %351, %295, %264, %269, %274, %280, %286, %292 : tensor<f32>, tensor<3x6x4xf32>, tensor<4x3xf32>, tensor<3x4x6xf32>, tensor<i32>, tensor<3x6x4xf32>, tensor<4x3xf32>, tensor<3x4x6xf32>, tensor<3x6x4xf32>, tensor<4x3xf32>, tensor<3x4x6xf32>
  }
  func.func private @argsort(%arg0: tensor<14xi32>) -> tensor<14xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<14xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<14xi32>, tensor<14xi32>) -> (tensor<14xi32>, tensor<14xi32>)
    return %1#1 : tensor<14xi32>
  }
  func.func private @clip(%arg0: tensor<14xi32>, %arg1: tensor<i32>) -> tensor<14xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<14xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<14xi32>
    return %2 : tensor<14xi32>
  }
  func.func private @cumsum(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @silu(%arg0: tensor<14x6xf32>) -> (tensor<14x6xf32>, tensor<14x6xf32>, tensor<14x6xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<14x6xf32>
    %1 = stablehlo.exponential %0 : tensor<14x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14x6xf32>
    %3 = stablehlo.add %2, %1 : tensor<14x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14x6xf32>
    %5 = stablehlo.divide %4, %3 : tensor<14x6xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14x6xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<14x6xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<14x6xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<14x6xf32>
    return %9, %8, %5 : tensor<14x6xf32>, tensor<14x6xf32>, tensor<14x6xf32>
  }
  func.func private @silu_0(%arg0: tensor<14x6xf32>, %arg1: tensor<14x6xf32>, %arg2: tensor<14x6xf32>, %arg3: tensor<14x6xf32>) -> tensor<14x6xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<14x6xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<14x6xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<14x6xf32>
    %3 = stablehlo.add %1, %2 : tensor<14x6xf32>
    return %3 : tensor<14x6xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
