module @jit_optax_finite_only attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<i1>, %arg5: tensor<i32>, %arg6: tensor<5x4xf32>, %arg7: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2].notfinite_count"}, tensor<i1> {jax.result_info = "result[2].last_finite"}, tensor<i32> {jax.result_info = "result[2].total_notfinite"}) {
    %0 = stablehlo.dot_general %arg6, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg7 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %28 = stablehlo.is_finite %27 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %29 = stablehlo.reduce(%28 init: %c) applies stablehlo.and across dimensions = [0, 1] : (tensor<4x6xi1>, tensor<i1>) -> tensor<i1>
    %30 = stablehlo.is_finite %25 : (tensor<6xf32>) -> tensor<6xi1>
    %c_7 = stablehlo.constant dense<true> : tensor<i1>
    %31 = stablehlo.reduce(%30 init: %c_7) applies stablehlo.and across dimensions = [0] : (tensor<6xi1>, tensor<i1>) -> tensor<i1>
    %32 = stablehlo.is_finite %18 : (tensor<6x2xf32>) -> tensor<6x2xi1>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %33 = stablehlo.reduce(%32 init: %c_8) applies stablehlo.and across dimensions = [0, 1] : (tensor<6x2xi1>, tensor<i1>) -> tensor<i1>
    %34 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %35 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %36 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %37 = stablehlo.concatenate %34, %35, %36, dim = 0 : (tensor<1xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<3xi1>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %38 = stablehlo.reduce(%37 init: %c_9) applies stablehlo.and across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<2147483647> : tensor<i32>
    %39 = stablehlo.compare LT, %arg3, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %40 = stablehlo.add %arg3, %c_11 : tensor<i32>
    %c_12 = stablehlo.constant dense<2147483647> : tensor<i32>
    %41 = call @_where(%39, %40, %c_12) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %42 = call @_where(%38, %c_13, %41) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_14 = stablehlo.constant dense<2> : tensor<i32>
    %43 = stablehlo.compare GT, %42, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %44 = stablehlo.or %38, %43 : tensor<i1>
    %45 = stablehlo.convert %44 : (tensor<i1>) -> tensor<i32>
    %46:3 = "stablehlo.case"(%45) ({
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      stablehlo.return %54, %55, %56 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
    }, {
      %cst_18 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %55 = stablehlo.multiply %54, %27 : tensor<4x6xf32>
      %cst_19 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %57 = stablehlo.multiply %56, %25 : tensor<6xf32>
      %cst_20 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
      %58 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %59 = stablehlo.multiply %58, %18 : tensor<6x2xf32>
      stablehlo.return %55, %57, %59 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
    }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>)
    %c_15 = stablehlo.constant dense<2147483647> : tensor<i32>
    %47 = stablehlo.compare LT, %arg5, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.add %arg5, %c_16 : tensor<i32>
    %c_17 = stablehlo.constant dense<2147483647> : tensor<i32>
    %49 = call @_where(%47, %48, %c_17) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %50 = call @_where(%38, %arg5, %49) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %51 = stablehlo.add %arg0, %46#0 : tensor<4x6xf32>
    %52 = stablehlo.add %arg1, %46#1 : tensor<6xf32>
    %53 = stablehlo.add %arg2, %46#2 : tensor<6x2xf32>
    return %13, %51, %52, %53, %42, %38, %50 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<i1>, tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
