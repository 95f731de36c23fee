module @jit_jnp_polynomials attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}, tensor<2xf32> {jax.result_info = "result[3]"}, tensor<4xf32> {jax.result_info = "result[4]"}, tensor<5xf32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.multiply %arg1, %arg1 : tensor<4xf32>
    %1 = call @polyfit(%arg1, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<3xf32>
    %2 = call @polyadd(%arg0, %arg0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %3 = call @convolve(%arg0, %arg1) : (tensor<3xf32>, tensor<4xf32>) -> tensor<6xf32>
    %4 = call @polyder(%arg0) : (tensor<3xf32>) -> tensor<2xf32>
    %5 = call @polyint(%arg0) : (tensor<3xf32>) -> tensor<4xf32>
    %6 = call @poly(%arg1) : (tensor<4xf32>) -> tensor<5xf32>
    return %1, %2, %3, %4, %5, %6 : tensor<3xf32>, tensor<3xf32>, tensor<6xf32>, tensor<2xf32>, tensor<4xf32>, tensor<5xf32>
  }
  func.func private @polyfit(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<3xf32> {
    %0 = call @vander(%arg0) : (tensor<4xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.sqrt %2 : tensor<3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.divide %0, %5 : tensor<4x3xf32>
    %cst_0 = stablehlo.constant dense<4.76837158E-7> : tensor<f32>
    %7:4 = call @_lstsq(%6, %arg1, %cst_0) : (tensor<4x3xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<i32>, tensor<3xf32>)
    %8 = stablehlo.divide %7#0, %3 : tensor<3xf32>
    return %8 : tensor<3xf32>
  }
  func.func private @vander(%arg0: tensor<4xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.subtract %1, %0 : tensor<3xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
    %7 = stablehlo.power %5, %6 : tensor<4x3xf32>
    return %7 : tensor<4x3xf32>
  }
  func.func private @_lstsq(%arg0: tensor<4x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<i32>, tensor<3xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare LT, %arg2, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_0 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %2 = call @_where(%1, %cst_0, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %3:3 = call @svd(%arg0) : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3x3xf32>)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %5 = stablehlo.compare GT, %3#1, %4, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %6 = stablehlo.slice %3#1 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = stablehlo.multiply %2, %7 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %10 = stablehlo.compare GE, %3#1, %9, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %11 = stablehlo.and %5, %10 : tensor<3xi1>
    %12 = stablehlo.convert %11 : (tensor<3xi1>) -> tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.reduce(%12 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %14 = call @_where_0(%11, %3#1, %c_2) : (tensor<3xi1>, tensor<3xf32>, tensor<i32>) -> tensor<3xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %16 = stablehlo.divide %15, %14 : tensor<3xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %17 = call @_where_0(%11, %16, %c_4) : (tensor<3xi1>, tensor<3xf32>, tensor<i32>) -> tensor<3xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %19 = stablehlo.transpose %3#0, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %20 = stablehlo.dot_general %19, %0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<3x4xf32>, tensor<4x1xf32>) -> tensor<3x1xf32>
    %21 = stablehlo.transpose %3#2, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %22 = stablehlo.multiply %18, %20 : tensor<3x1xf32>
    %23 = stablehlo.dot_general %21, %22, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
    %24 = stablehlo.dot_general %arg0, %23, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<3x1xf32>) -> tensor<4x1xf32>
    %25 = stablehlo.subtract %0, %24 : tensor<4x1xf32>
    %26 = call @norm(%25) : (tensor<4x1xf32>) -> tensor<1xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<1xf32>
    %28 = stablehlo.reshape %23 : (tensor<3x1xf32>) -> tensor<3xf32>
    return %28, %27, %13, %3#1 : tensor<3xf32>, tensor<1xf32>, tensor<i32>, tensor<3xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @svd(%arg0: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3x3xf32>) {
    %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=4, j=3, k=4, l=3, m=3, n=4, o=3, p=3, q=3}, custom>} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x3xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<4x3xi1>, tensor<4x3xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<3x3xi1>, tensor<3x3xf32>
    return %10, %6, %14 : tensor<4x3xf32>, tensor<3xf32>, tensor<3x3xf32>
  }
  func.func private @_where_0(%arg0: tensor<3xi1>, %arg1: tensor<3xf32>, %arg2: tensor<i32>) -> tensor<3xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<3xi1>, tensor<3xf32>
    return %2 : tensor<3xf32>
  }
  func.func private @norm(%arg0: tensor<4x1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x1xf32>, tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.sqrt %1 : tensor<1xf32>
    return %2 : tensor<1xf32>
  }
  func.func private @polyadd(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<> : tensor<0xi32>
    %0 = "stablehlo.scatter"(%arg0, %c, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>, tensor<0xi32>, tensor<3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @convolve(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) -> tensor<6xf32> {
    %0 = call @_conv(%arg0, %arg1) : (tensor<3xf32>, tensor<4xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @_conv(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) -> tensor<6xf32> {
    %0 = call @_flip(%arg0) : (tensor<3xf32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x6xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x6xf32>) -> tensor<6xf32>
    return %4 : tensor<6xf32>
  }
  func.func private @_flip(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @polyder(%arg0: tensor<3xf32>) -> tensor<2xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.add %1, %0 : tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %4 = stablehlo.iota dim = 0 : tensor<1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x2xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<1x2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.multiply across dimensions = [0] : (tensor<1x2xf32>, tensor<f32>) -> tensor<2xf32>
    %9 = stablehlo.slice %arg0 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %10 = stablehlo.reverse %8, dims = [0] : tensor<2xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2xf32>
    return %11 : tensor<2xf32>
  }
  func.func private @polyint(%arg0: tensor<3xf32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = call @atleast_1d(%cst) : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.iota dim = 0 : tensor<4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.iota dim = 0 : tensor<1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x4xf32>
    %8 = stablehlo.subtract %4, %7 : tensor<1x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<1x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.multiply across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.reverse %11, dims = [0] : tensor<4xf32>
    %13 = stablehlo.concatenate %arg0, %2, dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
    %14 = stablehlo.divide %13, %12 : tensor<4xf32>
    return %14 : tensor<4xf32>
  }
  func.func private @atleast_1d(%arg0: tensor<f32>) -> tensor<1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func private @poly(%arg0: tensor<4xf32>) -> tensor<5xf32> {
    %0 = call @atleast_1d_1(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.slice %0 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.negate %3 : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %8 = call @convolve_2(%1, %7) : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
    %9 = stablehlo.slice %0 [1:2] : (tensor<4xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = stablehlo.negate %10 : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %14 = stablehlo.concatenate %12, %13, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %15 = call @convolve_5(%8, %14) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
    %16 = stablehlo.slice %0 [2:3] : (tensor<4xf32>) -> tensor<1xf32>
    %17 = stablehlo.reshape %16 : (tensor<1xf32>) -> tensor<f32>
    %18 = stablehlo.negate %17 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %22 = call @convolve_8(%15, %21) : (tensor<3xf32>, tensor<2xf32>) -> tensor<4xf32>
    %23 = stablehlo.slice %0 [3:4] : (tensor<4xf32>) -> tensor<1xf32>
    %24 = stablehlo.reshape %23 : (tensor<1xf32>) -> tensor<f32>
    %25 = stablehlo.negate %24 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %28 = stablehlo.concatenate %26, %27, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %29 = call @convolve_10(%22, %28) : (tensor<4xf32>, tensor<2xf32>) -> tensor<5xf32>
    return %29 : tensor<5xf32>
  }
  func.func private @atleast_1d_1(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
  func.func private @convolve_2(%arg0: tensor<1xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
    %0 = call @_conv_3(%arg0, %arg1) : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @_conv_3(%arg0: tensor<1xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
    %0 = call @_flip_4(%arg0) : (tensor<1xf32>) -> tensor<1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<1xf32>) -> tensor<1x1x1xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x2xf32>) -> tensor<2xf32>
    return %4 : tensor<2xf32>
  }
  func.func private @_flip_4(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func private @convolve_5(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<3xf32> {
    %0 = call @_conv_6(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @_conv_6(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<3xf32> {
    %0 = call @_flip_7(%arg1) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x3xf32>) -> tensor<3xf32>
    return %4 : tensor<3xf32>
  }
  func.func private @_flip_7(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @convolve_8(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) -> tensor<4xf32> {
    %0 = call @_conv_9(%arg0, %arg1) : (tensor<3xf32>, tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @_conv_9(%arg0: tensor<3xf32>, %arg1: tensor<2xf32>) -> tensor<4xf32> {
    %0 = call @_flip_7(%arg1) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x4xf32>) -> tensor<4xf32>
    return %4 : tensor<4xf32>
  }
  func.func private @convolve_10(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>) -> tensor<5xf32> {
    %0 = call @_conv_11(%arg0, %arg1) : (tensor<4xf32>, tensor<2xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @_conv_11(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>) -> tensor<5xf32> {
    %0 = call @_flip_7(%arg1) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x5xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x5xf32>) -> tensor<5xf32>
    return %4 : tensor<5xf32>
  }
}
