module @jit_optax_sm3 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<4xf32>, %arg4: tensor<6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6xf32>, %arg7: tensor<2xf32>, %arg8: tensor<4x6xf32>, %arg9: tensor<6xf32>, %arg10: tensor<6x2xf32>, %arg11: tensor<5x4xf32>, %arg12: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<4xf32> {jax.result_info = "result[2][0].mu['a'][0]"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['a'][1]"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['b'][0]"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['c'][0]"}, tensor<2xf32> {jax.result_info = "result[2][0].mu['c'][1]"}, tensor<4x6xf32> {jax.result_info = "result[2][0].nu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].nu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].nu['c']"}) {
    %0 = stablehlo.dot_general %arg11, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg12 : tensor<5x2xf32>
    %9 = chlo.square %8 : tensor<5x2xf32> -> tensor<5x2xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<5x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %16 = stablehlo.multiply %15, %11 : tensor<5x2xf32>
    %17 = stablehlo.dot_general %16, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x2xf32>, tensor<5x6xf32>) -> tensor<2x6xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
    %19 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x2xf32>, tensor<6x2xf32>) -> tensor<5x6xf32>
    %20 = stablehlo.multiply %19, %6 : tensor<5x6xf32>
    %21 = stablehlo.multiply %20, %4 : tensor<5x6xf32>
    %22 = stablehlo.add %20, %21 : tensor<5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
    %24 = stablehlo.reshape %23 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %26 = stablehlo.dot_general %22, %arg11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %28 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<4x1xf32>
    %29 = stablehlo.reshape %arg4 : (tensor<6xf32>) -> tensor<1x6xf32>
    %30 = stablehlo.reshape %arg6 : (tensor<6xf32>) -> tensor<6x1xf32>
    %31 = stablehlo.reshape %arg7 : (tensor<2xf32>) -> tensor<1x2xf32>
    %32 = stablehlo.multiply %27, %27 : tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<4x6xf32>
    %35 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %36 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %37 = stablehlo.minimum %35, %36 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<4x6xf32>
    %40 = stablehlo.add %34, %39 : tensor<4x6xf32>
    %41 = stablehlo.multiply %25, %25 : tensor<6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<6xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %45 = stablehlo.multiply %44, %arg5 : tensor<6xf32>
    %46 = stablehlo.add %43, %45 : tensor<6xf32>
    %47 = stablehlo.multiply %18, %18 : tensor<6x2xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<6x2xf32>
    %50 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %51 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %52 = stablehlo.minimum %50, %51 : tensor<6x2xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<6x2xf32>
    %55 = stablehlo.add %49, %54 : tensor<6x2xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %57 = stablehlo.compare GT, %40, %56, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_14 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %59 = stablehlo.add %40, %58 : tensor<4x6xf32>
    %60 = stablehlo.rsqrt %59 : tensor<4x6xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = call @_where(%57, %60, %cst_15) : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %63 = stablehlo.compare GT, %46, %62, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_17 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %65 = stablehlo.add %46, %64 : tensor<6xf32>
    %66 = stablehlo.rsqrt %65 : tensor<6xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = call @_where_0(%63, %66, %cst_18) : (tensor<6xi1>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %69 = stablehlo.compare GT, %55, %68, FLOAT : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xi1>
    %cst_20 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %71 = stablehlo.add %55, %70 : tensor<6x2xf32>
    %72 = stablehlo.rsqrt %71 : tensor<6x2xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = call @_where_1(%69, %72, %cst_21) : (tensor<6x2xi1>, tensor<6x2xf32>, tensor<f32>) -> tensor<6x2xf32>
    %74 = stablehlo.multiply %27, %61 : tensor<4x6xf32>
    %75 = stablehlo.multiply %25, %67 : tensor<6xf32>
    %76 = stablehlo.multiply %18, %73 : tensor<6x2xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %78 = stablehlo.multiply %77, %74 : tensor<4x6xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %80 = stablehlo.multiply %79, %arg8 : tensor<4x6xf32>
    %81 = stablehlo.add %78, %80 : tensor<4x6xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %83 = stablehlo.multiply %82, %75 : tensor<6xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %85 = stablehlo.multiply %84, %arg9 : tensor<6xf32>
    %86 = stablehlo.add %83, %85 : tensor<6xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %88 = stablehlo.multiply %87, %76 : tensor<6x2xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %90 = stablehlo.multiply %89, %arg10 : tensor<6x2xf32>
    %91 = stablehlo.add %88, %90 : tensor<6x2xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %92 = stablehlo.reduce(%40 init: %cst_28) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %93 = stablehlo.reduce(%40 init: %cst_29) applies stablehlo.maximum across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %94 = stablehlo.reduce(%55 init: %cst_30) applies stablehlo.maximum across dimensions = [1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %95 = stablehlo.reduce(%55 init: %cst_31) applies stablehlo.maximum across dimensions = [0] : (tensor<6x2xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_32 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %97 = stablehlo.multiply %96, %81 : tensor<4x6xf32>
    %cst_33 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %99 = stablehlo.multiply %98, %86 : tensor<6xf32>
    %cst_34 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %101 = stablehlo.multiply %100, %91 : tensor<6x2xf32>
    %102 = stablehlo.add %arg0, %97 : tensor<4x6xf32>
    %103 = stablehlo.add %arg1, %99 : tensor<6xf32>
    %104 = stablehlo.add %arg2, %101 : tensor<6x2xf32>
    return %13, %102, %103, %104, %92, %93, %46, %94, %95, %81, %86, %91 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @_where(%arg0: tensor<4x6xi1>, %arg1: tensor<4x6xf32>, %arg2: tensor<f32>) -> tensor<4x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4x6xi1>, tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<f32>) -> tensor<6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xf32>
    return %2 : tensor<6xf32>
  }
  func.func private @_where_1(%arg0: tensor<6x2xi1>, %arg1: tensor<6x2xf32>, %arg2: tensor<f32>) -> tensor<6x2xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6x2xi1>, tensor<6x2xf32>
    return %2 : tensor<6x2xf32>
  }
}
