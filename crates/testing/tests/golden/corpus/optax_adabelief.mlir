module @jit_optax_adabelief attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<4x6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6x2xf32>, %arg7: tensor<4x6xf32>, %arg8: tensor<6xf32>, %arg9: tensor<6x2xf32>, %arg10: tensor<5x4xf32>, %arg11: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<4x6xf32> {jax.result_info = "result[2][0].mu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].mu['c']"}, tensor<4x6xf32> {jax.result_info = "result[2][0].nu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].nu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].nu['c']"}) {
    %0 = stablehlo.dot_general %arg10, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg11 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg10, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %31 = stablehlo.multiply %30, %arg4 : tensor<4x6xf32>
    %32 = stablehlo.add %29, %31 : tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %34 = stablehlo.multiply %33, %25 : tensor<6xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %36 = stablehlo.multiply %35, %arg5 : tensor<6xf32>
    %37 = stablehlo.add %34, %36 : tensor<6xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %39 = stablehlo.multiply %38, %18 : tensor<6x2xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %41 = stablehlo.multiply %40, %arg6 : tensor<6x2xf32>
    %42 = stablehlo.add %39, %41 : tensor<6x2xf32>
    %43 = stablehlo.subtract %27, %32 : tensor<4x6xf32>
    %44 = stablehlo.subtract %25, %37 : tensor<6xf32>
    %45 = stablehlo.subtract %18, %42 : tensor<6x2xf32>
    %46 = stablehlo.multiply %43, %43 : tensor<4x6xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<4x6xf32>
    %cst_14 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %50 = stablehlo.multiply %49, %arg7 : tensor<4x6xf32>
    %51 = stablehlo.add %48, %50 : tensor<4x6xf32>
    %52 = stablehlo.multiply %44, %44 : tensor<6xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<6xf32>
    %cst_16 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %56 = stablehlo.multiply %55, %arg8 : tensor<6xf32>
    %57 = stablehlo.add %54, %56 : tensor<6xf32>
    %58 = stablehlo.multiply %45, %45 : tensor<6x2xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %60 = stablehlo.multiply %59, %58 : tensor<6x2xf32>
    %cst_18 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %62 = stablehlo.multiply %61, %arg9 : tensor<6x2xf32>
    %63 = stablehlo.add %60, %62 : tensor<6x2xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-16> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %65 = stablehlo.add %51, %64 : tensor<4x6xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-16> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %67 = stablehlo.add %57, %66 : tensor<6xf32>
    %cst_21 = stablehlo.constant dense<1.000000e-16> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %69 = stablehlo.add %63, %68 : tensor<6x2xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %70 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_22 = stablehlo.constant dense<1> : tensor<i32>
    %71 = stablehlo.add %arg3, %c_22 : tensor<i32>
    %c_23 = stablehlo.constant dense<2147483647> : tensor<i32>
    %72 = call @_where(%70, %71, %c_23) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %73 = stablehlo.convert %72 : (tensor<i32>) -> tensor<f32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %74 = stablehlo.convert %72 : (tensor<i32>) -> tensor<f32>
    %75 = stablehlo.power %cst_24, %74 : tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.subtract %cst_25, %75 : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %78 = stablehlo.divide %32, %77 : tensor<4x6xf32>
    %79 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %80 = stablehlo.divide %37, %79 : tensor<6xf32>
    %81 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %82 = stablehlo.divide %42, %81 : tensor<6x2xf32>
    %83 = stablehlo.convert %72 : (tensor<i32>) -> tensor<f32>
    %cst_26 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %84 = stablehlo.convert %72 : (tensor<i32>) -> tensor<f32>
    %85 = stablehlo.power %cst_26, %84 : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %86 = stablehlo.subtract %cst_27, %85 : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %88 = stablehlo.divide %65, %87 : tensor<4x6xf32>
    %89 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %90 = stablehlo.divide %67, %89 : tensor<6xf32>
    %91 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %92 = stablehlo.divide %69, %91 : tensor<6x2xf32>
    %93 = stablehlo.sqrt %88 : tensor<4x6xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-16> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %95 = stablehlo.add %93, %94 : tensor<4x6xf32>
    %96 = stablehlo.divide %78, %95 : tensor<4x6xf32>
    %97 = stablehlo.sqrt %90 : tensor<6xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-16> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %99 = stablehlo.add %97, %98 : tensor<6xf32>
    %100 = stablehlo.divide %80, %99 : tensor<6xf32>
    %101 = stablehlo.sqrt %92 : tensor<6x2xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-16> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %103 = stablehlo.add %101, %102 : tensor<6x2xf32>
    %104 = stablehlo.divide %82, %103 : tensor<6x2xf32>
    %cst_31 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %106 = stablehlo.multiply %105, %96 : tensor<4x6xf32>
    %cst_32 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %108 = stablehlo.multiply %107, %100 : tensor<6xf32>
    %cst_33 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %110 = stablehlo.multiply %109, %104 : tensor<6x2xf32>
    %111 = stablehlo.add %arg0, %106 : tensor<4x6xf32>
    %112 = stablehlo.add %arg1, %108 : tensor<6xf32>
    %113 = stablehlo.add %arg2, %110 : tensor<6x2xf32>
    return %13, %111, %112, %113, %72, %32, %37, %42, %65, %67, %69 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
