module @jit_diffusion_unet_adam attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<3x3x2x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<3x3x4x4xf32>, %arg4: tensor<2xf32>, %arg5: tensor<3x3x4x2xf32>, %arg6: tensor<4xf32>, %arg7: tensor<3x3x8x4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<4xf32>, %arg16: tensor<4x2x2xf32>, %arg17: tensor<2x2x4xf32>, %arg18: tensor<4x2x2xf32>, %arg19: tensor<4x2x2xf32>, %arg20: tensor<i32>, %arg21: tensor<4xf32>, %arg22: tensor<3x3x2x4xf32>, %arg23: tensor<4xf32>, %arg24: tensor<3x3x4x4xf32>, %arg25: tensor<2xf32>, %arg26: tensor<3x3x4x2xf32>, %arg27: tensor<4xf32>, %arg28: tensor<3x3x8x4xf32>, %arg29: tensor<4xf32>, %arg30: tensor<4x4xf32>, %arg31: tensor<4xf32>, %arg32: tensor<4x4xf32>, %arg33: tensor<4xf32>, %arg34: tensor<4xf32>, %arg35: tensor<4xf32>, %arg36: tensor<4xf32>, %arg37: tensor<4x2x2xf32>, %arg38: tensor<2x2x4xf32>, %arg39: tensor<4x2x2xf32>, %arg40: tensor<4x2x2xf32>, %arg41: tensor<4xf32>, %arg42: tensor<3x3x2x4xf32>, %arg43: tensor<4xf32>, %arg44: tensor<3x3x4x4xf32>, %arg45: tensor<2xf32>, %arg46: tensor<3x3x4x2xf32>, %arg47: tensor<4xf32>, %arg48: tensor<3x3x8x4xf32>, %arg49: tensor<4xf32>, %arg50: tensor<4x4xf32>, %arg51: tensor<4xf32>, %arg52: tensor<4x4xf32>, %arg53: tensor<4xf32>, %arg54: tensor<4xf32>, %arg55: tensor<4xf32>, %arg56: tensor<4xf32>, %arg57: tensor<4x2x2xf32>, %arg58: tensor<2x2x4xf32>, %arg59: tensor<4x2x2xf32>, %arg60: tensor<4x2x2xf32>, %arg61: tensor<i32>, %arg62: tensor<4xf32>, %arg63: tensor<3x3x2x4xf32>, %arg64: tensor<4xf32>, %arg65: tensor<3x3x4x4xf32>, %arg66: tensor<2xf32>, %arg67: tensor<3x3x4x2xf32>, %arg68: tensor<4xf32>, %arg69: tensor<3x3x8x4xf32>, %arg70: tensor<4xf32>, %arg71: tensor<4x4xf32>, %arg72: tensor<4xf32>, %arg73: tensor<4x4xf32>, %arg74: tensor<4xf32>, %arg75: tensor<4xf32>, %arg76: tensor<4xf32>, %arg77: tensor<4xf32>, %arg78: tensor<4x2x2xf32>, %arg79: tensor<2x2x4xf32>, %arg80: tensor<4x2x2xf32>, %arg81: tensor<4x2x2xf32>, %arg82: tensor<2x4x4x2xf32>, %arg83: tensor<2x4x4x2xf32>, %arg84: tensor<2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]['params']['Conv_0']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[1]['params']['Conv_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['Conv_1']['bias']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[1]['params']['Conv_1']['kernel']"}, tensor<2xf32> {jax.result_info = "result[1]['params']['Conv_2']['bias']"}, tensor<3x3x4x2xf32> {jax.result_info = "result[1]['params']['Conv_2']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['Conv_3']['bias']"}, tensor<3x3x8x4xf32> {jax.result_info = "result[1]['params']['Conv_3']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['Dense_0']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['Dense_1']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[1]['params']['Dense_1']['kernel']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['GroupNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['GroupNorm_0']['scale']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['LayerNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[1]['params']['LayerNorm_0']['scale']"}, tensor<4x2x2xf32> {jax.result_info = "result[1]['params']['SelfAttention_0']['key']['kernel']"}, tensor<2x2x4xf32> {jax.result_info = "result[1]['params']['SelfAttention_0']['out']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[1]['params']['SelfAttention_0']['query']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[1]['params']['SelfAttention_0']['value']['kernel']"}, tensor<i32> {jax.result_info = "result[2][0][0].count"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_0']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_1']['bias']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_1']['kernel']"}, tensor<2xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_2']['bias']"}, tensor<3x3x4x2xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_2']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_3']['bias']"}, tensor<3x3x8x4xf32> {jax.result_info = "result[2][0][0].mu['params']['Conv_3']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['Dense_0']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0][0].mu['params']['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['Dense_1']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0][0].mu['params']['Dense_1']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['GroupNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['GroupNorm_0']['scale']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['LayerNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].mu['params']['LayerNorm_0']['scale']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][0][0].mu['params']['SelfAttention_0']['key']['kernel']"}, tensor<2x2x4xf32> {jax.result_info = "result[2][0][0].mu['params']['SelfAttention_0']['out']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][0][0].mu['params']['SelfAttention_0']['query']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][0][0].mu['params']['SelfAttention_0']['value']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_0']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_1']['bias']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_1']['kernel']"}, tensor<2xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_2']['bias']"}, tensor<3x3x4x2xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_2']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_3']['bias']"}, tensor<3x3x8x4xf32> {jax.result_info = "result[2][0][0].nu['params']['Conv_3']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['Dense_0']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0][0].nu['params']['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['Dense_1']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][0][0].nu['params']['Dense_1']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['GroupNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['GroupNorm_0']['scale']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['LayerNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[2][0][0].nu['params']['LayerNorm_0']['scale']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][0][0].nu['params']['SelfAttention_0']['key']['kernel']"}, tensor<2x2x4xf32> {jax.result_info = "result[2][0][0].nu['params']['SelfAttention_0']['out']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][0][0].nu['params']['SelfAttention_0']['query']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][0][0].nu['params']['SelfAttention_0']['value']['kernel']"}, tensor<i32> {jax.result_info = "result[2][1].count"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['Conv_0']['bias']"}, tensor<3x3x2x4xf32> {jax.result_info = "result[2][1].ema['params']['Conv_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['Conv_1']['bias']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[2][1].ema['params']['Conv_1']['kernel']"}, tensor<2xf32> {jax.result_info = "result[2][1].ema['params']['Conv_2']['bias']"}, tensor<3x3x4x2xf32> {jax.result_info = "result[2][1].ema['params']['Conv_2']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['Conv_3']['bias']"}, tensor<3x3x8x4xf32> {jax.result_info = "result[2][1].ema['params']['Conv_3']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['Dense_0']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][1].ema['params']['Dense_0']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['Dense_1']['bias']"}, tensor<4x4xf32> {jax.result_info = "result[2][1].ema['params']['Dense_1']['kernel']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['GroupNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['GroupNorm_0']['scale']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['LayerNorm_0']['bias']"}, tensor<4xf32> {jax.result_info = "result[2][1].ema['params']['LayerNorm_0']['scale']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][1].ema['params']['SelfAttention_0']['key']['kernel']"}, tensor<2x2x4xf32> {jax.result_info = "result[2][1].ema['params']['SelfAttention_0']['out']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][1].ema['params']['SelfAttention_0']['query']['kernel']"}, tensor<4x2x2xf32> {jax.result_info = "result[2][1].ema['params']['SelfAttention_0']['value']['kernel']"}) {
    %cst = stablehlo.constant dense<3.14159274> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.multiply %arg84, %0 : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2xf32>
    %4 = stablehlo.cosine %3 : tensor<2xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xf32>) -> tensor<2x1x1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x4x4x2xf32>
    %7 = stablehlo.multiply %6, %arg82 : tensor<2x4x4x2xf32>
    %8 = stablehlo.multiply %5, %5 : tensor<2x1x1x1xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<2x1x1x1xf32>
    %11 = stablehlo.sqrt %10 : tensor<2x1x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x4x4x2xf32>
    %13 = stablehlo.multiply %12, %arg83 : tensor<2x4x4x2xf32>
    %14 = stablehlo.add %7, %13 : tensor<2x4x4x2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %16 = stablehlo.multiply %arg84, %15 : tensor<2xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %18 = stablehlo.iota dim = 0 : tensor<2xf32>
    %19 = stablehlo.negate %18 : tensor<2xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2xf32>
    %22 = stablehlo.exponential %21 : tensor<2xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %24 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<2x2xf32>
    %26 = stablehlo.multiply %24, %25 : tensor<2x2xf32>
    %27 = stablehlo.sine %26 : tensor<2x2xf32>
    %28 = stablehlo.cosine %26 : tensor<2x2xf32>
    %29 = stablehlo.concatenate %27, %28, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %30 = stablehlo.dot_general %29, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %31 = stablehlo.reshape %arg10 : (tensor<4xf32>) -> tensor<1x4xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %33 = stablehlo.add %30, %32 : tensor<2x4xf32>
    %34:3 = call @silu(%33) : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
    %35 = stablehlo.dot_general %34#0, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %36 = stablehlo.reshape %arg8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %38 = stablehlo.add %35, %37 : tensor<2x4xf32>
    %39 = stablehlo.convolution(%14, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x2xf32>, tensor<3x3x2x4xf32>) -> tensor<2x4x4x4xf32>
    %40 = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<2x4x4x4xf32>
    %42 = stablehlo.add %39, %41 : tensor<2x4x4x4xf32>
    %43 = stablehlo.reshape %42 : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x2x2xf32>
    %44 = chlo.square %43 : tensor<2x4x4x2x2xf32> -> tensor<2x4x4x2x2xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x4x2x2xf32>
    %46 = stablehlo.multiply %45, %43 : tensor<2x4x4x2x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%43 init: %cst_5) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x4x4x2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %cst_6 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %49 = stablehlo.divide %47, %48 : tensor<2x2xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%44 init: %cst_7) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x4x4x2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %cst_8 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %52 = stablehlo.divide %50, %51 : tensor<2x2xf32>
    %53 = chlo.square %49 : tensor<2x2xf32> -> tensor<2x2xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %55 = stablehlo.multiply %54, %49 : tensor<2x2xf32>
    %56 = stablehlo.subtract %52, %53 : tensor<2x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %58 = stablehlo.maximum %57, %56 : tensor<2x2xf32>
    %59 = stablehlo.compare EQ, %56, %58, FLOAT : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %62 = stablehlo.select %59, %60, %61 : tensor<2x2xi1>, tensor<2x2xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %64 = stablehlo.compare EQ, %63, %58, FLOAT : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %67 = stablehlo.select %64, %65, %66 : tensor<2x2xi1>, tensor<2x2xf32>
    %68 = stablehlo.divide %62, %67 : tensor<2x2xf32>
    %69 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x2xf32>
    %70 = stablehlo.reshape %69 : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
    %71 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2x2xf32>
    %72 = stablehlo.reshape %71 : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
    %73 = stablehlo.broadcast_in_dim %70, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
    %74 = stablehlo.broadcast_in_dim %72, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
    %75 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<2x1x1x4xf32>) -> tensor<2x4x4x4xf32>
    %76 = stablehlo.subtract %42, %75 : tensor<2x4x4x4xf32>
    %cst_16 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x1x1x4xf32>
    %78 = stablehlo.add %74, %77 : tensor<2x1x1x4xf32>
    %79 = stablehlo.rsqrt %78 : tensor<2x1x1x4xf32>
    %80 = stablehlo.divide %79, %78 : tensor<2x1x1x4xf32>
    %cst_17 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x1x1x4xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<2x1x1x4xf32>
    %83 = stablehlo.reshape %arg13 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<2x1x1x4xf32>
    %85 = stablehlo.multiply %79, %84 : tensor<2x1x1x4xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<2x1x1x4xf32>) -> tensor<2x4x4x4xf32>
    %87 = stablehlo.multiply %76, %86 : tensor<2x4x4x4xf32>
    %88 = stablehlo.reshape %arg12 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<2x4x4x4xf32>
    %90 = stablehlo.add %87, %89 : tensor<2x4x4x4xf32>
    %91:3 = call @silu_0(%90) : (tensor<2x4x4x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>)
    %92 = stablehlo.convolution(%91#0, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x2x2x4xf32>
    %93 = stablehlo.reshape %arg2 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<2x2x2x4xf32>
    %95 = stablehlo.add %92, %94 : tensor<2x2x2x4xf32>
    %96 = stablehlo.broadcast_in_dim %38, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<2x1x1x4xf32>) -> tensor<2x2x2x4xf32>
    %98 = stablehlo.add %95, %97 : tensor<2x2x2x4xf32>
    %99 = stablehlo.reshape %98 : (tensor<2x2x2x4xf32>) -> tensor<2x4x4xf32>
    %100 = chlo.square %99 : tensor<2x4x4xf32> -> tensor<2x4x4xf32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
    %102 = stablehlo.multiply %101, %99 : tensor<2x4x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%99 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_20 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %105 = stablehlo.divide %103, %104 : tensor<2x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%100 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_22 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %108 = stablehlo.divide %106, %107 : tensor<2x4xf32>
    %109 = chlo.square %105 : tensor<2x4xf32> -> tensor<2x4xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %111 = stablehlo.multiply %110, %105 : tensor<2x4xf32>
    %112 = stablehlo.subtract %108, %109 : tensor<2x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %114 = stablehlo.maximum %113, %112 : tensor<2x4xf32>
    %115 = stablehlo.compare EQ, %112, %114, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %118 = stablehlo.select %115, %116, %117 : tensor<2x4xi1>, tensor<2x4xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %120 = stablehlo.compare EQ, %119, %114, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %123 = stablehlo.select %120, %121, %122 : tensor<2x4xi1>, tensor<2x4xf32>
    %124 = stablehlo.divide %118, %123 : tensor<2x4xf32>
    %125 = stablehlo.broadcast_in_dim %105, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %126 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %127 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %128 = stablehlo.subtract %99, %127 : tensor<2x4x4xf32>
    %cst_30 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %130 = stablehlo.add %126, %129 : tensor<2x4x1xf32>
    %131 = stablehlo.rsqrt %130 : tensor<2x4x1xf32>
    %132 = stablehlo.divide %131, %130 : tensor<2x4x1xf32>
    %cst_31 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<2x4x1xf32>
    %135 = stablehlo.reshape %arg15 : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %136 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %137 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<2x4x4xf32>
    %138 = stablehlo.multiply %136, %137 : tensor<2x4x4xf32>
    %139 = stablehlo.multiply %128, %138 : tensor<2x4x4xf32>
    %140 = stablehlo.reshape %arg14 : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<2x4x4xf32>
    %142 = stablehlo.add %139, %141 : tensor<2x4x4xf32>
    %143 = stablehlo.dot_general %142, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<4x2x2xf32>) -> tensor<2x4x2x2xf32>
    %144 = stablehlo.dot_general %142, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<4x2x2xf32>) -> tensor<2x4x2x2xf32>
    %145 = stablehlo.dot_general %142, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<4x2x2xf32>) -> tensor<2x4x2x2xf32>
    %cst_32 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %146 = stablehlo.sqrt %cst_32 : tensor<f32>
    %147 = stablehlo.convert %146 : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [] : (tensor<f32>) -> tensor<2x4x2x2xf32>
    %149 = stablehlo.divide %143, %148 : tensor<2x4x2x2xf32>
    %150 = stablehlo.dot_general %149, %144, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x4xf32>
    %cst_33 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %151 = stablehlo.reduce(%150 init: %cst_33) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %152 = stablehlo.reshape %151 : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %154 = stablehlo.compare EQ, %150, %153, FLOAT : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xi1>
    %155 = stablehlo.convert %154 : (tensor<2x2x4x4xi1>) -> tensor<2x2x4x4xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.reduce(%155 init: %cst_34) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %cst_35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %158 = stablehlo.maximum %157, %151 : tensor<2x2x4xf32>
    %159 = stablehlo.compare EQ, %151, %158, FLOAT : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xi1>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %162 = stablehlo.select %159, %160, %161 : tensor<2x2x4xi1>, tensor<2x2x4xf32>
    %cst_38 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %164 = stablehlo.compare EQ, %163, %158, FLOAT : (tensor<2x2x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xi1>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %167 = stablehlo.select %164, %165, %166 : tensor<2x2x4xi1>, tensor<2x2x4xf32>
    %168 = stablehlo.divide %162, %167 : tensor<2x2x4xf32>
    %169 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %171 = stablehlo.subtract %150, %170 : tensor<2x2x4x4xf32>
    %172 = stablehlo.exponential %171 : tensor<2x2x4x4xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.reduce(%172 init: %cst_41) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %176 = stablehlo.divide %172, %175 : tensor<2x2x4x4xf32>
    %177 = stablehlo.multiply %174, %174 : tensor<2x2x4x1xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x2x4x1xf32>
    %179 = stablehlo.divide %178, %177 : tensor<2x2x4x1xf32>
    %180 = stablehlo.dot_general %145, %176, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x2x4xf32>
    %181 = stablehlo.transpose %180, dims = [0, 3, 1, 2] : (tensor<2x2x2x4xf32>) -> tensor<2x4x2x2xf32>
    %182 = stablehlo.dot_general %181, %arg17, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<2x2x4xf32>) -> tensor<2x4x4xf32>
    %183 = stablehlo.add %99, %182 : tensor<2x4x4xf32>
    %184 = stablehlo.reshape %183 : (tensor<2x4x4xf32>) -> tensor<2x2x2x4xf32>
    %185:3 = call @_resize(%184) : (tensor<2x2x2x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<4x1xi32>, tensor<4x1xi32>)
    %186 = stablehlo.concatenate %91#0, %185#0, dim = 3 : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x8xf32>
    %187 = stablehlo.convolution(%186, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xf32>, tensor<3x3x8x4xf32>) -> tensor<2x4x4x4xf32>
    %188 = stablehlo.reshape %arg6 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<2x4x4x4xf32>
    %190 = stablehlo.add %187, %189 : tensor<2x4x4x4xf32>
    %191:3 = call @silu_0(%190) : (tensor<2x4x4x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>)
    %192 = stablehlo.convolution(%191#0, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<3x3x4x2xf32>) -> tensor<2x4x4x2xf32>
    %193 = stablehlo.reshape %arg4 : (tensor<2xf32>) -> tensor<1x1x1x2xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2, 3] : (tensor<1x1x1x2xf32>) -> tensor<2x4x4x2xf32>
    %195 = stablehlo.add %192, %194 : tensor<2x4x4x2xf32>
    %196 = stablehlo.subtract %195, %arg83 : tensor<2x4x4x2xf32>
    %197 = chlo.square %196 : tensor<2x4x4x2xf32> -> tensor<2x4x4x2xf32>
    %cst_43 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x4x4x2xf32>
    %199 = stablehlo.multiply %198, %196 : tensor<2x4x4x2xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%197 init: %cst_44) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_45 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %201 = stablehlo.divide %200, %cst_45 : tensor<f32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_47 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %202 = stablehlo.divide %cst_46, %cst_47 : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [] : (tensor<f32>) -> tensor<2x4x4x2xf32>
    %204 = stablehlo.multiply %203, %199 : tensor<2x4x4x2xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %205 = stablehlo.reduce(%204 init: %cst_48) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x4x2xf32>, tensor<f32>) -> tensor<2xf32>
    %206 = stablehlo.reshape %205 : (tensor<2xf32>) -> tensor<1x1x1x2xf32>
    %207 = stablehlo.reshape %206 : (tensor<1x1x1x2xf32>) -> tensor<2xf32>
    %208 = stablehlo.convolution(%191#0, %204) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<2x4x4x2xf32>) -> tensor<3x3x4x2xf32>
    %209 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<3x3x4x2xf32>
    %210 = stablehlo.convolution(%204, %209) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x2xf32>, tensor<3x3x4x2xf32>) -> tensor<2x4x4x4xf32>
    %211 = call @silu_1(%191#1, %191#2, %190, %210) : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%211 init: %cst_49) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %213 = stablehlo.reshape %212 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %214 = stablehlo.reshape %213 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %215 = stablehlo.convolution(%186, %211) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xf32>, tensor<2x4x4x4xf32>) -> tensor<3x3x8x4xf32>
    %216 = stablehlo.reverse %arg7, dims = [0, 1] : tensor<3x3x8x4xf32>
    %217 = stablehlo.convolution(%211, %216) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<3x3x8x4xf32>) -> tensor<2x4x4x8xf32>
    %218 = stablehlo.slice %217 [0:2, 0:4, 0:4, 0:4] : (tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
    %219 = stablehlo.slice %217 [0:2, 0:4, 0:4, 4:8] : (tensor<2x4x4x8xf32>) -> tensor<2x4x4x4xf32>
    %220 = call @_resize_2(%185#1, %185#2, %219) : (tensor<4x1xi32>, tensor<4x1xi32>, tensor<2x4x4x4xf32>) -> tensor<2x2x2x4xf32>
    %221 = stablehlo.reshape %220 : (tensor<2x2x2x4xf32>) -> tensor<2x4x4xf32>
    %222 = stablehlo.dot_general %221, %181, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<2x4x2x2xf32>) -> tensor<4x2x2xf32>
    %223 = stablehlo.transpose %222, dims = [1, 2, 0] : (tensor<4x2x2xf32>) -> tensor<2x2x4xf32>
    %224 = stablehlo.dot_general %221, %arg17, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<2x2x4xf32>) -> tensor<2x4x2x2xf32>
    %225 = stablehlo.transpose %224, dims = [0, 2, 3, 1] : (tensor<2x4x2x2xf32>) -> tensor<2x2x2x4xf32>
    %226 = stablehlo.dot_general %225, %145, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x2x4xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x4xf32>
    %227 = stablehlo.dot_general %225, %176, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x2x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x2x4xf32>
    %228 = stablehlo.transpose %227, dims = [0, 3, 1, 2] : (tensor<2x2x2x4xf32>) -> tensor<2x4x2x2xf32>
    %229 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %230 = stablehlo.multiply %226, %229 : tensor<2x2x4x4xf32>
    %231 = stablehlo.multiply %230, %172 : tensor<2x2x4x4xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.reduce(%231 init: %cst_50) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %233 = stablehlo.reshape %232 : (tensor<2x2x4xf32>) -> tensor<2x2x4x1xf32>
    %234 = stablehlo.negate %233 : tensor<2x2x4x1xf32>
    %235 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<2x2x4x1xf32>) -> tensor<2x2x4x4xf32>
    %236 = stablehlo.divide %226, %235 : tensor<2x2x4x4xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%234 init: %cst_51) applies stablehlo.add across dimensions = [3] : (tensor<2x2x4x1xf32>, tensor<f32>) -> tensor<2x2x4xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4x4xf32>
    %239 = stablehlo.add %236, %238 : tensor<2x2x4x4xf32>
    %240 = stablehlo.multiply %239, %172 : tensor<2x2x4x4xf32>
    %241 = stablehlo.dot_general %240, %149, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x4xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x2xf32>
    %242 = stablehlo.transpose %241, dims = [0, 2, 1, 3] : (tensor<2x2x4x2xf32>) -> tensor<2x4x2x2xf32>
    %243 = stablehlo.dot_general %240, %144, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x4xf32>, tensor<2x4x2x2xf32>) -> tensor<2x2x4x2xf32>
    %244 = stablehlo.transpose %243, dims = [0, 2, 1, 3] : (tensor<2x2x4x2xf32>) -> tensor<2x4x2x2xf32>
    %245 = stablehlo.broadcast_in_dim %147, dims = [] : (tensor<f32>) -> tensor<2x4x2x2xf32>
    %246 = stablehlo.divide %244, %245 : tensor<2x4x2x2xf32>
    %247 = stablehlo.dot_general %228, %142, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<2x4x4xf32>) -> tensor<2x2x4xf32>
    %248 = stablehlo.transpose %247, dims = [2, 0, 1] : (tensor<2x2x4xf32>) -> tensor<4x2x2xf32>
    %249 = stablehlo.dot_general %228, %arg19, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<4x2x2xf32>) -> tensor<2x4x4xf32>
    %250 = stablehlo.dot_general %242, %142, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<2x4x4xf32>) -> tensor<2x2x4xf32>
    %251 = stablehlo.transpose %250, dims = [2, 0, 1] : (tensor<2x2x4xf32>) -> tensor<4x2x2xf32>
    %252 = stablehlo.dot_general %242, %arg16, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<4x2x2xf32>) -> tensor<2x4x4xf32>
    %253 = stablehlo.add %249, %252 : tensor<2x4x4xf32>
    %254 = stablehlo.dot_general %246, %142, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<2x4x4xf32>) -> tensor<2x2x4xf32>
    %255 = stablehlo.transpose %254, dims = [2, 0, 1] : (tensor<2x2x4xf32>) -> tensor<4x2x2xf32>
    %256 = stablehlo.dot_general %246, %arg18, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x2xf32>, tensor<4x2x2xf32>) -> tensor<2x4x4xf32>
    %257 = stablehlo.add %253, %256 : tensor<2x4x4xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %258 = stablehlo.reduce(%257 init: %cst_52) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %259 = stablehlo.reshape %258 : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %260 = stablehlo.reshape %259 : (tensor<1x1x4xf32>) -> tensor<4xf32>
    %261 = stablehlo.multiply %128, %257 : tensor<2x4x4xf32>
    %262 = stablehlo.multiply %257, %138 : tensor<2x4x4xf32>
    %263 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
    %264 = stablehlo.multiply %263, %261 : tensor<2x4x4xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %265 = stablehlo.reduce(%264 init: %cst_53) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %266 = stablehlo.reshape %265 : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %267 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<2x4x4xf32>
    %268 = stablehlo.multiply %261, %267 : tensor<2x4x4xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%268 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %270 = stablehlo.reshape %269 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %271 = stablehlo.reshape %266 : (tensor<1x1x4xf32>) -> tensor<4xf32>
    %272 = stablehlo.multiply %270, %134 : tensor<2x4x1xf32>
    %273 = stablehlo.negate %262 : tensor<2x4x4xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.reduce(%273 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %275 = stablehlo.reshape %274 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %276 = stablehlo.add %221, %262 : tensor<2x4x4xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.reduce(%272 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %278 = stablehlo.reduce(%275 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4xf32>
    %279 = stablehlo.multiply %277, %124 : tensor<2x4xf32>
    %280 = stablehlo.negate %279 : tensor<2x4xf32>
    %281 = stablehlo.multiply %280, %111 : tensor<2x4xf32>
    %282 = stablehlo.add %278, %281 : tensor<2x4xf32>
    %cst_58 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %284 = stablehlo.divide %279, %283 : tensor<2x4xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %cst_59 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %287 = stablehlo.divide %282, %286 : tensor<2x4xf32>
    %288 = stablehlo.broadcast_in_dim %287, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %289 = stablehlo.add %276, %288 : tensor<2x4x4xf32>
    %290 = stablehlo.multiply %285, %102 : tensor<2x4x4xf32>
    %291 = stablehlo.add %289, %290 : tensor<2x4x4xf32>
    %292 = stablehlo.reshape %291 : (tensor<2x4x4xf32>) -> tensor<2x2x2x4xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %293 = stablehlo.reduce(%292 init: %cst_60) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x2x2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %294 = stablehlo.reshape %293 : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %295 = stablehlo.reduce(%294 init: %cst_61) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x1x1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.reduce(%292 init: %cst_62) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x2x2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %297 = stablehlo.reshape %296 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %298 = stablehlo.reshape %297 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %299 = stablehlo.convolution(%91#0, %292) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<2x2x2x4xf32>) -> tensor<3x3x4x4xf32>
    %300 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<3x3x4x4xf32>
    %301 = stablehlo.convolution(%292, %300) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x2x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x4x4x4xf32>
    %302 = stablehlo.add %218, %301 : tensor<2x4x4x4xf32>
    %303 = call @silu_1(%91#1, %91#2, %90, %302) : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.reduce(%303 init: %cst_63) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %305 = stablehlo.reshape %304 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %306 = stablehlo.reshape %305 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %307 = stablehlo.multiply %76, %303 : tensor<2x4x4x4xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %308 = stablehlo.reduce(%307 init: %cst_64) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %309 = stablehlo.reshape %308 : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
    %310 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<2x1x1x4xf32>) -> tensor<2x4x4x4xf32>
    %311 = stablehlo.multiply %303, %310 : tensor<2x4x4x4xf32>
    %312 = stablehlo.multiply %79, %309 : tensor<2x1x1x4xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %313 = stablehlo.reduce(%312 init: %cst_65) applies stablehlo.add across dimensions = [0] : (tensor<2x1x1x4xf32>, tensor<f32>) -> tensor<1x1x4xf32>
    %314 = stablehlo.reshape %313 : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
    %315 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<2x1x1x4xf32>
    %316 = stablehlo.multiply %309, %315 : tensor<2x1x1x4xf32>
    %317 = stablehlo.reshape %314 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %318 = stablehlo.multiply %316, %82 : tensor<2x1x1x4xf32>
    %319 = stablehlo.negate %311 : tensor<2x4x4x4xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %320 = stablehlo.reduce(%319 init: %cst_66) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %321 = stablehlo.reshape %320 : (tensor<2x4xf32>) -> tensor<2x1x1x4xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.reduce(%318 init: %cst_67) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x1x1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.reduce(%321 init: %cst_68) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x1x1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %324 = stablehlo.reshape %322 : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.reduce(%324 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %326 = stablehlo.reshape %323 : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.reduce(%326 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    %328 = stablehlo.multiply %325, %68 : tensor<2x2xf32>
    %329 = stablehlo.negate %328 : tensor<2x2xf32>
    %330 = stablehlo.multiply %329, %55 : tensor<2x2xf32>
    %331 = stablehlo.add %327, %330 : tensor<2x2xf32>
    %cst_71 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %333 = stablehlo.divide %328, %332 : tensor<2x2xf32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [0, 3] : (tensor<2x2xf32>) -> tensor<2x4x4x2x2xf32>
    %cst_72 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %336 = stablehlo.divide %331, %335 : tensor<2x2xf32>
    %337 = stablehlo.broadcast_in_dim %336, dims = [0, 3] : (tensor<2x2xf32>) -> tensor<2x4x4x2x2xf32>
    %338 = stablehlo.multiply %334, %46 : tensor<2x4x4x2x2xf32>
    %339 = stablehlo.add %337, %338 : tensor<2x4x4x2x2xf32>
    %340 = stablehlo.reshape %339 : (tensor<2x4x4x2x2xf32>) -> tensor<2x4x4x4xf32>
    %341 = stablehlo.add %311, %340 : tensor<2x4x4x4xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%341 init: %cst_73) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %343 = stablehlo.reshape %342 : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %344 = stablehlo.reshape %343 : (tensor<1x1x1x4xf32>) -> tensor<4xf32>
    %345 = stablehlo.convolution(%14, %341) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x2xf32>, tensor<2x4x4x4xf32>) -> tensor<3x3x2x4xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.reduce(%295 init: %cst_74) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %347 = stablehlo.reshape %346 : (tensor<4xf32>) -> tensor<1x4xf32>
    %348 = stablehlo.reshape %347 : (tensor<1x4xf32>) -> tensor<4xf32>
    %349 = stablehlo.dot_general %295, %34#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %350 = stablehlo.transpose %349, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %351 = stablehlo.dot_general %295, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %352 = call @silu_3(%34#1, %34#2, %33, %351) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %353 = stablehlo.reduce(%352 init: %cst_75) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %354 = stablehlo.reshape %353 : (tensor<4xf32>) -> tensor<1x4xf32>
    %355 = stablehlo.reshape %354 : (tensor<1x4xf32>) -> tensor<4xf32>
    %356 = stablehlo.dot_general %352, %29, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %357 = stablehlo.transpose %356, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %cst_76 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %359 = stablehlo.multiply %358, %344 : tensor<4xf32>
    %cst_77 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %360 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %361 = stablehlo.multiply %360, %arg21 : tensor<4xf32>
    %362 = stablehlo.add %359, %361 : tensor<4xf32>
    %cst_78 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %364 = stablehlo.multiply %363, %345 : tensor<3x3x2x4xf32>
    %cst_79 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %366 = stablehlo.multiply %365, %arg22 : tensor<3x3x2x4xf32>
    %367 = stablehlo.add %364, %366 : tensor<3x3x2x4xf32>
    %cst_80 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %369 = stablehlo.multiply %368, %298 : tensor<4xf32>
    %cst_81 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %371 = stablehlo.multiply %370, %arg23 : tensor<4xf32>
    %372 = stablehlo.add %369, %371 : tensor<4xf32>
    %cst_82 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %374 = stablehlo.multiply %373, %299 : tensor<3x3x4x4xf32>
    %cst_83 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %376 = stablehlo.multiply %375, %arg24 : tensor<3x3x4x4xf32>
    %377 = stablehlo.add %374, %376 : tensor<3x3x4x4xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %379 = stablehlo.multiply %378, %207 : tensor<2xf32>
    %cst_85 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %381 = stablehlo.multiply %380, %arg25 : tensor<2xf32>
    %382 = stablehlo.add %379, %381 : tensor<2xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %383 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %384 = stablehlo.multiply %383, %208 : tensor<3x3x4x2xf32>
    %cst_87 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %385 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %386 = stablehlo.multiply %385, %arg26 : tensor<3x3x4x2xf32>
    %387 = stablehlo.add %384, %386 : tensor<3x3x4x2xf32>
    %cst_88 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %389 = stablehlo.multiply %388, %214 : tensor<4xf32>
    %cst_89 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %391 = stablehlo.multiply %390, %arg27 : tensor<4xf32>
    %392 = stablehlo.add %389, %391 : tensor<4xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %393 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %394 = stablehlo.multiply %393, %215 : tensor<3x3x8x4xf32>
    %cst_91 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %395 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %396 = stablehlo.multiply %395, %arg28 : tensor<3x3x8x4xf32>
    %397 = stablehlo.add %394, %396 : tensor<3x3x8x4xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %398 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %399 = stablehlo.multiply %398, %348 : tensor<4xf32>
    %cst_93 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %401 = stablehlo.multiply %400, %arg29 : tensor<4xf32>
    %402 = stablehlo.add %399, %401 : tensor<4xf32>
    %cst_94 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %404 = stablehlo.multiply %403, %350 : tensor<4x4xf32>
    %cst_95 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %405 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %406 = stablehlo.multiply %405, %arg30 : tensor<4x4xf32>
    %407 = stablehlo.add %404, %406 : tensor<4x4xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %409 = stablehlo.multiply %408, %355 : tensor<4xf32>
    %cst_97 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %410 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %411 = stablehlo.multiply %410, %arg31 : tensor<4xf32>
    %412 = stablehlo.add %409, %411 : tensor<4xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %414 = stablehlo.multiply %413, %357 : tensor<4x4xf32>
    %cst_99 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %416 = stablehlo.multiply %415, %arg32 : tensor<4x4xf32>
    %417 = stablehlo.add %414, %416 : tensor<4x4xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %418 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %419 = stablehlo.multiply %418, %306 : tensor<4xf32>
    %cst_101 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %421 = stablehlo.multiply %420, %arg33 : tensor<4xf32>
    %422 = stablehlo.add %419, %421 : tensor<4xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %423 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %424 = stablehlo.multiply %423, %317 : tensor<4xf32>
    %cst_103 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %425 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %426 = stablehlo.multiply %425, %arg34 : tensor<4xf32>
    %427 = stablehlo.add %424, %426 : tensor<4xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %429 = stablehlo.multiply %428, %260 : tensor<4xf32>
    %cst_105 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %430 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %431 = stablehlo.multiply %430, %arg35 : tensor<4xf32>
    %432 = stablehlo.add %429, %431 : tensor<4xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %434 = stablehlo.multiply %433, %271 : tensor<4xf32>
    %cst_107 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %436 = stablehlo.multiply %435, %arg36 : tensor<4xf32>
    %437 = stablehlo.add %434, %436 : tensor<4xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %439 = stablehlo.multiply %438, %251 : tensor<4x2x2xf32>
    %cst_109 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %441 = stablehlo.multiply %440, %arg37 : tensor<4x2x2xf32>
    %442 = stablehlo.add %439, %441 : tensor<4x2x2xf32>
    %cst_110 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %444 = stablehlo.multiply %443, %223 : tensor<2x2x4xf32>
    %cst_111 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %446 = stablehlo.multiply %445, %arg38 : tensor<2x2x4xf32>
    %447 = stablehlo.add %444, %446 : tensor<2x2x4xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %449 = stablehlo.multiply %448, %255 : tensor<4x2x2xf32>
    %cst_113 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %450 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %451 = stablehlo.multiply %450, %arg39 : tensor<4x2x2xf32>
    %452 = stablehlo.add %449, %451 : tensor<4x2x2xf32>
    %cst_114 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %454 = stablehlo.multiply %453, %248 : tensor<4x2x2xf32>
    %cst_115 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %455 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %456 = stablehlo.multiply %455, %arg40 : tensor<4x2x2xf32>
    %457 = stablehlo.add %454, %456 : tensor<4x2x2xf32>
    %458 = stablehlo.multiply %344, %344 : tensor<4xf32>
    %cst_116 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %460 = stablehlo.multiply %459, %458 : tensor<4xf32>
    %cst_117 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %462 = stablehlo.multiply %461, %arg41 : tensor<4xf32>
    %463 = stablehlo.add %460, %462 : tensor<4xf32>
    %464 = stablehlo.multiply %345, %345 : tensor<3x3x2x4xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %465 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %466 = stablehlo.multiply %465, %464 : tensor<3x3x2x4xf32>
    %cst_119 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %468 = stablehlo.multiply %467, %arg42 : tensor<3x3x2x4xf32>
    %469 = stablehlo.add %466, %468 : tensor<3x3x2x4xf32>
    %470 = stablehlo.multiply %298, %298 : tensor<4xf32>
    %cst_120 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %471 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %472 = stablehlo.multiply %471, %470 : tensor<4xf32>
    %cst_121 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %474 = stablehlo.multiply %473, %arg43 : tensor<4xf32>
    %475 = stablehlo.add %472, %474 : tensor<4xf32>
    %476 = stablehlo.multiply %299, %299 : tensor<3x3x4x4xf32>
    %cst_122 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %477 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %478 = stablehlo.multiply %477, %476 : tensor<3x3x4x4xf32>
    %cst_123 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %480 = stablehlo.multiply %479, %arg44 : tensor<3x3x4x4xf32>
    %481 = stablehlo.add %478, %480 : tensor<3x3x4x4xf32>
    %482 = stablehlo.multiply %207, %207 : tensor<2xf32>
    %cst_124 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %483 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %484 = stablehlo.multiply %483, %482 : tensor<2xf32>
    %cst_125 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %486 = stablehlo.multiply %485, %arg45 : tensor<2xf32>
    %487 = stablehlo.add %484, %486 : tensor<2xf32>
    %488 = stablehlo.multiply %208, %208 : tensor<3x3x4x2xf32>
    %cst_126 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %489 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %490 = stablehlo.multiply %489, %488 : tensor<3x3x4x2xf32>
    %cst_127 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %492 = stablehlo.multiply %491, %arg46 : tensor<3x3x4x2xf32>
    %493 = stablehlo.add %490, %492 : tensor<3x3x4x2xf32>
    %494 = stablehlo.multiply %214, %214 : tensor<4xf32>
    %cst_128 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %496 = stablehlo.multiply %495, %494 : tensor<4xf32>
    %cst_129 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %498 = stablehlo.multiply %497, %arg47 : tensor<4xf32>
    %499 = stablehlo.add %496, %498 : tensor<4xf32>
    %500 = stablehlo.multiply %215, %215 : tensor<3x3x8x4xf32>
    %cst_130 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %502 = stablehlo.multiply %501, %500 : tensor<3x3x8x4xf32>
    %cst_131 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %504 = stablehlo.multiply %503, %arg48 : tensor<3x3x8x4xf32>
    %505 = stablehlo.add %502, %504 : tensor<3x3x8x4xf32>
    %506 = stablehlo.multiply %348, %348 : tensor<4xf32>
    %cst_132 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %507 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %508 = stablehlo.multiply %507, %506 : tensor<4xf32>
    %cst_133 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %510 = stablehlo.multiply %509, %arg49 : tensor<4xf32>
    %511 = stablehlo.add %508, %510 : tensor<4xf32>
    %512 = stablehlo.multiply %350, %350 : tensor<4x4xf32>
    %cst_134 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %513 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %514 = stablehlo.multiply %513, %512 : tensor<4x4xf32>
    %cst_135 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %516 = stablehlo.multiply %515, %arg50 : tensor<4x4xf32>
    %517 = stablehlo.add %514, %516 : tensor<4x4xf32>
    %518 = stablehlo.multiply %355, %355 : tensor<4xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %519 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %520 = stablehlo.multiply %519, %518 : tensor<4xf32>
    %cst_137 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %522 = stablehlo.multiply %521, %arg51 : tensor<4xf32>
    %523 = stablehlo.add %520, %522 : tensor<4xf32>
    %524 = stablehlo.multiply %357, %357 : tensor<4x4xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %526 = stablehlo.multiply %525, %524 : tensor<4x4xf32>
    %cst_139 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %527 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %528 = stablehlo.multiply %527, %arg52 : tensor<4x4xf32>
    %529 = stablehlo.add %526, %528 : tensor<4x4xf32>
    %530 = stablehlo.multiply %306, %306 : tensor<4xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %531 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %532 = stablehlo.multiply %531, %530 : tensor<4xf32>
    %cst_141 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %533 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %534 = stablehlo.multiply %533, %arg53 : tensor<4xf32>
    %535 = stablehlo.add %532, %534 : tensor<4xf32>
    %536 = stablehlo.multiply %317, %317 : tensor<4xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %538 = stablehlo.multiply %537, %536 : tensor<4xf32>
    %cst_143 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %539 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %540 = stablehlo.multiply %539, %arg54 : tensor<4xf32>
    %541 = stablehlo.add %538, %540 : tensor<4xf32>
    %542 = stablehlo.multiply %260, %260 : tensor<4xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %544 = stablehlo.multiply %543, %542 : tensor<4xf32>
    %cst_145 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %545 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %546 = stablehlo.multiply %545, %arg55 : tensor<4xf32>
    %547 = stablehlo.add %544, %546 : tensor<4xf32>
    %548 = stablehlo.multiply %271, %271 : tensor<4xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %549 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %550 = stablehlo.multiply %549, %548 : tensor<4xf32>
    %cst_147 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %551 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %552 = stablehlo.multiply %551, %arg56 : tensor<4xf32>
    %553 = stablehlo.add %550, %552 : tensor<4xf32>
    %554 = stablehlo.multiply %251, %251 : tensor<4x2x2xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %555 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %556 = stablehlo.multiply %555, %554 : tensor<4x2x2xf32>
    %cst_149 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %557 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %558 = stablehlo.multiply %557, %arg57 : tensor<4x2x2xf32>
    %559 = stablehlo.add %556, %558 : tensor<4x2x2xf32>
    %560 = stablehlo.multiply %223, %223 : tensor<2x2x4xf32>
    %cst_150 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %562 = stablehlo.multiply %561, %560 : tensor<2x2x4xf32>
    %cst_151 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %563 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %564 = stablehlo.multiply %563, %arg58 : tensor<2x2x4xf32>
    %565 = stablehlo.add %562, %564 : tensor<2x2x4xf32>
    %566 = stablehlo.multiply %255, %255 : tensor<4x2x2xf32>
    %cst_152 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %567 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %568 = stablehlo.multiply %567, %566 : tensor<4x2x2xf32>
    %cst_153 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %569 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %570 = stablehlo.multiply %569, %arg59 : tensor<4x2x2xf32>
    %571 = stablehlo.add %568, %570 : tensor<4x2x2xf32>
    %572 = stablehlo.multiply %248, %248 : tensor<4x2x2xf32>
    %cst_154 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %573 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %574 = stablehlo.multiply %573, %572 : tensor<4x2x2xf32>
    %cst_155 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %576 = stablehlo.multiply %575, %arg60 : tensor<4x2x2xf32>
    %577 = stablehlo.add %574, %576 : tensor<4x2x2xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %578 = stablehlo.compare LT, %arg20, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_156 = stablehlo.constant dense<1> : tensor<i32>
    %579 = stablehlo.add %arg20, %c_156 : tensor<i32>
    %c_157 = stablehlo.constant dense<2147483647> : tensor<i32>
    %580 = call @_where(%578, %579, %c_157) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %581 = stablehlo.convert %580 : (tensor<i32>) -> tensor<f32>
    %cst_158 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %582 = stablehlo.convert %580 : (tensor<i32>) -> tensor<f32>
    %583 = stablehlo.power %cst_158, %582 : tensor<f32>
    %cst_159 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %584 = stablehlo.subtract %cst_159, %583 : tensor<f32>
    %585 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %586 = stablehlo.divide %362, %585 : tensor<4xf32>
    %587 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %588 = stablehlo.divide %367, %587 : tensor<3x3x2x4xf32>
    %589 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %590 = stablehlo.divide %372, %589 : tensor<4xf32>
    %591 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %592 = stablehlo.divide %377, %591 : tensor<3x3x4x4xf32>
    %593 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %594 = stablehlo.divide %382, %593 : tensor<2xf32>
    %595 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %596 = stablehlo.divide %387, %595 : tensor<3x3x4x2xf32>
    %597 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %598 = stablehlo.divide %392, %597 : tensor<4xf32>
    %599 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %600 = stablehlo.divide %397, %599 : tensor<3x3x8x4xf32>
    %601 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %602 = stablehlo.divide %402, %601 : tensor<4xf32>
    %603 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %604 = stablehlo.divide %407, %603 : tensor<4x4xf32>
    %605 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %606 = stablehlo.divide %412, %605 : tensor<4xf32>
    %607 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %608 = stablehlo.divide %417, %607 : tensor<4x4xf32>
    %609 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %610 = stablehlo.divide %422, %609 : tensor<4xf32>
    %611 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %612 = stablehlo.divide %427, %611 : tensor<4xf32>
    %613 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %614 = stablehlo.divide %432, %613 : tensor<4xf32>
    %615 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %616 = stablehlo.divide %437, %615 : tensor<4xf32>
    %617 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %618 = stablehlo.divide %442, %617 : tensor<4x2x2xf32>
    %619 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %620 = stablehlo.divide %447, %619 : tensor<2x2x4xf32>
    %621 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %622 = stablehlo.divide %452, %621 : tensor<4x2x2xf32>
    %623 = stablehlo.broadcast_in_dim %584, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %624 = stablehlo.divide %457, %623 : tensor<4x2x2xf32>
    %625 = stablehlo.convert %580 : (tensor<i32>) -> tensor<f32>
    %cst_160 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %626 = stablehlo.convert %580 : (tensor<i32>) -> tensor<f32>
    %627 = stablehlo.power %cst_160, %626 : tensor<f32>
    %cst_161 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %628 = stablehlo.subtract %cst_161, %627 : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %630 = stablehlo.divide %463, %629 : tensor<4xf32>
    %631 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %632 = stablehlo.divide %469, %631 : tensor<3x3x2x4xf32>
    %633 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %634 = stablehlo.divide %475, %633 : tensor<4xf32>
    %635 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %636 = stablehlo.divide %481, %635 : tensor<3x3x4x4xf32>
    %637 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %638 = stablehlo.divide %487, %637 : tensor<2xf32>
    %639 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %640 = stablehlo.divide %493, %639 : tensor<3x3x4x2xf32>
    %641 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %642 = stablehlo.divide %499, %641 : tensor<4xf32>
    %643 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %644 = stablehlo.divide %505, %643 : tensor<3x3x8x4xf32>
    %645 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %646 = stablehlo.divide %511, %645 : tensor<4xf32>
    %647 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %648 = stablehlo.divide %517, %647 : tensor<4x4xf32>
    %649 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %650 = stablehlo.divide %523, %649 : tensor<4xf32>
    %651 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %652 = stablehlo.divide %529, %651 : tensor<4x4xf32>
    %653 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %654 = stablehlo.divide %535, %653 : tensor<4xf32>
    %655 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %656 = stablehlo.divide %541, %655 : tensor<4xf32>
    %657 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %658 = stablehlo.divide %547, %657 : tensor<4xf32>
    %659 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %660 = stablehlo.divide %553, %659 : tensor<4xf32>
    %661 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %662 = stablehlo.divide %559, %661 : tensor<4x2x2xf32>
    %663 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %664 = stablehlo.divide %565, %663 : tensor<2x2x4xf32>
    %665 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %666 = stablehlo.divide %571, %665 : tensor<4x2x2xf32>
    %667 = stablehlo.broadcast_in_dim %628, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %668 = stablehlo.divide %577, %667 : tensor<4x2x2xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %669 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %670 = stablehlo.add %630, %669 : tensor<4xf32>
    %671 = stablehlo.sqrt %670 : tensor<4xf32>
    %cst_163 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %672 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %673 = stablehlo.add %671, %672 : tensor<4xf32>
    %674 = stablehlo.divide %586, %673 : tensor<4xf32>
    %cst_164 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %676 = stablehlo.add %632, %675 : tensor<3x3x2x4xf32>
    %677 = stablehlo.sqrt %676 : tensor<3x3x2x4xf32>
    %cst_165 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %678 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %679 = stablehlo.add %677, %678 : tensor<3x3x2x4xf32>
    %680 = stablehlo.divide %588, %679 : tensor<3x3x2x4xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %681 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %682 = stablehlo.add %634, %681 : tensor<4xf32>
    %683 = stablehlo.sqrt %682 : tensor<4xf32>
    %cst_167 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %685 = stablehlo.add %683, %684 : tensor<4xf32>
    %686 = stablehlo.divide %590, %685 : tensor<4xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %688 = stablehlo.add %636, %687 : tensor<3x3x4x4xf32>
    %689 = stablehlo.sqrt %688 : tensor<3x3x4x4xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %690 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %691 = stablehlo.add %689, %690 : tensor<3x3x4x4xf32>
    %692 = stablehlo.divide %592, %691 : tensor<3x3x4x4xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %693 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %694 = stablehlo.add %638, %693 : tensor<2xf32>
    %695 = stablehlo.sqrt %694 : tensor<2xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %697 = stablehlo.add %695, %696 : tensor<2xf32>
    %698 = stablehlo.divide %594, %697 : tensor<2xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %700 = stablehlo.add %640, %699 : tensor<3x3x4x2xf32>
    %701 = stablehlo.sqrt %700 : tensor<3x3x4x2xf32>
    %cst_173 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %702 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %703 = stablehlo.add %701, %702 : tensor<3x3x4x2xf32>
    %704 = stablehlo.divide %596, %703 : tensor<3x3x4x2xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %705 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %706 = stablehlo.add %642, %705 : tensor<4xf32>
    %707 = stablehlo.sqrt %706 : tensor<4xf32>
    %cst_175 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %708 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %709 = stablehlo.add %707, %708 : tensor<4xf32>
    %710 = stablehlo.divide %598, %709 : tensor<4xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %711 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %712 = stablehlo.add %644, %711 : tensor<3x3x8x4xf32>
    %713 = stablehlo.sqrt %712 : tensor<3x3x8x4xf32>
    %cst_177 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %714 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %715 = stablehlo.add %713, %714 : tensor<3x3x8x4xf32>
    %716 = stablehlo.divide %600, %715 : tensor<3x3x8x4xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %717 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %718 = stablehlo.add %646, %717 : tensor<4xf32>
    %719 = stablehlo.sqrt %718 : tensor<4xf32>
    %cst_179 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %720 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %721 = stablehlo.add %719, %720 : tensor<4xf32>
    %722 = stablehlo.divide %602, %721 : tensor<4xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %723 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %724 = stablehlo.add %648, %723 : tensor<4x4xf32>
    %725 = stablehlo.sqrt %724 : tensor<4x4xf32>
    %cst_181 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %726 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %727 = stablehlo.add %725, %726 : tensor<4x4xf32>
    %728 = stablehlo.divide %604, %727 : tensor<4x4xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %729 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %730 = stablehlo.add %650, %729 : tensor<4xf32>
    %731 = stablehlo.sqrt %730 : tensor<4xf32>
    %cst_183 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %732 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %733 = stablehlo.add %731, %732 : tensor<4xf32>
    %734 = stablehlo.divide %606, %733 : tensor<4xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %735 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %736 = stablehlo.add %652, %735 : tensor<4x4xf32>
    %737 = stablehlo.sqrt %736 : tensor<4x4xf32>
    %cst_185 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %738 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %739 = stablehlo.add %737, %738 : tensor<4x4xf32>
    %740 = stablehlo.divide %608, %739 : tensor<4x4xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %741 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %742 = stablehlo.add %654, %741 : tensor<4xf32>
    %743 = stablehlo.sqrt %742 : tensor<4xf32>
    %cst_187 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %744 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %745 = stablehlo.add %743, %744 : tensor<4xf32>
    %746 = stablehlo.divide %610, %745 : tensor<4xf32>
    %cst_188 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %747 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %748 = stablehlo.add %656, %747 : tensor<4xf32>
    %749 = stablehlo.sqrt %748 : tensor<4xf32>
    %cst_189 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %750 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %751 = stablehlo.add %749, %750 : tensor<4xf32>
    %752 = stablehlo.divide %612, %751 : tensor<4xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %753 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %754 = stablehlo.add %658, %753 : tensor<4xf32>
    %755 = stablehlo.sqrt %754 : tensor<4xf32>
    %cst_191 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %756 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %757 = stablehlo.add %755, %756 : tensor<4xf32>
    %758 = stablehlo.divide %614, %757 : tensor<4xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %759 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %760 = stablehlo.add %660, %759 : tensor<4xf32>
    %761 = stablehlo.sqrt %760 : tensor<4xf32>
    %cst_193 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %762 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %763 = stablehlo.add %761, %762 : tensor<4xf32>
    %764 = stablehlo.divide %616, %763 : tensor<4xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %765 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %766 = stablehlo.add %662, %765 : tensor<4x2x2xf32>
    %767 = stablehlo.sqrt %766 : tensor<4x2x2xf32>
    %cst_195 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %768 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %769 = stablehlo.add %767, %768 : tensor<4x2x2xf32>
    %770 = stablehlo.divide %618, %769 : tensor<4x2x2xf32>
    %cst_196 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %771 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %772 = stablehlo.add %664, %771 : tensor<2x2x4xf32>
    %773 = stablehlo.sqrt %772 : tensor<2x2x4xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %774 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %775 = stablehlo.add %773, %774 : tensor<2x2x4xf32>
    %776 = stablehlo.divide %620, %775 : tensor<2x2x4xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %777 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %778 = stablehlo.add %666, %777 : tensor<4x2x2xf32>
    %779 = stablehlo.sqrt %778 : tensor<4x2x2xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %780 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %781 = stablehlo.add %779, %780 : tensor<4x2x2xf32>
    %782 = stablehlo.divide %622, %781 : tensor<4x2x2xf32>
    %cst_200 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %783 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %784 = stablehlo.add %668, %783 : tensor<4x2x2xf32>
    %785 = stablehlo.sqrt %784 : tensor<4x2x2xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %786 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %787 = stablehlo.add %785, %786 : tensor<4x2x2xf32>
    %788 = stablehlo.divide %624, %787 : tensor<4x2x2xf32>
    %cst_202 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %789 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %790 = stablehlo.multiply %789, %674 : tensor<4xf32>
    %cst_203 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %791 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %792 = stablehlo.multiply %791, %680 : tensor<3x3x2x4xf32>
    %cst_204 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %793 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %794 = stablehlo.multiply %793, %686 : tensor<4xf32>
    %cst_205 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %795 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %796 = stablehlo.multiply %795, %692 : tensor<3x3x4x4xf32>
    %cst_206 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %797 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %798 = stablehlo.multiply %797, %698 : tensor<2xf32>
    %cst_207 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %800 = stablehlo.multiply %799, %704 : tensor<3x3x4x2xf32>
    %cst_208 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %801 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %802 = stablehlo.multiply %801, %710 : tensor<4xf32>
    %cst_209 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %803 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %804 = stablehlo.multiply %803, %716 : tensor<3x3x8x4xf32>
    %cst_210 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %805 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %806 = stablehlo.multiply %805, %722 : tensor<4xf32>
    %cst_211 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %807 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %808 = stablehlo.multiply %807, %728 : tensor<4x4xf32>
    %cst_212 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %809 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %810 = stablehlo.multiply %809, %734 : tensor<4xf32>
    %cst_213 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %811 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %812 = stablehlo.multiply %811, %740 : tensor<4x4xf32>
    %cst_214 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %813 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %814 = stablehlo.multiply %813, %746 : tensor<4xf32>
    %cst_215 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %815 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %816 = stablehlo.multiply %815, %752 : tensor<4xf32>
    %cst_216 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %817 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %818 = stablehlo.multiply %817, %758 : tensor<4xf32>
    %cst_217 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %819 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %820 = stablehlo.multiply %819, %764 : tensor<4xf32>
    %cst_218 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %821 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %822 = stablehlo.multiply %821, %770 : tensor<4x2x2xf32>
    %cst_219 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %823 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %824 = stablehlo.multiply %823, %776 : tensor<2x2x4xf32>
    %cst_220 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %825 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %826 = stablehlo.multiply %825, %782 : tensor<4x2x2xf32>
    %cst_221 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %827 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %828 = stablehlo.multiply %827, %788 : tensor<4x2x2xf32>
    %cst_222 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %829 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %830 = stablehlo.multiply %829, %790 : tensor<4xf32>
    %cst_223 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %831 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %832 = stablehlo.multiply %831, %arg62 : tensor<4xf32>
    %833 = stablehlo.add %830, %832 : tensor<4xf32>
    %cst_224 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %834 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %835 = stablehlo.multiply %834, %792 : tensor<3x3x2x4xf32>
    %cst_225 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %836 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %837 = stablehlo.multiply %836, %arg63 : tensor<3x3x2x4xf32>
    %838 = stablehlo.add %835, %837 : tensor<3x3x2x4xf32>
    %cst_226 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %839 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %840 = stablehlo.multiply %839, %794 : tensor<4xf32>
    %cst_227 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %841 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %842 = stablehlo.multiply %841, %arg64 : tensor<4xf32>
    %843 = stablehlo.add %840, %842 : tensor<4xf32>
    %cst_228 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %845 = stablehlo.multiply %844, %796 : tensor<3x3x4x4xf32>
    %cst_229 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %846 = stablehlo.broadcast_in_dim %cst_229, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %847 = stablehlo.multiply %846, %arg65 : tensor<3x3x4x4xf32>
    %848 = stablehlo.add %845, %847 : tensor<3x3x4x4xf32>
    %cst_230 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %849 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %850 = stablehlo.multiply %849, %798 : tensor<2xf32>
    %cst_231 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %851 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %852 = stablehlo.multiply %851, %arg66 : tensor<2xf32>
    %853 = stablehlo.add %850, %852 : tensor<2xf32>
    %cst_232 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %854 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %855 = stablehlo.multiply %854, %800 : tensor<3x3x4x2xf32>
    %cst_233 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %857 = stablehlo.multiply %856, %arg67 : tensor<3x3x4x2xf32>
    %858 = stablehlo.add %855, %857 : tensor<3x3x4x2xf32>
    %cst_234 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %859 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %860 = stablehlo.multiply %859, %802 : tensor<4xf32>
    %cst_235 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %861 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %862 = stablehlo.multiply %861, %arg68 : tensor<4xf32>
    %863 = stablehlo.add %860, %862 : tensor<4xf32>
    %cst_236 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %864 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %865 = stablehlo.multiply %864, %804 : tensor<3x3x8x4xf32>
    %cst_237 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %866 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %867 = stablehlo.multiply %866, %arg69 : tensor<3x3x8x4xf32>
    %868 = stablehlo.add %865, %867 : tensor<3x3x8x4xf32>
    %cst_238 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %869 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %870 = stablehlo.multiply %869, %806 : tensor<4xf32>
    %cst_239 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %871 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %872 = stablehlo.multiply %871, %arg70 : tensor<4xf32>
    %873 = stablehlo.add %870, %872 : tensor<4xf32>
    %cst_240 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %874 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %875 = stablehlo.multiply %874, %808 : tensor<4x4xf32>
    %cst_241 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %876 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %877 = stablehlo.multiply %876, %arg71 : tensor<4x4xf32>
    %878 = stablehlo.add %875, %877 : tensor<4x4xf32>
    %cst_242 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %879 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %880 = stablehlo.multiply %879, %810 : tensor<4xf32>
    %cst_243 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %881 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %882 = stablehlo.multiply %881, %arg72 : tensor<4xf32>
    %883 = stablehlo.add %880, %882 : tensor<4xf32>
    %cst_244 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %884 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %885 = stablehlo.multiply %884, %812 : tensor<4x4xf32>
    %cst_245 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %886 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %887 = stablehlo.multiply %886, %arg73 : tensor<4x4xf32>
    %888 = stablehlo.add %885, %887 : tensor<4x4xf32>
    %cst_246 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %889 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %890 = stablehlo.multiply %889, %814 : tensor<4xf32>
    %cst_247 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %891 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %892 = stablehlo.multiply %891, %arg74 : tensor<4xf32>
    %893 = stablehlo.add %890, %892 : tensor<4xf32>
    %cst_248 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %894 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %895 = stablehlo.multiply %894, %816 : tensor<4xf32>
    %cst_249 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %896 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %897 = stablehlo.multiply %896, %arg75 : tensor<4xf32>
    %898 = stablehlo.add %895, %897 : tensor<4xf32>
    %cst_250 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %899 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %900 = stablehlo.multiply %899, %818 : tensor<4xf32>
    %cst_251 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %901 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %902 = stablehlo.multiply %901, %arg76 : tensor<4xf32>
    %903 = stablehlo.add %900, %902 : tensor<4xf32>
    %cst_252 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %904 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %905 = stablehlo.multiply %904, %820 : tensor<4xf32>
    %cst_253 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %906 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %907 = stablehlo.multiply %906, %arg77 : tensor<4xf32>
    %908 = stablehlo.add %905, %907 : tensor<4xf32>
    %cst_254 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %909 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %910 = stablehlo.multiply %909, %822 : tensor<4x2x2xf32>
    %cst_255 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %911 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %912 = stablehlo.multiply %911, %arg78 : tensor<4x2x2xf32>
    %913 = stablehlo.add %910, %912 : tensor<4x2x2xf32>
    %cst_256 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %914 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %915 = stablehlo.multiply %914, %824 : tensor<2x2x4xf32>
    %cst_257 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %916 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %917 = stablehlo.multiply %916, %arg79 : tensor<2x2x4xf32>
    %918 = stablehlo.add %915, %917 : tensor<2x2x4xf32>
    %cst_258 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %919 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %920 = stablehlo.multiply %919, %826 : tensor<4x2x2xf32>
    %cst_259 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %921 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %922 = stablehlo.multiply %921, %arg80 : tensor<4x2x2xf32>
    %923 = stablehlo.add %920, %922 : tensor<4x2x2xf32>
    %cst_260 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %924 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %925 = stablehlo.multiply %924, %828 : tensor<4x2x2xf32>
    %cst_261 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %926 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %927 = stablehlo.multiply %926, %arg81 : tensor<4x2x2xf32>
    %928 = stablehlo.add %925, %927 : tensor<4x2x2xf32>
    %c_262 = stablehlo.constant dense<2147483647> : tensor<i32>
    %929 = stablehlo.compare LT, %arg61, %c_262, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_263 = stablehlo.constant dense<1> : tensor<i32>
    %930 = stablehlo.add %arg61, %c_263 : tensor<i32>
    %c_264 = stablehlo.constant dense<2147483647> : tensor<i32>
    %931 = call @_where(%929, %930, %c_264) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %932 = stablehlo.convert %931 : (tensor<i32>) -> tensor<f32>
    %cst_265 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %933 = stablehlo.convert %931 : (tensor<i32>) -> tensor<f32>
    %934 = stablehlo.power %cst_265, %933 : tensor<f32>
    %cst_266 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %935 = stablehlo.subtract %cst_266, %934 : tensor<f32>
    %936 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %937 = stablehlo.divide %833, %936 : tensor<4xf32>
    %938 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<3x3x2x4xf32>
    %939 = stablehlo.divide %838, %938 : tensor<3x3x2x4xf32>
    %940 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %941 = stablehlo.divide %843, %940 : tensor<4xf32>
    %942 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %943 = stablehlo.divide %848, %942 : tensor<3x3x4x4xf32>
    %944 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %945 = stablehlo.divide %853, %944 : tensor<2xf32>
    %946 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<3x3x4x2xf32>
    %947 = stablehlo.divide %858, %946 : tensor<3x3x4x2xf32>
    %948 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %949 = stablehlo.divide %863, %948 : tensor<4xf32>
    %950 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<3x3x8x4xf32>
    %951 = stablehlo.divide %868, %950 : tensor<3x3x8x4xf32>
    %952 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %953 = stablehlo.divide %873, %952 : tensor<4xf32>
    %954 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %955 = stablehlo.divide %878, %954 : tensor<4x4xf32>
    %956 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %957 = stablehlo.divide %883, %956 : tensor<4xf32>
    %958 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %959 = stablehlo.divide %888, %958 : tensor<4x4xf32>
    %960 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %961 = stablehlo.divide %893, %960 : tensor<4xf32>
    %962 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %963 = stablehlo.divide %898, %962 : tensor<4xf32>
    %964 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %965 = stablehlo.divide %903, %964 : tensor<4xf32>
    %966 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %967 = stablehlo.divide %908, %966 : tensor<4xf32>
    %968 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %969 = stablehlo.divide %913, %968 : tensor<4x2x2xf32>
    %970 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<2x2x4xf32>
    %971 = stablehlo.divide %918, %970 : tensor<2x2x4xf32>
    %972 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %973 = stablehlo.divide %923, %972 : tensor<4x2x2xf32>
    %974 = stablehlo.broadcast_in_dim %935, dims = [] : (tensor<f32>) -> tensor<4x2x2xf32>
    %975 = stablehlo.divide %928, %974 : tensor<4x2x2xf32>
    %976 = stablehlo.add %arg0, %937 : tensor<4xf32>
    %977 = stablehlo.add %arg1, %939 : tensor<3x3x2x4xf32>
    %978 = stablehlo.add %arg2, %941 : tensor<4xf32>
    %979 = stablehlo.add %arg3, %943 : tensor<3x3x4x4xf32>
    %980 = stablehlo.add %arg4, %945 : tensor<2xf32>
    %981 = stablehlo.add %arg5, %947 : tensor<3x3x4x2xf32>
    %982 = stablehlo.add %arg6, %949 : tensor<4xf32>
    %983 = stablehlo.add %arg7, %951 : tensor<3x3x8x4xf32>
    %984 = stablehlo.add %arg8, %953 : tensor<4xf32>
    %985 = stablehlo.add %arg9, %955 : tensor<4x4xf32>
    %986 = stablehlo.add %arg10, %957 : tensor<4xf32>
    %987 = stablehlo.add %arg11, %959 : tensor<4x4xf32>
    %988 = stablehlo.add %arg12, %961 : tensor<4xf32>
    %989 = stablehlo.add %arg13, %963 : tensor<4xf32>
    %990 = stablehlo.add %arg14, %965 : tensor<4xf32>
    %991 = stablehlo.add %arg15, %967 : tensor<4xf32>
    %992 = stablehlo.add %arg16, %969 : tensor<4x2x2xf32>
    %993 = stablehlo.add %arg17, %971 : tensor<2x2x4xf32>
    %994 = stablehlo.add %arg18, %973 : tensor<4x2x2xf32>
    %995 = stablehlo.add %arg19, %975 : tensor<4x2x2xf32>
    return %201, %976, %977, %978, %979, %980, %981, %982, %983, %984, %985, %986, %987, %988, %989, %990, %991, %992, %993, %994, %995, %580, %362, %367, %372, %377, %382, %387, %392, %397, %402, %407, %412, %417, %422, %427, %432, %437, %442, %447, %452, %457, %463, %469, %475, %481, %487, %493, %499, %505, %511, %517, %523, %529, %535, %541, %547, %553, %559, %565, %571, %577, %931, %833, %838, %843, %848, %853, %858, %863, %868, %873, %878, %883, %888, %893, %898, %903, %908, %913, %918, %923, %928 : tensor<f32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<3x3x4x4xf32>, tensor<2xf32>, tensor<3x3x4x2xf32>, tensor<4xf32>, tensor<3x3x8x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2x2xf32>, tensor<2x2x4xf32>, tensor<4x2x2xf32>, tensor<4x2x2xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<3x3x4x4xf32>, tensor<2xf32>, tensor<3x3x4x2xf32>, tensor<4xf32>, tensor<3x3x8x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2x2xf32>, tensor<2x2x4xf32>, tensor<4x2x2xf32>, tensor<4x2x2xf32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<3x3x4x4xf32>, tensor<2xf32>, tensor<3x3x4x2xf32>, tensor<4xf32>, tensor<3x3x8x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2x2xf32>, tensor<2x2x4xf32>, tensor<4x2x2xf32>, tensor<4x2x2xf32>, tensor<i32>, tensor<4xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>, tensor<3x3x4x4xf32>, tensor<2xf32>, tensor<3x3x4x2xf32>, tensor<4xf32>, tensor<3x3x8x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2x2xf32>, tensor<2x2x4xf32>, tensor<4x2x2xf32>, tensor<4x2x2xf32>
  }
  func.func private @silu(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<2x4xf32>
    %1 = stablehlo.exponential %0 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x4xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<2x4xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<2x4xf32>
    return %9, %8, %5 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @silu_0(%arg0: tensor<2x4x4x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<2x4x4x4xf32>
    %1 = stablehlo.exponential %0 : tensor<2x4x4x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4x4xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x4x4x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x4x4x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x4x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x4x4x4xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<2x4x4x4xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<2x4x4x4xf32>
    return %9, %8, %5 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
  }
  func.func private @_resize(%arg0: tensor<2x2x2x4xf32>) -> (tensor<2x4x4x4xf32>, tensor<4x1xi32>, tensor<4x1xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<4xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.add %0, %1 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4xf32>
    %7 = stablehlo.floor %6 : tensor<4xf32>
    %8 = stablehlo.convert %7 : (tensor<4xf32>) -> tensor<4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %12 = stablehlo.add %8, %11 : tensor<4xi32>
    %13 = stablehlo.select %10, %12, %8 : tensor<4xi1>, tensor<4xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %15 = "stablehlo.gather"(%arg0, %14) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 2, 4>}> : (tensor<2x2x2x4xf32>, tensor<4x1xi32>) -> tensor<2x4x2x4xf32>
    %16 = stablehlo.iota dim = 0 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %18 = stablehlo.add %16, %17 : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.divide %20, %21 : tensor<4xf32>
    %23 = stablehlo.floor %22 : tensor<4xf32>
    %24 = stablehlo.convert %23 : (tensor<4xf32>) -> tensor<4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %26 = stablehlo.compare LT, %24, %25, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %28 = stablehlo.add %24, %27 : tensor<4xi32>
    %29 = stablehlo.select %26, %28, %24 : tensor<4xi1>, tensor<4xi32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %31 = "stablehlo.gather"(%15, %30) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 3], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 4, 1, 4>}> : (tensor<2x4x2x4xf32>, tensor<4x1xi32>) -> tensor<2x4x4x4xf32>
    return %31, %14, %30 : tensor<2x4x4x4xf32>, tensor<4x1xi32>, tensor<4x1xi32>
  }
  func.func private @silu_1(%arg0: tensor<2x4x4x4xf32>, %arg1: tensor<2x4x4x4xf32>, %arg2: tensor<2x4x4x4xf32>, %arg3: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<2x4x4x4xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<2x4x4x4xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<2x4x4x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x4x4x4xf32>
    return %3 : tensor<2x4x4x4xf32>
  }
  func.func private @_resize_2(%arg0: tensor<4x1xi32>, %arg1: tensor<4x1xi32>, %arg2: tensor<2x4x4x4xf32>) -> tensor<2x2x2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x2x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<2x4x2x4xf32>, tensor<4x1xi32>, tensor<2x4x4x4xf32>) -> tensor<2x4x2x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x2x4xf32>
    %3 = "stablehlo.scatter"(%2, %arg0, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2, 3], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<2x2x2x4xf32>, tensor<4x1xi32>, tensor<2x4x2x4xf32>) -> tensor<2x2x2x4xf32>
    return %3 : tensor<2x2x2x4xf32>
  }
  func.func private @silu_3(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<2x4xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<2x4xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<2x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x4xf32>
    return %3 : tensor<2x4xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
