module @jit_gru_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<3x4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<3x4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<3x4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4x4xf32>, %arg13: tensor<4x4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<3x4xf32>, %arg16: tensor<4xf32>, %arg17: tensor<3x4xf32>, %arg18: tensor<4xf32>, %arg19: tensor<3x4xf32>, %arg20: tensor<2x5x3xf32>, %arg21: tensor<2x5x4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['hn']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['hn']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['hr']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['hz']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['in']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['in']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['ir']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['ir']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['iz']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['iz']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['hn']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['hn']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['hr']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['hz']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['in']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['in']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['ir']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['ir']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['iz']['bias']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].sum_of_squares['params']['cell']['iz']['kernel']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %3 = stablehlo.and %c, %c_1 : tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %6 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.transpose %arg20, dims = [1, 0, 2] : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
    %9 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x4xf32>
    %10 = stablehlo.reshape %arg8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %11 = stablehlo.reshape %arg4 : (tensor<4xf32>) -> tensor<1x4xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %13 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x4xf32>
    %14 = stablehlo.reshape %arg8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %15 = stablehlo.reshape %arg4 : (tensor<4xf32>) -> tensor<1x4xf32>
    %16 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %27:23 = stablehlo.while(%iterArg = %8, %iterArg_71 = %arg9, %iterArg_72 = %14, %iterArg_73 = %arg3, %iterArg_74 = %arg5, %iterArg_75 = %15, %iterArg_76 = %arg7, %iterArg_77 = %13, %iterArg_78 = %arg2, %iterArg_79 = %arg1, %iterArg_80 = %16, %iterArg_81 = %c_12, %iterArg_82 = %7, %iterArg_83 = %17, %iterArg_84 = %18, %iterArg_85 = %19, %iterArg_86 = %20, %iterArg_87 = %21, %iterArg_88 = %22, %iterArg_89 = %23, %iterArg_90 = %24, %iterArg_91 = %25, %iterArg_92 = %26) : tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_93 = stablehlo.constant dense<5> : tensor<i32>
      %172 = stablehlo.compare LT, %iterArg_81, %c_93, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %172 : tensor<i1>
    } do {
      %172 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_81) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %173:11 = func.call @closed_call(%iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_82, %172) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %174 = func.call @dynamic_update_index_in_dim(%iterArg_83, %173#1, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %175 = func.call @dynamic_update_index_in_dim(%iterArg_84, %173#2, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %176 = func.call @dynamic_update_index_in_dim(%iterArg_85, %173#3, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %177 = func.call @dynamic_update_index_in_dim(%iterArg_86, %173#4, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %178 = func.call @dynamic_update_index_in_dim(%iterArg_87, %173#5, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %179 = func.call @dynamic_update_index_in_dim(%iterArg_88, %173#6, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %180 = func.call @dynamic_update_index_in_dim(%iterArg_89, %173#7, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %181 = func.call @dynamic_update_index_in_dim(%iterArg_90, %173#8, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %182 = func.call @dynamic_update_index_in_dim(%iterArg_91, %173#9, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %183 = func.call @dynamic_update_index_in_dim(%iterArg_92, %173#10, %iterArg_81) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_93 = stablehlo.constant dense<1> : tensor<i32>
      %184 = stablehlo.add %iterArg_81, %c_93 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %184, %173#0, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183 : tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    }
    %28 = stablehlo.transpose %27#13, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %29 = stablehlo.subtract %28, %arg21 : tensor<2x5x4xf32>
    %30 = chlo.square %29 : tensor<2x5x4xf32> -> tensor<2x5x4xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %32 = stablehlo.multiply %31, %29 : tensor<2x5x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%30 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %34 = stablehlo.divide %33, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_18 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %36 = stablehlo.divide %cst_17, %cst_18 : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %38 = stablehlo.multiply %37, %32 : tensor<2x5x4xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %51:26 = stablehlo.while(%iterArg = %39, %iterArg_71 = %8, %iterArg_72 = %27#14, %iterArg_73 = %27#15, %iterArg_74 = %27#16, %iterArg_75 = %27#17, %iterArg_76 = %27#18, %iterArg_77 = %27#19, %iterArg_78 = %27#20, %iterArg_79 = %27#21, %iterArg_80 = %27#22, %iterArg_81 = %arg2, %iterArg_82 = %arg3, %iterArg_83 = %arg1, %iterArg_84 = %c_30, %iterArg_85 = %41, %iterArg_86 = %42, %iterArg_87 = %43, %iterArg_88 = %44, %iterArg_89 = %45, %iterArg_90 = %46, %iterArg_91 = %47, %iterArg_92 = %48, %iterArg_93 = %49, %iterArg_94 = %50, %iterArg_95 = %40) : tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>
    cond {
      %c_96 = stablehlo.constant dense<5> : tensor<i32>
      %172 = stablehlo.compare LT, %iterArg_84, %c_96, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %172 : tensor<i1>
    } do {
      %c_96 = stablehlo.constant dense<5> : tensor<i32>
      %172 = stablehlo.subtract %c_96, %iterArg_84 : tensor<i32>
      %c_97 = stablehlo.constant dense<1> : tensor<i32>
      %173 = stablehlo.subtract %172, %c_97 : tensor<i32>
      %174 = func.call @dynamic_index_in_dim_0(%iterArg, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %175 = func.call @dynamic_index_in_dim(%iterArg_71, %173) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %176 = func.call @dynamic_index_in_dim_0(%iterArg_72, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %177 = func.call @dynamic_index_in_dim_0(%iterArg_73, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %178 = func.call @dynamic_index_in_dim_0(%iterArg_74, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %179 = func.call @dynamic_index_in_dim_0(%iterArg_75, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %180 = func.call @dynamic_index_in_dim_0(%iterArg_76, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %181 = func.call @dynamic_index_in_dim_0(%iterArg_77, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %182 = func.call @dynamic_index_in_dim_0(%iterArg_78, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %183 = func.call @dynamic_index_in_dim_0(%iterArg_79, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %184 = func.call @dynamic_index_in_dim_0(%iterArg_80, %173) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %185:11 = func.call @closed_call_1(%iterArg_81, %iterArg_82, %iterArg_83, %iterArg_85, %iterArg_86, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %iterArg_95, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>)
      %c_98 = stablehlo.constant dense<1> : tensor<i32>
      %186 = stablehlo.add %iterArg_84, %c_98 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_81, %iterArg_82, %iterArg_83, %186, %185#0, %185#1, %185#2, %185#3, %185#4, %185#5, %185#6, %185#7, %185#8, %185#9, %185#10 : tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>
    }
    %52 = stablehlo.multiply %51#24, %51#24 : tensor<4xf32>
    %53 = stablehlo.add %52, %arg10 : tensor<4xf32>
    %54 = stablehlo.multiply %51#23, %51#23 : tensor<4x4xf32>
    %55 = stablehlo.add %54, %arg11 : tensor<4x4xf32>
    %56 = stablehlo.multiply %51#17, %51#17 : tensor<4x4xf32>
    %57 = stablehlo.add %56, %arg12 : tensor<4x4xf32>
    %58 = stablehlo.multiply %51#20, %51#20 : tensor<4x4xf32>
    %59 = stablehlo.add %58, %arg13 : tensor<4x4xf32>
    %60 = stablehlo.multiply %51#22, %51#22 : tensor<4xf32>
    %61 = stablehlo.add %60, %arg14 : tensor<4xf32>
    %62 = stablehlo.multiply %51#21, %51#21 : tensor<3x4xf32>
    %63 = stablehlo.add %62, %arg15 : tensor<3x4xf32>
    %64 = stablehlo.multiply %51#16, %51#16 : tensor<4xf32>
    %65 = stablehlo.add %64, %arg16 : tensor<4xf32>
    %66 = stablehlo.multiply %51#15, %51#15 : tensor<3x4xf32>
    %67 = stablehlo.add %66, %arg17 : tensor<3x4xf32>
    %68 = stablehlo.multiply %51#19, %51#19 : tensor<4xf32>
    %69 = stablehlo.add %68, %arg18 : tensor<4xf32>
    %70 = stablehlo.multiply %51#18, %51#18 : tensor<3x4xf32>
    %71 = stablehlo.add %70, %arg19 : tensor<3x4xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %73 = stablehlo.compare GT, %53, %72, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_32 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %75 = stablehlo.add %53, %74 : tensor<4xf32>
    %76 = stablehlo.rsqrt %75 : tensor<4xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = call @_where(%73, %76, %cst_33) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %79 = stablehlo.compare GT, %55, %78, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
    %cst_35 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %81 = stablehlo.add %55, %80 : tensor<4x4xf32>
    %82 = stablehlo.rsqrt %81 : tensor<4x4xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = call @_where_2(%79, %82, %cst_36) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %85 = stablehlo.compare GT, %57, %84, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
    %cst_38 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %87 = stablehlo.add %57, %86 : tensor<4x4xf32>
    %88 = stablehlo.rsqrt %87 : tensor<4x4xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = call @_where_2(%85, %88, %cst_39) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %91 = stablehlo.compare GT, %59, %90, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
    %cst_41 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %93 = stablehlo.add %59, %92 : tensor<4x4xf32>
    %94 = stablehlo.rsqrt %93 : tensor<4x4xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = call @_where_2(%91, %94, %cst_42) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %97 = stablehlo.compare GT, %61, %96, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_44 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %99 = stablehlo.add %61, %98 : tensor<4xf32>
    %100 = stablehlo.rsqrt %99 : tensor<4xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = call @_where(%97, %100, %cst_45) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %103 = stablehlo.compare GT, %63, %102, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_47 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %105 = stablehlo.add %63, %104 : tensor<3x4xf32>
    %106 = stablehlo.rsqrt %105 : tensor<3x4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = call @_where_3(%103, %106, %cst_48) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %109 = stablehlo.compare GT, %65, %108, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_50 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %111 = stablehlo.add %65, %110 : tensor<4xf32>
    %112 = stablehlo.rsqrt %111 : tensor<4xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = call @_where(%109, %112, %cst_51) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %115 = stablehlo.compare GT, %67, %114, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_53 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %117 = stablehlo.add %67, %116 : tensor<3x4xf32>
    %118 = stablehlo.rsqrt %117 : tensor<3x4xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = call @_where_3(%115, %118, %cst_54) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %121 = stablehlo.compare GT, %69, %120, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_56 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %123 = stablehlo.add %69, %122 : tensor<4xf32>
    %124 = stablehlo.rsqrt %123 : tensor<4xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = call @_where(%121, %124, %cst_57) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %127 = stablehlo.compare GT, %71, %126, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_59 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %129 = stablehlo.add %71, %128 : tensor<3x4xf32>
    %130 = stablehlo.rsqrt %129 : tensor<3x4xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = call @_where_3(%127, %130, %cst_60) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %132 = stablehlo.multiply %77, %51#24 : tensor<4xf32>
    %133 = stablehlo.multiply %83, %51#23 : tensor<4x4xf32>
    %134 = stablehlo.multiply %89, %51#17 : tensor<4x4xf32>
    %135 = stablehlo.multiply %95, %51#20 : tensor<4x4xf32>
    %136 = stablehlo.multiply %101, %51#22 : tensor<4xf32>
    %137 = stablehlo.multiply %107, %51#21 : tensor<3x4xf32>
    %138 = stablehlo.multiply %113, %51#16 : tensor<4xf32>
    %139 = stablehlo.multiply %119, %51#15 : tensor<3x4xf32>
    %140 = stablehlo.multiply %125, %51#19 : tensor<4xf32>
    %141 = stablehlo.multiply %131, %51#18 : tensor<3x4xf32>
    %cst_61 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %143 = stablehlo.multiply %142, %132 : tensor<4xf32>
    %cst_62 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %145 = stablehlo.multiply %144, %133 : tensor<4x4xf32>
    %cst_63 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %147 = stablehlo.multiply %146, %134 : tensor<4x4xf32>
    %cst_64 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %149 = stablehlo.multiply %148, %135 : tensor<4x4xf32>
    %cst_65 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %151 = stablehlo.multiply %150, %136 : tensor<4xf32>
    %cst_66 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %153 = stablehlo.multiply %152, %137 : tensor<3x4xf32>
    %cst_67 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %155 = stablehlo.multiply %154, %138 : tensor<4xf32>
    %cst_68 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %157 = stablehlo.multiply %156, %139 : tensor<3x4xf32>
    %cst_69 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %159 = stablehlo.multiply %158, %140 : tensor<4xf32>
    %cst_70 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %161 = stablehlo.multiply %160, %141 : tensor<3x4xf32>
    %162 = stablehlo.add %arg0, %143 : tensor<4xf32>
    %163 = stablehlo.add %arg1, %145 : tensor<4x4xf32>
    %164 = stablehlo.add %arg2, %147 : tensor<4x4xf32>
    %165 = stablehlo.add %arg3, %149 : tensor<4x4xf32>
    %166 = stablehlo.add %arg4, %151 : tensor<4xf32>
    %167 = stablehlo.add %arg5, %153 : tensor<3x4xf32>
    %168 = stablehlo.add %arg6, %155 : tensor<4xf32>
    %169 = stablehlo.add %arg7, %157 : tensor<3x4xf32>
    %170 = stablehlo.add %arg8, %159 : tensor<4xf32>
    %171 = stablehlo.add %arg9, %161 : tensor<3x4xf32>
    return %34, %162, %163, %164, %165, %166, %167, %168, %169, %170, %171, %53, %55, %57, %59, %61, %63, %65, %67, %69, %71 : tensor<f32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<3x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 3] : (tensor<5x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x4xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<3x4xf32>, %arg4: tensor<1x4xf32>, %arg5: tensor<3x4xf32>, %arg6: tensor<1x4xf32>, %arg7: tensor<4x4xf32>, %arg8: tensor<4x4xf32>, %arg9: tensor<1x4xf32>, %arg10: tensor<2x4xf32>, %arg11: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg11, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4xf32>
    %3 = stablehlo.dot_general %arg10, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x4xf32>
    %5 = stablehlo.negate %4 : tensor<2x4xf32>
    %6 = stablehlo.exponential %5 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.add %7, %6 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %10 = stablehlo.divide %9, %8 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<2x4xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<2x4xf32>
    %14 = stablehlo.dot_general %arg11, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %15 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %16 = stablehlo.add %14, %15 : tensor<2x4xf32>
    %17 = stablehlo.dot_general %arg10, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %18 = stablehlo.add %16, %17 : tensor<2x4xf32>
    %19 = stablehlo.negate %18 : tensor<2x4xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %22 = stablehlo.add %21, %20 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %24 = stablehlo.divide %23, %22 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<2x4xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<2x4xf32>
    %28 = stablehlo.dot_general %arg11, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %29 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %30 = stablehlo.add %28, %29 : tensor<2x4xf32>
    %31 = stablehlo.dot_general %arg10, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %32 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %33 = stablehlo.add %31, %32 : tensor<2x4xf32>
    %34 = stablehlo.multiply %10, %33 : tensor<2x4xf32>
    %35 = stablehlo.add %30, %34 : tensor<2x4xf32>
    %36 = stablehlo.tanh %35 : tensor<2x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %40 = stablehlo.subtract %39, %24 : tensor<2x4xf32>
    %41 = stablehlo.multiply %40, %36 : tensor<2x4xf32>
    %42 = stablehlo.multiply %24, %arg10 : tensor<2x4xf32>
    %43 = stablehlo.add %41, %42 : tensor<2x4xf32>
    return %43, %43, %arg10, %13, %27, %33, %10, %36, %38, %40, %24 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<5x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x4xf32>
    return %1 : tensor<5x2x4xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<5x2x4xf32>, %arg1: tensor<i32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 4] : (tensor<5x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<3x4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4x4xf32>, %arg6: tensor<3x4xf32>, %arg7: tensor<4xf32>, %arg8: tensor<4x4xf32>, %arg9: tensor<3x4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<2x4xf32>, %arg14: tensor<2x4xf32>, %arg15: tensor<2x3xf32>, %arg16: tensor<2x4xf32>, %arg17: tensor<2x4xf32>, %arg18: tensor<2x4xf32>, %arg19: tensor<2x4xf32>, %arg20: tensor<2x4xf32>, %arg21: tensor<2x4xf32>, %arg22: tensor<2x4xf32>, %arg23: tensor<2x4xf32>, %arg24: tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.add %arg13, %arg14 : tensor<2x4xf32>
    %1 = stablehlo.multiply %arg24, %0 : tensor<2x4xf32>
    %2 = stablehlo.multiply %0, %arg16 : tensor<2x4xf32>
    %3 = stablehlo.multiply %arg23, %0 : tensor<2x4xf32>
    %4 = stablehlo.multiply %0, %arg21 : tensor<2x4xf32>
    %5 = stablehlo.negate %4 : tensor<2x4xf32>
    %6 = stablehlo.add %2, %5 : tensor<2x4xf32>
    %7 = stablehlo.multiply %3, %arg22 : tensor<2x4xf32>
    %8 = stablehlo.multiply %7, %arg21 : tensor<2x4xf32>
    %9 = stablehlo.add %7, %8 : tensor<2x4xf32>
    %10 = stablehlo.multiply %arg20, %9 : tensor<2x4xf32>
    %11 = stablehlo.multiply %9, %arg19 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.reshape %12 : (tensor<4xf32>) -> tensor<1x4xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x4xf32>) -> tensor<4xf32>
    %15 = stablehlo.add %arg12, %14 : tensor<4xf32>
    %16 = stablehlo.dot_general %10, %arg16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %18 = stablehlo.add %arg11, %17 : tensor<4x4xf32>
    %19 = stablehlo.dot_general %10, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %20 = stablehlo.add %1, %19 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.reshape %21 : (tensor<4xf32>) -> tensor<1x4xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x4xf32>) -> tensor<4xf32>
    %24 = stablehlo.add %arg10, %23 : tensor<4xf32>
    %25 = stablehlo.dot_general %9, %arg15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %27 = stablehlo.add %arg9, %26 : tensor<3x4xf32>
    %28 = stablehlo.multiply %6, %arg18 : tensor<2x4xf32>
    %29 = stablehlo.dot_general %28, %arg16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %31 = stablehlo.add %arg8, %30 : tensor<4x4xf32>
    %32 = stablehlo.dot_general %28, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %33 = stablehlo.add %20, %32 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%28 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %35 = stablehlo.reshape %34 : (tensor<4xf32>) -> tensor<1x4xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x4xf32>) -> tensor<4xf32>
    %37 = stablehlo.add %arg7, %36 : tensor<4xf32>
    %38 = stablehlo.dot_general %28, %arg15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %40 = stablehlo.add %arg6, %39 : tensor<3x4xf32>
    %41 = stablehlo.multiply %11, %arg17 : tensor<2x4xf32>
    %42 = stablehlo.dot_general %41, %arg16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %44 = stablehlo.add %arg5, %43 : tensor<4x4xf32>
    %45 = stablehlo.dot_general %41, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %46 = stablehlo.add %33, %45 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%41 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %48 = stablehlo.reshape %47 : (tensor<4xf32>) -> tensor<1x4xf32>
    %49 = stablehlo.reshape %48 : (tensor<1x4xf32>) -> tensor<4xf32>
    %50 = stablehlo.add %arg4, %49 : tensor<4xf32>
    %51 = stablehlo.dot_general %41, %arg15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %53 = stablehlo.add %arg3, %52 : tensor<3x4xf32>
    return %53, %50, %44, %40, %37, %31, %27, %24, %18, %15, %46 : tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<f32>) -> tensor<4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4xi1>, tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x4xi1>, %arg1: tensor<4x4xf32>, %arg2: tensor<f32>) -> tensor<4x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4x4xi1>, tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
  func.func private @_where_3(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf32>, %arg2: tensor<f32>) -> tensor<3x4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<3x4xi1>, tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
