module @jit_optax_novograd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<4x6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6x2xf32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<5x4xf32>, %arg11: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<4x6xf32> {jax.result_info = "result[2][0].mu['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].mu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][0].mu['c']"}, tensor<f32> {jax.result_info = "result[2][0].nu['a']"}, tensor<f32> {jax.result_info = "result[2][0].nu['b']"}, tensor<f32> {jax.result_info = "result[2][0].nu['c']"}) {
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
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %31 = stablehlo.compare EQ, %30, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %32 = stablehlo.convert %31 : (tensor<i1>) -> tensor<i32>
    %33:3 = "stablehlo.case"(%32) ({
      %46 = func.call @norm(%27) : (tensor<4x6xf32>) -> tensor<f32>
      %47 = stablehlo.multiply %46, %46 : tensor<f32>
      %48 = func.call @norm_0(%25) : (tensor<6xf32>) -> tensor<f32>
      %49 = stablehlo.multiply %48, %48 : tensor<f32>
      %50 = func.call @norm_1(%18) : (tensor<6x2xf32>) -> tensor<f32>
      %51 = stablehlo.multiply %50, %50 : tensor<f32>
      %cst_14 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
      %52 = stablehlo.multiply %cst_14, %47 : tensor<f32>
      %cst_15 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
      %53 = stablehlo.multiply %cst_15, %arg7 : tensor<f32>
      %54 = stablehlo.add %52, %53 : tensor<f32>
      %cst_16 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
      %55 = stablehlo.multiply %cst_16, %49 : tensor<f32>
      %cst_17 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
      %56 = stablehlo.multiply %cst_17, %arg8 : tensor<f32>
      %57 = stablehlo.add %55, %56 : tensor<f32>
      %cst_18 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
      %58 = stablehlo.multiply %cst_18, %51 : tensor<f32>
      %cst_19 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
      %59 = stablehlo.multiply %cst_19, %arg9 : tensor<f32>
      %60 = stablehlo.add %58, %59 : tensor<f32>
      stablehlo.return %54, %57, %60 : tensor<f32>, tensor<f32>, tensor<f32>
    }, {
      %46 = func.call @norm(%27) : (tensor<4x6xf32>) -> tensor<f32>
      %47 = stablehlo.multiply %46, %46 : tensor<f32>
      %48 = func.call @norm_0(%25) : (tensor<6xf32>) -> tensor<f32>
      %49 = stablehlo.multiply %48, %48 : tensor<f32>
      %50 = func.call @norm_1(%18) : (tensor<6x2xf32>) -> tensor<f32>
      %51 = stablehlo.multiply %50, %50 : tensor<f32>
      stablehlo.return %47, %49, %51 : tensor<f32>, tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %34 = stablehlo.compare EQ, %30, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %35 = stablehlo.convert %34 : (tensor<i1>) -> tensor<i32>
    %36:3 = "stablehlo.case"(%35) ({
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = stablehlo.add %33#0, %cst_14 : tensor<f32>
      %47 = stablehlo.sqrt %46 : tensor<f32>
      %cst_15 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %48 = stablehlo.add %47, %cst_15 : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %48, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %50 = stablehlo.divide %27, %49 : tensor<4x6xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %52 = stablehlo.multiply %51, %arg0 : tensor<4x6xf32>
      %53 = stablehlo.add %50, %52 : tensor<4x6xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.add %33#1, %cst_17 : tensor<f32>
      %55 = stablehlo.sqrt %54 : tensor<f32>
      %cst_18 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %56 = stablehlo.add %55, %cst_18 : tensor<f32>
      %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %58 = stablehlo.divide %25, %57 : tensor<6xf32>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %60 = stablehlo.multiply %59, %arg1 : tensor<6xf32>
      %61 = stablehlo.add %58, %60 : tensor<6xf32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %62 = stablehlo.add %33#2, %cst_20 : tensor<f32>
      %63 = stablehlo.sqrt %62 : tensor<f32>
      %cst_21 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %64 = stablehlo.add %63, %cst_21 : tensor<f32>
      %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %66 = stablehlo.divide %18, %65 : tensor<6x2xf32>
      %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %68 = stablehlo.multiply %67, %arg2 : tensor<6x2xf32>
      %69 = stablehlo.add %66, %68 : tensor<6x2xf32>
      %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %71 = stablehlo.multiply %70, %arg4 : tensor<4x6xf32>
      %72 = stablehlo.add %71, %53 : tensor<4x6xf32>
      %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %74 = stablehlo.multiply %73, %arg5 : tensor<6xf32>
      %75 = stablehlo.add %74, %61 : tensor<6xf32>
      %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %77 = stablehlo.multiply %76, %arg6 : tensor<6x2xf32>
      %78 = stablehlo.add %77, %69 : tensor<6x2xf32>
      stablehlo.return %72, %75, %78 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
    }, {
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = stablehlo.add %33#0, %cst_14 : tensor<f32>
      %47 = stablehlo.sqrt %46 : tensor<f32>
      %cst_15 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %48 = stablehlo.add %47, %cst_15 : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %48, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %50 = stablehlo.divide %27, %49 : tensor<4x6xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %52 = stablehlo.multiply %51, %arg0 : tensor<4x6xf32>
      %53 = stablehlo.add %50, %52 : tensor<4x6xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.add %33#1, %cst_17 : tensor<f32>
      %55 = stablehlo.sqrt %54 : tensor<f32>
      %cst_18 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %56 = stablehlo.add %55, %cst_18 : tensor<f32>
      %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %58 = stablehlo.divide %25, %57 : tensor<6xf32>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %60 = stablehlo.multiply %59, %arg1 : tensor<6xf32>
      %61 = stablehlo.add %58, %60 : tensor<6xf32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %62 = stablehlo.add %33#2, %cst_20 : tensor<f32>
      %63 = stablehlo.sqrt %62 : tensor<f32>
      %cst_21 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %64 = stablehlo.add %63, %cst_21 : tensor<f32>
      %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %66 = stablehlo.divide %18, %65 : tensor<6x2xf32>
      %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %68 = stablehlo.multiply %67, %arg2 : tensor<6x2xf32>
      %69 = stablehlo.add %66, %68 : tensor<6x2xf32>
      stablehlo.return %53, %61, %69 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
    }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>)
    %cst_11 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %38 = stablehlo.multiply %37, %36#0 : tensor<4x6xf32>
    %cst_12 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %40 = stablehlo.multiply %39, %36#1 : tensor<6xf32>
    %cst_13 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %42 = stablehlo.multiply %41, %36#2 : tensor<6x2xf32>
    %43 = stablehlo.add %arg0, %38 : tensor<4x6xf32>
    %44 = stablehlo.add %arg1, %40 : tensor<6xf32>
    %45 = stablehlo.add %arg2, %42 : tensor<6x2xf32>
    return %13, %43, %44, %45, %30, %36#0, %36#1, %36#2, %33#0, %33#1, %33#2 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @norm(%arg0: tensor<4x6xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @norm_0(%arg0: tensor<6xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @norm_1(%arg0: tensor<6x2xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
