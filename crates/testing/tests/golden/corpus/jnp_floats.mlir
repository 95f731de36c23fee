module @jit_jnp_floats attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3][0]"}, tensor<3x4xf32> {jax.result_info = "result[3][1]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}, tensor<3x4xi1> {jax.result_info = "result[6]"}, tensor<3x4xf32> {jax.result_info = "result[7]"}, tensor<3x4xf32> {jax.result_info = "result[8]"}, tensor<3x4xf32> {jax.result_info = "result[9]"}, tensor<3x4xf32> {jax.result_info = "result[10]"}, tensor<3x4xf32> {jax.result_info = "result[11]"}, tensor<3x4xf32> {jax.result_info = "result[12]"}, tensor<3x4xf32> {jax.result_info = "result[13]"}, tensor<3x4xf32> {jax.result_info = "result[14]"}, tensor<3x4xf32> {jax.result_info = "result[15]"}) {
    %0 = call @floor_divide(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %1 = call @remainder(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %2 = call @fmod(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %3:2 = call @divmod(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
    %4 = stablehlo.power %arg1, %arg0 : tensor<3x4xf32>
    %5 = call @round(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = call @isclose(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %7 = stablehlo.maximum %arg0, %arg1 : tensor<3x4xf32>
    %8 = call @fmax(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %cst = stablehlo.constant dense<57.2957802> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %10 = stablehlo.multiply %arg0, %9 : tensor<3x4xf32>
    %11 = stablehlo.cbrt %arg0 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<0.693147182> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %13 = stablehlo.multiply %12, %arg0 : tensor<3x4xf32>
    %14 = stablehlo.exponential %13 : tensor<3x4xf32>
    %15 = stablehlo.log %arg1 : tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.log %cst_1 : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %18 = stablehlo.divide %15, %17 : tensor<3x4xf32>
    %19 = stablehlo.log %arg1 : tensor<3x4xf32>
    %cst_2 = stablehlo.constant dense<0.434294492> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<3x4xf32>
    %22 = stablehlo.maximum %arg0, %arg1 : tensor<3x4xf32>
    %23 = stablehlo.subtract %arg0, %arg1 : tensor<3x4xf32>
    %24 = stablehlo.compare NE, %23, %23, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %25 = stablehlo.add %arg0, %arg1 : tensor<3x4xf32>
    %26 = stablehlo.abs %23 : tensor<3x4xf32>
    %27 = stablehlo.negate %26 : tensor<3x4xf32>
    %cst_3 = stablehlo.constant dense<0.693147182> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<3x4xf32>
    %30 = stablehlo.exponential %29 : tensor<3x4xf32>
    %31 = stablehlo.log_plus_one %30 : tensor<3x4xf32>
    %cst_4 = stablehlo.constant dense<1.44269502> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<3x4xf32>
    %34 = stablehlo.add %22, %33 : tensor<3x4xf32>
    %35 = stablehlo.select %24, %25, %34 : tensor<3x4xi1>, tensor<3x4xf32>
    %36 = stablehlo.divide %arg0, %arg1 : tensor<3x4xf32>
    return %0, %1, %2, %3#0, %3#1, %4, %5, %6, %7, %8, %10, %11, %14, %18, %21, %35, %36 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @floor_divide(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.compare EQ, %arg1, %1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %3 = stablehlo.subtract %arg0, %0 : tensor<3x4xf32>
    %4 = call @_where(%2, %arg0, %3) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %5 = stablehlo.divide %4, %arg1 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %7 = stablehlo.compare NE, %0, %6, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %8 = stablehlo.sign %arg1 : tensor<3x4xf32>
    %9 = stablehlo.sign %0 : tensor<3x4xf32>
    %10 = stablehlo.compare NE, %8, %9, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x4xi1>
    %12 = stablehlo.add %0, %arg1 : tensor<3x4xf32>
    %13 = stablehlo.select %11, %12, %0 : tensor<3x4xi1>, tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %15 = stablehlo.subtract %5, %14 : tensor<3x4xf32>
    %16 = stablehlo.select %11, %15, %5 : tensor<3x4xi1>, tensor<3x4xf32>
    %17 = stablehlo.round_nearest_afz %16 : tensor<3x4xf32>
    return %17 : tensor<3x4xf32>
  }
  func.func private @_where(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x4xi1>, tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @remainder(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.compare LT, %0, %3, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %6 = stablehlo.compare LT, %arg1, %5, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %7 = stablehlo.compare NE, %4, %6, UNSIGNED : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
    %8 = stablehlo.and %7, %2 : tensor<3x4xi1>
    %9 = stablehlo.add %0, %arg1 : tensor<3x4xf32>
    %10 = stablehlo.select %8, %9, %0 : tensor<3x4xi1>, tensor<3x4xf32>
    return %10 : tensor<3x4xf32>
  }
  func.func private @fmod(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @divmod(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.compare EQ, %arg1, %1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %3 = stablehlo.subtract %arg0, %0 : tensor<3x4xf32>
    %4 = call @_where(%2, %arg0, %3) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %5 = stablehlo.divide %4, %arg1 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %7 = stablehlo.compare NE, %0, %6, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %8 = stablehlo.sign %arg1 : tensor<3x4xf32>
    %9 = stablehlo.sign %0 : tensor<3x4xf32>
    %10 = stablehlo.compare NE, %8, %9, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x4xi1>
    %12 = stablehlo.add %0, %arg1 : tensor<3x4xf32>
    %13 = stablehlo.select %11, %12, %0 : tensor<3x4xi1>, tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %15 = stablehlo.subtract %5, %14 : tensor<3x4xf32>
    %16 = stablehlo.select %11, %15, %5 : tensor<3x4xi1>, tensor<3x4xf32>
    %17 = stablehlo.round_nearest_afz %16 : tensor<3x4xf32>
    return %17, %13 : tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @round(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<3x4xf32>
    %2 = stablehlo.round_nearest_even %1 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.divide %2, %3 : tensor<3x4xf32>
    return %4 : tensor<3x4xf32>
  }
  func.func private @isclose(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xi1> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %2 = stablehlo.and %0, %1 : tensor<3x4xi1>
    %3 = stablehlo.is_finite %arg1 : (tensor<3x4xf32>) -> tensor<3x4xi1>
    %4 = stablehlo.subtract %arg0, %arg1 : tensor<3x4xf32>
    %5 = stablehlo.abs %4 : tensor<3x4xf32>
    %6 = stablehlo.abs %arg1 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %10 = stablehlo.add %9, %8 : tensor<3x4xf32>
    %11 = stablehlo.compare LE, %5, %10, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %12 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %13 = stablehlo.and %3, %11 : tensor<3x4xi1>
    %14 = stablehlo.or %12, %13 : tensor<3x4xi1>
    return %14 : tensor<3x4xi1>
  }
  func.func private @fmax(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %2 = stablehlo.or %0, %1 : tensor<3x4xi1>
    %3 = call @_where(%2, %arg0, %arg1) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
}
