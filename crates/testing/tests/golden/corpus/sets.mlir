module @jit_sets attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xi32>) -> (tensor<4xi32> {jax.result_info = "result[0][0]"}, tensor<6xi32> {jax.result_info = "result[0][1]"}, tensor<4xi32> {jax.result_info = "result[0][2]"}, tensor<5xi32> {jax.result_info = "result[1][0]"}, tensor<6xi1> {jax.result_info = "result[2]"}, tensor<6xi32> {jax.result_info = "result[3]"}, tensor<3xi32> {jax.result_info = "result[4]"}, tensor<2x1xi32> {jax.result_info = "result[5]"}, tensor<6xi32> {jax.result_info = "result[6]"}, tensor<6xi32> {jax.result_info = "result[7]"}) {
    %c = stablehlo.constant dense<[1, 5]> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<[5, 1, 9]> : tensor<3xi32>
    %0:3 = call @_unique_sorted_mask(%arg0) : (tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi1>, tensor<6xi32>)
    %1 = call @cumsum(%0#1) : (tensor<6xi1>) -> tensor<6xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @clip(%1, %c_3) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.add %3, %6 : tensor<6xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<6xi1>, tensor<6xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %11 = "stablehlo.scatter"(%2, %9, %10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<4xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<4xi32>
    %12 = call @cumsum_1(%11) : (tensor<4xi32>) -> tensor<4xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %13 = call @floor_divide(%12, %c_7) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_8 = stablehlo.constant dense<6> : tensor<i32>
    %14 = call @remainder(%13, %c_8) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %16 = stablehlo.compare LT, %14, %15, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_10 = stablehlo.constant dense<6> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %18 = stablehlo.add %14, %17 : tensor<4xi32>
    %19 = stablehlo.select %16, %18, %14 : tensor<4xi1>, tensor<4xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %21 = "stablehlo.gather"(%0#0, %20) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<4x1xi32>) -> tensor<4xi32>
    %22 = call @cumsum(%0#1) : (tensor<6xi1>) -> tensor<6xi32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %24 = stablehlo.subtract %22, %23 : tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %27 = stablehlo.compare LT, %0#2, %26, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_14 = stablehlo.constant dense<6> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %29 = stablehlo.add %0#2, %28 : tensor<6xi32>
    %30 = stablehlo.select %27, %29, %0#2 : tensor<6xi1>, tensor<6xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %32 = "stablehlo.scatter"(%25, %31, %24) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<6xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<6xi32>
    %33 = call @cumsum(%0#1) : (tensor<6xi1>) -> tensor<6xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %35 = call @clip(%33, %c_16) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %37 = stablehlo.compare LT, %35, %36, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_18 = stablehlo.constant dense<5> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %39 = stablehlo.add %35, %38 : tensor<6xi32>
    %40 = stablehlo.select %37, %39, %35 : tensor<6xi1>, tensor<6xi32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_19 = stablehlo.constant dense<1> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %43 = "stablehlo.scatter"(%34, %41, %42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<5xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<5xi32>
    %44 = call @cumsum_4(%43) : (tensor<5xi32>) -> tensor<5xi32>
    %c_20 = stablehlo.constant dense<1> : tensor<i32>
    %45 = call @floor_divide_6(%44, %c_20) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %c_21 = stablehlo.constant dense<6> : tensor<i32>
    %46 = call @remainder_8(%45, %c_21) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %47 = stablehlo.slice %46 [1:5] : (tensor<5xi32>) -> tensor<4xi32>
    %48 = stablehlo.slice %46 [1:5] : (tensor<5xi32>) -> tensor<4xi32>
    %c_22 = stablehlo.constant dense<6> : tensor<i32>
    %49 = call @_where_9(%47, %48, %c_22) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %c_23 = stablehlo.constant dense<1> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %51 = "stablehlo.scatter"(%46, %50, %49) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      stablehlo.return %arg2 : tensor<i32>
    }) : (tensor<5xi32>, tensor<1xi32>, tensor<4xi32>) -> tensor<5xi32>
    %52 = call @diff(%51) : (tensor<5xi32>) -> tensor<4xi32>
    %c_24 = stablehlo.constant dense<1> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %54 = stablehlo.compare GT, %arg0, %53, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %55 = call @cumsum(%54) : (tensor<6xi1>) -> tensor<6xi32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %57 = call @clip(%55, %c_26) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %59 = stablehlo.compare LT, %57, %58, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_28 = stablehlo.constant dense<5> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %61 = stablehlo.add %57, %60 : tensor<6xi32>
    %62 = stablehlo.select %59, %61, %57 : tensor<6xi1>, tensor<6xi32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_29 = stablehlo.constant dense<1> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %65 = "stablehlo.scatter"(%56, %63, %64) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<5xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<5xi32>
    %66 = call @cumsum_4(%65) : (tensor<5xi32>) -> tensor<5xi32>
    %c_30 = stablehlo.constant dense<1> : tensor<i32>
    %67 = call @floor_divide_6(%66, %c_30) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %c_31 = stablehlo.constant dense<6> : tensor<i32>
    %68 = call @remainder_8(%67, %c_31) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %69 = stablehlo.iota dim = 0 : tensor<5xi32>
    %70 = stablehlo.convert %54 : (tensor<6xi1>) -> tensor<6xi32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %71 = stablehlo.reduce(%70 init: %c_32) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %73 = stablehlo.compare GE, %69, %72, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_33 = stablehlo.constant dense<-1> : tensor<i32>
    %74 = call @_where_10(%73, %c_33, %68) : (tensor<5xi1>, tensor<i32>, tensor<5xi32>) -> tensor<5xi32>
    %75 = call @_in1d(%arg0, %c) : (tensor<6xi32>, tensor<2xi32>) -> tensor<6xi1>
    %76 = stablehlo.concatenate %arg0, %c_0, dim = 0 : (tensor<6xi32>, tensor<1xi32>) -> tensor<7xi32>
    %77:3 = call @_unique_sorted_mask_11(%76) : (tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi1>, tensor<7xi32>)
    %78 = call @cumsum_13(%77#1) : (tensor<7xi1>) -> tensor<7xi32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %79 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %80 = call @clip_15(%78, %c_35) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %81 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %82 = stablehlo.compare LT, %80, %81, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_37 = stablehlo.constant dense<6> : tensor<i32>
    %83 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %84 = stablehlo.add %80, %83 : tensor<7xi32>
    %85 = stablehlo.select %82, %84, %80 : tensor<7xi1>, tensor<7xi32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %c_38 = stablehlo.constant dense<1> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %88 = "stablehlo.scatter"(%79, %86, %87) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<6xi32>, tensor<7x1xi32>, tensor<7xi32>) -> tensor<6xi32>
    %89 = call @cumsum_16(%88) : (tensor<6xi32>) -> tensor<6xi32>
    %c_39 = stablehlo.constant dense<1> : tensor<i32>
    %90 = call @floor_divide_17(%89, %c_39) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_40 = stablehlo.constant dense<7> : tensor<i32>
    %91 = call @remainder_19(%90, %c_40) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %93 = stablehlo.compare LT, %91, %92, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_42 = stablehlo.constant dense<7> : tensor<i32>
    %94 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %95 = stablehlo.add %91, %94 : tensor<6xi32>
    %96 = stablehlo.select %93, %95, %91 : tensor<6xi1>, tensor<6xi32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %98 = "stablehlo.gather"(%77#0, %97) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<7xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %99 = call @_intersect1d_size(%arg0, %c_1) : (tensor<6xi32>, tensor<3xi32>) -> tensor<3xi32>
    %c_43 = stablehlo.constant dense<3> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %101 = stablehlo.compare EQ, %arg0, %100, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %102 = call @atleast_1d(%101) : (tensor<6xi1>) -> tensor<6xi1>
    %103 = call @cumsum(%102) : (tensor<6xi1>) -> tensor<6xi32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %105 = call @clip(%103, %c_45) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %107 = stablehlo.compare LT, %105, %106, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_47 = stablehlo.constant dense<2> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %109 = stablehlo.add %105, %108 : tensor<6xi32>
    %110 = stablehlo.select %107, %109, %105 : tensor<6xi1>, tensor<6xi32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_48 = stablehlo.constant dense<1> : tensor<i32>
    %112 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %113 = "stablehlo.scatter"(%104, %111, %112) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<2xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<2xi32>
    %114 = call @cumsum_35(%113) : (tensor<2xi32>) -> tensor<2xi32>
    %c_49 = stablehlo.constant dense<1> : tensor<i32>
    %115 = call @floor_divide_37(%114, %c_49) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %c_50 = stablehlo.constant dense<6> : tensor<i32>
    %116 = call @remainder_39(%115, %c_50) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %117 = call @atleast_2d(%116) : (tensor<2xi32>) -> tensor<1x2xi32>
    %118 = stablehlo.transpose %117, dims = [1, 0] : (tensor<1x2xi32>) -> tensor<2x1xi32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %119 = stablehlo.broadcast_in_dim %c_51, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %120 = stablehlo.compare NE, %arg0, %119, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %121 = call @cumsum(%120) : (tensor<6xi1>) -> tensor<6xi32>
    %c_52 = stablehlo.constant dense<0> : tensor<i32>
    %122 = stablehlo.broadcast_in_dim %c_52, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %c_53 = stablehlo.constant dense<0> : tensor<i32>
    %123 = call @clip(%121, %c_53) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %124 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %125 = stablehlo.compare LT, %123, %124, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_55 = stablehlo.constant dense<6> : tensor<i32>
    %126 = stablehlo.broadcast_in_dim %c_55, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %127 = stablehlo.add %123, %126 : tensor<6xi32>
    %128 = stablehlo.select %125, %127, %123 : tensor<6xi1>, tensor<6xi32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_56 = stablehlo.constant dense<1> : tensor<i32>
    %130 = stablehlo.broadcast_in_dim %c_56, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %131 = "stablehlo.scatter"(%122, %129, %130) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<6xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<6xi32>
    %132 = call @cumsum_16(%131) : (tensor<6xi32>) -> tensor<6xi32>
    %c_57 = stablehlo.constant dense<1> : tensor<i32>
    %133 = call @floor_divide_17(%132, %c_57) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_58 = stablehlo.constant dense<6> : tensor<i32>
    %134 = call @remainder_19(%133, %c_58) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_59 = stablehlo.constant dense<0> : tensor<i32>
    %135 = stablehlo.broadcast_in_dim %c_59, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %c_60 = stablehlo.constant dense<0> : tensor<i32>
    %136 = call @clip(%arg0, %c_60) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_61 = stablehlo.constant dense<0> : tensor<i32>
    %137 = stablehlo.broadcast_in_dim %c_61, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %138 = stablehlo.compare LT, %136, %137, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_62 = stablehlo.constant dense<6> : tensor<i32>
    %139 = stablehlo.broadcast_in_dim %c_62, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %140 = stablehlo.add %136, %139 : tensor<6xi32>
    %141 = stablehlo.select %138, %140, %136 : tensor<6xi1>, tensor<6xi32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_63 = stablehlo.constant dense<1> : tensor<i32>
    %143 = stablehlo.broadcast_in_dim %c_63, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %144 = "stablehlo.scatter"(%135, %142, %143) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %145 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %145 : tensor<i32>
    }) : (tensor<6xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %21, %32, %52, %74, %75, %98, %99, %118, %134, %144 : tensor<4xi32>, tensor<6xi32>, tensor<4xi32>, tensor<5xi32>, tensor<6xi1>, tensor<6xi32>, tensor<3xi32>, tensor<2x1xi32>, tensor<6xi32>, tensor<6xi32>
  }
  func.func private @_unique_sorted_mask(%arg0: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi1>, tensor<6xi32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x1xi32>) -> tensor<1x6xi32>
    %2 = stablehlo.reverse %1, dims = [0] : tensor<1x6xi32>
    %3 = call @lexsort(%2) : (tensor<1x6xi32>) -> tensor<6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.add %3, %6 : tensor<6xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<6xi1>, tensor<6xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %10 = "stablehlo.gather"(%arg0, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<6xi1>
    %12 = stablehlo.slice %10 [1:6] : (tensor<6xi32>) -> tensor<5xi32>
    %13 = stablehlo.slice %10 [0:5] : (tensor<6xi32>) -> tensor<5xi32>
    %14 = stablehlo.compare NE, %12, %13, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %15 = stablehlo.reduce(%14 init: %c_2) applies stablehlo.or across dimensions = [] : (tensor<5xi1>, tensor<i1>) -> tensor<5xi1>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = "stablehlo.scatter"(%11, %16, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      stablehlo.return %arg2 : tensor<i1>
    }) : (tensor<6xi1>, tensor<1xi32>, tensor<5xi1>) -> tensor<6xi1>
    return %10, %17, %3 : tensor<6xi32>, tensor<6xi1>, tensor<6xi32>
  }
  func.func private @lexsort(%arg0: tensor<1x6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<1x6xi32>) -> tensor<1x6xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x6xi32>) -> tensor<6xi32>
    %2 = stablehlo.iota dim = 0 : tensor<6xi32>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
    return %3#1 : tensor<6xi32>
  }
  func.func private @cumsum(%arg0: tensor<6xi1>) -> tensor<6xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<6xi1>) -> tensor<6xi32>
    %1 = call @cumsum_0(%0) : (tensor<6xi32>) -> tensor<6xi32>
    return %1 : tensor<6xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<6xi32>) -> tensor<6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 6>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    return %1 : tensor<6xi32>
  }
  func.func private @clip(%arg0: tensor<6xi32>, %arg1: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<6xi32>
    return %2 : tensor<6xi32>
  }
  func.func private @cumsum_1(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = call @cumsum_2(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @cumsum_2(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @floor_divide(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<4xi32>
    %2 = stablehlo.sign %arg0 : tensor<4xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %10 = stablehlo.and %5, %9 : tensor<4xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<4xi32>
    %13 = call @_where(%10, %12, %1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    return %13 : tensor<4xi32>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @remainder(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_3(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %12 = stablehlo.and %11, %6 : tensor<4xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %14 = stablehlo.add %4, %13 : tensor<4xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<4xi1>, tensor<4xi32>
    return %15 : tensor<4xi32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @cumsum_4(%arg0: tensor<5xi32>) -> tensor<5xi32> {
    %0 = call @cumsum_5(%arg0) : (tensor<5xi32>) -> tensor<5xi32>
    return %0 : tensor<5xi32>
  }
  func.func private @cumsum_5(%arg0: tensor<5xi32>) -> tensor<5xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    return %1 : tensor<5xi32>
  }
  func.func private @floor_divide_6(%arg0: tensor<5xi32>, %arg1: tensor<i32>) -> tensor<5xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<5xi32>
    %2 = stablehlo.sign %arg0 : tensor<5xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %10 = stablehlo.and %5, %9 : tensor<5xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<5xi32>
    %13 = call @_where_7(%10, %12, %1) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    return %13 : tensor<5xi32>
  }
  func.func private @_where_7(%arg0: tensor<5xi1>, %arg1: tensor<5xi32>, %arg2: tensor<5xi32>) -> tensor<5xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xi32>
    return %0 : tensor<5xi32>
  }
  func.func private @remainder_8(%arg0: tensor<5xi32>, %arg1: tensor<i32>) -> tensor<5xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_3(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<5xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %12 = stablehlo.and %11, %6 : tensor<5xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %14 = stablehlo.add %4, %13 : tensor<5xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<5xi1>, tensor<5xi32>
    return %15 : tensor<5xi32>
  }
  func.func private @_where_9(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>, %arg2: tensor<i32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare NE, %arg0, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.select %1, %arg1, %3 : tensor<4xi1>, tensor<4xi32>
    return %4 : tensor<4xi32>
  }
  func.func private @diff(%arg0: tensor<5xi32>) -> tensor<4xi32> {
    %0 = stablehlo.slice %arg0 [1:5] : (tensor<5xi32>) -> tensor<4xi32>
    %1 = stablehlo.slice %arg0 [0:4] : (tensor<5xi32>) -> tensor<4xi32>
    %2 = stablehlo.subtract %0, %1 : tensor<4xi32>
    return %2 : tensor<4xi32>
  }
  func.func private @_where_10(%arg0: tensor<5xi1>, %arg1: tensor<i32>, %arg2: tensor<5xi32>) -> tensor<5xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<5xi1>, tensor<5xi32>
    return %2 : tensor<5xi32>
  }
  func.func private @_in1d(%arg0: tensor<6xi32>, %arg1: tensor<2xi32>) -> tensor<6xi1> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x2xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<6x2xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<6x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.reduce(%4 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<6x2xi1>, tensor<i1>) -> tensor<6xi1>
    return %5 : tensor<6xi1>
  }
  func.func private @_unique_sorted_mask_11(%arg0: tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi1>, tensor<7xi32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<7xi32>) -> tensor<7x1xi32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<7x1xi32>) -> tensor<1x7xi32>
    %2 = stablehlo.reverse %1, dims = [0] : tensor<1x7xi32>
    %3 = call @lexsort_12(%2) : (tensor<1x7xi32>) -> tensor<7xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %7 = stablehlo.add %3, %6 : tensor<7xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<7xi1>, tensor<7xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %10 = "stablehlo.gather"(%arg0, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<7xi32>, tensor<7x1xi32>) -> tensor<7xi32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<7xi1>
    %12 = stablehlo.slice %10 [1:7] : (tensor<7xi32>) -> tensor<6xi32>
    %13 = stablehlo.slice %10 [0:6] : (tensor<7xi32>) -> tensor<6xi32>
    %14 = stablehlo.compare NE, %12, %13, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %15 = stablehlo.reduce(%14 init: %c_2) applies stablehlo.or across dimensions = [] : (tensor<6xi1>, tensor<i1>) -> tensor<6xi1>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = "stablehlo.scatter"(%11, %16, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      stablehlo.return %arg2 : tensor<i1>
    }) : (tensor<7xi1>, tensor<1xi32>, tensor<6xi1>) -> tensor<7xi1>
    return %10, %17, %3 : tensor<7xi32>, tensor<7xi1>, tensor<7xi32>
  }
  func.func private @lexsort_12(%arg0: tensor<1x7xi32>) -> tensor<7xi32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:7] : (tensor<1x7xi32>) -> tensor<1x7xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x7xi32>) -> tensor<7xi32>
    %2 = stablehlo.iota dim = 0 : tensor<7xi32>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
    return %3#1 : tensor<7xi32>
  }
  func.func private @cumsum_13(%arg0: tensor<7xi1>) -> tensor<7xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<7xi1>) -> tensor<7xi32>
    %1 = call @cumsum_14(%0) : (tensor<7xi32>) -> tensor<7xi32>
    return %1 : tensor<7xi32>
  }
  func.func private @cumsum_14(%arg0: tensor<7xi32>) -> tensor<7xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    return %1 : tensor<7xi32>
  }
  func.func private @clip_15(%arg0: tensor<7xi32>, %arg1: tensor<i32>) -> tensor<7xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<7xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<7xi32>
    return %2 : tensor<7xi32>
  }
  func.func private @cumsum_16(%arg0: tensor<6xi32>) -> tensor<6xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<6xi32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @floor_divide_17(%arg0: tensor<6xi32>, %arg1: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<6xi32>
    %2 = stablehlo.sign %arg0 : tensor<6xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %10 = stablehlo.and %5, %9 : tensor<6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<6xi32>
    %13 = call @_where_18(%10, %12, %1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %13 : tensor<6xi32>
  }
  func.func private @_where_18(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @remainder_19(%arg0: tensor<6xi32>, %arg1: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_3(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<6xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %12 = stablehlo.and %11, %6 : tensor<6xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %14 = stablehlo.add %4, %13 : tensor<6xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<6xi1>, tensor<6xi32>
    return %15 : tensor<6xi32>
  }
  func.func private @_intersect1d_size(%arg0: tensor<6xi32>, %arg1: tensor<3xi32>) -> tensor<3xi32> {
    %0:3 = call @_unique_sorted_mask(%arg0) : (tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi1>, tensor<6xi32>)
    %1 = call @cumsum(%0#1) : (tensor<6xi1>) -> tensor<6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @clip(%1, %c_0) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.add %3, %6 : tensor<6xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<6xi1>, tensor<6xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %11 = "stablehlo.scatter"(%2, %9, %10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %140 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %140 : tensor<i32>
    }) : (tensor<6xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<6xi32>
    %12 = call @cumsum_16(%11) : (tensor<6xi32>) -> tensor<6xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %13 = call @floor_divide_17(%12, %c_4) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_5 = stablehlo.constant dense<6> : tensor<i32>
    %14 = call @remainder_19(%13, %c_5) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %16 = stablehlo.compare LT, %14, %15, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_7 = stablehlo.constant dense<6> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %18 = stablehlo.add %14, %17 : tensor<6xi32>
    %19 = stablehlo.select %16, %18, %14 : tensor<6xi1>, tensor<6xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %21 = "stablehlo.gather"(%0#0, %20) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %22 = stablehlo.iota dim = 0 : tensor<6xi32>
    %23 = stablehlo.convert %0#1 : (tensor<6xi1>) -> tensor<6xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.reduce(%23 init: %c_8) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %26 = stablehlo.compare LT, %22, %25, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %27 = call @_where_20(%26, %21, %c_9) : (tensor<6xi1>, tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %29 = stablehlo.compare LT, %14, %28, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_11 = stablehlo.constant dense<6> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %31 = stablehlo.add %14, %30 : tensor<6xi32>
    %32 = stablehlo.select %29, %31, %14 : tensor<6xi1>, tensor<6xi32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %34 = "stablehlo.gather"(%0#2, %33) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %35 = stablehlo.convert %0#1 : (tensor<6xi1>) -> tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.reduce(%35 init: %c_12) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
    %37:3 = call @_unique_sorted_mask_21(%arg1) : (tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi1>, tensor<3xi32>)
    %38 = call @cumsum_23(%37#1) : (tensor<3xi1>) -> tensor<3xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %40 = call @clip_25(%38, %c_14) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %42 = stablehlo.compare LT, %40, %41, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_16 = stablehlo.constant dense<3> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %44 = stablehlo.add %40, %43 : tensor<3xi32>
    %45 = stablehlo.select %42, %44, %40 : tensor<3xi1>, tensor<3xi32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %48 = "stablehlo.scatter"(%39, %46, %47) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %140 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %140 : tensor<i32>
    }) : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>
    %49 = call @cumsum_26(%48) : (tensor<3xi32>) -> tensor<3xi32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %50 = call @floor_divide_27(%49, %c_18) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_19 = stablehlo.constant dense<3> : tensor<i32>
    %51 = call @remainder_29(%50, %c_19) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %53 = stablehlo.compare LT, %51, %52, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_21 = stablehlo.constant dense<3> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %55 = stablehlo.add %51, %54 : tensor<3xi32>
    %56 = stablehlo.select %53, %55, %51 : tensor<3xi1>, tensor<3xi32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %58 = "stablehlo.gather"(%37#0, %57) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %59 = stablehlo.iota dim = 0 : tensor<3xi32>
    %60 = stablehlo.convert %37#1 : (tensor<3xi1>) -> tensor<3xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.reduce(%60 init: %c_22) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %63 = stablehlo.compare LT, %59, %62, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %64 = call @_where_30(%63, %58, %c_23) : (tensor<3xi1>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %66 = stablehlo.compare LT, %51, %65, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_25 = stablehlo.constant dense<3> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %68 = stablehlo.add %51, %67 : tensor<3xi32>
    %69 = stablehlo.select %66, %68, %51 : tensor<3xi1>, tensor<3xi32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %71 = "stablehlo.gather"(%37#2, %70) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %72 = stablehlo.convert %37#1 : (tensor<3xi1>) -> tensor<3xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.reduce(%72 init: %c_26) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %75 = stablehlo.dynamic_update_slice %74, %27, %c_28 : (tensor<9xi32>, tensor<6xi32>, tensor<i32>) -> tensor<9xi32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %76 = stablehlo.compare LT, %36, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_30 = stablehlo.constant dense<9> : tensor<i32>
    %77 = stablehlo.add %36, %c_30 : tensor<i32>
    %78 = stablehlo.select %76, %77, %36 : tensor<i1>, tensor<i32>
    %79 = stablehlo.dynamic_update_slice %75, %64, %78 : (tensor<9xi32>, tensor<3xi32>, tensor<i32>) -> tensor<9xi32>
    %80 = stablehlo.iota dim = 0 : tensor<9xi32>
    %81 = stablehlo.add %36, %73 : tensor<i32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %83 = stablehlo.compare LT, %80, %82, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %84 = stablehlo.not %83 : tensor<9xi1>
    %85 = stablehlo.iota dim = 0 : tensor<9xi32>
    %86:3 = "stablehlo.sort"(%84, %79, %85) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %140 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %141 = stablehlo.compare LT, %arg2, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %142 = stablehlo.compare EQ, %arg2, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %143 = stablehlo.and %142, %140 : tensor<i1>
      %144 = stablehlo.or %141, %143 : tensor<i1>
      stablehlo.return %144 : tensor<i1>
    }) : (tensor<9xi1>, tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi1>, tensor<9xi32>, tensor<9xi32>)
    %87 = stablehlo.slice %86#1 [1:9] : (tensor<9xi32>) -> tensor<8xi32>
    %88 = stablehlo.slice %86#1 [0:8] : (tensor<9xi32>) -> tensor<8xi32>
    %89 = stablehlo.compare EQ, %87, %88, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %90 = stablehlo.slice %83 [1:9] : (tensor<9xi1>) -> tensor<8xi1>
    %91 = stablehlo.and %89, %90 : tensor<8xi1>
    %92 = stablehlo.convert %91 : (tensor<8xi1>) -> tensor<8xi32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %93 = stablehlo.reduce(%92 init: %c_31) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %94 = call @cumsum_31(%91) : (tensor<8xi1>) -> tensor<8xi32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %96 = call @clip_33(%94, %c_33) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %97 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %98 = stablehlo.compare LT, %96, %97, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_35 = stablehlo.constant dense<3> : tensor<i32>
    %99 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %100 = stablehlo.add %96, %99 : tensor<8xi32>
    %101 = stablehlo.select %98, %100, %96 : tensor<8xi1>, tensor<8xi32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %c_36 = stablehlo.constant dense<1> : tensor<i32>
    %103 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %104 = "stablehlo.scatter"(%95, %102, %103) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %140 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %140 : tensor<i32>
    }) : (tensor<3xi32>, tensor<8x1xi32>, tensor<8xi32>) -> tensor<3xi32>
    %105 = call @cumsum_26(%104) : (tensor<3xi32>) -> tensor<3xi32>
    %c_37 = stablehlo.constant dense<1> : tensor<i32>
    %106 = call @floor_divide_27(%105, %c_37) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_38 = stablehlo.constant dense<8> : tensor<i32>
    %107 = call @remainder_29(%106, %c_38) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %108 = stablehlo.iota dim = 0 : tensor<3xi32>
    %109 = stablehlo.convert %91 : (tensor<8xi1>) -> tensor<8xi32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %110 = stablehlo.reduce(%109 init: %c_39) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %112 = stablehlo.compare GE, %108, %111, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_40 = stablehlo.constant dense<9> : tensor<i32>
    %113 = call @_where_34(%112, %c_40, %107) : (tensor<3xi1>, tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %114 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %115 = stablehlo.compare LT, %113, %114, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_42 = stablehlo.constant dense<9> : tensor<i32>
    %116 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %117 = stablehlo.add %113, %116 : tensor<3xi32>
    %118 = stablehlo.select %115, %117, %113 : tensor<3xi1>, tensor<3xi32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %c_43 = stablehlo.constant dense<8> : tensor<1xi32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %120 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %121 = stablehlo.compare GE, %119, %120, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %122 = stablehlo.broadcast_in_dim %c_43, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<3x1xi32>
    %124 = stablehlo.compare LE, %119, %123, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %125 = stablehlo.and %121, %124 : tensor<3x1xi1>
    %c_45 = stablehlo.constant dense<true> : tensor<i1>
    %126 = stablehlo.reduce(%125 init: %c_45) applies stablehlo.and across dimensions = [1] : (tensor<3x1xi1>, tensor<i1>) -> tensor<3xi1>
    %127 = "stablehlo.gather"(%86#1, %119) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %128 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %129 = stablehlo.select %126, %127, %128 : tensor<3xi1>, tensor<3xi32>
    %130 = stablehlo.iota dim = 0 : tensor<3xi32>
    %131 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %132 = stablehlo.compare LT, %130, %131, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_47 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %133 = stablehlo.reduce(%129 init: %c_47) applies stablehlo.maximum across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %134 = call @_where_30(%132, %129, %133) : (tensor<3xi1>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    %135 = stablehlo.iota dim = 0 : tensor<3xi32>
    %136 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %137 = stablehlo.compare LT, %135, %136, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_48 = stablehlo.constant dense<2147483647> : tensor<i32>
    %138 = stablehlo.reduce(%134 init: %c_48) applies stablehlo.minimum across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %139 = call @_where_30(%137, %134, %138) : (tensor<3xi1>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %139 : tensor<3xi32>
  }
  func.func private @_where_20(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<6xi1>, tensor<6xi32>
    return %1 : tensor<6xi32>
  }
  func.func private @_unique_sorted_mask_21(%arg0: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi1>, tensor<3xi32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<3xi32>) -> tensor<3x1xi32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x1xi32>) -> tensor<1x3xi32>
    %2 = stablehlo.reverse %1, dims = [0] : tensor<1x3xi32>
    %3 = call @lexsort_22(%2) : (tensor<1x3xi32>) -> tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %7 = stablehlo.add %3, %6 : tensor<3xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<3xi1>, tensor<3xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %10 = "stablehlo.gather"(%arg0, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<3xi1>
    %12 = stablehlo.slice %10 [1:3] : (tensor<3xi32>) -> tensor<2xi32>
    %13 = stablehlo.slice %10 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %14 = stablehlo.compare NE, %12, %13, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %15 = stablehlo.reduce(%14 init: %c_2) applies stablehlo.or across dimensions = [] : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = "stablehlo.scatter"(%11, %16, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      stablehlo.return %arg2 : tensor<i1>
    }) : (tensor<3xi1>, tensor<1xi32>, tensor<2xi1>) -> tensor<3xi1>
    return %10, %17, %3 : tensor<3xi32>, tensor<3xi1>, tensor<3xi32>
  }
  func.func private @lexsort_22(%arg0: tensor<1x3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:3] : (tensor<1x3xi32>) -> tensor<1x3xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xi32>) -> tensor<3xi32>
    %2 = stablehlo.iota dim = 0 : tensor<3xi32>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
    return %3#1 : tensor<3xi32>
  }
  func.func private @cumsum_23(%arg0: tensor<3xi1>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<3xi1>) -> tensor<3xi32>
    %1 = call @cumsum_24(%0) : (tensor<3xi32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @cumsum_24(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @clip_25(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3xi32>
    return %2 : tensor<3xi32>
  }
  func.func private @cumsum_26(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %0 = call @cumsum_24(%arg0) : (tensor<3xi32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @floor_divide_27(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
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
    %13 = call @_where_28(%10, %12, %1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    return %13 : tensor<3xi32>
  }
  func.func private @_where_28(%arg0: tensor<3xi1>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3xi1>, tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @remainder_29(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_3(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
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
  func.func private @_where_30(%arg0: tensor<3xi1>, %arg1: tensor<3xi32>, %arg2: tensor<i32>) -> tensor<3xi32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<3xi1>, tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @cumsum_31(%arg0: tensor<8xi1>) -> tensor<8xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<8xi1>) -> tensor<8xi32>
    %1 = call @cumsum_32(%0) : (tensor<8xi32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @cumsum_32(%arg0: tensor<8xi32>) -> tensor<8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @clip_33(%arg0: tensor<8xi32>, %arg1: tensor<i32>) -> tensor<8xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8xi32>
    return %2 : tensor<8xi32>
  }
  func.func private @_where_34(%arg0: tensor<3xi1>, %arg1: tensor<i32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<3xi1>, tensor<3xi32>
    return %2 : tensor<3xi32>
  }
  func.func private @atleast_1d(%arg0: tensor<6xi1>) -> tensor<6xi1> {
    return %arg0 : tensor<6xi1>
  }
  func.func private @cumsum_35(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %0 = call @cumsum_36(%arg0) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func private @cumsum_36(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
  func.func private @floor_divide_37(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> tensor<2xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %1 = stablehlo.divide %arg0, %0 : tensor<2xi32>
    %2 = stablehlo.sign %arg0 : tensor<2xi32>
    %3 = stablehlo.sign %arg1 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %5 = stablehlo.compare NE, %2, %4, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %7 = stablehlo.remainder %arg0, %6 : tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %9 = stablehlo.compare NE, %7, %8, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %10 = stablehlo.and %5, %9 : tensor<2xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %12 = stablehlo.subtract %1, %11 : tensor<2xi32>
    %13 = call @_where_38(%10, %12, %1) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    return %13 : tensor<2xi32>
  }
  func.func private @_where_38(%arg0: tensor<2xi1>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2xi1>, tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func private @remainder_39(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> tensor<2xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_3(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<2xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %12 = stablehlo.and %11, %6 : tensor<2xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %14 = stablehlo.add %4, %13 : tensor<2xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<2xi1>, tensor<2xi32>
    return %15 : tensor<2xi32>
  }
  func.func private @atleast_2d(%arg0: tensor<2xi32>) -> tensor<1x2xi32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    return %0 : tensor<1x2xi32>
  }
}
