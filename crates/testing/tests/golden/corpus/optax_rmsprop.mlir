module @jit_optax_rmsprop attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<4x6xf32>, %arg4: tensor<6xf32>, %arg5: tensor<6x2xf32>, %arg6: tensor<4x6xf32>, %arg7: tensor<6xf32>, %arg8: tensor<6x2xf32>, %arg9: tensor<4x6xf32>, %arg10: tensor<6xf32>, %arg11: tensor<6x2xf32>, %arg12: tensor<5x4xf32>, %arg13: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<4x6xf32> {jax.result_info = "result[2][0].mu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].mu['c']"}, tensor<4x6xf32> {jax.result_info = "result[2][0].nu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].nu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].nu['c']"}, tensor<4x6xf32> {jax.result_info = "result[2][2].trace['a']"}, tensor<6xf32> {jax.result_info = "result[2][2].trace['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][2].trace['c']"}) {
    %0 = stablehlo.dot_general %arg12, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg13 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %31 = stablehlo.multiply %30, %arg3 : tensor<4x6xf32>
    %32 = stablehlo.add %29, %31 : tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %34 = stablehlo.multiply %33, %25 : tensor<6xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %36 = stablehlo.multiply %35, %arg4 : tensor<6xf32>
    %37 = stablehlo.add %34, %36 : tensor<6xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %39 = stablehlo.multiply %38, %18 : tensor<6x2xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %41 = stablehlo.multiply %40, %arg5 : tensor<6x2xf32>
    %42 = stablehlo.add %39, %41 : tensor<6x2xf32>
    %43 = stablehlo.multiply %27, %27 : tensor<4x6xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<4x6xf32>
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %47 = stablehlo.multiply %46, %arg6 : tensor<4x6xf32>
    %48 = stablehlo.add %45, %47 : tensor<4x6xf32>
    %49 = stablehlo.multiply %25, %25 : tensor<6xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<6xf32>
    %cst_16 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %53 = stablehlo.multiply %52, %arg7 : tensor<6xf32>
    %54 = stablehlo.add %51, %53 : tensor<6xf32>
    %55 = stablehlo.multiply %18, %18 : tensor<6x2xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %57 = stablehlo.multiply %56, %55 : tensor<6x2xf32>
    %cst_18 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %59 = stablehlo.multiply %58, %arg8 : tensor<6x2xf32>
    %60 = stablehlo.add %57, %59 : tensor<6x2xf32>
    %61 = stablehlo.multiply %32, %32 : tensor<4x6xf32>
    %62 = stablehlo.subtract %48, %61 : tensor<4x6xf32>
    %cst_19 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %64 = stablehlo.add %62, %63 : tensor<4x6xf32>
    %65 = stablehlo.rsqrt %64 : tensor<4x6xf32>
    %66 = stablehlo.multiply %37, %37 : tensor<6xf32>
    %67 = stablehlo.subtract %54, %66 : tensor<6xf32>
    %cst_20 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %69 = stablehlo.add %67, %68 : tensor<6xf32>
    %70 = stablehlo.rsqrt %69 : tensor<6xf32>
    %71 = stablehlo.multiply %42, %42 : tensor<6x2xf32>
    %72 = stablehlo.subtract %60, %71 : tensor<6x2xf32>
    %cst_21 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %74 = stablehlo.add %72, %73 : tensor<6x2xf32>
    %75 = stablehlo.rsqrt %74 : tensor<6x2xf32>
    %76 = stablehlo.multiply %65, %27 : tensor<4x6xf32>
    %77 = stablehlo.multiply %70, %25 : tensor<6xf32>
    %78 = stablehlo.multiply %75, %18 : tensor<6x2xf32>
    %cst_22 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %80 = stablehlo.multiply %79, %76 : tensor<4x6xf32>
    %cst_23 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %82 = stablehlo.multiply %81, %77 : tensor<6xf32>
    %cst_24 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %84 = stablehlo.multiply %83, %78 : tensor<6x2xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %86 = stablehlo.multiply %85, %arg9 : tensor<4x6xf32>
    %87 = stablehlo.add %80, %86 : tensor<4x6xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %89 = stablehlo.multiply %88, %arg10 : tensor<6xf32>
    %90 = stablehlo.add %82, %89 : tensor<6xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %92 = stablehlo.multiply %91, %arg11 : tensor<6x2xf32>
    %93 = stablehlo.add %84, %92 : tensor<6x2xf32>
    %94 = stablehlo.add %arg0, %87 : tensor<4x6xf32>
    %95 = stablehlo.add %arg1, %90 : tensor<6xf32>
    %96 = stablehlo.add %arg2, %93 : tensor<6x2xf32>
    return %13, %94, %95, %96, %32, %37, %42, %48, %54, %60, %87, %90, %93 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
}
