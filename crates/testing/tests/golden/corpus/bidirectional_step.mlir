module @jit_bidirectional_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<3x4xf32>, %arg6: tensor<2x5x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['backward_rnn']['cell']['h']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['backward_rnn']['cell']['i']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['backward_rnn']['cell']['i']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['forward_rnn']['cell']['h']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['forward_rnn']['cell']['i']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['forward_rnn']['cell']['i']['kernel']"}) {
    %c = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<32> : tensor<i32>
    %0 = stablehlo.shift_right_logical %c_0, %c_1 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_2 = stablehlo.constant dense<-1> : tensor<i32>
    %3 = stablehlo.and %c_0, %c_2 : tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %6 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.transpose %arg6, dims = [1, 0, 2] : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
    %9 = stablehlo.reshape %arg4 : (tensor<4xf32>) -> tensor<1x4xf32>
    %10 = stablehlo.reshape %arg4 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %16:11 = stablehlo.while(%iterArg = %8, %iterArg_58 = %arg5, %iterArg_59 = %10, %iterArg_60 = %arg3, %iterArg_61 = %c_8, %iterArg_62 = %7, %iterArg_63 = %11, %iterArg_64 = %12, %iterArg_65 = %13, %iterArg_66 = %14, %iterArg_67 = %15) : tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_68 = stablehlo.constant dense<5> : tensor<i32>
      %140 = stablehlo.compare LT, %iterArg_61, %c_68, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %140 : tensor<i1>
    } do {
      %140 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_61) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %141:6 = func.call @closed_call(%iterArg_58, %iterArg_59, %iterArg_60, %iterArg_62, %140) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %142 = func.call @dynamic_update_index_in_dim(%iterArg_63, %141#1, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %143 = func.call @dynamic_update_index_in_dim(%iterArg_64, %141#2, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %144 = func.call @dynamic_update_index_in_dim(%iterArg_65, %141#3, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %145 = func.call @dynamic_update_index_in_dim(%iterArg_66, %141#4, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %146 = func.call @dynamic_update_index_in_dim(%iterArg_67, %141#5, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_68 = stablehlo.constant dense<1> : tensor<i32>
      %147 = stablehlo.add %iterArg_61, %c_68 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_58, %iterArg_59, %iterArg_60, %147, %141#0, %142, %143, %144, %145, %146 : tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    }
    %17 = stablehlo.transpose %16#7, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %19 = stablehlo.subtract %c, %18 : tensor<2xi32>
    %20 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %22 = stablehlo.compare LT, %19, %21, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_11 = stablehlo.constant dense<5> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %24 = stablehlo.add %19, %23 : tensor<2xi32>
    %25 = stablehlo.select %22, %24, %19 : tensor<2xi1>, tensor<2xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %27 = stablehlo.compare LT, %20, %26, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_13 = stablehlo.constant dense<2> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %29 = stablehlo.add %20, %28 : tensor<2xi32>
    %30 = stablehlo.select %27, %29, %20 : tensor<2xi1>, tensor<2xi32>
    %31 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %33 = stablehlo.concatenate %31, %32, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %34 = "stablehlo.gather"(%16#6, %33) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<5x2x4xf32>, tensor<2x2xi32>) -> tensor<2x4xf32>
    %35 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %36 = stablehlo.iota dim = 0 : tensor<5xi32>
    %c_14 = stablehlo.constant dense<-1> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %38 = stablehlo.multiply %37, %36 : tensor<5xi32>
    %c_15 = stablehlo.constant dense<4> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %40 = stablehlo.add %39, %38 : tensor<5xi32>
    %41 = stablehlo.reshape %40 : (tensor<5xi32>) -> tensor<1x5xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<2x5xi32>
    %43 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x5xi32>
    %44 = stablehlo.add %42, %43 : tensor<2x5xi32>
    %c_16 = stablehlo.constant dense<5> : tensor<i32>
    %45 = call @remainder(%44, %c_16) : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>
    %46 = stablehlo.reshape %45 : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %47 = call @take_along_axis(%arg6, %46) : (tensor<2x5x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %c_18 = stablehlo.constant dense<32> : tensor<i32>
    %48 = stablehlo.shift_right_logical %c_17, %c_18 : tensor<i32>
    %49 = stablehlo.convert %48 : (tensor<i32>) -> tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_19 = stablehlo.constant dense<-1> : tensor<i32>
    %51 = stablehlo.and %c_17, %c_19 : tensor<i32>
    %52 = stablehlo.convert %51 : (tensor<i32>) -> tensor<ui32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %54 = stablehlo.concatenate %50, %53, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %56 = stablehlo.transpose %47, dims = [1, 0, 2] : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
    %57 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4xf32>
    %58 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %64:11 = stablehlo.while(%iterArg = %56, %iterArg_58 = %arg2, %iterArg_59 = %58, %iterArg_60 = %arg0, %iterArg_61 = %c_26, %iterArg_62 = %55, %iterArg_63 = %59, %iterArg_64 = %60, %iterArg_65 = %61, %iterArg_66 = %62, %iterArg_67 = %63) : tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_68 = stablehlo.constant dense<5> : tensor<i32>
      %140 = stablehlo.compare LT, %iterArg_61, %c_68, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %140 : tensor<i1>
    } do {
      %140 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_61) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %141:6 = func.call @closed_call_0(%iterArg_58, %iterArg_59, %iterArg_60, %iterArg_62, %140) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %142 = func.call @dynamic_update_index_in_dim(%iterArg_63, %141#1, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %143 = func.call @dynamic_update_index_in_dim(%iterArg_64, %141#2, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %144 = func.call @dynamic_update_index_in_dim(%iterArg_65, %141#3, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %145 = func.call @dynamic_update_index_in_dim(%iterArg_66, %141#4, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %146 = func.call @dynamic_update_index_in_dim(%iterArg_67, %141#5, %iterArg_61) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_68 = stablehlo.constant dense<1> : tensor<i32>
      %147 = stablehlo.add %iterArg_61, %c_68 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_58, %iterArg_59, %iterArg_60, %147, %141#0, %142, %143, %144, %145, %146 : tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    }
    %65 = stablehlo.transpose %64#7, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %c_27 = stablehlo.constant dense<1> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %67 = stablehlo.subtract %c, %66 : tensor<2xi32>
    %68 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %70 = stablehlo.compare LT, %67, %69, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_29 = stablehlo.constant dense<5> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %72 = stablehlo.add %67, %71 : tensor<2xi32>
    %73 = stablehlo.select %70, %72, %67 : tensor<2xi1>, tensor<2xi32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %75 = stablehlo.compare LT, %68, %74, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_31 = stablehlo.constant dense<2> : tensor<i32>
    %76 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %77 = stablehlo.add %68, %76 : tensor<2xi32>
    %78 = stablehlo.select %75, %77, %68 : tensor<2xi1>, tensor<2xi32>
    %79 = stablehlo.broadcast_in_dim %73, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %80 = stablehlo.broadcast_in_dim %78, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %81 = stablehlo.concatenate %79, %80, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %82 = "stablehlo.gather"(%64#6, %81) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<5x2x4xf32>, tensor<2x2xi32>) -> tensor<2x4xf32>
    %83 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %84 = stablehlo.iota dim = 0 : tensor<5xi32>
    %c_32 = stablehlo.constant dense<-1> : tensor<i32>
    %85 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %86 = stablehlo.multiply %85, %84 : tensor<5xi32>
    %c_33 = stablehlo.constant dense<4> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %88 = stablehlo.add %87, %86 : tensor<5xi32>
    %89 = stablehlo.reshape %88 : (tensor<5xi32>) -> tensor<1x5xi32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<2x5xi32>
    %91 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x5xi32>
    %92 = stablehlo.add %90, %91 : tensor<2x5xi32>
    %c_34 = stablehlo.constant dense<5> : tensor<i32>
    %93 = call @remainder(%92, %c_34) : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>
    %94 = stablehlo.reshape %93 : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %95:2 = call @take_along_axis_1(%65, %94) : (tensor<2x5x4xf32>, tensor<2x5x1xi32>) -> (tensor<2x5x4xf32>, tensor<2x5x1xi32>)
    %96 = stablehlo.concatenate %17, %95#0, dim = 2 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
    %97 = chlo.square %96 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst_35 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %99 = stablehlo.multiply %98, %96 : tensor<2x5x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%97 init: %cst_36) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_37 = stablehlo.constant dense<8.000000e+01> : tensor<f32>
    %101 = stablehlo.divide %100, %cst_37 : tensor<f32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_41 = stablehlo.constant dense<8.000000e+01> : tensor<f32>
    %104 = stablehlo.divide %cst_40, %cst_41 : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %106 = stablehlo.multiply %105, %99 : tensor<2x5x8xf32>
    %107 = stablehlo.slice %106 [0:2, 0:5, 0:4] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %108 = stablehlo.slice %106 [0:2, 0:5, 4:8] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %109 = call @take_along_axis_2(%95#1, %108) : (tensor<2x5x1xi32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %110 = stablehlo.transpose %109, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %115:11 = stablehlo.while(%iterArg = %110, %iterArg_58 = %56, %iterArg_59 = %64#8, %iterArg_60 = %64#9, %iterArg_61 = %64#10, %iterArg_62 = %arg0, %iterArg_63 = %c_46, %iterArg_64 = %112, %iterArg_65 = %113, %iterArg_66 = %114, %iterArg_67 = %111) : tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
    cond {
      %c_68 = stablehlo.constant dense<5> : tensor<i32>
      %140 = stablehlo.compare LT, %iterArg_63, %c_68, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %140 : tensor<i1>
    } do {
      %c_68 = stablehlo.constant dense<5> : tensor<i32>
      %140 = stablehlo.subtract %c_68, %iterArg_63 : tensor<i32>
      %c_69 = stablehlo.constant dense<1> : tensor<i32>
      %141 = stablehlo.subtract %140, %c_69 : tensor<i32>
      %142 = func.call @dynamic_index_in_dim_3(%iterArg, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %143 = func.call @dynamic_index_in_dim(%iterArg_58, %141) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %144 = func.call @dynamic_index_in_dim_3(%iterArg_59, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %145 = func.call @dynamic_index_in_dim_3(%iterArg_60, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %146 = func.call @dynamic_index_in_dim_3(%iterArg_61, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %147:4 = func.call @closed_call_4(%iterArg_62, %iterArg_64, %iterArg_65, %iterArg_66, %iterArg_67, %142, %143, %144, %145, %146) : (tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>)
      %c_70 = stablehlo.constant dense<1> : tensor<i32>
      %148 = stablehlo.add %iterArg_63, %c_70 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %148, %147#0, %147#1, %147#2, %147#3 : tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
    }
    %116 = stablehlo.transpose %107, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %121:11 = stablehlo.while(%iterArg = %116, %iterArg_58 = %8, %iterArg_59 = %16#8, %iterArg_60 = %16#9, %iterArg_61 = %16#10, %iterArg_62 = %arg3, %iterArg_63 = %c_51, %iterArg_64 = %118, %iterArg_65 = %119, %iterArg_66 = %120, %iterArg_67 = %117) : tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
    cond {
      %c_68 = stablehlo.constant dense<5> : tensor<i32>
      %140 = stablehlo.compare LT, %iterArg_63, %c_68, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %140 : tensor<i1>
    } do {
      %c_68 = stablehlo.constant dense<5> : tensor<i32>
      %140 = stablehlo.subtract %c_68, %iterArg_63 : tensor<i32>
      %c_69 = stablehlo.constant dense<1> : tensor<i32>
      %141 = stablehlo.subtract %140, %c_69 : tensor<i32>
      %142 = func.call @dynamic_index_in_dim_3(%iterArg, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %143 = func.call @dynamic_index_in_dim(%iterArg_58, %141) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %144 = func.call @dynamic_index_in_dim_3(%iterArg_59, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %145 = func.call @dynamic_index_in_dim_3(%iterArg_60, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %146 = func.call @dynamic_index_in_dim_3(%iterArg_61, %141) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %147:4 = func.call @closed_call_5(%iterArg_62, %iterArg_64, %iterArg_65, %iterArg_66, %iterArg_67, %142, %143, %144, %145, %146) : (tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>)
      %c_70 = stablehlo.constant dense<1> : tensor<i32>
      %148 = stablehlo.add %iterArg_63, %c_70 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %148, %147#0, %147#1, %147#2, %147#3 : tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
    }
    %cst_52 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %123 = stablehlo.multiply %122, %115#9 : tensor<4x4xf32>
    %cst_53 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %125 = stablehlo.multiply %124, %115#8 : tensor<4xf32>
    %cst_54 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %127 = stablehlo.multiply %126, %115#7 : tensor<3x4xf32>
    %cst_55 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %129 = stablehlo.multiply %128, %121#9 : tensor<4x4xf32>
    %cst_56 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %131 = stablehlo.multiply %130, %121#8 : tensor<4xf32>
    %cst_57 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %133 = stablehlo.multiply %132, %121#7 : tensor<3x4xf32>
    %134 = stablehlo.add %arg0, %123 : tensor<4x4xf32>
    %135 = stablehlo.add %arg1, %125 : tensor<4xf32>
    %136 = stablehlo.add %arg2, %127 : tensor<3x4xf32>
    %137 = stablehlo.add %arg3, %129 : tensor<4x4xf32>
    %138 = stablehlo.add %arg4, %131 : tensor<4xf32>
    %139 = stablehlo.add %arg5, %133 : tensor<3x4xf32>
    return %101, %134, %135, %136, %137, %138, %139 : tensor<f32>, tensor<4x4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<3x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 3] : (tensor<5x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4xf32>
    %3 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x4xf32>
    %5 = stablehlo.tanh %4 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x4xf32>
    return %5, %5, %5, %arg3, %5, %7 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<5x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x4xf32>
    return %1 : tensor<5x2x4xf32>
  }
  func.func private @remainder(%arg0: tensor<2x5xi32>, %arg1: tensor<i32>) -> tensor<2x5xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<2x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<2x5xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %12 = stablehlo.and %11, %6 : tensor<2x5xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %14 = stablehlo.add %4, %13 : tensor<2x5xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<2x5xi1>, tensor<2x5xi32>
    return %15 : tensor<2x5xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x5x3xf32>, %arg1: tensor<2x5x1xi32>) -> tensor<2x5x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x5x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x5x1xi1>, tensor<2x5x1xi32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %9 = stablehlo.compare LE, %4, %8, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %10 = stablehlo.and %6, %9 : tensor<2x5x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %12 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<2x5x3xf32>, tensor<2x5x1xi32>) -> tensor<2x5x3xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xi1>) -> tensor<2x5x3xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x3xf32>
    %15 = stablehlo.select %13, %12, %14 : tensor<2x5x3xi1>, tensor<2x5x3xf32>
    return %15 : tensor<2x5x3xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<3x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4xf32>
    %3 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x4xf32>
    %5 = stablehlo.tanh %4 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x4xf32>
    return %5, %5, %5, %arg3, %5, %7 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<2x5x4xf32>, %arg1: tensor<2x5x1xi32>) -> (tensor<2x5x4xf32>, tensor<2x5x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x5x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x5x1xi1>, tensor<2x5x1xi32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %9 = stablehlo.compare LE, %4, %8, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %10 = stablehlo.and %6, %9 : tensor<2x5x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %12 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x5x4xf32>, tensor<2x5x1xi32>) -> tensor<2x5x4xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xi1>) -> tensor<2x5x4xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %15 = stablehlo.select %13, %12, %14 : tensor<2x5x4xi1>, tensor<2x5x4xf32>
    return %15, %4 : tensor<2x5x4xf32>, tensor<2x5x1xi32>
  }
  func.func private @take_along_axis_2(%arg0: tensor<2x5x1xi32>, %arg1: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x5x4xf32>, tensor<2x5x1xi32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    return %1 : tensor<2x5x4xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<5x2x4xf32>, %arg1: tensor<i32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 4] : (tensor<5x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<4x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<2x3xf32>, %arg7: tensor<2x4xf32>, %arg8: tensor<2x4xf32>, %arg9: tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<2x4xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<2x4xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<2x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x4xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<4x4xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.reshape %8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4xf32>) -> tensor<4xf32>
    %11 = stablehlo.add %arg2, %10 : tensor<4xf32>
    %12 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %14 = stablehlo.add %arg1, %13 : tensor<3x4xf32>
    return %14, %11, %6, %7 : tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<4x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<2x3xf32>, %arg7: tensor<2x4xf32>, %arg8: tensor<2x4xf32>, %arg9: tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<2x4xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<2x4xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<2x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x4xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<4x4xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.reshape %8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x4xf32>) -> tensor<4xf32>
    %11 = stablehlo.add %arg2, %10 : tensor<4xf32>
    %12 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %14 = stablehlo.add %arg1, %13 : tensor<3x4xf32>
    return %14, %11, %6, %7 : tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
  }
}
