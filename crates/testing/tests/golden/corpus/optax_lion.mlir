module @jit_optax_lion attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<4x6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6x2xf32>, %arg7: tensor<5x4xf32>, %arg8: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<4x6xf32> {jax.result_info = "result[2][0].mu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].mu['c']"}) {
    %0 = stablehlo.dot_general %arg7, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg8 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %31 = stablehlo.multiply %30, %arg4 : tensor<4x6xf32>
    %32 = stablehlo.add %29, %31 : tensor<4x6xf32>
    %33 = stablehlo.sign %32 : tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %35 = stablehlo.multiply %34, %25 : tensor<6xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %37 = stablehlo.multiply %36, %arg5 : tensor<6xf32>
    %38 = stablehlo.add %35, %37 : tensor<6xf32>
    %39 = stablehlo.sign %38 : tensor<6xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %41 = stablehlo.multiply %40, %18 : tensor<6x2xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %43 = stablehlo.multiply %42, %arg6 : tensor<6x2xf32>
    %44 = stablehlo.add %41, %43 : tensor<6x2xf32>
    %45 = stablehlo.sign %44 : tensor<6x2xf32>
    %cst_13 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %47 = stablehlo.multiply %46, %27 : tensor<4x6xf32>
    %cst_14 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %49 = stablehlo.multiply %48, %arg4 : tensor<4x6xf32>
    %50 = stablehlo.add %47, %49 : tensor<4x6xf32>
    %cst_15 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %52 = stablehlo.multiply %51, %25 : tensor<6xf32>
    %cst_16 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %54 = stablehlo.multiply %53, %arg5 : tensor<6xf32>
    %55 = stablehlo.add %52, %54 : tensor<6xf32>
    %cst_17 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %57 = stablehlo.multiply %56, %18 : tensor<6x2xf32>
    %cst_18 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %59 = stablehlo.multiply %58, %arg6 : tensor<6x2xf32>
    %60 = stablehlo.add %57, %59 : tensor<6x2xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %61 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_19 = stablehlo.constant dense<1> : tensor<i32>
    %62 = stablehlo.add %arg3, %c_19 : tensor<i32>
    %c_20 = stablehlo.constant dense<2147483647> : tensor<i32>
    %63 = call @_where(%61, %62, %c_20) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %cst_21 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %65 = stablehlo.multiply %64, %arg0 : tensor<4x6xf32>
    %66 = stablehlo.add %33, %65 : tensor<4x6xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %68 = stablehlo.multiply %67, %arg1 : tensor<6xf32>
    %69 = stablehlo.add %39, %68 : tensor<6xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %71 = stablehlo.multiply %70, %arg2 : tensor<6x2xf32>
    %72 = stablehlo.add %45, %71 : tensor<6x2xf32>
    %cst_24 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %74 = stablehlo.multiply %73, %66 : tensor<4x6xf32>
    %cst_25 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %76 = stablehlo.multiply %75, %69 : tensor<6xf32>
    %cst_26 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %78 = stablehlo.multiply %77, %72 : tensor<6x2xf32>
    %79 = stablehlo.add %arg0, %74 : tensor<4x6xf32>
    %80 = stablehlo.add %arg1, %76 : tensor<6xf32>
    %81 = stablehlo.add %arg2, %78 : tensor<6x2xf32>
    return %13, %79, %80, %81, %63, %50, %55, %60 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
