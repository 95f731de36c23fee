module @jit_lstm_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4x4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4x4xf32>, %arg8: tensor<3x4xf32>, %arg9: tensor<3x4xf32>, %arg10: tensor<3x4xf32>, %arg11: tensor<3x4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4x4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<4x4xf32>, %arg16: tensor<4xf32>, %arg17: tensor<4x4xf32>, %arg18: tensor<4xf32>, %arg19: tensor<4x4xf32>, %arg20: tensor<3x4xf32>, %arg21: tensor<3x4xf32>, %arg22: tensor<3x4xf32>, %arg23: tensor<3x4xf32>, %arg24: tensor<2x5x3xf32>, %arg25: tensor<2x5x4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['hf']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['hf']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['hg']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['hg']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['hi']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['hi']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['cell']['ho']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['cell']['ho']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['if']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['ig']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['ii']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[1]['params']['cell']['io']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['hf']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['hf']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['hg']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['hg']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['hi']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['hi']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['ho']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['ho']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['if']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['ig']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['ii']['kernel']"}, tensor<3x4xf32> {jax.result_info = "result[2][0].nu['params']['cell']['io']['kernel']"}) {
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
    %7 = call @_threefry_split(%6) : (tensor<2xui32>) -> tensor<2x2xui32>
    %8 = stablehlo.slice %7 [0:1, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %9 = stablehlo.reshape %8 : (tensor<1x2xui32>) -> tensor<2xui32>
    %10 = stablehlo.slice %7 [1:2, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %11 = stablehlo.reshape %10 : (tensor<1x2xui32>) -> tensor<2xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %14 = stablehlo.transpose %arg24, dims = [1, 0, 2] : (tensor<2x5x3xf32>) -> tensor<5x2x3xf32>
    %15 = stablehlo.concatenate %arg5, %arg1, %arg3, %arg7, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x16xf32>
    %16 = stablehlo.concatenate %arg4, %arg0, %arg2, %arg6, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
    %17 = stablehlo.reshape %16 : (tensor<16xf32>) -> tensor<1x16xf32>
    %18 = stablehlo.concatenate %arg10, %arg8, %arg9, %arg11, dim = 1 : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x16xf32>
    %19 = stablehlo.concatenate %arg5, %arg1, %arg3, %arg7, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x16xf32>
    %20 = stablehlo.concatenate %arg4, %arg0, %arg2, %arg6, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
    %21 = stablehlo.reshape %20 : (tensor<16xf32>) -> tensor<1x16xf32>
    %22 = stablehlo.concatenate %arg10, %arg8, %arg9, %arg11, dim = 1 : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %36:20 = stablehlo.while(%iterArg = %14, %iterArg_87 = %19, %iterArg_88 = %21, %iterArg_89 = %22, %iterArg_90 = %c_16, %iterArg_91 = %12, %iterArg_92 = %13, %iterArg_93 = %23, %iterArg_94 = %24, %iterArg_95 = %25, %iterArg_96 = %26, %iterArg_97 = %27, %iterArg_98 = %28, %iterArg_99 = %29, %iterArg_100 = %30, %iterArg_101 = %31, %iterArg_102 = %32, %iterArg_103 = %33, %iterArg_104 = %34, %iterArg_105 = %35) : tensor<5x2x3xf32>, tensor<4x16xf32>, tensor<1x16xf32>, tensor<3x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_106 = stablehlo.constant dense<5> : tensor<i32>
      %221 = stablehlo.compare LT, %iterArg_90, %c_106, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %221 : tensor<i1>
    } do {
      %221 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_90) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %222:15 = func.call @closed_call_0(%iterArg_87, %iterArg_88, %iterArg_89, %iterArg_91, %iterArg_92, %221) : (tensor<4x16xf32>, tensor<1x16xf32>, tensor<3x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %223 = func.call @dynamic_update_index_in_dim(%iterArg_93, %222#2, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %224 = func.call @dynamic_update_index_in_dim(%iterArg_94, %222#3, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %225 = func.call @dynamic_update_index_in_dim(%iterArg_95, %222#4, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %226 = func.call @dynamic_update_index_in_dim(%iterArg_96, %222#5, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %227 = func.call @dynamic_update_index_in_dim(%iterArg_97, %222#6, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %228 = func.call @dynamic_update_index_in_dim(%iterArg_98, %222#7, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %229 = func.call @dynamic_update_index_in_dim(%iterArg_99, %222#8, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %230 = func.call @dynamic_update_index_in_dim(%iterArg_100, %222#9, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %231 = func.call @dynamic_update_index_in_dim(%iterArg_101, %222#10, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %232 = func.call @dynamic_update_index_in_dim(%iterArg_102, %222#11, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %233 = func.call @dynamic_update_index_in_dim(%iterArg_103, %222#12, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %234 = func.call @dynamic_update_index_in_dim(%iterArg_104, %222#13, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %235 = func.call @dynamic_update_index_in_dim(%iterArg_105, %222#14, %iterArg_90) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_106 = stablehlo.constant dense<1> : tensor<i32>
      %236 = stablehlo.add %iterArg_90, %c_106 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %236, %222#0, %222#1, %223, %224, %225, %226, %227, %228, %229, %230, %231, %232, %233, %234, %235 : tensor<5x2x3xf32>, tensor<4x16xf32>, tensor<1x16xf32>, tensor<3x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>
    }
    %37 = stablehlo.transpose %36#7, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %38 = stablehlo.subtract %37, %arg25 : tensor<2x5x4xf32>
    %39 = chlo.square %38 : tensor<2x5x4xf32> -> tensor<2x5x4xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %41 = stablehlo.multiply %40, %38 : tensor<2x5x4xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%39 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %43 = stablehlo.divide %42, %cst_19 : tensor<f32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_23 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %46 = stablehlo.divide %cst_22, %cst_23 : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %48 = stablehlo.multiply %47, %41 : tensor<2x5x4xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %64:30 = stablehlo.while(%iterArg = %49, %iterArg_87 = %36#8, %iterArg_88 = %14, %iterArg_89 = %36#9, %iterArg_90 = %36#10, %iterArg_91 = %36#11, %iterArg_92 = %36#12, %iterArg_93 = %36#13, %iterArg_94 = %36#14, %iterArg_95 = %36#15, %iterArg_96 = %36#16, %iterArg_97 = %36#17, %iterArg_98 = %36#18, %iterArg_99 = %36#19, %iterArg_100 = %19, %iterArg_101 = %c_38, %iterArg_102 = %52, %iterArg_103 = %53, %iterArg_104 = %54, %iterArg_105 = %55, %iterArg_106 = %56, %iterArg_107 = %57, %iterArg_108 = %58, %iterArg_109 = %59, %iterArg_110 = %60, %iterArg_111 = %61, %iterArg_112 = %62, %iterArg_113 = %63, %iterArg_114 = %50, %iterArg_115 = %51) : tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x16xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
    cond {
      %c_116 = stablehlo.constant dense<5> : tensor<i32>
      %221 = stablehlo.compare LT, %iterArg_101, %c_116, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %221 : tensor<i1>
    } do {
      %c_116 = stablehlo.constant dense<5> : tensor<i32>
      %221 = stablehlo.subtract %c_116, %iterArg_101 : tensor<i32>
      %c_117 = stablehlo.constant dense<1> : tensor<i32>
      %222 = stablehlo.subtract %221, %c_117 : tensor<i32>
      %223 = func.call @dynamic_index_in_dim_1(%iterArg, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %224 = func.call @dynamic_index_in_dim_1(%iterArg_87, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %225 = func.call @dynamic_index_in_dim(%iterArg_88, %222) : (tensor<5x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %226 = func.call @dynamic_index_in_dim_1(%iterArg_89, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %227 = func.call @dynamic_index_in_dim_1(%iterArg_90, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %228 = func.call @dynamic_index_in_dim_1(%iterArg_91, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %229 = func.call @dynamic_index_in_dim_1(%iterArg_92, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %230 = func.call @dynamic_index_in_dim_1(%iterArg_93, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %231 = func.call @dynamic_index_in_dim_1(%iterArg_94, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %232 = func.call @dynamic_index_in_dim_1(%iterArg_95, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %233 = func.call @dynamic_index_in_dim_1(%iterArg_96, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %234 = func.call @dynamic_index_in_dim_1(%iterArg_97, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %235 = func.call @dynamic_index_in_dim_1(%iterArg_98, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %236 = func.call @dynamic_index_in_dim_1(%iterArg_99, %222) : (tensor<5x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %237:14 = func.call @closed_call_2(%iterArg_100, %iterArg_102, %iterArg_103, %iterArg_104, %iterArg_105, %iterArg_106, %iterArg_107, %iterArg_108, %iterArg_109, %iterArg_110, %iterArg_111, %iterArg_112, %iterArg_113, %iterArg_114, %iterArg_115, %223, %224, %225, %226, %227, %228, %229, %230, %231, %232, %233, %234, %235, %236) : (tensor<4x16xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %c_118 = stablehlo.constant dense<1> : tensor<i32>
      %238 = stablehlo.add %iterArg_101, %c_118 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %iterArg_95, %iterArg_96, %iterArg_97, %iterArg_98, %iterArg_99, %iterArg_100, %238, %237#0, %237#1, %237#2, %237#3, %237#4, %237#5, %237#6, %237#7, %237#8, %237#9, %237#10, %237#11, %237#12, %237#13 : tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x3xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<4x16xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
    }
    %65 = stablehlo.multiply %64#21, %64#21 : tensor<4xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<4xf32>
    %cst_40 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %69 = stablehlo.multiply %68, %arg12 : tensor<4xf32>
    %70 = stablehlo.add %67, %69 : tensor<4xf32>
    %71 = stablehlo.multiply %64#17, %64#17 : tensor<4x4xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<4x4xf32>
    %cst_42 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %75 = stablehlo.multiply %74, %arg13 : tensor<4x4xf32>
    %76 = stablehlo.add %73, %75 : tensor<4x4xf32>
    %77 = stablehlo.multiply %64#22, %64#22 : tensor<4xf32>
    %cst_43 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<4xf32>
    %cst_44 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %81 = stablehlo.multiply %80, %arg14 : tensor<4xf32>
    %82 = stablehlo.add %79, %81 : tensor<4xf32>
    %83 = stablehlo.multiply %64#18, %64#18 : tensor<4x4xf32>
    %cst_45 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<4x4xf32>
    %cst_46 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %87 = stablehlo.multiply %86, %arg15 : tensor<4x4xf32>
    %88 = stablehlo.add %85, %87 : tensor<4x4xf32>
    %89 = stablehlo.multiply %64#20, %64#20 : tensor<4xf32>
    %cst_47 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %91 = stablehlo.multiply %90, %89 : tensor<4xf32>
    %cst_48 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %93 = stablehlo.multiply %92, %arg16 : tensor<4xf32>
    %94 = stablehlo.add %91, %93 : tensor<4xf32>
    %95 = stablehlo.multiply %64#16, %64#16 : tensor<4x4xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<4x4xf32>
    %cst_50 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %99 = stablehlo.multiply %98, %arg17 : tensor<4x4xf32>
    %100 = stablehlo.add %97, %99 : tensor<4x4xf32>
    %101 = stablehlo.multiply %64#23, %64#23 : tensor<4xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<4xf32>
    %cst_52 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %105 = stablehlo.multiply %104, %arg18 : tensor<4xf32>
    %106 = stablehlo.add %103, %105 : tensor<4xf32>
    %107 = stablehlo.multiply %64#19, %64#19 : tensor<4x4xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %109 = stablehlo.multiply %108, %107 : tensor<4x4xf32>
    %cst_54 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %111 = stablehlo.multiply %110, %arg19 : tensor<4x4xf32>
    %112 = stablehlo.add %109, %111 : tensor<4x4xf32>
    %113 = stablehlo.multiply %64#25, %64#25 : tensor<3x4xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %115 = stablehlo.multiply %114, %113 : tensor<3x4xf32>
    %cst_56 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %117 = stablehlo.multiply %116, %arg20 : tensor<3x4xf32>
    %118 = stablehlo.add %115, %117 : tensor<3x4xf32>
    %119 = stablehlo.multiply %64#26, %64#26 : tensor<3x4xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %121 = stablehlo.multiply %120, %119 : tensor<3x4xf32>
    %cst_58 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %123 = stablehlo.multiply %122, %arg21 : tensor<3x4xf32>
    %124 = stablehlo.add %121, %123 : tensor<3x4xf32>
    %125 = stablehlo.multiply %64#24, %64#24 : tensor<3x4xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %127 = stablehlo.multiply %126, %125 : tensor<3x4xf32>
    %cst_60 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %129 = stablehlo.multiply %128, %arg22 : tensor<3x4xf32>
    %130 = stablehlo.add %127, %129 : tensor<3x4xf32>
    %131 = stablehlo.multiply %64#27, %64#27 : tensor<3x4xf32>
    %cst_61 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %133 = stablehlo.multiply %132, %131 : tensor<3x4xf32>
    %cst_62 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %135 = stablehlo.multiply %134, %arg23 : tensor<3x4xf32>
    %136 = stablehlo.add %133, %135 : tensor<3x4xf32>
    %cst_63 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %138 = stablehlo.add %70, %137 : tensor<4xf32>
    %139 = stablehlo.rsqrt %138 : tensor<4xf32>
    %cst_64 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %141 = stablehlo.add %76, %140 : tensor<4x4xf32>
    %142 = stablehlo.rsqrt %141 : tensor<4x4xf32>
    %cst_65 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %144 = stablehlo.add %82, %143 : tensor<4xf32>
    %145 = stablehlo.rsqrt %144 : tensor<4xf32>
    %cst_66 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %147 = stablehlo.add %88, %146 : tensor<4x4xf32>
    %148 = stablehlo.rsqrt %147 : tensor<4x4xf32>
    %cst_67 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %150 = stablehlo.add %94, %149 : tensor<4xf32>
    %151 = stablehlo.rsqrt %150 : tensor<4xf32>
    %cst_68 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %153 = stablehlo.add %100, %152 : tensor<4x4xf32>
    %154 = stablehlo.rsqrt %153 : tensor<4x4xf32>
    %cst_69 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %156 = stablehlo.add %106, %155 : tensor<4xf32>
    %157 = stablehlo.rsqrt %156 : tensor<4xf32>
    %cst_70 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %159 = stablehlo.add %112, %158 : tensor<4x4xf32>
    %160 = stablehlo.rsqrt %159 : tensor<4x4xf32>
    %cst_71 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %162 = stablehlo.add %118, %161 : tensor<3x4xf32>
    %163 = stablehlo.rsqrt %162 : tensor<3x4xf32>
    %cst_72 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %165 = stablehlo.add %124, %164 : tensor<3x4xf32>
    %166 = stablehlo.rsqrt %165 : tensor<3x4xf32>
    %cst_73 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %168 = stablehlo.add %130, %167 : tensor<3x4xf32>
    %169 = stablehlo.rsqrt %168 : tensor<3x4xf32>
    %cst_74 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %171 = stablehlo.add %136, %170 : tensor<3x4xf32>
    %172 = stablehlo.rsqrt %171 : tensor<3x4xf32>
    %173 = stablehlo.multiply %139, %64#21 : tensor<4xf32>
    %174 = stablehlo.multiply %142, %64#17 : tensor<4x4xf32>
    %175 = stablehlo.multiply %145, %64#22 : tensor<4xf32>
    %176 = stablehlo.multiply %148, %64#18 : tensor<4x4xf32>
    %177 = stablehlo.multiply %151, %64#20 : tensor<4xf32>
    %178 = stablehlo.multiply %154, %64#16 : tensor<4x4xf32>
    %179 = stablehlo.multiply %157, %64#23 : tensor<4xf32>
    %180 = stablehlo.multiply %160, %64#19 : tensor<4x4xf32>
    %181 = stablehlo.multiply %163, %64#25 : tensor<3x4xf32>
    %182 = stablehlo.multiply %166, %64#26 : tensor<3x4xf32>
    %183 = stablehlo.multiply %169, %64#24 : tensor<3x4xf32>
    %184 = stablehlo.multiply %172, %64#27 : tensor<3x4xf32>
    %cst_75 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %186 = stablehlo.multiply %185, %173 : tensor<4xf32>
    %cst_76 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %188 = stablehlo.multiply %187, %174 : tensor<4x4xf32>
    %cst_77 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %190 = stablehlo.multiply %189, %175 : tensor<4xf32>
    %cst_78 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %192 = stablehlo.multiply %191, %176 : tensor<4x4xf32>
    %cst_79 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %194 = stablehlo.multiply %193, %177 : tensor<4xf32>
    %cst_80 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %196 = stablehlo.multiply %195, %178 : tensor<4x4xf32>
    %cst_81 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %198 = stablehlo.multiply %197, %179 : tensor<4xf32>
    %cst_82 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %200 = stablehlo.multiply %199, %180 : tensor<4x4xf32>
    %cst_83 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %202 = stablehlo.multiply %201, %181 : tensor<3x4xf32>
    %cst_84 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %204 = stablehlo.multiply %203, %182 : tensor<3x4xf32>
    %cst_85 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %206 = stablehlo.multiply %205, %183 : tensor<3x4xf32>
    %cst_86 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %208 = stablehlo.multiply %207, %184 : tensor<3x4xf32>
    %209 = stablehlo.add %arg0, %186 : tensor<4xf32>
    %210 = stablehlo.add %arg1, %188 : tensor<4x4xf32>
    %211 = stablehlo.add %arg2, %190 : tensor<4xf32>
    %212 = stablehlo.add %arg3, %192 : tensor<4x4xf32>
    %213 = stablehlo.add %arg4, %194 : tensor<4xf32>
    %214 = stablehlo.add %arg5, %196 : tensor<4x4xf32>
    %215 = stablehlo.add %arg6, %198 : tensor<4xf32>
    %216 = stablehlo.add %arg7, %200 : tensor<4x4xf32>
    %217 = stablehlo.add %arg8, %202 : tensor<3x4xf32>
    %218 = stablehlo.add %arg9, %204 : tensor<3x4xf32>
    %219 = stablehlo.add %arg10, %206 : tensor<3x4xf32>
    %220 = stablehlo.add %arg11, %208 : tensor<3x4xf32>
    return %43, %209, %210, %211, %212, %213, %214, %215, %216, %217, %218, %219, %220, %70, %76, %82, %88, %94, %100, %106, %112, %118, %124, %130, %136 : tensor<f32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.iota dim = 0 : tensor<2xui64>
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2xui64>
    %6 = stablehlo.multiply %5, %4 : tensor<2xui64>
    %c_0 = stablehlo.constant dense<32> : tensor<ui64>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2xui64>
    %8 = stablehlo.shift_right_logical %6, %7 : tensor<2xui64>
    %9 = stablehlo.convert %6 : (tensor<2xui64>) -> tensor<2xui32>
    %10 = stablehlo.convert %8 : (tensor<2xui64>) -> tensor<2xui32>
    %11:2 = call @threefry2x32(%1, %3, %10, %9) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %12 = stablehlo.broadcast_in_dim %11#0, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
    %13 = stablehlo.broadcast_in_dim %11#1, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    return %14 : tensor<2x2xui32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<2xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<2xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<2xui32>, tensor<2xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2xui32>, %arg2: tensor<2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<2xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<2xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2xui32>
    %9 = stablehlo.or %5, %8 : tensor<2xui32>
    %10 = stablehlo.xor %3, %9 : tensor<2xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<2xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<2xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<2xui32>
    %19 = stablehlo.or %15, %18 : tensor<2xui32>
    %20 = stablehlo.xor %13, %19 : tensor<2xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<2xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<2xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<2xui32>
    %29 = stablehlo.or %25, %28 : tensor<2xui32>
    %30 = stablehlo.xor %23, %29 : tensor<2xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<2xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<2xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<2xui32>
    %39 = stablehlo.or %35, %38 : tensor<2xui32>
    %40 = stablehlo.xor %33, %39 : tensor<2xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %42 = stablehlo.add %33, %41 : tensor<2xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %44 = stablehlo.add %40, %43 : tensor<2xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %48 = stablehlo.add %44, %47 : tensor<2xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 3] : (tensor<5x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<4x16xf32>, %arg1: tensor<1x16xf32>, %arg2: tensor<3x16xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<2x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x16xf32>
    %3 = stablehlo.slice %2 [0:2, 0:4] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.slice %2 [0:2, 4:8] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.slice %2 [0:2, 8:12] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.slice %2 [0:2, 12:16] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x16xf32>) -> tensor<2x16xf32>
    %8 = stablehlo.slice %7 [0:2, 0:4] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %9 = stablehlo.slice %7 [0:2, 4:8] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %10 = stablehlo.slice %7 [0:2, 8:12] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %11 = stablehlo.slice %7 [0:2, 12:16] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %12 = stablehlo.add %3, %8 : tensor<2x4xf32>
    %13 = stablehlo.negate %12 : tensor<2x4xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.add %15, %14 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %18 = stablehlo.divide %17, %16 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %20 = stablehlo.subtract %19, %18 : tensor<2x4xf32>
    %21 = stablehlo.multiply %18, %20 : tensor<2x4xf32>
    %22 = stablehlo.add %4, %9 : tensor<2x4xf32>
    %23 = stablehlo.negate %22 : tensor<2x4xf32>
    %24 = stablehlo.exponential %23 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %26 = stablehlo.add %25, %24 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %28 = stablehlo.divide %27, %26 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<2x4xf32>
    %31 = stablehlo.multiply %28, %30 : tensor<2x4xf32>
    %32 = stablehlo.add %5, %10 : tensor<2x4xf32>
    %33 = stablehlo.tanh %32 : tensor<2x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %35 = stablehlo.subtract %34, %33 : tensor<2x4xf32>
    %36 = stablehlo.add %6, %11 : tensor<2x4xf32>
    %37 = stablehlo.negate %36 : tensor<2x4xf32>
    %38 = stablehlo.exponential %37 : tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %40 = stablehlo.add %39, %38 : tensor<2x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %42 = stablehlo.divide %41, %40 : tensor<2x4xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %44 = stablehlo.subtract %43, %42 : tensor<2x4xf32>
    %45 = stablehlo.multiply %42, %44 : tensor<2x4xf32>
    %46 = stablehlo.multiply %28, %arg3 : tensor<2x4xf32>
    %47 = stablehlo.multiply %18, %33 : tensor<2x4xf32>
    %48 = stablehlo.add %46, %47 : tensor<2x4xf32>
    %49 = stablehlo.tanh %48 : tensor<2x4xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %51 = stablehlo.subtract %50, %49 : tensor<2x4xf32>
    %52 = stablehlo.multiply %42, %49 : tensor<2x4xf32>
    return %48, %52, %52, %arg4, %21, %31, %33, %35, %45, %arg3, %28, %18, %49, %51, %42 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<5x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x4xf32>
    return %1 : tensor<5x2x4xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<5x2x4xf32>, %arg1: tensor<i32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 4] : (tensor<5x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<4x16xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4x4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<3x4xf32>, %arg10: tensor<3x4xf32>, %arg11: tensor<3x4xf32>, %arg12: tensor<3x4xf32>, %arg13: tensor<2x4xf32>, %arg14: tensor<2x4xf32>, %arg15: tensor<2x4xf32>, %arg16: tensor<2x4xf32>, %arg17: tensor<2x3xf32>, %arg18: tensor<2x4xf32>, %arg19: tensor<2x4xf32>, %arg20: tensor<2x4xf32>, %arg21: tensor<2x4xf32>, %arg22: tensor<2x4xf32>, %arg23: tensor<2x4xf32>, %arg24: tensor<2x4xf32>, %arg25: tensor<2x4xf32>, %arg26: tensor<2x4xf32>, %arg27: tensor<2x4xf32>, %arg28: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.add %arg14, %arg15 : tensor<2x4xf32>
    %1 = stablehlo.multiply %arg28, %0 : tensor<2x4xf32>
    %2 = stablehlo.multiply %0, %arg26 : tensor<2x4xf32>
    %3 = stablehlo.multiply %1, %arg27 : tensor<2x4xf32>
    %4 = stablehlo.add %arg13, %3 : tensor<2x4xf32>
    %5 = stablehlo.multiply %3, %arg26 : tensor<2x4xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x4xf32>
    %7 = stablehlo.multiply %arg25, %6 : tensor<2x4xf32>
    %8 = stablehlo.multiply %6, %arg20 : tensor<2x4xf32>
    %9 = stablehlo.multiply %arg24, %6 : tensor<2x4xf32>
    %10 = stablehlo.multiply %6, %arg23 : tensor<2x4xf32>
    %11 = stablehlo.multiply %2, %arg22 : tensor<2x4xf32>
    %12 = stablehlo.multiply %7, %arg21 : tensor<2x4xf32>
    %13 = stablehlo.multiply %12, %arg20 : tensor<2x4xf32>
    %14 = stablehlo.add %12, %13 : tensor<2x4xf32>
    %15 = stablehlo.multiply %10, %arg19 : tensor<2x4xf32>
    %16 = stablehlo.multiply %8, %arg18 : tensor<2x4xf32>
    %17 = stablehlo.concatenate %16, %15, %14, %11, dim = 1 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x16xf32>
    %18 = stablehlo.dot_general %17, %arg17, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<2x3xf32>) -> tensor<16x3xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<16x3xf32>) -> tensor<3x16xf32>
    %20 = stablehlo.slice %19 [0:3, 0:4] : (tensor<3x16xf32>) -> tensor<3x4xf32>
    %21 = stablehlo.slice %19 [0:3, 4:8] : (tensor<3x16xf32>) -> tensor<3x4xf32>
    %22 = stablehlo.slice %19 [0:3, 8:12] : (tensor<3x16xf32>) -> tensor<3x4xf32>
    %23 = stablehlo.slice %19 [0:3, 12:16] : (tensor<3x16xf32>) -> tensor<3x4xf32>
    %24 = stablehlo.add %arg9, %20 : tensor<3x4xf32>
    %25 = stablehlo.add %arg10, %21 : tensor<3x4xf32>
    %26 = stablehlo.add %arg11, %22 : tensor<3x4xf32>
    %27 = stablehlo.add %arg12, %23 : tensor<3x4xf32>
    %28 = stablehlo.concatenate %16, %15, %14, %11, dim = 1 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x16xf32>, tensor<f32>) -> tensor<16xf32>
    %30 = stablehlo.reshape %29 : (tensor<16xf32>) -> tensor<1x16xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x16xf32>) -> tensor<16xf32>
    %32 = stablehlo.dot_general %28, %arg16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<2x4xf32>) -> tensor<16x4xf32>
    %33 = stablehlo.transpose %32, dims = [1, 0] : (tensor<16x4xf32>) -> tensor<4x16xf32>
    %34 = stablehlo.dot_general %28, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<4x16xf32>) -> tensor<2x4xf32>
    %35 = stablehlo.slice %31 [0:4] : (tensor<16xf32>) -> tensor<4xf32>
    %36 = stablehlo.slice %31 [4:8] : (tensor<16xf32>) -> tensor<4xf32>
    %37 = stablehlo.slice %31 [8:12] : (tensor<16xf32>) -> tensor<4xf32>
    %38 = stablehlo.slice %31 [12:16] : (tensor<16xf32>) -> tensor<4xf32>
    %39 = stablehlo.add %arg5, %35 : tensor<4xf32>
    %40 = stablehlo.add %arg6, %36 : tensor<4xf32>
    %41 = stablehlo.add %arg7, %37 : tensor<4xf32>
    %42 = stablehlo.add %arg8, %38 : tensor<4xf32>
    %43 = stablehlo.slice %33 [0:4, 0:4] : (tensor<4x16xf32>) -> tensor<4x4xf32>
    %44 = stablehlo.slice %33 [0:4, 4:8] : (tensor<4x16xf32>) -> tensor<4x4xf32>
    %45 = stablehlo.slice %33 [0:4, 8:12] : (tensor<4x16xf32>) -> tensor<4x4xf32>
    %46 = stablehlo.slice %33 [0:4, 12:16] : (tensor<4x16xf32>) -> tensor<4x4xf32>
    %47 = stablehlo.add %arg1, %43 : tensor<4x4xf32>
    %48 = stablehlo.add %arg2, %44 : tensor<4x4xf32>
    %49 = stablehlo.add %arg3, %45 : tensor<4x4xf32>
    %50 = stablehlo.add %arg4, %46 : tensor<4x4xf32>
    return %47, %48, %49, %50, %39, %40, %41, %42, %24, %25, %26, %27, %9, %34 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
