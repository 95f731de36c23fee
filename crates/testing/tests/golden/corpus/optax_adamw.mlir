module @jit_optax_adamw attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
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
    %43 = stablehlo.multiply %27, %27 : tensor<4x6xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<4x6xf32>
    %cst_14 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %47 = stablehlo.multiply %46, %arg7 : tensor<4x6xf32>
    %48 = stablehlo.add %45, %47 : tensor<4x6xf32>
    %49 = stablehlo.multiply %25, %25 : tensor<6xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<6xf32>
    %cst_16 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %53 = stablehlo.multiply %52, %arg8 : tensor<6xf32>
    %54 = stablehlo.add %51, %53 : tensor<6xf32>
    %55 = stablehlo.multiply %18, %18 : tensor<6x2xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %57 = stablehlo.multiply %56, %55 : tensor<6x2xf32>
    %cst_18 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %59 = stablehlo.multiply %58, %arg9 : tensor<6x2xf32>
    %60 = stablehlo.add %57, %59 : tensor<6x2xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %61 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_19 = stablehlo.constant dense<1> : tensor<i32>
    %62 = stablehlo.add %arg3, %c_19 : tensor<i32>
    %c_20 = stablehlo.constant dense<2147483647> : tensor<i32>
    %63 = call @_where(%61, %62, %c_20) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %64 = stablehlo.convert %63 : (tensor<i32>) -> tensor<f32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %65 = stablehlo.convert %63 : (tensor<i32>) -> tensor<f32>
    %66 = stablehlo.power %cst_21, %65 : tensor<f32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.subtract %cst_22, %66 : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %69 = stablehlo.divide %32, %68 : tensor<4x6xf32>
    %70 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %71 = stablehlo.divide %37, %70 : tensor<6xf32>
    %72 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %73 = stablehlo.divide %42, %72 : tensor<6x2xf32>
    %74 = stablehlo.convert %63 : (tensor<i32>) -> tensor<f32>
    %cst_23 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %75 = stablehlo.convert %63 : (tensor<i32>) -> tensor<f32>
    %76 = stablehlo.power %cst_23, %75 : tensor<f32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.subtract %cst_24, %76 : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %79 = stablehlo.divide %48, %78 : tensor<4x6xf32>
    %80 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %81 = stablehlo.divide %54, %80 : tensor<6xf32>
    %82 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %83 = stablehlo.divide %60, %82 : tensor<6x2xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %85 = stablehlo.add %79, %84 : tensor<4x6xf32>
    %86 = stablehlo.sqrt %85 : tensor<4x6xf32>
    %cst_26 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %88 = stablehlo.add %86, %87 : tensor<4x6xf32>
    %89 = stablehlo.divide %69, %88 : tensor<4x6xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %91 = stablehlo.add %81, %90 : tensor<6xf32>
    %92 = stablehlo.sqrt %91 : tensor<6xf32>
    %cst_28 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %94 = stablehlo.add %92, %93 : tensor<6xf32>
    %95 = stablehlo.divide %71, %94 : tensor<6xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %97 = stablehlo.add %83, %96 : tensor<6x2xf32>
    %98 = stablehlo.sqrt %97 : tensor<6x2xf32>
    %cst_30 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %100 = stablehlo.add %98, %99 : tensor<6x2xf32>
    %101 = stablehlo.divide %73, %100 : tensor<6x2xf32>
    %cst_31 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %103 = stablehlo.multiply %102, %arg0 : tensor<4x6xf32>
    %104 = stablehlo.add %89, %103 : tensor<4x6xf32>
    %cst_32 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %106 = stablehlo.multiply %105, %arg2 : tensor<6x2xf32>
    %107 = stablehlo.add %101, %106 : tensor<6x2xf32>
    %cst_33 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %109 = stablehlo.multiply %108, %104 : tensor<4x6xf32>
    %cst_34 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %111 = stablehlo.multiply %110, %95 : tensor<6xf32>
    %cst_35 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %113 = stablehlo.multiply %112, %107 : tensor<6x2xf32>
    %114 = stablehlo.add %arg0, %109 : tensor<4x6xf32>
    %115 = stablehlo.add %arg1, %111 : tensor<6xf32>
    %116 = stablehlo.add %arg2, %113 : tensor<6x2xf32>
    return %13, %114, %115, %116, %63, %32, %37, %42, %48, %54, %60 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
