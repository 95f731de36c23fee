module @jit_put_and_fill attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<4x4xf32> {jax.result_info = "result[3]"}, tensor<3x3xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %0:2 = call @divmod(%arg1, %c) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %1:2 = call @divmod(%0#0, %c_0) : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.compare GT, %1#0, %2, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<-1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %5 = stablehlo.compare LT, %1#0, %4, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_where_1(%5, %c_3, %1#1) : (tensor<3xi1>, tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
    %c_4 = stablehlo.constant dense<2> : tensor<i32>
    %7 = call @_where_1(%3, %c_4, %6) : (tensor<3xi1>, tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %8 = call @_where_1(%5, %c_5, %0#1) : (tensor<3xi1>, tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
    %c_6 = stablehlo.constant dense<3> : tensor<i32>
    %9 = call @_where_1(%3, %c_6, %8) : (tensor<3xi1>, tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %11 = stablehlo.compare LT, %7, %10, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_8 = stablehlo.constant dense<3> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %13 = stablehlo.add %7, %12 : tensor<3xi32>
    %14 = stablehlo.select %11, %13, %7 : tensor<3xi1>, tensor<3xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %16 = stablehlo.compare LT, %9, %15, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %18 = stablehlo.add %9, %17 : tensor<3xi32>
    %19 = stablehlo.select %16, %18, %9 : tensor<3xi1>, tensor<3xi32>
    %20 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %22 = stablehlo.concatenate %20, %21, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %23 = "stablehlo.scatter"(%arg0, %22, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<3x4xf32>
    %24 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %26 = stablehlo.compare LT, %24, %25, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_12 = stablehlo.constant dense<3> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %28 = stablehlo.add %24, %27 : tensor<3xi32>
    %29 = stablehlo.select %26, %28, %24 : tensor<3xi1>, tensor<3xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %31 = stablehlo.compare LT, %24, %30, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_14 = stablehlo.constant dense<4> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %33 = stablehlo.add %24, %32 : tensor<3xi32>
    %34 = stablehlo.select %31, %33, %24 : tensor<3xi1>, tensor<3xi32>
    %35 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %37 = stablehlo.concatenate %35, %36, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %cst = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %39 = "stablehlo.scatter"(%arg0, %37, %38) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<3x4xf32>
    %40 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xi32>) -> tensor<1x3xi32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = call @put_along_axis(%arg0, %40, %cst_15) : (tensor<3x4xf32>, tensor<1x3xi32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_16 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %43 = stablehlo.reshape %c_17 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.reshape %43 : (tensor<1xi32>) -> tensor<i32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %48 = stablehlo.compare LT, %45, %47, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %c_20 = stablehlo.constant dense<3> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.add %45, %49 : tensor<1xi32>
    %51 = call @_where_2(%48, %50, %45) : (tensor<1xi1>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %c_22 = stablehlo.constant dense<3> : tensor<i32>
    %52 = call @clip(%51, %c_21, %c_22) : (tensor<1xi32>, tensor<i32>, tensor<i32>) -> tensor<1xi32>
    %53 = call @argsort(%52) : (tensor<1xi32>) -> tensor<1xi32>
    %54 = stablehlo.iota dim = 0 : tensor<1xi32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.compare LT, %53, %55, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %c_24 = stablehlo.constant dense<1> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %58 = stablehlo.add %53, %57 : tensor<1xi32>
    %59 = stablehlo.select %56, %58, %53 : tensor<1xi1>, tensor<1xi32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %61 = stablehlo.convert %52 : tensor<1xi32>
    %62 = "stablehlo.scatter"(%61, %60, %54) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %140 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %140 : tensor<i32>
    }) : (tensor<1xi32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %63 = stablehlo.convert %62 : tensor<1xi32>
    %c_25 = stablehlo.constant dense<true> : tensor<i1>
    %64 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %66 = stablehlo.compare LT, %63, %65, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %c_27 = stablehlo.constant dense<4> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %68 = stablehlo.add %63, %67 : tensor<1xi32>
    %69 = stablehlo.select %66, %68, %63 : tensor<1xi1>, tensor<1xi32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %c_28 = stablehlo.constant dense<false> : tensor<i1>
    %71 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %72 = "stablehlo.scatter"(%64, %70, %71) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
      stablehlo.return %arg4 : tensor<i1>
    }) : (tensor<4xi1>, tensor<1x1xi32>, tensor<1xi1>) -> tensor<4xi1>
    %73 = call @cumsum(%72) : (tensor<4xi1>) -> tensor<4xi32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %75 = call @clip_4(%73, %c_30) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %76 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %77 = stablehlo.compare LT, %75, %76, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_32 = stablehlo.constant dense<3> : tensor<i32>
    %78 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %79 = stablehlo.add %75, %78 : tensor<4xi32>
    %80 = stablehlo.select %77, %79, %75 : tensor<4xi1>, tensor<4xi32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %82 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %83 = "stablehlo.scatter"(%74, %81, %82) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %140 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %140 : tensor<i32>
    }) : (tensor<3xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<3xi32>
    %84 = call @cumsum_5(%83) : (tensor<3xi32>) -> tensor<3xi32>
    %c_34 = stablehlo.constant dense<1> : tensor<i32>
    %85 = call @floor_divide(%84, %c_34) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_35 = stablehlo.constant dense<4> : tensor<i32>
    %86 = call @remainder_7(%85, %c_35) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %88 = stablehlo.compare LT, %63, %87, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %c_37 = stablehlo.constant dense<4> : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %90 = stablehlo.add %63, %89 : tensor<1xi32>
    %91 = stablehlo.select %88, %90, %63 : tensor<1xi1>, tensor<1xi32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %93 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x4xf32>
    %94 = "stablehlo.scatter"(%46, %92, %93) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<1x1xi32>, tensor<1x4xf32>) -> tensor<4x4xf32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %96 = stablehlo.compare LT, %86, %95, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_39 = stablehlo.constant dense<4> : tensor<i32>
    %97 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %98 = stablehlo.add %86, %97 : tensor<3xi32>
    %99 = stablehlo.select %96, %98, %86 : tensor<3xi1>, tensor<3xi32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %101 = "stablehlo.scatter"(%94, %100, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %102 = stablehlo.slice %arg0 [0:3, 0:1] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %103 = stablehlo.slice %arg0 [0:3, 2:4] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %104 = stablehlo.concatenate %102, %103, dim = 1 : (tensor<3x1xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %106 = stablehlo.compare GT, %arg0, %105, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %107 = stablehlo.reshape %106 : (tensor<3x4xi1>) -> tensor<12xi1>
    %108 = call @cumsum_8(%107) : (tensor<12xi1>) -> tensor<12xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %109 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %110 = call @clip_10(%108, %c_42) : (tensor<12xi32>, tensor<i32>) -> tensor<12xi32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %112 = stablehlo.compare LT, %110, %111, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_44 = stablehlo.constant dense<12> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %114 = stablehlo.add %110, %113 : tensor<12xi32>
    %115 = stablehlo.select %112, %114, %110 : tensor<12xi1>, tensor<12xi32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %c_45 = stablehlo.constant dense<1> : tensor<i32>
    %117 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %118 = "stablehlo.scatter"(%109, %116, %117) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %140 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %140 : tensor<i32>
    }) : (tensor<12xi32>, tensor<12x1xi32>, tensor<12xi32>) -> tensor<12xi32>
    %119 = call @cumsum_11(%118) : (tensor<12xi32>) -> tensor<12xi32>
    %c_46 = stablehlo.constant dense<1> : tensor<i32>
    %120 = call @floor_divide_12(%119, %c_46) : (tensor<12xi32>, tensor<i32>) -> tensor<12xi32>
    %c_47 = stablehlo.constant dense<12> : tensor<i32>
    %121 = call @remainder_14(%120, %c_47) : (tensor<12xi32>, tensor<i32>) -> tensor<12xi32>
    %122 = stablehlo.iota dim = 0 : tensor<12xi32>
    %123 = stablehlo.convert %107 : (tensor<12xi1>) -> tensor<12xi32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %124 = stablehlo.reduce(%123 init: %c_48) applies stablehlo.add across dimensions = [0] : (tensor<12xi32>, tensor<i32>) -> tensor<i32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %126 = stablehlo.compare GE, %122, %125, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_49 = stablehlo.constant dense<12> : tensor<i32>
    %127 = call @_where_15(%126, %c_49, %121) : (tensor<12xi1>, tensor<i32>, tensor<12xi32>) -> tensor<12xi32>
    %128 = stablehlo.reshape %arg2 : (tensor<3xf32>) -> tensor<1x3xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %130 = stablehlo.reshape %129 : (tensor<4x3xf32>) -> tensor<12xf32>
    %131 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %132 = stablehlo.broadcast_in_dim %c_50, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %133 = stablehlo.compare LT, %127, %132, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_51 = stablehlo.constant dense<12> : tensor<i32>
    %134 = stablehlo.broadcast_in_dim %c_51, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %135 = stablehlo.add %127, %134 : tensor<12xi32>
    %136 = stablehlo.select %133, %135, %127 : tensor<12xi1>, tensor<12xi32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %138 = "stablehlo.scatter"(%131, %137, %130) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<12xf32>, tensor<12x1xi32>, tensor<12xf32>) -> tensor<12xf32>
    %139 = stablehlo.reshape %138 : (tensor<12xf32>) -> tensor<3x4xf32>
    return %23, %39, %41, %101, %104, %139 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<3x3xf32>, tensor<3x4xf32>
  }
  func.func private @divmod(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>) {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = call @floor_divide(%arg0, %0) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %2 = call @remainder(%arg0, %0) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1, %2 : tensor<3xi32>, tensor<3xi32>
  }
  func.func private @floor_divide(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<3xi32>
    %2 = stablehlo.sign %arg0 : tensor<3xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %10 = stablehlo.and %5, %9 : tensor<3xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<3xi32>
    %13 = call @_where(%10, %12, %1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    return %13 : tensor<3xi32>
  }
  func.func private @_where(%arg0: tensor<3xi1>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3xi1>, tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @remainder(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = call @_where_0(%0, %c_0, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %5 = stablehlo.compare NE, %3, %4, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %7 = stablehlo.compare LT, %3, %6, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i1>) -> tensor<3xi1>
    %10 = stablehlo.compare NE, %7, %9, UNSIGNED : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    %11 = stablehlo.and %10, %5 : tensor<3xi1>
    %12 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %13 = stablehlo.add %3, %12 : tensor<3xi32>
    %14 = stablehlo.select %11, %13, %3 : tensor<3xi1>, tensor<3xi32>
    return %14 : tensor<3xi32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_1(%arg0: tensor<3xi1>, %arg1: tensor<i32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<3xi1>, tensor<3xi32>
    return %2 : tensor<3xi32>
  }
  func.func private @put_along_axis(%arg0: tensor<3x4xf32>, %arg1: tensor<1x3xi32>, %arg2: tensor<f32>) -> tensor<3x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x3xf32>
    %1 = stablehlo.iota dim = 0 : tensor<3xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %3 = stablehlo.iota dim = 0 : tensor<4xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %6 = stablehlo.compare LT, %2, %5, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %8 = stablehlo.add %2, %7 : tensor<3x1xi32>
    %9 = stablehlo.select %6, %8, %2 : tensor<3x1xi1>, tensor<3x1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %11 = stablehlo.compare LT, %arg1, %10, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %13 = stablehlo.add %arg1, %12 : tensor<1x3xi32>
    %14 = stablehlo.select %11, %13, %arg1 : tensor<1x3xi1>, tensor<1x3xi32>
    %15 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x3xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<3x3xi32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<3x3xi32>) -> tensor<3x3x1xi32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<3x3xi32>) -> tensor<3x3x1xi32>
    %19 = stablehlo.concatenate %17, %18, dim = 2 : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<3x3x2xi32>
    %20 = stablehlo.convert %0 : tensor<1x3xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %22 = "stablehlo.scatter"(%arg0, %19, %21) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<3x3x2xi32>, tensor<3x3xf32>) -> tensor<3x4xf32>
    return %22 : tensor<3x4xf32>
  }
  func.func private @_where_2(%arg0: tensor<1xi1>, %arg1: tensor<1xi32>, %arg2: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1xi1>, tensor<1xi32>
    return %0 : tensor<1xi32>
  }
  func.func private @clip(%arg0: tensor<1xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.maximum %0, %arg0 : tensor<1xi32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.minimum %2, %1 : tensor<1xi32>
    return %3 : tensor<1xi32>
  }
  func.func private @argsort(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<1xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>)
    return %1#1 : tensor<1xi32>
  }
  func.func private @cumsum(%arg0: tensor<4xi1>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<4xi1>) -> tensor<4xi32>
    %1 = call @cumsum_3(%0) : (tensor<4xi32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @cumsum_3(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @clip_4(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4xi32>
    return %2 : tensor<4xi32>
  }
  func.func private @cumsum_5(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %0 = call @cumsum_6(%arg0) : (tensor<3xi32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @cumsum_6(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @remainder_7(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_0(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<3xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    %12 = stablehlo.and %11, %6 : tensor<3xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %14 = stablehlo.add %4, %13 : tensor<3xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<3xi1>, tensor<3xi32>
    return %15 : tensor<3xi32>
  }
  func.func private @cumsum_8(%arg0: tensor<12xi1>) -> tensor<12xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<12xi1>) -> tensor<12xi32>
    %1 = call @cumsum_9(%0) : (tensor<12xi32>) -> tensor<12xi32>
    return %1 : tensor<12xi32>
  }
  func.func private @cumsum_9(%arg0: tensor<12xi32>) -> tensor<12xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[11, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 12>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<12xi32>, tensor<i32>) -> tensor<12xi32>
    return %1 : tensor<12xi32>
  }
  func.func private @clip_10(%arg0: tensor<12xi32>, %arg1: tensor<i32>) -> tensor<12xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<12xi32>
    return %2 : tensor<12xi32>
  }
  func.func private @cumsum_11(%arg0: tensor<12xi32>) -> tensor<12xi32> {
    %0 = call @cumsum_9(%arg0) : (tensor<12xi32>) -> tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @floor_divide_12(%arg0: tensor<12xi32>, %arg1: tensor<i32>) -> tensor<12xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<12xi32>
    %2 = stablehlo.sign %arg0 : tensor<12xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<12xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %10 = stablehlo.and %5, %9 : tensor<12xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<12xi32>
    %13 = call @_where_13(%10, %12, %1) : (tensor<12xi1>, tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
    return %13 : tensor<12xi32>
  }
  func.func private @_where_13(%arg0: tensor<12xi1>, %arg1: tensor<12xi32>, %arg2: tensor<12xi32>) -> tensor<12xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @remainder_14(%arg0: tensor<12xi32>, %arg1: tensor<i32>) -> tensor<12xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_0(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<12xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<12xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %12 = stablehlo.and %11, %6 : tensor<12xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %14 = stablehlo.add %4, %13 : tensor<12xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<12xi1>, tensor<12xi32>
    return %15 : tensor<12xi32>
  }
  func.func private @_where_15(%arg0: tensor<12xi1>, %arg1: tensor<i32>, %arg2: tensor<12xi32>) -> tensor<12xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<12xi1>, tensor<12xi32>
    return %2 : tensor<12xi32>
  }
}
