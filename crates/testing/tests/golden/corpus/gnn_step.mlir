module @jit_gnn_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x4xf32>, %arg2: tensor<i32>, %arg3: tensor<2x4x4xf32>, %arg4: tensor<2x4x4xf32>, %arg5: tensor<2x4x4xf32>, %arg6: tensor<2x4x4xf32>, %arg7: tensor<5x4xf32>, %arg8: tensor<7x2xi32>, %arg9: tensor<5xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x4x4xf32> {jax.result_info = "result[1]['m']"}, tensor<2x4x4xf32> {jax.result_info = "result[1]['s']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<2x4x4xf32> {jax.result_info = "result[2][0].mu['m']"}, tensor<2x4x4xf32> {jax.result_info = "result[2][0].mu['s']"}, tensor<2x4x4xf32> {jax.result_info = "result[2][0].nu['m']"}, tensor<2x4x4xf32> {jax.result_info = "result[2][0].nu['s']"}) {
    %0 = stablehlo.slice %arg8 [0:7, 0:1] : (tensor<7x2xi32>) -> tensor<7x1xi32>
    %1 = stablehlo.reshape %0 : (tensor<7x1xi32>) -> tensor<7xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %5 = stablehlo.add %1, %4 : tensor<7xi32>
    %6 = stablehlo.select %3, %5, %1 : tensor<7xi1>, tensor<7xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %8 = "stablehlo.gather"(%arg7, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
    %9 = stablehlo.slice %arg0 [0:1, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %11 = stablehlo.dot_general %8, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x4xf32>, tensor<4x4xf32>) -> tensor<7x4xf32>
    %12 = call @relu(%11) : (tensor<7x4xf32>) -> tensor<7x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %14 = stablehlo.compare GT, %11, %13, FLOAT : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %16 = stablehlo.slice %arg1 [0:1, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %18 = stablehlo.dot_general %arg7, %17, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x4xf32>) -> tensor<5x4xf32>
    %19 = stablehlo.slice %arg8 [0:7, 1:2] : (tensor<7x2xi32>) -> tensor<7x1xi32>
    %20 = stablehlo.reshape %19 : (tensor<7x1xi32>) -> tensor<7xi32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %23 = "stablehlo.scatter"(%21, %22, %12) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %249 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %249 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<5x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %26 = stablehlo.slice %arg8 [0:7, 1:2] : (tensor<7x2xi32>) -> tensor<7x1xi32>
    %27 = stablehlo.reshape %26 : (tensor<7x1xi32>) -> tensor<7xi32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %30 = "stablehlo.scatter"(%28, %29, %25) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %249 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %249 : tensor<f32>
    }) : (tensor<5xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<5xf32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %31 = call @clip(%30, %c_6) : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %34 = stablehlo.divide %23, %33 : tensor<5x4xf32>
    %35 = stablehlo.add %18, %34 : tensor<5x4xf32>
    %36 = stablehlo.tanh %35 : tensor<5x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<5x4xf32>
    %39 = stablehlo.slice %arg8 [0:7, 0:1] : (tensor<7x2xi32>) -> tensor<7x1xi32>
    %40 = stablehlo.reshape %39 : (tensor<7x1xi32>) -> tensor<7xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %42 = stablehlo.compare LT, %40, %41, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_9 = stablehlo.constant dense<5> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %44 = stablehlo.add %40, %43 : tensor<7xi32>
    %45 = stablehlo.select %42, %44, %40 : tensor<7xi1>, tensor<7xi32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %47 = "stablehlo.gather"(%36, %46) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
    %48 = stablehlo.slice %arg0 [1:2, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %49 = stablehlo.reshape %48 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %50 = stablehlo.dot_general %47, %49, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x4xf32>, tensor<4x4xf32>) -> tensor<7x4xf32>
    %51 = call @relu(%50) : (tensor<7x4xf32>) -> tensor<7x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %53 = stablehlo.compare GT, %50, %52, FLOAT : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %55 = stablehlo.slice %arg1 [1:2, 0:4, 0:4] : (tensor<2x4x4xf32>) -> tensor<1x4x4xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    %57 = stablehlo.dot_general %36, %56, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x4xf32>) -> tensor<5x4xf32>
    %58 = stablehlo.slice %arg8 [0:7, 1:2] : (tensor<7x2xi32>) -> tensor<7x1xi32>
    %59 = stablehlo.reshape %58 : (tensor<7x1xi32>) -> tensor<7xi32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %61 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %62 = "stablehlo.scatter"(%60, %61, %51) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %249 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %249 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<5x4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %65 = stablehlo.slice %arg8 [0:7, 1:2] : (tensor<7x2xi32>) -> tensor<7x1xi32>
    %66 = stablehlo.reshape %65 : (tensor<7x1xi32>) -> tensor<7xi32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %68 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %69 = "stablehlo.scatter"(%67, %68, %64) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %249 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %249 : tensor<f32>
    }) : (tensor<5xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<5xf32>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %70 = call @clip(%69, %c_16) : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %73 = stablehlo.divide %62, %72 : tensor<5x4xf32>
    %74 = stablehlo.add %57, %73 : tensor<5x4xf32>
    %75 = stablehlo.tanh %74 : tensor<5x4xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %77 = stablehlo.subtract %76, %75 : tensor<5x4xf32>
    %78 = stablehlo.broadcast_in_dim %arg9, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %79:2 = call @take_along_axis(%75, %78) : (tensor<5x4xf32>, tensor<5x1xi32>) -> (tensor<5x1xf32>, tensor<5x1x1xi32>)
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %80:2 = call @_take(%79#0, %c_18) : (tensor<5x1xf32>, tensor<i32>) -> (tensor<5xf32>, tensor<1xi32>)
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %81 = stablehlo.reduce(%75 init: %cst_19) applies stablehlo.maximum across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %82 = stablehlo.reshape %81 : (tensor<5xf32>) -> tensor<5x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %84 = stablehlo.compare EQ, %75, %83, FLOAT : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xi1>
    %85 = stablehlo.convert %84 : (tensor<5x4xi1>) -> tensor<5x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%85 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %88 = stablehlo.maximum %87, %81 : tensor<5xf32>
    %89 = stablehlo.compare EQ, %81, %88, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %92 = stablehlo.select %89, %90, %91 : tensor<5xi1>, tensor<5xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %94 = stablehlo.compare EQ, %93, %88, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %97 = stablehlo.select %94, %95, %96 : tensor<5xi1>, tensor<5xf32>
    %98 = stablehlo.divide %92, %97 : tensor<5xf32>
    %99 = stablehlo.is_finite %88 : (tensor<5xf32>) -> tensor<5xi1>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %101 = stablehlo.select %99, %88, %100 : tensor<5xi1>, tensor<5xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %103 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %105 = stablehlo.subtract %75, %104 : tensor<5x4xf32>
    %106 = stablehlo.exponential %105 : tensor<5x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %108 = stablehlo.sign %107 : tensor<5xf32>
    %109 = stablehlo.abs %107 : tensor<5xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %111 = stablehlo.compare GE, %107, %110, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %112 = stablehlo.log %109 : tensor<5xf32>
    %113 = stablehlo.add %112, %101 : tensor<5xf32>
    %114 = stablehlo.subtract %113, %80#0 : tensor<5xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_31) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_32 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %116 = stablehlo.divide %115, %cst_32 : tensor<f32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_34 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %117 = stablehlo.divide %cst_33, %cst_34 : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %119 = stablehlo.negate %118 : tensor<5xf32>
    %120 = stablehlo.divide %118, %109 : tensor<5xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %122 = stablehlo.select %111, %121, %120 : tensor<5xi1>, tensor<5xf32>
    %123 = stablehlo.select %111, %120, %121 : tensor<5xi1>, tensor<5xf32>
    %124 = stablehlo.negate %122 : tensor<5xf32>
    %125 = stablehlo.add %123, %124 : tensor<5xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0] : (tensor<5xf32>) -> tensor<5x4xf32>
    %127 = stablehlo.multiply %126, %106 : tensor<5x4xf32>
    %128 = call @_take_0(%80#1, %119) : (tensor<1xi32>, tensor<5xf32>) -> tensor<5x1xf32>
    %129 = call @take_along_axis_1(%79#1, %128) : (tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x4xf32>
    %130 = stablehlo.add %127, %129 : tensor<5x4xf32>
    %131 = stablehlo.multiply %130, %77 : tensor<5x4xf32>
    %132 = stablehlo.multiply %131, %75 : tensor<5x4xf32>
    %133 = stablehlo.add %131, %132 : tensor<5x4xf32>
    %134 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %135 = stablehlo.divide %133, %134 : tensor<5x4xf32>
    %c_36 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %136 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %137 = stablehlo.compare GE, %61, %136, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %138 = stablehlo.broadcast_in_dim %c_36, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<7x1xi32>
    %140 = stablehlo.compare LE, %61, %139, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %141 = stablehlo.and %137, %140 : tensor<7x1xi1>
    %c_38 = stablehlo.constant dense<true> : tensor<i1>
    %142 = stablehlo.reduce(%141 init: %c_38) applies stablehlo.and across dimensions = [1] : (tensor<7x1xi1>, tensor<i1>) -> tensor<7xi1>
    %143 = "stablehlo.gather"(%135, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
    %144 = stablehlo.broadcast_in_dim %142, dims = [0] : (tensor<7xi1>) -> tensor<7x4xi1>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %146 = stablehlo.select %144, %143, %145 : tensor<7x4xi1>, tensor<7x4xf32>
    %147 = stablehlo.dot_general %133, %36, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
    %148 = stablehlo.transpose %147, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %149 = stablehlo.dot_general %133, %56, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x4xf32>) -> tensor<5x4xf32>
    %150 = stablehlo.broadcast_in_dim %148, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.pad %150, %cst_40, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %153 = stablehlo.select %53, %146, %152 : tensor<7x4xi1>, tensor<7x4xf32>
    %154 = stablehlo.dot_general %153, %47, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<4x4xf32>
    %155 = stablehlo.transpose %154, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %156 = stablehlo.dot_general %153, %49, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<7x4xf32>, tensor<4x4xf32>) -> tensor<7x4xf32>
    %157 = stablehlo.broadcast_in_dim %155, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.pad %157, %cst_42, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %160 = "stablehlo.scatter"(%159, %46, %156) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %249 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %249 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<5x4xf32>
    %161 = stablehlo.add %149, %160 : tensor<5x4xf32>
    %162 = stablehlo.multiply %161, %38 : tensor<5x4xf32>
    %163 = stablehlo.multiply %162, %36 : tensor<5x4xf32>
    %164 = stablehlo.add %162, %163 : tensor<5x4xf32>
    %165 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %166 = stablehlo.divide %164, %165 : tensor<5x4xf32>
    %c_44 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %167 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %168 = stablehlo.compare GE, %22, %167, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %169 = stablehlo.broadcast_in_dim %c_44, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<7x1xi32>
    %171 = stablehlo.compare LE, %22, %170, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %172 = stablehlo.and %168, %171 : tensor<7x1xi1>
    %c_46 = stablehlo.constant dense<true> : tensor<i1>
    %173 = stablehlo.reduce(%172 init: %c_46) applies stablehlo.and across dimensions = [1] : (tensor<7x1xi1>, tensor<i1>) -> tensor<7xi1>
    %174 = "stablehlo.gather"(%166, %22) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
    %175 = stablehlo.broadcast_in_dim %173, dims = [0] : (tensor<7xi1>) -> tensor<7x4xi1>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %177 = stablehlo.select %175, %174, %176 : tensor<7x4xi1>, tensor<7x4xf32>
    %178 = stablehlo.dot_general %164, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
    %179 = stablehlo.transpose %178, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.pad %180, %cst_48, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %182 = stablehlo.add %151, %181 : tensor<2x4x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %184 = stablehlo.select %14, %177, %183 : tensor<7x4xi1>, tensor<7x4xf32>
    %185 = stablehlo.dot_general %184, %8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<4x4xf32>
    %186 = stablehlo.transpose %185, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = stablehlo.pad %187, %cst_50, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x4x4xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %189 = stablehlo.add %158, %188 : tensor<2x4x4xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<2x4x4xf32>
    %cst_52 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %193 = stablehlo.multiply %192, %arg3 : tensor<2x4x4xf32>
    %194 = stablehlo.add %191, %193 : tensor<2x4x4xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %196 = stablehlo.multiply %195, %182 : tensor<2x4x4xf32>
    %cst_54 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %198 = stablehlo.multiply %197, %arg4 : tensor<2x4x4xf32>
    %199 = stablehlo.add %196, %198 : tensor<2x4x4xf32>
    %200 = stablehlo.multiply %189, %189 : tensor<2x4x4xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %202 = stablehlo.multiply %201, %200 : tensor<2x4x4xf32>
    %cst_56 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %204 = stablehlo.multiply %203, %arg5 : tensor<2x4x4xf32>
    %205 = stablehlo.add %202, %204 : tensor<2x4x4xf32>
    %206 = stablehlo.multiply %182, %182 : tensor<2x4x4xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %208 = stablehlo.multiply %207, %206 : tensor<2x4x4xf32>
    %cst_58 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %210 = stablehlo.multiply %209, %arg6 : tensor<2x4x4xf32>
    %211 = stablehlo.add %208, %210 : tensor<2x4x4xf32>
    %c_59 = stablehlo.constant dense<2147483647> : tensor<i32>
    %212 = stablehlo.compare LT, %arg2, %c_59, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_60 = stablehlo.constant dense<1> : tensor<i32>
    %213 = stablehlo.add %arg2, %c_60 : tensor<i32>
    %c_61 = stablehlo.constant dense<2147483647> : tensor<i32>
    %214 = call @_where_2(%212, %213, %c_61) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %215 = stablehlo.convert %214 : (tensor<i32>) -> tensor<f32>
    %cst_62 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %216 = stablehlo.convert %214 : (tensor<i32>) -> tensor<f32>
    %217 = stablehlo.power %cst_62, %216 : tensor<f32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %218 = stablehlo.subtract %cst_63, %217 : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %220 = stablehlo.divide %194, %219 : tensor<2x4x4xf32>
    %221 = stablehlo.broadcast_in_dim %218, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %222 = stablehlo.divide %199, %221 : tensor<2x4x4xf32>
    %223 = stablehlo.convert %214 : (tensor<i32>) -> tensor<f32>
    %cst_64 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %224 = stablehlo.convert %214 : (tensor<i32>) -> tensor<f32>
    %225 = stablehlo.power %cst_64, %224 : tensor<f32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %226 = stablehlo.subtract %cst_65, %225 : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %228 = stablehlo.divide %205, %227 : tensor<2x4x4xf32>
    %229 = stablehlo.broadcast_in_dim %226, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %230 = stablehlo.divide %211, %229 : tensor<2x4x4xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %232 = stablehlo.add %228, %231 : tensor<2x4x4xf32>
    %233 = stablehlo.sqrt %232 : tensor<2x4x4xf32>
    %cst_67 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %235 = stablehlo.add %233, %234 : tensor<2x4x4xf32>
    %236 = stablehlo.divide %220, %235 : tensor<2x4x4xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %238 = stablehlo.add %230, %237 : tensor<2x4x4xf32>
    %239 = stablehlo.sqrt %238 : tensor<2x4x4xf32>
    %cst_69 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %241 = stablehlo.add %239, %240 : tensor<2x4x4xf32>
    %242 = stablehlo.divide %222, %241 : tensor<2x4x4xf32>
    %cst_70 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %244 = stablehlo.multiply %243, %236 : tensor<2x4x4xf32>
    %cst_71 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %246 = stablehlo.multiply %245, %242 : tensor<2x4x4xf32>
    %247 = stablehlo.add %arg0, %244 : tensor<2x4x4xf32>
    %248 = stablehlo.add %arg1, %246 : tensor<2x4x4xf32>
    return %116, %247, %248, %214, %194, %199, %205, %211 : tensor<f32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<i32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>
  }
  func.func private @relu(%arg0: tensor<7x4xf32>) -> tensor<7x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<7x4xf32>
    return %1 : tensor<7x4xf32>
  }
  func.func private @clip(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<5xf32>
    return %2 : tensor<5xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<5x4xf32>, %arg1: tensor<5x1xi32>) -> (tensor<5x1xf32>, tensor<5x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5x1xi1>, tensor<5x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<5x1xi32>) -> tensor<5x1x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x1x1xi32>, tensor<5x1x1xi32>) -> tensor<5x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<5x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<5x1x1xi32>, tensor<5x1x1xi32>) -> tensor<5x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<5x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<5x1x1xi1>, tensor<i1>) -> tensor<5x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<5x1x1xi32>) -> tensor<5x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<5x1xi1>, tensor<5x1xf32>
    return %15, %5 : tensor<5x1xf32>, tensor<5x1x1xi32>
  }
  func.func private @_take(%arg0: tensor<5x1xf32>, %arg1: tensor<i32>) -> (tensor<5xf32>, tensor<1xi32>) {
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
    %10 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1>}> : (tensor<5x1xf32>, tensor<1xi32>) -> tensor<5xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<5xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %13 = stablehlo.select %11, %10, %12 : tensor<5xi1>, tensor<5xf32>
    return %13, %3 : tensor<5xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_take_0(%arg0: tensor<1xi32>, %arg1: tensor<5xf32>) -> tensor<5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x1xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<5x1xf32>
    return %1 : tensor<5x1xf32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<5x1x1xi32>, %arg1: tensor<5x1xf32>) -> tensor<5x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<5x1x1xi32>, tensor<5x1xf32>) -> tensor<5x4xf32>
    return %1 : tensor<5x4xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
