module @jit_transformer_1_adamw attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2x4xf32>, %arg1: tensor<2x4x8xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<8x2x4xf32>, %arg4: tensor<8xf32>, %arg5: tensor<16x8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<13x8xf32>, %arg12: tensor<8x13xf32>, %arg13: tensor<8xf32>, %arg14: tensor<8xf32>, %arg15: tensor<i32>, %arg16: tensor<8x2x4xf32>, %arg17: tensor<2x4x8xf32>, %arg18: tensor<8x2x4xf32>, %arg19: tensor<8x2x4xf32>, %arg20: tensor<8xf32>, %arg21: tensor<16x8xf32>, %arg22: tensor<8xf32>, %arg23: tensor<8xf32>, %arg24: tensor<8xf32>, %arg25: tensor<16xf32>, %arg26: tensor<8x16xf32>, %arg27: tensor<13x8xf32>, %arg28: tensor<8x13xf32>, %arg29: tensor<8xf32>, %arg30: tensor<8xf32>, %arg31: tensor<8x2x4xf32>, %arg32: tensor<2x4x8xf32>, %arg33: tensor<8x2x4xf32>, %arg34: tensor<8x2x4xf32>, %arg35: tensor<8xf32>, %arg36: tensor<16x8xf32>, %arg37: tensor<8xf32>, %arg38: tensor<8xf32>, %arg39: tensor<8xf32>, %arg40: tensor<16xf32>, %arg41: tensor<8x16xf32>, %arg42: tensor<13x8xf32>, %arg43: tensor<8x13xf32>, %arg44: tensor<8xf32>, %arg45: tensor<8xf32>, %arg46: tensor<2x6xi32>, %arg47: tensor<2x6xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['blocks'][0]['attention']['key']['kernel']"}, tensor<2x4x8xf32> {jax.result_info = "result[1]['blocks'][0]['attention']['out']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['blocks'][0]['attention']['query']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[1]['blocks'][0]['attention']['value']['kernel']"}, tensor<8xf32> {jax.result_info = "result[1]['blocks'][0]['down']['bias']"}, tensor<16x8xf32> {jax.result_info = "result[1]['blocks'][0]['down']['kernel']"}, tensor<8xf32> {jax.result_info = "result[1]['blocks'][0]['norm1']['bias']"}, tensor<8xf32> {jax.result_info = "result[1]['blocks'][0]['norm1']['scale']"}, tensor<8xf32> {jax.result_info = "result[1]['blocks'][0]['norm2']['scale']"}, tensor<16xf32> {jax.result_info = "result[1]['blocks'][0]['up']['bias']"}, tensor<8x16xf32> {jax.result_info = "result[1]['blocks'][0]['up']['kernel']"}, tensor<13x8xf32> {jax.result_info = "result[1]['embed']['embedding']"}, tensor<8x13xf32> {jax.result_info = "result[1]['head']['kernel']"}, tensor<8xf32> {jax.result_info = "result[1]['norm']['bias']"}, tensor<8xf32> {jax.result_info = "result[1]['norm']['scale']"}, tensor<i32> {jax.result_info = "result[2][1][0].count"}, tensor<8x2x4xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['attention']['key']['kernel']"}, tensor<2x4x8xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['attention']['out']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['attention']['query']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['attention']['value']['kernel']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['down']['bias']"}, tensor<16x8xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['down']['kernel']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['norm1']['bias']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['norm1']['scale']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['norm2']['scale']"}, tensor<16xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['up']['bias']"}, tensor<8x16xf32> {jax.result_info = "result[2][1][0].mu['blocks'][0]['up']['kernel']"}, tensor<13x8xf32> {jax.result_info = "result[2][1][0].mu['embed']['embedding']"}, tensor<8x13xf32> {jax.result_info = "result[2][1][0].mu['head']['kernel']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].mu['norm']['bias']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].mu['norm']['scale']"}, tensor<8x2x4xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['attention']['key']['kernel']"}, tensor<2x4x8xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['attention']['out']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['attention']['query']['kernel']"}, tensor<8x2x4xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['attention']['value']['kernel']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['down']['bias']"}, tensor<16x8xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['down']['kernel']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['norm1']['bias']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['norm1']['scale']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['norm2']['scale']"}, tensor<16xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['up']['bias']"}, tensor<8x16xf32> {jax.result_info = "result[2][1][0].nu['blocks'][0]['up']['kernel']"}, tensor<13x8xf32> {jax.result_info = "result[2][1][0].nu['embed']['embedding']"}, tensor<8x13xf32> {jax.result_info = "result[2][1][0].nu['head']['kernel']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].nu['norm']['bias']"}, tensor<8xf32> {jax.result_info = "result[2][1][0].nu['norm']['scale']"}) {
    %0:2 = call @_take(%arg11, %arg46) : (tensor<13x8xf32>, tensor<2x6xi32>) -> (tensor<2x6x8xf32>, tensor<2x6x1xi32>)
    %1 = stablehlo.slice %0#0 [0:2, 0:6, 0:1] : (tensor<2x6x8xf32>) -> tensor<2x6x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %3 = stablehlo.iota dim = 0 : tensor<6xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<6xi32>) -> tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 2] : (tensor<2x6xi32>) -> tensor<2x1x6xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x6x1xi32>) -> tensor<2x6x6xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x1x6xi32>) -> tensor<2x6x6xi32>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<2x6x6xi32>, tensor<2x6x6xi32>) -> tensor<2x6x6xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 2, 3] : (tensor<2x6x6xi1>) -> tensor<2x1x6x6xi1>
    %11 = stablehlo.convert %10 : (tensor<2x1x6x6xi1>) -> tensor<2x1x6x6xf32>
    %12 = chlo.square %0#0 : tensor<2x6x8xf32> -> tensor<2x6x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x8xf32>
    %14 = stablehlo.multiply %13, %0#0 : tensor<2x6x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%0#0 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %17 = stablehlo.divide %15, %16 : tensor<2x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %20 = stablehlo.divide %18, %19 : tensor<2x6xf32>
    %21 = chlo.square %17 : tensor<2x6xf32> -> tensor<2x6xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %23 = stablehlo.multiply %22, %17 : tensor<2x6xf32>
    %24 = stablehlo.subtract %20, %21 : tensor<2x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<2x6xf32>
    %27 = stablehlo.compare EQ, %24, %26, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %30 = stablehlo.select %27, %28, %29 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %32 = stablehlo.compare EQ, %31, %26, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %35 = stablehlo.select %32, %33, %34 : tensor<2x6xi1>, tensor<2x6xf32>
    %36 = stablehlo.divide %30, %35 : tensor<2x6xf32>
    %37 = stablehlo.reshape %17 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %38 = stablehlo.reshape %26 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %40 = stablehlo.subtract %0#0, %39 : tensor<2x6x8xf32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %42 = stablehlo.add %38, %41 : tensor<2x6x1xf32>
    %43 = stablehlo.rsqrt %42 : tensor<2x6x1xf32>
    %44 = stablehlo.divide %43, %42 : tensor<2x6x1xf32>
    %cst_12 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<2x6x1xf32>
    %47 = stablehlo.reshape %arg7 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %48 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %50 = stablehlo.multiply %48, %49 : tensor<2x6x8xf32>
    %51 = stablehlo.multiply %40, %50 : tensor<2x6x8xf32>
    %52 = stablehlo.reshape %arg6 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %54 = stablehlo.add %51, %53 : tensor<2x6x8xf32>
    %55 = stablehlo.dot_general %54, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x2x4xf32>) -> tensor<2x6x2x4xf32>
    %56 = stablehlo.dot_general %54, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x2x4xf32>) -> tensor<2x6x2x4xf32>
    %57 = stablehlo.dot_general %54, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x2x4xf32>) -> tensor<2x6x2x4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %59 = stablehlo.compare NE, %11, %58, FLOAT : (tensor<2x1x6x6xf32>, tensor<2x1x6x6xf32>) -> tensor<2x1x6x6xi1>
    %60 = stablehlo.convert %59 : tensor<2x1x6x6xi1>
    %61 = stablehlo.reshape %55 : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x1x4xf32>
    %62 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 3, 4] : (tensor<2x1x6x6xi1>) -> tensor<2x1x1x6x6xi1>
    %63 = stablehlo.dot_general %61, %56, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x1x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x1x6xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x2x6x1x6xf32>
    %65 = stablehlo.multiply %63, %64 : tensor<2x2x6x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %66 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x6x6xi1>
    %67 = stablehlo.broadcast_in_dim %66, dims = [1, 2, 3, 4] : (tensor<2x2x6x6xi1>) -> tensor<1x2x2x6x6xi1>
    %68 = stablehlo.transpose %62, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x6x6xi1>) -> tensor<1x2x1x6x6xi1>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x6x6xi1>) -> tensor<1x2x2x6x6xi1>
    %70 = stablehlo.and %67, %69 : tensor<1x2x2x6x6xi1>
    %cst_15 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %71:2 = call @_where_0(%70, %65, %cst_15) : (tensor<1x2x2x6x6xi1>, tensor<2x2x6x1x6xf32>, tensor<f32>) -> (tensor<1x2x2x6x6xf32>, tensor<1x2x2x6x6xf32>)
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %72 = stablehlo.reduce(%71#0 init: %cst_16) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x6x6xf32>, tensor<f32>) -> tensor<1x2x2x6xf32>
    %73 = stablehlo.reshape %72 : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x6x1xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x6x1xf32>) -> tensor<1x2x2x6x6xf32>
    %75 = stablehlo.compare EQ, %71#0, %74, FLOAT : (tensor<1x2x2x6x6xf32>, tensor<1x2x2x6x6xf32>) -> tensor<1x2x2x6x6xi1>
    %76 = stablehlo.convert %75 : (tensor<1x2x2x6x6xi1>) -> tensor<1x2x2x6x6xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_17) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x6x6xf32>, tensor<f32>) -> tensor<1x2x2x6xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x2x2x6xf32>
    %79 = stablehlo.maximum %78, %72 : tensor<1x2x2x6xf32>
    %80 = stablehlo.compare EQ, %72, %79, FLOAT : (tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>) -> tensor<1x2x2x6xi1>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x2x2x6xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x2x2x6xf32>
    %83 = stablehlo.select %80, %81, %82 : tensor<1x2x2x6xi1>, tensor<1x2x2x6xf32>
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x2x2x6xf32>
    %85 = stablehlo.compare EQ, %84, %79, FLOAT : (tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>) -> tensor<1x2x2x6xi1>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x2x2x6xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x2x2x6xf32>
    %88 = stablehlo.select %85, %86, %87 : tensor<1x2x2x6xi1>, tensor<1x2x2x6xf32>
    %89 = stablehlo.divide %83, %88 : tensor<1x2x2x6xf32>
    %90 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x6x1xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x6x1xf32>) -> tensor<1x2x2x6x6xf32>
    %92 = stablehlo.subtract %71#0, %91 : tensor<1x2x2x6x6xf32>
    %93 = stablehlo.exponential %92 : tensor<1x2x2x6x6xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.reduce(%93 init: %cst_24) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x6x6xf32>, tensor<f32>) -> tensor<1x2x2x6xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x6x1xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x6x1xf32>) -> tensor<1x2x2x6x6xf32>
    %97 = stablehlo.divide %93, %96 : tensor<1x2x2x6x6xf32>
    %98 = stablehlo.multiply %95, %95 : tensor<1x2x2x6x1xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1x2x2x6x1xf32>
    %100 = stablehlo.divide %99, %98 : tensor<1x2x2x6x1xf32>
    %101 = stablehlo.dot_general %57, %97, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<1x2x2x6x6xf32>) -> tensor<2x2x4x1x6xf32>
    %102 = stablehlo.transpose %101, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x6xf32>) -> tensor<1x2x6x2x4xf32>
    %103 = stablehlo.transpose %102, dims = [1, 2, 3, 0, 4] : (tensor<1x2x6x2x4xf32>) -> tensor<2x6x2x1x4xf32>
    %104 = stablehlo.reshape %103 : (tensor<2x6x2x1x4xf32>) -> tensor<2x6x2x4xf32>
    %105 = stablehlo.dot_general %104, %arg1, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x6x8xf32>
    %106 = stablehlo.add %0#0, %105 : tensor<2x6x8xf32>
    %107 = chlo.square %106 : tensor<2x6x8xf32> -> tensor<2x6x8xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x6x8xf32>
    %109 = stablehlo.multiply %108, %106 : tensor<2x6x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%107 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_28 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %112 = stablehlo.divide %110, %111 : tensor<2x6xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %114 = stablehlo.reshape %113 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %115 = stablehlo.reshape %112 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %116 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %117 = stablehlo.subtract %106, %116 : tensor<2x6x8xf32>
    %cst_30 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %119 = stablehlo.add %115, %118 : tensor<2x6x1xf32>
    %120 = stablehlo.rsqrt %119 : tensor<2x6x1xf32>
    %121 = stablehlo.divide %120, %119 : tensor<2x6x1xf32>
    %cst_31 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %123 = stablehlo.multiply %122, %121 : tensor<2x6x1xf32>
    %124 = stablehlo.reshape %arg8 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %125 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %126 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %127 = stablehlo.multiply %125, %126 : tensor<2x6x8xf32>
    %128 = stablehlo.multiply %117, %127 : tensor<2x6x8xf32>
    %129 = stablehlo.dot_general %128, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x16xf32>) -> tensor<2x6x16xf32>
    %130 = stablehlo.reshape %arg9 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %132 = stablehlo.add %129, %131 : tensor<2x6x16xf32>
    %133 = stablehlo.multiply %132, %132 : tensor<2x6x16xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<2x6x16xf32>
    %135 = stablehlo.multiply %132, %132 : tensor<2x6x16xf32>
    %cst_32 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %137 = stablehlo.multiply %136, %135 : tensor<2x6x16xf32>
    %cst_33 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %139 = stablehlo.multiply %138, %134 : tensor<2x6x16xf32>
    %140 = stablehlo.add %132, %139 : tensor<2x6x16xf32>
    %cst_34 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %142 = stablehlo.multiply %141, %140 : tensor<2x6x16xf32>
    %143 = stablehlo.tanh %142 : tensor<2x6x16xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %145 = stablehlo.subtract %144, %143 : tensor<2x6x16xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %147 = stablehlo.add %146, %143 : tensor<2x6x16xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %149 = stablehlo.multiply %148, %147 : tensor<2x6x16xf32>
    %150 = stablehlo.multiply %132, %149 : tensor<2x6x16xf32>
    %151 = stablehlo.dot_general %150, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %152 = stablehlo.reshape %arg4 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %154 = stablehlo.add %151, %153 : tensor<2x6x8xf32>
    %155 = stablehlo.add %106, %154 : tensor<2x6x8xf32>
    %156 = chlo.square %155 : tensor<2x6x8xf32> -> tensor<2x6x8xf32>
    %cst_38 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x6x8xf32>
    %158 = stablehlo.multiply %157, %155 : tensor<2x6x8xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.reduce(%155 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_40 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %161 = stablehlo.divide %159, %160 : tensor<2x6xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.reduce(%156 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_42 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %164 = stablehlo.divide %162, %163 : tensor<2x6xf32>
    %165 = chlo.square %161 : tensor<2x6xf32> -> tensor<2x6xf32>
    %cst_43 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %167 = stablehlo.multiply %166, %161 : tensor<2x6xf32>
    %168 = stablehlo.subtract %164, %165 : tensor<2x6xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %170 = stablehlo.maximum %169, %168 : tensor<2x6xf32>
    %171 = stablehlo.compare EQ, %168, %170, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %174 = stablehlo.select %171, %172, %173 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %176 = stablehlo.compare EQ, %175, %170, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %179 = stablehlo.select %176, %177, %178 : tensor<2x6xi1>, tensor<2x6xf32>
    %180 = stablehlo.divide %174, %179 : tensor<2x6xf32>
    %181 = stablehlo.reshape %161 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %182 = stablehlo.reshape %170 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %183 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %184 = stablehlo.subtract %155, %183 : tensor<2x6x8xf32>
    %cst_50 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %186 = stablehlo.add %182, %185 : tensor<2x6x1xf32>
    %187 = stablehlo.rsqrt %186 : tensor<2x6x1xf32>
    %188 = stablehlo.divide %187, %186 : tensor<2x6x1xf32>
    %cst_51 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %190 = stablehlo.multiply %189, %188 : tensor<2x6x1xf32>
    %191 = stablehlo.reshape %arg14 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %192 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %193 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %194 = stablehlo.multiply %192, %193 : tensor<2x6x8xf32>
    %195 = stablehlo.multiply %184, %194 : tensor<2x6x8xf32>
    %196 = stablehlo.reshape %arg13 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %198 = stablehlo.add %195, %197 : tensor<2x6x8xf32>
    %199 = stablehlo.dot_general %198, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<8x13xf32>) -> tensor<2x6x13xf32>
    %200 = stablehlo.broadcast_in_dim %arg47, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %201:2 = call @take_along_axis(%199, %200) : (tensor<2x6x13xf32>, tensor<2x6x1xi32>) -> (tensor<2x6x1xf32>, tensor<2x6x1x1xi32>)
    %c_52 = stablehlo.constant dense<0> : tensor<i32>
    %202:2 = call @_take_1(%201#0, %c_52) : (tensor<2x6x1xf32>, tensor<i32>) -> (tensor<2x6xf32>, tensor<1xi32>)
    %cst_53 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %203 = stablehlo.reduce(%199 init: %cst_53) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x13xf32>, tensor<f32>) -> tensor<2x6xf32>
    %204 = stablehlo.reshape %203 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x13xf32>
    %206 = stablehlo.compare EQ, %199, %205, FLOAT : (tensor<2x6x13xf32>, tensor<2x6x13xf32>) -> tensor<2x6x13xi1>
    %207 = stablehlo.convert %206 : (tensor<2x6x13xi1>) -> tensor<2x6x13xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%207 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<2x6x13xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_55 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %210 = stablehlo.maximum %209, %203 : tensor<2x6xf32>
    %211 = stablehlo.compare EQ, %203, %210, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %214 = stablehlo.select %211, %212, %213 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_58 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %216 = stablehlo.compare EQ, %215, %210, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_59 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %219 = stablehlo.select %216, %217, %218 : tensor<2x6xi1>, tensor<2x6xf32>
    %220 = stablehlo.divide %214, %219 : tensor<2x6xf32>
    %221 = stablehlo.is_finite %210 : (tensor<2x6xf32>) -> tensor<2x6xi1>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %223 = stablehlo.select %221, %210, %222 : tensor<2x6xi1>, tensor<2x6xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %225 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x13xf32>
    %227 = stablehlo.subtract %199, %226 : tensor<2x6x13xf32>
    %228 = stablehlo.exponential %227 : tensor<2x6x13xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.reduce(%228 init: %cst_63) applies stablehlo.add across dimensions = [2] : (tensor<2x6x13xf32>, tensor<f32>) -> tensor<2x6xf32>
    %230 = stablehlo.sign %229 : tensor<2x6xf32>
    %231 = stablehlo.abs %229 : tensor<2x6xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %233 = stablehlo.compare GE, %229, %232, FLOAT : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xi1>
    %234 = stablehlo.log %231 : tensor<2x6xf32>
    %235 = stablehlo.add %234, %223 : tensor<2x6xf32>
    %236 = stablehlo.subtract %235, %202#0 : tensor<2x6xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%236 init: %cst_65) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_66 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %238 = stablehlo.divide %237, %cst_66 : tensor<f32>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_68 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %239 = stablehlo.divide %cst_67, %cst_68 : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %241 = stablehlo.negate %240 : tensor<2x6xf32>
    %242 = stablehlo.divide %240, %231 : tensor<2x6xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %244 = stablehlo.select %233, %243, %242 : tensor<2x6xi1>, tensor<2x6xf32>
    %245 = stablehlo.select %233, %242, %243 : tensor<2x6xi1>, tensor<2x6xf32>
    %246 = stablehlo.negate %244 : tensor<2x6xf32>
    %247 = stablehlo.add %245, %246 : tensor<2x6xf32>
    %248 = stablehlo.broadcast_in_dim %247, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x13xf32>
    %249 = stablehlo.multiply %248, %228 : tensor<2x6x13xf32>
    %250 = call @_take_3(%202#1, %241) : (tensor<1xi32>, tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %251 = call @take_along_axis_4(%201#1, %250) : (tensor<2x6x1x1xi32>, tensor<2x6x1xf32>) -> tensor<2x6x13xf32>
    %252 = stablehlo.add %249, %251 : tensor<2x6x13xf32>
    %253 = stablehlo.dot_general %252, %198, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x13xf32>, tensor<2x6x8xf32>) -> tensor<13x8xf32>
    %254 = stablehlo.transpose %253, dims = [1, 0] : (tensor<13x8xf32>) -> tensor<8x13xf32>
    %255 = stablehlo.dot_general %252, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x13xf32>, tensor<8x13xf32>) -> tensor<2x6x8xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.reduce(%255 init: %cst_70) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %257 = stablehlo.reshape %256 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %258 = stablehlo.reshape %257 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %259 = stablehlo.multiply %184, %255 : tensor<2x6x8xf32>
    %260 = stablehlo.multiply %255, %194 : tensor<2x6x8xf32>
    %261 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %262 = stablehlo.multiply %261, %259 : tensor<2x6x8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %263 = stablehlo.reduce(%262 init: %cst_71) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %264 = stablehlo.reshape %263 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %265 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %266 = stablehlo.multiply %259, %265 : tensor<2x6x8xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %268 = stablehlo.reshape %267 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %269 = stablehlo.reshape %264 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %270 = stablehlo.multiply %268, %190 : tensor<2x6x1xf32>
    %271 = stablehlo.negate %260 : tensor<2x6x8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %272 = stablehlo.reduce(%271 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %273 = stablehlo.reshape %272 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %274 = stablehlo.reshape %270 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %275 = stablehlo.reshape %273 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %276 = stablehlo.multiply %274, %180 : tensor<2x6xf32>
    %277 = stablehlo.negate %276 : tensor<2x6xf32>
    %278 = stablehlo.multiply %277, %167 : tensor<2x6xf32>
    %279 = stablehlo.add %275, %278 : tensor<2x6xf32>
    %cst_74 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %281 = stablehlo.divide %276, %280 : tensor<2x6xf32>
    %282 = stablehlo.broadcast_in_dim %281, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %cst_75 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %284 = stablehlo.divide %279, %283 : tensor<2x6xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %286 = stablehlo.add %260, %285 : tensor<2x6x8xf32>
    %287 = stablehlo.multiply %282, %158 : tensor<2x6x8xf32>
    %288 = stablehlo.add %286, %287 : tensor<2x6x8xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.reduce(%288 init: %cst_76) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %290 = stablehlo.reshape %289 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %291 = stablehlo.reshape %290 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %292 = stablehlo.dot_general %288, %150, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x6x16xf32>) -> tensor<8x16xf32>
    %293 = stablehlo.transpose %292, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %294 = stablehlo.dot_general %288, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<16x8xf32>) -> tensor<2x6x16xf32>
    %295 = stablehlo.multiply %132, %294 : tensor<2x6x16xf32>
    %296 = stablehlo.multiply %294, %149 : tensor<2x6x16xf32>
    %cst_77 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %298 = stablehlo.multiply %297, %295 : tensor<2x6x16xf32>
    %299 = stablehlo.multiply %298, %145 : tensor<2x6x16xf32>
    %300 = stablehlo.multiply %299, %143 : tensor<2x6x16xf32>
    %301 = stablehlo.add %299, %300 : tensor<2x6x16xf32>
    %cst_78 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %303 = stablehlo.multiply %302, %301 : tensor<2x6x16xf32>
    %304 = stablehlo.add %296, %303 : tensor<2x6x16xf32>
    %cst_79 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %306 = stablehlo.multiply %305, %303 : tensor<2x6x16xf32>
    %307 = stablehlo.multiply %306, %137 : tensor<2x6x16xf32>
    %308 = stablehlo.add %304, %307 : tensor<2x6x16xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %309 = stablehlo.reduce(%308 init: %cst_80) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %310 = stablehlo.reshape %309 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %311 = stablehlo.reshape %310 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %312 = stablehlo.dot_general %308, %128, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<2x6x8xf32>) -> tensor<16x8xf32>
    %313 = stablehlo.transpose %312, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %314 = stablehlo.dot_general %308, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %315 = stablehlo.multiply %117, %314 : tensor<2x6x8xf32>
    %316 = stablehlo.multiply %314, %127 : tensor<2x6x8xf32>
    %317 = stablehlo.add %288, %316 : tensor<2x6x8xf32>
    %318 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %319 = stablehlo.multiply %318, %315 : tensor<2x6x8xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %320 = stablehlo.reduce(%319 init: %cst_81) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %321 = stablehlo.reshape %320 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %322 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %323 = stablehlo.multiply %315, %322 : tensor<2x6x8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %324 = stablehlo.reduce(%323 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %325 = stablehlo.reshape %324 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %326 = stablehlo.reshape %321 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %327 = stablehlo.multiply %325, %123 : tensor<2x6x1xf32>
    %328 = stablehlo.reshape %327 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %cst_83 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %330 = stablehlo.divide %328, %329 : tensor<2x6xf32>
    %331 = stablehlo.broadcast_in_dim %330, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %332 = stablehlo.multiply %331, %109 : tensor<2x6x8xf32>
    %333 = stablehlo.add %317, %332 : tensor<2x6x8xf32>
    %334 = stablehlo.dot_general %333, %104, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x6x2x4xf32>) -> tensor<8x2x4xf32>
    %335 = stablehlo.transpose %334, dims = [1, 2, 0] : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
    %336 = stablehlo.dot_general %333, %arg1, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x4x8xf32>) -> tensor<2x6x2x4xf32>
    %337 = stablehlo.reshape %336 : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x1x4xf32>
    %338 = stablehlo.transpose %337, dims = [3, 0, 1, 2, 4] : (tensor<2x6x2x1x4xf32>) -> tensor<1x2x6x2x4xf32>
    %339 = stablehlo.transpose %338, dims = [1, 3, 4, 0, 2] : (tensor<1x2x6x2x4xf32>) -> tensor<2x2x4x1x6xf32>
    %340 = stablehlo.dot_general %339, %57, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x1x6xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x1x6x6xf32>
    %341 = stablehlo.transpose %340, dims = [2, 0, 1, 3, 4] : (tensor<2x2x1x6x6xf32>) -> tensor<1x2x2x6x6xf32>
    %342 = stablehlo.dot_general %339, %97, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x1x6xf32>, tensor<1x2x2x6x6xf32>) -> tensor<2x2x4x6xf32>
    %343 = stablehlo.transpose %342, dims = [0, 3, 1, 2] : (tensor<2x2x4x6xf32>) -> tensor<2x6x2x4xf32>
    %344 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x6x1xf32>) -> tensor<1x2x2x6x6xf32>
    %345 = stablehlo.multiply %341, %344 : tensor<1x2x2x6x6xf32>
    %346 = stablehlo.multiply %345, %93 : tensor<1x2x2x6x6xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %347 = stablehlo.reduce(%346 init: %cst_84) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x6x6xf32>, tensor<f32>) -> tensor<1x2x2x6xf32>
    %348 = stablehlo.reshape %347 : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x6x1xf32>
    %349 = stablehlo.negate %348 : tensor<1x2x2x6x1xf32>
    %350 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x6x1xf32>) -> tensor<1x2x2x6x6xf32>
    %351 = stablehlo.divide %341, %350 : tensor<1x2x2x6x6xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %352 = stablehlo.reduce(%349 init: %cst_85) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x2x6x1xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %353 = stablehlo.broadcast_in_dim %352, dims = [1, 2, 3] : (tensor<2x2x6xf32>) -> tensor<1x2x2x6xf32>
    %354 = stablehlo.broadcast_in_dim %353, dims = [0, 1, 2, 3] : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x6x6xf32>
    %355 = stablehlo.add %351, %354 : tensor<1x2x2x6x6xf32>
    %356 = stablehlo.multiply %355, %93 : tensor<1x2x2x6x6xf32>
    %357 = call @_where_5(%70, %71#1, %356) : (tensor<1x2x2x6x6xi1>, tensor<1x2x2x6x6xf32>, tensor<1x2x2x6x6xf32>) -> tensor<2x2x6x1x6xf32>
    %cst_86 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<2x2x6x1x6xf32>
    %359 = stablehlo.multiply %357, %358 : tensor<2x2x6x1x6xf32>
    %360 = stablehlo.dot_general %359, %61, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x6x1x6xf32>, tensor<2x6x2x1x4xf32>) -> tensor<2x2x6x4xf32>
    %361 = stablehlo.transpose %360, dims = [0, 2, 1, 3] : (tensor<2x2x6x4xf32>) -> tensor<2x6x2x4xf32>
    %362 = stablehlo.dot_general %359, %56, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x6x1x6xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x1x4xf32>
    %363 = stablehlo.transpose %362, dims = [0, 2, 1, 3, 4] : (tensor<2x2x6x1x4xf32>) -> tensor<2x6x2x1x4xf32>
    %364 = stablehlo.reshape %363 : (tensor<2x6x2x1x4xf32>) -> tensor<2x6x2x4xf32>
    %365 = stablehlo.dot_general %343, %54, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
    %366 = stablehlo.transpose %365, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %367 = stablehlo.dot_general %343, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<8x2x4xf32>) -> tensor<2x6x8xf32>
    %368 = stablehlo.dot_general %361, %54, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
    %369 = stablehlo.transpose %368, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %370 = stablehlo.dot_general %361, %arg0, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<8x2x4xf32>) -> tensor<2x6x8xf32>
    %371 = stablehlo.add %367, %370 : tensor<2x6x8xf32>
    %372 = stablehlo.dot_general %364, %54, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
    %373 = stablehlo.transpose %372, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %374 = stablehlo.dot_general %364, %arg2, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<8x2x4xf32>) -> tensor<2x6x8xf32>
    %375 = stablehlo.add %371, %374 : tensor<2x6x8xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %376 = stablehlo.reduce(%375 init: %cst_87) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %377 = stablehlo.reshape %376 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %378 = stablehlo.reshape %377 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %379 = stablehlo.multiply %40, %375 : tensor<2x6x8xf32>
    %380 = stablehlo.multiply %375, %50 : tensor<2x6x8xf32>
    %381 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x8xf32>
    %382 = stablehlo.multiply %381, %379 : tensor<2x6x8xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %383 = stablehlo.reduce(%382 init: %cst_88) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %384 = stablehlo.reshape %383 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %385 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %386 = stablehlo.multiply %379, %385 : tensor<2x6x8xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.reduce(%386 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %388 = stablehlo.reshape %387 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %389 = stablehlo.reshape %384 : (tensor<1x1x8xf32>) -> tensor<8xf32>
    %390 = stablehlo.multiply %388, %46 : tensor<2x6x1xf32>
    %391 = stablehlo.negate %380 : tensor<2x6x8xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %392 = stablehlo.reduce(%391 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<2x6x8xf32>, tensor<f32>) -> tensor<2x6xf32>
    %393 = stablehlo.reshape %392 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %394 = stablehlo.add %333, %380 : tensor<2x6x8xf32>
    %395 = stablehlo.reshape %390 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %396 = stablehlo.reshape %393 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %397 = stablehlo.multiply %395, %36 : tensor<2x6xf32>
    %398 = stablehlo.negate %397 : tensor<2x6xf32>
    %399 = stablehlo.multiply %398, %23 : tensor<2x6xf32>
    %400 = stablehlo.add %396, %399 : tensor<2x6xf32>
    %cst_91 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %402 = stablehlo.divide %397, %401 : tensor<2x6xf32>
    %403 = stablehlo.broadcast_in_dim %402, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %cst_92 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %404 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %405 = stablehlo.divide %400, %404 : tensor<2x6xf32>
    %406 = stablehlo.broadcast_in_dim %405, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x8xf32>
    %407 = stablehlo.add %394, %406 : tensor<2x6x8xf32>
    %408 = stablehlo.multiply %403, %14 : tensor<2x6x8xf32>
    %409 = stablehlo.add %407, %408 : tensor<2x6x8xf32>
    %410 = call @_take_6(%0#1, %409) : (tensor<2x6x1xi32>, tensor<2x6x8xf32>) -> tensor<13x8xf32>
    %411 = chlo.square %369 : tensor<8x2x4xf32> -> tensor<8x2x4xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %413 = chlo.square %412 : tensor<8x2x4xf32> -> tensor<8x2x4xf32>
    %414 = stablehlo.add %411, %413 : tensor<8x2x4xf32>
    %415 = chlo.square %335 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %417 = chlo.square %416 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %418 = stablehlo.add %415, %417 : tensor<2x4x8xf32>
    %419 = chlo.square %373 : tensor<8x2x4xf32> -> tensor<8x2x4xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %421 = chlo.square %420 : tensor<8x2x4xf32> -> tensor<8x2x4xf32>
    %422 = stablehlo.add %419, %421 : tensor<8x2x4xf32>
    %423 = chlo.square %366 : tensor<8x2x4xf32> -> tensor<8x2x4xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %425 = chlo.square %424 : tensor<8x2x4xf32> -> tensor<8x2x4xf32>
    %426 = stablehlo.add %423, %425 : tensor<8x2x4xf32>
    %427 = chlo.square %291 : tensor<8xf32> -> tensor<8xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %429 = chlo.square %428 : tensor<8xf32> -> tensor<8xf32>
    %430 = stablehlo.add %427, %429 : tensor<8xf32>
    %431 = chlo.square %293 : tensor<16x8xf32> -> tensor<16x8xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %433 = chlo.square %432 : tensor<16x8xf32> -> tensor<16x8xf32>
    %434 = stablehlo.add %431, %433 : tensor<16x8xf32>
    %435 = chlo.square %378 : tensor<8xf32> -> tensor<8xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %437 = chlo.square %436 : tensor<8xf32> -> tensor<8xf32>
    %438 = stablehlo.add %435, %437 : tensor<8xf32>
    %439 = chlo.square %389 : tensor<8xf32> -> tensor<8xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %441 = chlo.square %440 : tensor<8xf32> -> tensor<8xf32>
    %442 = stablehlo.add %439, %441 : tensor<8xf32>
    %443 = chlo.square %326 : tensor<8xf32> -> tensor<8xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %444 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %445 = chlo.square %444 : tensor<8xf32> -> tensor<8xf32>
    %446 = stablehlo.add %443, %445 : tensor<8xf32>
    %447 = chlo.square %311 : tensor<16xf32> -> tensor<16xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %449 = chlo.square %448 : tensor<16xf32> -> tensor<16xf32>
    %450 = stablehlo.add %447, %449 : tensor<16xf32>
    %451 = chlo.square %313 : tensor<8x16xf32> -> tensor<8x16xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %452 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %453 = chlo.square %452 : tensor<8x16xf32> -> tensor<8x16xf32>
    %454 = stablehlo.add %451, %453 : tensor<8x16xf32>
    %455 = chlo.square %410 : tensor<13x8xf32> -> tensor<13x8xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %456 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %457 = chlo.square %456 : tensor<13x8xf32> -> tensor<13x8xf32>
    %458 = stablehlo.add %455, %457 : tensor<13x8xf32>
    %459 = chlo.square %254 : tensor<8x13xf32> -> tensor<8x13xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %460 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %461 = chlo.square %460 : tensor<8x13xf32> -> tensor<8x13xf32>
    %462 = stablehlo.add %459, %461 : tensor<8x13xf32>
    %463 = chlo.square %258 : tensor<8xf32> -> tensor<8xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %465 = chlo.square %464 : tensor<8xf32> -> tensor<8xf32>
    %466 = stablehlo.add %463, %465 : tensor<8xf32>
    %467 = chlo.square %269 : tensor<8xf32> -> tensor<8xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %468 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %469 = chlo.square %468 : tensor<8xf32> -> tensor<8xf32>
    %470 = stablehlo.add %467, %469 : tensor<8xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %471 = stablehlo.reduce(%414 init: %cst_108) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %472 = stablehlo.reduce(%418 init: %cst_109) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %473 = stablehlo.reduce(%422 init: %cst_110) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %474 = stablehlo.reduce(%426 init: %cst_111) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %475 = stablehlo.reduce(%430 init: %cst_112) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%434 init: %cst_113) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.reduce(%438 init: %cst_114) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.reduce(%442 init: %cst_115) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %479 = stablehlo.reduce(%446 init: %cst_116) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %480 = stablehlo.reduce(%450 init: %cst_117) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %481 = stablehlo.reduce(%454 init: %cst_118) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %482 = stablehlo.reduce(%458 init: %cst_119) applies stablehlo.add across dimensions = [0, 1] : (tensor<13x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %483 = stablehlo.reduce(%462 init: %cst_120) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x13xf32>, tensor<f32>) -> tensor<f32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %484 = stablehlo.reduce(%466 init: %cst_121) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %485 = stablehlo.reduce(%470 init: %cst_122) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.add %cst_123, %471 : tensor<f32>
    %487 = stablehlo.add %486, %472 : tensor<f32>
    %488 = stablehlo.add %487, %473 : tensor<f32>
    %489 = stablehlo.add %488, %474 : tensor<f32>
    %490 = stablehlo.add %489, %475 : tensor<f32>
    %491 = stablehlo.add %490, %476 : tensor<f32>
    %492 = stablehlo.add %491, %477 : tensor<f32>
    %493 = stablehlo.add %492, %478 : tensor<f32>
    %494 = stablehlo.add %493, %479 : tensor<f32>
    %495 = stablehlo.add %494, %480 : tensor<f32>
    %496 = stablehlo.add %495, %481 : tensor<f32>
    %497 = stablehlo.add %496, %482 : tensor<f32>
    %498 = stablehlo.add %497, %483 : tensor<f32>
    %499 = stablehlo.add %498, %484 : tensor<f32>
    %500 = stablehlo.add %499, %485 : tensor<f32>
    %501 = stablehlo.sqrt %500 : tensor<f32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %502 = stablehlo.compare LT, %501, %cst_124, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %503 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %504 = stablehlo.divide %369, %503 : tensor<8x2x4xf32>
    %cst_125 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %506 = stablehlo.multiply %504, %505 : tensor<8x2x4xf32>
    %507 = stablehlo.select %502, %369, %506 : tensor<i1>, tensor<8x2x4xf32>
    %508 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %509 = stablehlo.divide %335, %508 : tensor<2x4x8xf32>
    %cst_126 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %511 = stablehlo.multiply %509, %510 : tensor<2x4x8xf32>
    %512 = stablehlo.select %502, %335, %511 : tensor<i1>, tensor<2x4x8xf32>
    %513 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %514 = stablehlo.divide %373, %513 : tensor<8x2x4xf32>
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %516 = stablehlo.multiply %514, %515 : tensor<8x2x4xf32>
    %517 = stablehlo.select %502, %373, %516 : tensor<i1>, tensor<8x2x4xf32>
    %518 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %519 = stablehlo.divide %366, %518 : tensor<8x2x4xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %521 = stablehlo.multiply %519, %520 : tensor<8x2x4xf32>
    %522 = stablehlo.select %502, %366, %521 : tensor<i1>, tensor<8x2x4xf32>
    %523 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %524 = stablehlo.divide %291, %523 : tensor<8xf32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %526 = stablehlo.multiply %524, %525 : tensor<8xf32>
    %527 = stablehlo.select %502, %291, %526 : tensor<i1>, tensor<8xf32>
    %528 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %529 = stablehlo.divide %293, %528 : tensor<16x8xf32>
    %cst_130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %530 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %531 = stablehlo.multiply %529, %530 : tensor<16x8xf32>
    %532 = stablehlo.select %502, %293, %531 : tensor<i1>, tensor<16x8xf32>
    %533 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %534 = stablehlo.divide %378, %533 : tensor<8xf32>
    %cst_131 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %536 = stablehlo.multiply %534, %535 : tensor<8xf32>
    %537 = stablehlo.select %502, %378, %536 : tensor<i1>, tensor<8xf32>
    %538 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %539 = stablehlo.divide %389, %538 : tensor<8xf32>
    %cst_132 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %541 = stablehlo.multiply %539, %540 : tensor<8xf32>
    %542 = stablehlo.select %502, %389, %541 : tensor<i1>, tensor<8xf32>
    %543 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %544 = stablehlo.divide %326, %543 : tensor<8xf32>
    %cst_133 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %545 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %546 = stablehlo.multiply %544, %545 : tensor<8xf32>
    %547 = stablehlo.select %502, %326, %546 : tensor<i1>, tensor<8xf32>
    %548 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %549 = stablehlo.divide %311, %548 : tensor<16xf32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %551 = stablehlo.multiply %549, %550 : tensor<16xf32>
    %552 = stablehlo.select %502, %311, %551 : tensor<i1>, tensor<16xf32>
    %553 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %554 = stablehlo.divide %313, %553 : tensor<8x16xf32>
    %cst_135 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %555 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %556 = stablehlo.multiply %554, %555 : tensor<8x16xf32>
    %557 = stablehlo.select %502, %313, %556 : tensor<i1>, tensor<8x16xf32>
    %558 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %559 = stablehlo.divide %410, %558 : tensor<13x8xf32>
    %cst_136 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %560 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %561 = stablehlo.multiply %559, %560 : tensor<13x8xf32>
    %562 = stablehlo.select %502, %410, %561 : tensor<i1>, tensor<13x8xf32>
    %563 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %564 = stablehlo.divide %254, %563 : tensor<8x13xf32>
    %cst_137 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %565 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %566 = stablehlo.multiply %564, %565 : tensor<8x13xf32>
    %567 = stablehlo.select %502, %254, %566 : tensor<i1>, tensor<8x13xf32>
    %568 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %569 = stablehlo.divide %258, %568 : tensor<8xf32>
    %cst_138 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %570 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %571 = stablehlo.multiply %569, %570 : tensor<8xf32>
    %572 = stablehlo.select %502, %258, %571 : tensor<i1>, tensor<8xf32>
    %573 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %574 = stablehlo.divide %269, %573 : tensor<8xf32>
    %cst_139 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %576 = stablehlo.multiply %574, %575 : tensor<8xf32>
    %577 = stablehlo.select %502, %269, %576 : tensor<i1>, tensor<8xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %578 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %579 = stablehlo.multiply %578, %507 : tensor<8x2x4xf32>
    %cst_141 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %580 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %581 = stablehlo.multiply %580, %arg16 : tensor<8x2x4xf32>
    %582 = stablehlo.add %579, %581 : tensor<8x2x4xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %583 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %584 = stablehlo.multiply %583, %512 : tensor<2x4x8xf32>
    %cst_143 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %585 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %586 = stablehlo.multiply %585, %arg17 : tensor<2x4x8xf32>
    %587 = stablehlo.add %584, %586 : tensor<2x4x8xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %588 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %589 = stablehlo.multiply %588, %517 : tensor<8x2x4xf32>
    %cst_145 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %590 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %591 = stablehlo.multiply %590, %arg18 : tensor<8x2x4xf32>
    %592 = stablehlo.add %589, %591 : tensor<8x2x4xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %593 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %594 = stablehlo.multiply %593, %522 : tensor<8x2x4xf32>
    %cst_147 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %596 = stablehlo.multiply %595, %arg19 : tensor<8x2x4xf32>
    %597 = stablehlo.add %594, %596 : tensor<8x2x4xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %598 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %599 = stablehlo.multiply %598, %527 : tensor<8xf32>
    %cst_149 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %600 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %601 = stablehlo.multiply %600, %arg20 : tensor<8xf32>
    %602 = stablehlo.add %599, %601 : tensor<8xf32>
    %cst_150 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %604 = stablehlo.multiply %603, %532 : tensor<16x8xf32>
    %cst_151 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %605 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %606 = stablehlo.multiply %605, %arg21 : tensor<16x8xf32>
    %607 = stablehlo.add %604, %606 : tensor<16x8xf32>
    %cst_152 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %608 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %609 = stablehlo.multiply %608, %537 : tensor<8xf32>
    %cst_153 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %610 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %611 = stablehlo.multiply %610, %arg22 : tensor<8xf32>
    %612 = stablehlo.add %609, %611 : tensor<8xf32>
    %cst_154 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %613 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %614 = stablehlo.multiply %613, %542 : tensor<8xf32>
    %cst_155 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %616 = stablehlo.multiply %615, %arg23 : tensor<8xf32>
    %617 = stablehlo.add %614, %616 : tensor<8xf32>
    %cst_156 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %618 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %619 = stablehlo.multiply %618, %547 : tensor<8xf32>
    %cst_157 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %620 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %621 = stablehlo.multiply %620, %arg24 : tensor<8xf32>
    %622 = stablehlo.add %619, %621 : tensor<8xf32>
    %cst_158 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %623 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %624 = stablehlo.multiply %623, %552 : tensor<16xf32>
    %cst_159 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %625 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %626 = stablehlo.multiply %625, %arg25 : tensor<16xf32>
    %627 = stablehlo.add %624, %626 : tensor<16xf32>
    %cst_160 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %628 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %629 = stablehlo.multiply %628, %557 : tensor<8x16xf32>
    %cst_161 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %630 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %631 = stablehlo.multiply %630, %arg26 : tensor<8x16xf32>
    %632 = stablehlo.add %629, %631 : tensor<8x16xf32>
    %cst_162 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %634 = stablehlo.multiply %633, %562 : tensor<13x8xf32>
    %cst_163 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %635 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %636 = stablehlo.multiply %635, %arg27 : tensor<13x8xf32>
    %637 = stablehlo.add %634, %636 : tensor<13x8xf32>
    %cst_164 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %638 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %639 = stablehlo.multiply %638, %567 : tensor<8x13xf32>
    %cst_165 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %641 = stablehlo.multiply %640, %arg28 : tensor<8x13xf32>
    %642 = stablehlo.add %639, %641 : tensor<8x13xf32>
    %cst_166 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %644 = stablehlo.multiply %643, %572 : tensor<8xf32>
    %cst_167 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %645 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %646 = stablehlo.multiply %645, %arg29 : tensor<8xf32>
    %647 = stablehlo.add %644, %646 : tensor<8xf32>
    %cst_168 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %648 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %649 = stablehlo.multiply %648, %577 : tensor<8xf32>
    %cst_169 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %650 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %651 = stablehlo.multiply %650, %arg30 : tensor<8xf32>
    %652 = stablehlo.add %649, %651 : tensor<8xf32>
    %653 = stablehlo.multiply %507, %507 : tensor<8x2x4xf32>
    %cst_170 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %655 = stablehlo.multiply %654, %653 : tensor<8x2x4xf32>
    %cst_171 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %657 = stablehlo.multiply %656, %arg31 : tensor<8x2x4xf32>
    %658 = stablehlo.add %655, %657 : tensor<8x2x4xf32>
    %659 = stablehlo.multiply %512, %512 : tensor<2x4x8xf32>
    %cst_172 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %660 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %661 = stablehlo.multiply %660, %659 : tensor<2x4x8xf32>
    %cst_173 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %662 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %663 = stablehlo.multiply %662, %arg32 : tensor<2x4x8xf32>
    %664 = stablehlo.add %661, %663 : tensor<2x4x8xf32>
    %665 = stablehlo.multiply %517, %517 : tensor<8x2x4xf32>
    %cst_174 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %666 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %667 = stablehlo.multiply %666, %665 : tensor<8x2x4xf32>
    %cst_175 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %668 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %669 = stablehlo.multiply %668, %arg33 : tensor<8x2x4xf32>
    %670 = stablehlo.add %667, %669 : tensor<8x2x4xf32>
    %671 = stablehlo.multiply %522, %522 : tensor<8x2x4xf32>
    %cst_176 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %672 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %673 = stablehlo.multiply %672, %671 : tensor<8x2x4xf32>
    %cst_177 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %674 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %675 = stablehlo.multiply %674, %arg34 : tensor<8x2x4xf32>
    %676 = stablehlo.add %673, %675 : tensor<8x2x4xf32>
    %677 = stablehlo.multiply %527, %527 : tensor<8xf32>
    %cst_178 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %678 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %679 = stablehlo.multiply %678, %677 : tensor<8xf32>
    %cst_179 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %680 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %681 = stablehlo.multiply %680, %arg35 : tensor<8xf32>
    %682 = stablehlo.add %679, %681 : tensor<8xf32>
    %683 = stablehlo.multiply %532, %532 : tensor<16x8xf32>
    %cst_180 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %685 = stablehlo.multiply %684, %683 : tensor<16x8xf32>
    %cst_181 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %686 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %687 = stablehlo.multiply %686, %arg36 : tensor<16x8xf32>
    %688 = stablehlo.add %685, %687 : tensor<16x8xf32>
    %689 = stablehlo.multiply %537, %537 : tensor<8xf32>
    %cst_182 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %690 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %691 = stablehlo.multiply %690, %689 : tensor<8xf32>
    %cst_183 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %693 = stablehlo.multiply %692, %arg37 : tensor<8xf32>
    %694 = stablehlo.add %691, %693 : tensor<8xf32>
    %695 = stablehlo.multiply %542, %542 : tensor<8xf32>
    %cst_184 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %697 = stablehlo.multiply %696, %695 : tensor<8xf32>
    %cst_185 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %698 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %699 = stablehlo.multiply %698, %arg38 : tensor<8xf32>
    %700 = stablehlo.add %697, %699 : tensor<8xf32>
    %701 = stablehlo.multiply %547, %547 : tensor<8xf32>
    %cst_186 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %702 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %703 = stablehlo.multiply %702, %701 : tensor<8xf32>
    %cst_187 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %704 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %705 = stablehlo.multiply %704, %arg39 : tensor<8xf32>
    %706 = stablehlo.add %703, %705 : tensor<8xf32>
    %707 = stablehlo.multiply %552, %552 : tensor<16xf32>
    %cst_188 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %708 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %709 = stablehlo.multiply %708, %707 : tensor<16xf32>
    %cst_189 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %710 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %711 = stablehlo.multiply %710, %arg40 : tensor<16xf32>
    %712 = stablehlo.add %709, %711 : tensor<16xf32>
    %713 = stablehlo.multiply %557, %557 : tensor<8x16xf32>
    %cst_190 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %714 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %715 = stablehlo.multiply %714, %713 : tensor<8x16xf32>
    %cst_191 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %716 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %717 = stablehlo.multiply %716, %arg41 : tensor<8x16xf32>
    %718 = stablehlo.add %715, %717 : tensor<8x16xf32>
    %719 = stablehlo.multiply %562, %562 : tensor<13x8xf32>
    %cst_192 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %720 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %721 = stablehlo.multiply %720, %719 : tensor<13x8xf32>
    %cst_193 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %722 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %723 = stablehlo.multiply %722, %arg42 : tensor<13x8xf32>
    %724 = stablehlo.add %721, %723 : tensor<13x8xf32>
    %725 = stablehlo.multiply %567, %567 : tensor<8x13xf32>
    %cst_194 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %726 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %727 = stablehlo.multiply %726, %725 : tensor<8x13xf32>
    %cst_195 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %728 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %729 = stablehlo.multiply %728, %arg43 : tensor<8x13xf32>
    %730 = stablehlo.add %727, %729 : tensor<8x13xf32>
    %731 = stablehlo.multiply %572, %572 : tensor<8xf32>
    %cst_196 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %732 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %733 = stablehlo.multiply %732, %731 : tensor<8xf32>
    %cst_197 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %735 = stablehlo.multiply %734, %arg44 : tensor<8xf32>
    %736 = stablehlo.add %733, %735 : tensor<8xf32>
    %737 = stablehlo.multiply %577, %577 : tensor<8xf32>
    %cst_198 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %738 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %739 = stablehlo.multiply %738, %737 : tensor<8xf32>
    %cst_199 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %740 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %741 = stablehlo.multiply %740, %arg45 : tensor<8xf32>
    %742 = stablehlo.add %739, %741 : tensor<8xf32>
    %c_200 = stablehlo.constant dense<2147483647> : tensor<i32>
    %743 = stablehlo.compare LT, %arg15, %c_200, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_201 = stablehlo.constant dense<1> : tensor<i32>
    %744 = stablehlo.add %arg15, %c_201 : tensor<i32>
    %c_202 = stablehlo.constant dense<2147483647> : tensor<i32>
    %745 = call @_where_7(%743, %744, %c_202) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %746 = stablehlo.convert %745 : (tensor<i32>) -> tensor<f32>
    %cst_203 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %747 = stablehlo.convert %745 : (tensor<i32>) -> tensor<f32>
    %748 = stablehlo.power %cst_203, %747 : tensor<f32>
    %cst_204 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %749 = stablehlo.subtract %cst_204, %748 : tensor<f32>
    %750 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %751 = stablehlo.divide %582, %750 : tensor<8x2x4xf32>
    %752 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %753 = stablehlo.divide %587, %752 : tensor<2x4x8xf32>
    %754 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %755 = stablehlo.divide %592, %754 : tensor<8x2x4xf32>
    %756 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %757 = stablehlo.divide %597, %756 : tensor<8x2x4xf32>
    %758 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %759 = stablehlo.divide %602, %758 : tensor<8xf32>
    %760 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %761 = stablehlo.divide %607, %760 : tensor<16x8xf32>
    %762 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %763 = stablehlo.divide %612, %762 : tensor<8xf32>
    %764 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %765 = stablehlo.divide %617, %764 : tensor<8xf32>
    %766 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %767 = stablehlo.divide %622, %766 : tensor<8xf32>
    %768 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %769 = stablehlo.divide %627, %768 : tensor<16xf32>
    %770 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %771 = stablehlo.divide %632, %770 : tensor<8x16xf32>
    %772 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %773 = stablehlo.divide %637, %772 : tensor<13x8xf32>
    %774 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %775 = stablehlo.divide %642, %774 : tensor<8x13xf32>
    %776 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %777 = stablehlo.divide %647, %776 : tensor<8xf32>
    %778 = stablehlo.broadcast_in_dim %749, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %779 = stablehlo.divide %652, %778 : tensor<8xf32>
    %780 = stablehlo.convert %745 : (tensor<i32>) -> tensor<f32>
    %cst_205 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %781 = stablehlo.convert %745 : (tensor<i32>) -> tensor<f32>
    %782 = stablehlo.power %cst_205, %781 : tensor<f32>
    %cst_206 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %783 = stablehlo.subtract %cst_206, %782 : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %785 = stablehlo.divide %658, %784 : tensor<8x2x4xf32>
    %786 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %787 = stablehlo.divide %664, %786 : tensor<2x4x8xf32>
    %788 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %789 = stablehlo.divide %670, %788 : tensor<8x2x4xf32>
    %790 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %791 = stablehlo.divide %676, %790 : tensor<8x2x4xf32>
    %792 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %793 = stablehlo.divide %682, %792 : tensor<8xf32>
    %794 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %795 = stablehlo.divide %688, %794 : tensor<16x8xf32>
    %796 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %797 = stablehlo.divide %694, %796 : tensor<8xf32>
    %798 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %799 = stablehlo.divide %700, %798 : tensor<8xf32>
    %800 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %801 = stablehlo.divide %706, %800 : tensor<8xf32>
    %802 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %803 = stablehlo.divide %712, %802 : tensor<16xf32>
    %804 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %805 = stablehlo.divide %718, %804 : tensor<8x16xf32>
    %806 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %807 = stablehlo.divide %724, %806 : tensor<13x8xf32>
    %808 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %809 = stablehlo.divide %730, %808 : tensor<8x13xf32>
    %810 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %811 = stablehlo.divide %736, %810 : tensor<8xf32>
    %812 = stablehlo.broadcast_in_dim %783, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %813 = stablehlo.divide %742, %812 : tensor<8xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %814 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %815 = stablehlo.add %785, %814 : tensor<8x2x4xf32>
    %816 = stablehlo.sqrt %815 : tensor<8x2x4xf32>
    %cst_208 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %817 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %818 = stablehlo.add %816, %817 : tensor<8x2x4xf32>
    %819 = stablehlo.divide %751, %818 : tensor<8x2x4xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %820 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %821 = stablehlo.add %787, %820 : tensor<2x4x8xf32>
    %822 = stablehlo.sqrt %821 : tensor<2x4x8xf32>
    %cst_210 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %823 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %824 = stablehlo.add %822, %823 : tensor<2x4x8xf32>
    %825 = stablehlo.divide %753, %824 : tensor<2x4x8xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %826 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %827 = stablehlo.add %789, %826 : tensor<8x2x4xf32>
    %828 = stablehlo.sqrt %827 : tensor<8x2x4xf32>
    %cst_212 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %829 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %830 = stablehlo.add %828, %829 : tensor<8x2x4xf32>
    %831 = stablehlo.divide %755, %830 : tensor<8x2x4xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %832 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %833 = stablehlo.add %791, %832 : tensor<8x2x4xf32>
    %834 = stablehlo.sqrt %833 : tensor<8x2x4xf32>
    %cst_214 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %835 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %836 = stablehlo.add %834, %835 : tensor<8x2x4xf32>
    %837 = stablehlo.divide %757, %836 : tensor<8x2x4xf32>
    %cst_215 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %838 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %839 = stablehlo.add %793, %838 : tensor<8xf32>
    %840 = stablehlo.sqrt %839 : tensor<8xf32>
    %cst_216 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %841 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %842 = stablehlo.add %840, %841 : tensor<8xf32>
    %843 = stablehlo.divide %759, %842 : tensor<8xf32>
    %cst_217 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %845 = stablehlo.add %795, %844 : tensor<16x8xf32>
    %846 = stablehlo.sqrt %845 : tensor<16x8xf32>
    %cst_218 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %847 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %848 = stablehlo.add %846, %847 : tensor<16x8xf32>
    %849 = stablehlo.divide %761, %848 : tensor<16x8xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %850 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %851 = stablehlo.add %797, %850 : tensor<8xf32>
    %852 = stablehlo.sqrt %851 : tensor<8xf32>
    %cst_220 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %853 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %854 = stablehlo.add %852, %853 : tensor<8xf32>
    %855 = stablehlo.divide %763, %854 : tensor<8xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %857 = stablehlo.add %799, %856 : tensor<8xf32>
    %858 = stablehlo.sqrt %857 : tensor<8xf32>
    %cst_222 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %859 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %860 = stablehlo.add %858, %859 : tensor<8xf32>
    %861 = stablehlo.divide %765, %860 : tensor<8xf32>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %862 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %863 = stablehlo.add %801, %862 : tensor<8xf32>
    %864 = stablehlo.sqrt %863 : tensor<8xf32>
    %cst_224 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %865 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %866 = stablehlo.add %864, %865 : tensor<8xf32>
    %867 = stablehlo.divide %767, %866 : tensor<8xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %868 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %869 = stablehlo.add %803, %868 : tensor<16xf32>
    %870 = stablehlo.sqrt %869 : tensor<16xf32>
    %cst_226 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %871 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %872 = stablehlo.add %870, %871 : tensor<16xf32>
    %873 = stablehlo.divide %769, %872 : tensor<16xf32>
    %cst_227 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %874 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %875 = stablehlo.add %805, %874 : tensor<8x16xf32>
    %876 = stablehlo.sqrt %875 : tensor<8x16xf32>
    %cst_228 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %877 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %878 = stablehlo.add %876, %877 : tensor<8x16xf32>
    %879 = stablehlo.divide %771, %878 : tensor<8x16xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %cst_229, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %881 = stablehlo.add %807, %880 : tensor<13x8xf32>
    %882 = stablehlo.sqrt %881 : tensor<13x8xf32>
    %cst_230 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %883 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %884 = stablehlo.add %882, %883 : tensor<13x8xf32>
    %885 = stablehlo.divide %773, %884 : tensor<13x8xf32>
    %cst_231 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %886 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %887 = stablehlo.add %809, %886 : tensor<8x13xf32>
    %888 = stablehlo.sqrt %887 : tensor<8x13xf32>
    %cst_232 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %889 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %890 = stablehlo.add %888, %889 : tensor<8x13xf32>
    %891 = stablehlo.divide %775, %890 : tensor<8x13xf32>
    %cst_233 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %892 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %893 = stablehlo.add %811, %892 : tensor<8xf32>
    %894 = stablehlo.sqrt %893 : tensor<8xf32>
    %cst_234 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %895 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %896 = stablehlo.add %894, %895 : tensor<8xf32>
    %897 = stablehlo.divide %777, %896 : tensor<8xf32>
    %cst_235 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %898 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %899 = stablehlo.add %813, %898 : tensor<8xf32>
    %900 = stablehlo.sqrt %899 : tensor<8xf32>
    %cst_236 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %901 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %902 = stablehlo.add %900, %901 : tensor<8xf32>
    %903 = stablehlo.divide %779, %902 : tensor<8xf32>
    %cst_237 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %904 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %905 = stablehlo.multiply %904, %arg0 : tensor<8x2x4xf32>
    %906 = stablehlo.add %819, %905 : tensor<8x2x4xf32>
    %cst_238 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %907 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %908 = stablehlo.multiply %907, %arg1 : tensor<2x4x8xf32>
    %909 = stablehlo.add %825, %908 : tensor<2x4x8xf32>
    %cst_239 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %910 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %911 = stablehlo.multiply %910, %arg2 : tensor<8x2x4xf32>
    %912 = stablehlo.add %831, %911 : tensor<8x2x4xf32>
    %cst_240 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %913 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %914 = stablehlo.multiply %913, %arg3 : tensor<8x2x4xf32>
    %915 = stablehlo.add %837, %914 : tensor<8x2x4xf32>
    %cst_241 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %916 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %917 = stablehlo.multiply %916, %arg4 : tensor<8xf32>
    %918 = stablehlo.add %843, %917 : tensor<8xf32>
    %cst_242 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %919 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %920 = stablehlo.multiply %919, %arg5 : tensor<16x8xf32>
    %921 = stablehlo.add %849, %920 : tensor<16x8xf32>
    %cst_243 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %922 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %923 = stablehlo.multiply %922, %arg6 : tensor<8xf32>
    %924 = stablehlo.add %855, %923 : tensor<8xf32>
    %cst_244 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %925 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %926 = stablehlo.multiply %925, %arg7 : tensor<8xf32>
    %927 = stablehlo.add %861, %926 : tensor<8xf32>
    %cst_245 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %928 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %929 = stablehlo.multiply %928, %arg8 : tensor<8xf32>
    %930 = stablehlo.add %867, %929 : tensor<8xf32>
    %cst_246 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %931 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %932 = stablehlo.multiply %931, %arg9 : tensor<16xf32>
    %933 = stablehlo.add %873, %932 : tensor<16xf32>
    %cst_247 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %934 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %935 = stablehlo.multiply %934, %arg10 : tensor<8x16xf32>
    %936 = stablehlo.add %879, %935 : tensor<8x16xf32>
    %cst_248 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %937 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %938 = stablehlo.multiply %937, %arg11 : tensor<13x8xf32>
    %939 = stablehlo.add %885, %938 : tensor<13x8xf32>
    %cst_249 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %940 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %941 = stablehlo.multiply %940, %arg12 : tensor<8x13xf32>
    %942 = stablehlo.add %891, %941 : tensor<8x13xf32>
    %cst_250 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %943 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %944 = stablehlo.multiply %943, %arg13 : tensor<8xf32>
    %945 = stablehlo.add %897, %944 : tensor<8xf32>
    %cst_251 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %946 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %947 = stablehlo.multiply %946, %arg14 : tensor<8xf32>
    %948 = stablehlo.add %903, %947 : tensor<8xf32>
    %cst_252 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %949 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %950 = stablehlo.multiply %949, %906 : tensor<8x2x4xf32>
    %cst_253 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %951 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %952 = stablehlo.multiply %951, %909 : tensor<2x4x8xf32>
    %cst_254 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %953 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %954 = stablehlo.multiply %953, %912 : tensor<8x2x4xf32>
    %cst_255 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %955 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %956 = stablehlo.multiply %955, %915 : tensor<8x2x4xf32>
    %cst_256 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %957 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %958 = stablehlo.multiply %957, %918 : tensor<8xf32>
    %cst_257 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %959 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %960 = stablehlo.multiply %959, %921 : tensor<16x8xf32>
    %cst_258 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %961 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %962 = stablehlo.multiply %961, %924 : tensor<8xf32>
    %cst_259 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %963 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %964 = stablehlo.multiply %963, %927 : tensor<8xf32>
    %cst_260 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %965 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %966 = stablehlo.multiply %965, %930 : tensor<8xf32>
    %cst_261 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %967 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %968 = stablehlo.multiply %967, %933 : tensor<16xf32>
    %cst_262 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %969 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %970 = stablehlo.multiply %969, %936 : tensor<8x16xf32>
    %cst_263 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %971 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %972 = stablehlo.multiply %971, %939 : tensor<13x8xf32>
    %cst_264 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %973 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<8x13xf32>
    %974 = stablehlo.multiply %973, %942 : tensor<8x13xf32>
    %cst_265 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %975 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %976 = stablehlo.multiply %975, %945 : tensor<8xf32>
    %cst_266 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %977 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %978 = stablehlo.multiply %977, %948 : tensor<8xf32>
    %979 = stablehlo.add %arg0, %950 : tensor<8x2x4xf32>
    %980 = stablehlo.add %arg1, %952 : tensor<2x4x8xf32>
    %981 = stablehlo.add %arg2, %954 : tensor<8x2x4xf32>
    %982 = stablehlo.add %arg3, %956 : tensor<8x2x4xf32>
    %983 = stablehlo.add %arg4, %958 : tensor<8xf32>
    %984 = stablehlo.add %arg5, %960 : tensor<16x8xf32>
    %985 = stablehlo.add %arg6, %962 : tensor<8xf32>
    %986 = stablehlo.add %arg7, %964 : tensor<8xf32>
    %987 = stablehlo.add %arg8, %966 : tensor<8xf32>
    %988 = stablehlo.add %arg9, %968 : tensor<16xf32>
    %989 = stablehlo.add %arg10, %970 : tensor<8x16xf32>
    %990 = stablehlo.add %arg11, %972 : tensor<13x8xf32>
    %991 = stablehlo.add %arg12, %974 : tensor<8x13xf32>
    %992 = stablehlo.add %arg13, %976 : tensor<8xf32>
    %993 = stablehlo.add %arg14, %978 : tensor<8xf32>
    return %238, %979, %980, %981, %982, %983, %984, %985, %986, %987, %988, %989, %990, %991, %992, %993, %745, %582, %587, %592, %597, %602, %607, %612, %617, %622, %627, %632, %637, %642, %647, %652, %658, %664, %670, %676, %682, %688, %694, %700, %706, %712, %718, %724, %730, %736, %742 : tensor<f32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<8x16xf32>, tensor<13x8xf32>, tensor<8x13xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<8x16xf32>, tensor<13x8xf32>, tensor<8x13xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>, tensor<8x16xf32>, tensor<13x8xf32>, tensor<8x13xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func private @_take(%arg0: tensor<13x8xf32>, %arg1: tensor<2x6xi32>) -> (tensor<2x6x8xf32>, tensor<2x6x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_0 = stablehlo.constant dense<13> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<2x6xi1>, tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %c_1 = stablehlo.constant dense<12> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x6x1xi1>, tensor<i1>) -> tensor<2x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<13x8xf32>, tensor<2x6x1xi32>) -> tensor<2x6x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x6xi1>) -> tensor<2x6x8xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x8xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x6x8xi1>, tensor<2x6x8xf32>
    return %16, %5 : tensor<2x6x8xf32>, tensor<2x6x1xi32>
  }
  func.func private @_where(%arg0: tensor<2x6xi1>, %arg1: tensor<2x6xi32>, %arg2: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x6xi1>, tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
  func.func private @_where_0(%arg0: tensor<1x2x2x6x6xi1>, %arg1: tensor<2x2x6x1x6xf32>, %arg2: tensor<f32>) -> (tensor<1x2x2x6x6xf32>, tensor<1x2x2x6x6xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x6x6xf32>) -> tensor<1x2x2x6x6xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x6x1x6xf32>) -> tensor<1x2x2x6x6xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x2x6x6xi1>, tensor<1x2x2x6x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x2x6x6xf32>
    return %3, %4 : tensor<1x2x2x6x6xf32>, tensor<1x2x2x6x6xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x6x13xf32>, %arg1: tensor<2x6x1xi32>) -> (tensor<2x6x1xf32>, tensor<2x6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %c_0 = stablehlo.constant dense<13> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x6x1xi1>, tensor<2x6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x6x1xi32>) -> tensor<2x6x1x1xi32>
    %c_1 = stablehlo.constant dense<12> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1x1xi32>, tensor<2x6x1x1xi32>) -> tensor<2x6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1x1xi32>, tensor<2x6x1x1xi32>) -> tensor<2x6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x6x1x1xi1>, tensor<i1>) -> tensor<2x6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x6x13xf32>, tensor<2x6x1x1xi32>) -> tensor<2x6x1xf32>
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
  func.func private @take_along_axis_4(%arg0: tensor<2x6x1x1xi32>, %arg1: tensor<2x6x1xf32>) -> tensor<2x6x13xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x13xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x6x13xf32>, tensor<2x6x1x1xi32>, tensor<2x6x1xf32>) -> tensor<2x6x13xf32>
    return %1 : tensor<2x6x13xf32>
  }
  func.func private @_where_5(%arg0: tensor<1x2x2x6x6xi1>, %arg1: tensor<1x2x2x6x6xf32>, %arg2: tensor<1x2x2x6x6xf32>) -> tensor<2x2x6x1x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x2x6x6xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<1x2x2x6x6xi1>, tensor<1x2x2x6x6xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x2x6x6xf32>) -> tensor<2x2x6x1x6xf32>
    return %2 : tensor<2x2x6x1x6xf32>
  }
  func.func private @_take_6(%arg0: tensor<2x6x1xi32>, %arg1: tensor<2x6x8xf32>) -> tensor<13x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<13x8xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<13x8xf32>, tensor<2x6x1xi32>, tensor<2x6x8xf32>) -> tensor<13x8xf32>
    return %1 : tensor<13x8xf32>
  }
  func.func private @_where_7(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
