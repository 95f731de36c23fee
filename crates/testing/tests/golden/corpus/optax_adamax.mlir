module @jit_optax_adamax attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
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
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %28 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.add %arg3, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<2147483647> : tensor<i32>
    %30 = call @_where(%28, %29, %c_8) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %32 = stablehlo.multiply %31, %27 : tensor<4x6xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %34 = stablehlo.multiply %33, %arg4 : tensor<4x6xf32>
    %35 = stablehlo.add %32, %34 : tensor<4x6xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %37 = stablehlo.multiply %36, %25 : tensor<6xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %39 = stablehlo.multiply %38, %arg5 : tensor<6xf32>
    %40 = stablehlo.add %37, %39 : tensor<6xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %42 = stablehlo.multiply %41, %18 : tensor<6x2xf32>
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %44 = stablehlo.multiply %43, %arg6 : tensor<6x2xf32>
    %45 = stablehlo.add %42, %44 : tensor<6x2xf32>
    %46 = stablehlo.abs %27 : tensor<4x6xf32>
    %cst_15 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %48 = stablehlo.add %46, %47 : tensor<4x6xf32>
    %cst_16 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %50 = stablehlo.multiply %49, %arg7 : tensor<4x6xf32>
    %51 = stablehlo.maximum %48, %50 : tensor<4x6xf32>
    %52 = stablehlo.abs %25 : tensor<6xf32>
    %cst_17 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %54 = stablehlo.add %52, %53 : tensor<6xf32>
    %cst_18 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %56 = stablehlo.multiply %55, %arg8 : tensor<6xf32>
    %57 = stablehlo.maximum %54, %56 : tensor<6xf32>
    %58 = stablehlo.abs %18 : tensor<6x2xf32>
    %cst_19 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %60 = stablehlo.add %58, %59 : tensor<6x2xf32>
    %cst_20 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %62 = stablehlo.multiply %61, %arg9 : tensor<6x2xf32>
    %63 = stablehlo.maximum %60, %62 : tensor<6x2xf32>
    %64 = stablehlo.convert %30 : (tensor<i32>) -> tensor<f32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %65 = stablehlo.convert %30 : (tensor<i32>) -> tensor<f32>
    %66 = stablehlo.power %cst_21, %65 : tensor<f32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.subtract %cst_22, %66 : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %69 = stablehlo.divide %35, %68 : tensor<4x6xf32>
    %70 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %71 = stablehlo.divide %40, %70 : tensor<6xf32>
    %72 = stablehlo.broadcast_in_dim %67, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %73 = stablehlo.divide %45, %72 : tensor<6x2xf32>
    %74 = stablehlo.divide %69, %51 : tensor<4x6xf32>
    %75 = stablehlo.divide %71, %57 : tensor<6xf32>
    %76 = stablehlo.divide %73, %63 : tensor<6x2xf32>
    %cst_23 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %78 = stablehlo.multiply %77, %74 : tensor<4x6xf32>
    %cst_24 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %80 = stablehlo.multiply %79, %75 : tensor<6xf32>
    %cst_25 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %82 = stablehlo.multiply %81, %76 : tensor<6x2xf32>
    %83 = stablehlo.add %arg0, %78 : tensor<4x6xf32>
    %84 = stablehlo.add %arg1, %80 : tensor<6xf32>
    %85 = stablehlo.add %arg2, %82 : tensor<6x2xf32>
    return %13, %83, %84, %85, %30, %35, %40, %45, %51, %57, %63 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
