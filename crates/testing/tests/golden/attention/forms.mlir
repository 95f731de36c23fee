// form: jax_plain | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x2x4x5x5xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: jax_cross | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: jax_scale | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x2x4x5x5xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: jax_causal | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4 : tensor<1x2x4x5x5xf32>
  }
}
// form: jax_causal_cross | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x6xi1>
    %6 = call @tril(%5) : (tensor<5x6xi1>) -> tensor<5x6xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x6xi1>) -> tensor<1x1x5x6xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x6xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x6xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x6xi1>) -> tensor<5x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x6xi32>, tensor<5x6xi32>) -> tensor<5x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x6xi1>, tensor<5x6xi1>
    return %6 : tensor<5x6xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %4 : tensor<1x2x4x5x6xf32>
  }
}
// form: jax_causal_more_queries | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x6x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x6x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x6x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x5xi1>
    %6 = call @tril(%5) : (tensor<6x5xi1>) -> tensor<6x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<6x5xi1>) -> tensor<1x1x6x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x6x5xi1>) -> tensor<2x4x6x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x6x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x6x5xi1>, tensor<2x4x6x1x5xf32>, tensor<f32>) -> tensor<1x2x4x6x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x6x5xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x6xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x6xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x6x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x6x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x6x5xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x6x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x6x5xf32>) -> tensor<2x4x3x1x6xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x6xf32>) -> tensor<1x2x6x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x6x4x1x3xf32>) -> tensor<2x6x4x3xf32>
    return %25 : tensor<2x6x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<6x5xi1>) -> tensor<6x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x5xi32>, tensor<6x5xi32>) -> tensor<6x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x5xi1>, tensor<6x5xi1>
    return %6 : tensor<6x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x6x5xi1>, %arg1: tensor<2x4x6x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x6x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x6x5xi1>) -> tensor<1x2x4x6x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x6x5xf32>) -> tensor<1x2x4x6x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x6x1x5xf32>) -> tensor<1x2x4x6x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x6x5xi1>, tensor<1x2x4x6x5xf32>
    return %4 : tensor<1x2x4x6x5xf32>
  }
}
// form: jax_grouped | groups=2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x2x3xf32>, %arg2: tensor<2x5x2x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x2x2x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x2x3xf32>, tensor<2x5x2x3xf32>) -> tensor<2x2x5x2x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x2x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x5x2x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x5x2x5xf32>, tensor<f32>) -> tensor<2x2x5x2xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x5x2xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x2x5x2xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x2x5x2xf32>) -> tensor<2x2x2x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x2x5xf32>) -> tensor<2x2x2x5x5xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<2x2x2x5x5xf32>
    %12 = stablehlo.exponential %11 : tensor<2x2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x2x2x5x5xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x3xf32>, tensor<2x2x2x5x5xf32>) -> tensor<2x2x3x2x5xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<2x2x3x2x5xf32>) -> tensor<2x2x5x2x3xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<2x2x5x2x3xf32>) -> tensor<2x5x2x2x3xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x5x2x2x3xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: jax_grouped_causal | causal groups=2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x2x3xf32>, %arg2: tensor<2x5x2x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x2x2x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x2x3xf32>, tensor<2x5x2x3xf32>) -> tensor<2x2x5x2x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x2x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x5x2x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x2x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x2x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x2x5x5xi1>, tensor<2x2x5x2x5xf32>, tensor<f32>) -> tensor<2x2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x2x2x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x2x2x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<2x2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x2x2x5x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x3xf32>, tensor<2x2x2x5x5xf32>) -> tensor<2x2x3x2x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x2x3x2x5xf32>) -> tensor<2x2x5x2x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<2x2x5x2x3xf32>) -> tensor<2x5x2x2x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x2x2x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x5x5xi1>, %arg1: tensor<2x2x5x2x5xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<2x2x2x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x2x5xf32>) -> tensor<2x2x2x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>
    return %4 : tensor<2x2x2x5x5xf32>
  }
}
// form: jax_multi_query | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x1x3xf32>, %arg2: tensor<2x5x1x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x1x4x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x1x4x3xf32>, tensor<2x5x1x3xf32>) -> tensor<2x1x5x4x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x5x4x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x1x5x4x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x1x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x1x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x1x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x1x5x5xi1>, tensor<2x1x5x4x5xf32>, tensor<f32>) -> tensor<4x2x1x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<4x2x1x5x5xf32>, tensor<f32>) -> tensor<4x2x1x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2x1x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<4x2x1x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<4x2x1x5xf32>) -> tensor<4x2x1x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<4x2x1x5x1xf32>) -> tensor<4x2x1x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<4x2x1x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<4x2x1x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<4x2x1x5x5xf32>, tensor<f32>) -> tensor<4x2x1x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<4x2x1x5xf32>) -> tensor<4x2x1x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<4x2x1x5x1xf32>) -> tensor<4x2x1x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<4x2x1x5x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x1x3xf32>, tensor<4x2x1x5x5xf32>) -> tensor<2x1x3x4x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x1x3x4x5xf32>) -> tensor<4x2x5x1x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<4x2x5x1x3xf32>) -> tensor<2x5x1x4x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x1x4x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x1x5x5xi1>, %arg1: tensor<2x1x5x4x5xf32>, %arg2: tensor<f32>) -> tensor<4x2x1x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x1x5x5xi1>) -> tensor<4x2x1x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x1x5x5xf32>) -> tensor<4x2x1x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x1x5x4x5xf32>) -> tensor<4x2x1x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<4x2x1x5x5xi1>, tensor<4x2x1x5x5xf32>
    return %4 : tensor<4x2x1x5x5xf32>
  }
}
// form: jax_mask | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x5x6xi1>) -> tensor<2x4x1x5x6xi1>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %8 = stablehlo.and %6, %7 : tensor<1x2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %9 = call @_where(%8, %4, %cst_0) : (tensor<1x2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<1x2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<1x2x4x5x6xf32>
    %16 = stablehlo.exponential %15 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %20 = stablehlo.divide %16, %19 : tensor<1x2x4x5x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %22 = stablehlo.transpose %21, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %23 = stablehlo.transpose %22, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %24 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %3 : tensor<1x2x4x5x6xf32>
  }
}
// form: jax_mask_of_all_heads | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 3, 4] : (tensor<2x1x5x6xi1>) -> tensor<2x1x1x5x6xi1>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x5x6xi1>) -> tensor<1x2x1x5x6xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %9 = stablehlo.and %6, %8 : tensor<1x2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %4, %cst_0) : (tensor<1x2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x6xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %3 : tensor<1x2x4x5x6xf32>
  }
}
// form: jax_mask_blind_rows | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 3, 4] : (tensor<2x1x5x6xi1>) -> tensor<2x1x1x5x6xi1>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x5x6xi1>) -> tensor<1x2x1x5x6xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %9 = stablehlo.and %6, %8 : tensor<1x2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %4, %cst_0) : (tensor<1x2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x6xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %3 : tensor<1x2x4x5x6xf32>
  }
}
// form: jax_mask_causal | causal mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<1x1x5x5xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 3, 4] : (tensor<1x1x5x5xi1>) -> tensor<1x1x1x5x5xi1>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<1x1x1x5x5xi1>) -> tensor<1x1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %9 = stablehlo.and %6, %8 : tensor<1x2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %11 = call @tril(%10) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2, 3, 4] : (tensor<1x1x5x5xi1>) -> tensor<1x1x1x5x5xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %15 = stablehlo.and %9, %14 : tensor<1x2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %16 = call @_where(%15, %4, %cst_1) : (tensor<1x2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<1x2x4x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %22 = stablehlo.subtract %16, %21 : tensor<1x2x4x5x5xf32>
    %23 = stablehlo.exponential %22 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %27 = stablehlo.divide %23, %26 : tensor<1x2x4x5x5xf32>
    %28 = stablehlo.dot_general %arg2, %27, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %29 = stablehlo.transpose %28, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %30 = stablehlo.transpose %29, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %31 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %3 : tensor<1x2x4x5x5xf32>
  }
}
// form: jax_bias | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<1x4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<1x4x5x6xf32>) -> tensor<1x4x1x5x6xf32>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %5 = stablehlo.transpose %4, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %6 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x5x6xf32>) -> tensor<1x1x4x5x6xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<1x2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<1x2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<1x2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %21 = stablehlo.transpose %20, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %22 = stablehlo.transpose %21, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %23 : tensor<2x5x4x3xf32>
  }
}
// form: jax_bias_full | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x5x6xf32>) -> tensor<2x4x1x5x6xf32>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %5 = stablehlo.transpose %4, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %6 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %7 = stablehlo.add %5, %6 : tensor<1x2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<1x2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<1x2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<1x2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %20 = stablehlo.transpose %19, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %21 = stablehlo.transpose %20, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
}
// form: jax_bias_causal | causal bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<1x4x5x5xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<1x4x5x5xf32>) -> tensor<1x4x1x5x5xf32>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x5xf32>
    %5 = stablehlo.transpose %4, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %6 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x5x5xf32>) -> tensor<1x1x4x5x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x2x4x5x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %11 = call @tril(%10) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %14 = stablehlo.and %9, %13 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %15 = call @_where(%14, %8, %cst_1) : (tensor<2x4x5x5xi1>, tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.exponential %21 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %26 = stablehlo.divide %22, %25 : tensor<1x2x4x5x5xf32>
    %27 = stablehlo.dot_general %arg2, %26, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %28 = stablehlo.transpose %27, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %29 = stablehlo.transpose %28, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %30 = stablehlo.reshape %29 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %30 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<1x2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %3 : tensor<1x2x4x5x5xf32>
  }
}
// form: jax_window | before=2 after=1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x6x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x6x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x6x1x6xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<2x4x6x6xi1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %8 = stablehlo.add %6, %7 : tensor<1x6xi32>
    %9 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %11 = stablehlo.compare LE, %9, %10, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %12 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %13 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %15 = stablehlo.subtract %13, %14 : tensor<1x6xi32>
    %16 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %18 = stablehlo.compare GE, %16, %17, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %19 = stablehlo.and %18, %11 : tensor<6x6xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x4x6x6xi1>
    %22 = stablehlo.and %4, %21 : tensor<2x4x6x6xi1>
    %cst_4 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %23 = call @_where(%22, %3, %cst_4) : (tensor<2x4x6x6xi1>, tensor<2x4x6x1x6xf32>, tensor<f32>) -> tensor<1x2x4x6x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x4x6xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<1x2x4x6xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<1x2x4x6x6xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x4x6x6xf32>
    %35 = stablehlo.dot_general %arg2, %34, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x6x6xf32>) -> tensor<2x4x3x1x6xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x6xf32>) -> tensor<1x2x6x4x3xf32>
    %37 = stablehlo.transpose %36, dims = [1, 2, 3, 0, 4] : (tensor<1x2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x6x4x1x3xf32>) -> tensor<2x6x4x3xf32>
    return %38 : tensor<2x6x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x6x6xi1>, %arg1: tensor<2x4x6x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xi1>) -> tensor<1x2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x6x1x6xf32>) -> tensor<1x2x4x6x6xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>
    return %4 : tensor<1x2x4x6x6xf32>
  }
}
// form: jax_window_wide | before=3 after=3
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x6x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x6x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x6x1x6xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<2x4x6x6xi1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %8 = stablehlo.add %6, %7 : tensor<1x6xi32>
    %9 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %11 = stablehlo.compare LE, %9, %10, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %12 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %13 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_3 = stablehlo.constant dense<3> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %15 = stablehlo.subtract %13, %14 : tensor<1x6xi32>
    %16 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %18 = stablehlo.compare GE, %16, %17, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %19 = stablehlo.and %18, %11 : tensor<6x6xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x4x6x6xi1>
    %22 = stablehlo.and %4, %21 : tensor<2x4x6x6xi1>
    %cst_4 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %23 = call @_where(%22, %3, %cst_4) : (tensor<2x4x6x6xi1>, tensor<2x4x6x1x6xf32>, tensor<f32>) -> tensor<1x2x4x6x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x4x6xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<1x2x4x6xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<1x2x4x6x6xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x4x6x6xf32>
    %35 = stablehlo.dot_general %arg2, %34, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x6x6xf32>) -> tensor<2x4x3x1x6xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x6xf32>) -> tensor<1x2x6x4x3xf32>
    %37 = stablehlo.transpose %36, dims = [1, 2, 3, 0, 4] : (tensor<1x2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x6x4x1x3xf32>) -> tensor<2x6x4x3xf32>
    return %38 : tensor<2x6x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x6x6xi1>, %arg1: tensor<2x4x6x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xi1>) -> tensor<1x2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x6x1x6xf32>) -> tensor<1x2x4x6x6xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>
    return %4 : tensor<1x2x4x6x6xf32>
  }
}
// form: jax_window_causal | before=2 after=0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x6x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x6x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x6x1x6xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<2x4x6x6xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = call @tril(%5) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x4x6x6xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x6x6xi1>
    %10 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %13 = stablehlo.add %11, %12 : tensor<1x6xi32>
    %14 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %16 = stablehlo.compare LE, %14, %15, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %17 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %18 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %20 = stablehlo.subtract %18, %19 : tensor<1x6xi32>
    %21 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %23 = stablehlo.compare GE, %21, %22, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %24 = stablehlo.and %23, %16 : tensor<6x6xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x4x6x6xi1>
    %27 = stablehlo.and %9, %26 : tensor<2x4x6x6xi1>
    %cst_5 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %28 = call @_where(%27, %3, %cst_5) : (tensor<2x4x6x6xi1>, tensor<2x4x6x1x6xf32>, tensor<f32>) -> tensor<1x2x4x6x6xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_6) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x4x6xf32>
    %31 = stablehlo.maximum %30, %29 : tensor<1x2x4x6xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %34 = stablehlo.subtract %28, %33 : tensor<1x2x4x6x6xf32>
    %35 = stablehlo.exponential %34 : tensor<1x2x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %39 = stablehlo.divide %35, %38 : tensor<1x2x4x6x6xf32>
    %40 = stablehlo.dot_general %arg2, %39, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x6x6xf32>) -> tensor<2x4x3x1x6xf32>
    %41 = stablehlo.transpose %40, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x6xf32>) -> tensor<1x2x6x4x3xf32>
    %42 = stablehlo.transpose %41, dims = [1, 2, 3, 0, 4] : (tensor<1x2x6x4x3xf32>) -> tensor<2x6x4x1x3xf32>
    %43 = stablehlo.reshape %42 : (tensor<2x6x4x1x3xf32>) -> tensor<2x6x4x3xf32>
    return %43 : tensor<2x6x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x6x6xi1>, %arg1: tensor<2x4x6x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xi1>) -> tensor<1x2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x6x1x6xf32>) -> tensor<1x2x4x6x6xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>
    return %4 : tensor<1x2x4x6x6xf32>
  }
}
// form: jax_lengths | lengths
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %5 = stablehlo.iota dim = 0 : tensor<6xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6xi32>
    %7 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x1x6xi32>) -> tensor<2x1x6xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi32>) -> tensor<2x1x6xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<2x1x6xi32>, tensor<2x1x6xi32>) -> tensor<2x1x6xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<2x1x6xi1>
    %12 = stablehlo.and %11, %10 : tensor<2x1x6xi1>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 2, 3] : (tensor<2x1x6xi1>) -> tensor<2x1x1x6xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x4x5x6xi1>
    %15 = stablehlo.and %4, %14 : tensor<2x4x5x6xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %16 = call @_where(%15, %3, %cst_1) : (tensor<2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<1x2x4x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %22 = stablehlo.subtract %16, %21 : tensor<1x2x4x5x6xf32>
    %23 = stablehlo.exponential %22 : tensor<1x2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %27 = stablehlo.divide %23, %26 : tensor<1x2x4x5x6xf32>
    %28 = stablehlo.dot_general %arg2, %27, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %29 = stablehlo.transpose %28, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %30 = stablehlo.transpose %29, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %31 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %4 : tensor<1x2x4x5x6xf32>
  }
}
// form: jax_lengths_both | lengths mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xi32>, %arg4: tensor<2xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %5 = stablehlo.iota dim = 0 : tensor<5xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<5xi32>) -> tensor<1x5x1xi32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x5x1xi32>) -> tensor<2x5x1xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi32>) -> tensor<2x5x1xi32>
    %10 = stablehlo.compare LT, %8, %9, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %11 = stablehlo.iota dim = 0 : tensor<6xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6xi32>
    %13 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x6xi32>) -> tensor<2x1x6xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x1x1xi32>) -> tensor<2x1x6xi32>
    %16 = stablehlo.compare LT, %14, %15, SIGNED : (tensor<2x1x6xi32>, tensor<2x1x6xi32>) -> tensor<2x1x6xi1>
    %17 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x5x1xi1>) -> tensor<2x5x6xi1>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x1x6xi1>) -> tensor<2x5x6xi1>
    %19 = stablehlo.and %17, %18 : tensor<2x5x6xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 2, 3] : (tensor<2x5x6xi1>) -> tensor<2x1x5x6xi1>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %22 = stablehlo.and %4, %21 : tensor<2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %23 = call @_where(%22, %3, %cst_0) : (tensor<2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<1x2x4x5xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<1x2x4x5x6xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x4x5x6xf32>
    %35 = stablehlo.dot_general %arg2, %34, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %37 = stablehlo.iota dim = 0 : tensor<5xi32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %39 = stablehlo.broadcast_in_dim %arg4, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<2x5xi32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x5xi32>
    %42 = stablehlo.compare LT, %40, %41, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<2x5xi1>) -> tensor<2x5x1x1xi1>
    %44 = stablehlo.convert %43 : (tensor<2x5x1x1xi1>) -> tensor<2x5x1x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [1, 2, 3, 4] : (tensor<2x5x1x1xf32>) -> tensor<1x2x5x1x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3, 4] : (tensor<1x2x5x1x1xf32>) -> tensor<1x2x5x4x3xf32>
    %47 = stablehlo.multiply %36, %46 : tensor<1x2x5x4x3xf32>
    %48 = stablehlo.transpose %47, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %49 = stablehlo.reshape %48 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %49 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %4 : tensor<1x2x4x5x6xf32>
  }
}
// form: jax_lengths_causal | causal lengths
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %10 = stablehlo.iota dim = 0 : tensor<5xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [2] : (tensor<5xi32>) -> tensor<1x1x5xi32>
    %12 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x5xi32>) -> tensor<2x1x5xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x1x1xi32>) -> tensor<2x1x5xi32>
    %15 = stablehlo.compare LT, %13, %14, SIGNED : (tensor<2x1x5xi32>, tensor<2x1x5xi32>) -> tensor<2x1x5xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<2x1x5xi1>
    %17 = stablehlo.and %16, %15 : tensor<2x1x5xi1>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 2, 3] : (tensor<2x1x5xi1>) -> tensor<2x1x1x5xi1>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x1x1x5xi1>) -> tensor<2x4x5x5xi1>
    %20 = stablehlo.and %9, %19 : tensor<2x4x5x5xi1>
    %cst_2 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %21 = call @_where(%20, %3, %cst_2) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<1x2x4x5xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %27 = stablehlo.subtract %21, %26 : tensor<1x2x4x5x5xf32>
    %28 = stablehlo.exponential %27 : tensor<1x2x4x5x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %32 = stablehlo.divide %28, %31 : tensor<1x2x4x5x5xf32>
    %33 = stablehlo.dot_general %arg2, %32, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %34 = stablehlo.transpose %33, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %35 = stablehlo.transpose %34, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %36 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4 : tensor<1x2x4x5x5xf32>
  }
}
// form: jax_all | before=2 after=0 lengths mask bias groups=2 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x2x3xf32>, %arg2: tensor<2x5x2x3xf32>, %arg3: tensor<2xi32>, %arg4: tensor<2x1x5x5xi1>, %arg5: tensor<1x4x5x5xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
    %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x2x2x3xf32>
    %1 = stablehlo.reshape %arg5 : (tensor<1x4x5x5xf32>) -> tensor<1x2x2x5x5xf32>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 3, 4] : (tensor<2x1x5x5xi1>) -> tensor<2x1x1x5x5xi1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x5x5xi1>) -> tensor<2x1x2x5x5xi1>
    %4 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x2x3xf32>, tensor<2x5x2x3xf32>) -> tensor<2x2x5x2x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x2x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x2x5x2x5xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x2x5xf32>) -> tensor<2x2x2x5x5xf32>
    %8 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<1x2x2x5x5xf32>) -> tensor<2x1x2x5x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<2x1x2x5x5xf32>) -> tensor<2x2x2x5x5xf32>
    %10 = stablehlo.add %7, %9 : tensor<2x2x2x5x5xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %13 = stablehlo.transpose %3, dims = [2, 0, 1, 3, 4] : (tensor<2x1x2x5x5xi1>) -> tensor<2x2x1x5x5xi1>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %16 = stablehlo.and %14, %15 : tensor<2x2x2x5x5xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %17 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %18 = call @tril(%17) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %19 = stablehlo.broadcast_in_dim %18, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [1, 2, 3, 4] : (tensor<1x1x5x5xi1>) -> tensor<1x1x1x5x5xi1>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %22 = stablehlo.and %16, %21 : tensor<2x2x2x5x5xi1>
    %23 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %24 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x5xi32>
    %26 = stablehlo.add %24, %25 : tensor<1x5xi32>
    %27 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %28 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %29 = stablehlo.compare LE, %27, %28, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %30 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %31 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x5xi32>
    %33 = stablehlo.subtract %31, %32 : tensor<1x5xi32>
    %34 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %36 = stablehlo.compare GE, %34, %35, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %37 = stablehlo.and %36, %29 : tensor<5x5xi1>
    %38 = stablehlo.broadcast_in_dim %37, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2, 3, 4] : (tensor<1x1x5x5xi1>) -> tensor<1x1x1x5x5xi1>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %41 = stablehlo.and %22, %40 : tensor<2x2x2x5x5xi1>
    %42 = stablehlo.iota dim = 0 : tensor<5xi32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [2] : (tensor<5xi32>) -> tensor<1x1x5xi32>
    %44 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x5xi32>) -> tensor<2x1x5xi32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x1x1xi32>) -> tensor<2x1x5xi32>
    %47 = stablehlo.compare LT, %45, %46, SIGNED : (tensor<2x1x5xi32>, tensor<2x1x5xi32>) -> tensor<2x1x5xi1>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %48 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<2x1x5xi1>
    %49 = stablehlo.and %48, %47 : tensor<2x1x5xi1>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 2, 3] : (tensor<2x1x5xi1>) -> tensor<2x1x1x5xi1>
    %51 = stablehlo.broadcast_in_dim %50, dims = [1, 2, 3, 4] : (tensor<2x1x1x5xi1>) -> tensor<1x2x1x1x5xi1>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x1x5xi1>) -> tensor<2x2x2x5x5xi1>
    %53 = stablehlo.and %41, %52 : tensor<2x2x2x5x5xi1>
    %cst_6 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %54 = call @_where(%53, %10, %cst_6) : (tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5x5xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_7) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %57 = stablehlo.maximum %56, %55 : tensor<2x2x2x5xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %60 = stablehlo.subtract %54, %59 : tensor<2x2x2x5x5xf32>
    %61 = stablehlo.exponential %60 : tensor<2x2x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %65 = stablehlo.divide %61, %64 : tensor<2x2x2x5x5xf32>
    %66 = stablehlo.dot_general %arg2, %65, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x3xf32>, tensor<2x2x2x5x5xf32>) -> tensor<2x2x3x2x5xf32>
    %67 = stablehlo.transpose %66, dims = [3, 0, 4, 1, 2] : (tensor<2x2x3x2x5xf32>) -> tensor<2x2x5x2x3xf32>
    %68 = stablehlo.transpose %67, dims = [1, 2, 3, 0, 4] : (tensor<2x2x5x2x3xf32>) -> tensor<2x5x2x2x3xf32>
    %69 = stablehlo.reshape %68 : (tensor<2x5x2x2x3xf32>) -> tensor<2x5x4x3xf32>
    return %69 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x2x5x5xi1>, %arg1: tensor<2x2x2x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<2x2x2x5x5xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>
    return %2 : tensor<2x2x2x5x5xf32>
  }
}
// form: jax_bf16 | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xbf16>, %arg1: tensor<2x5x4x3xbf16>, %arg2: tensor<2x5x4x3xbf16>) -> (tensor<2x5x4x3xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xbf16>) -> tensor<2x5x4x1x3xbf16>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x5x4x1x3xbf16>, tensor<2x5x4x3xbf16>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.convert %21 : (tensor<1x2x4x5x5xf32>) -> tensor<1x2x4x5x5xbf16>
    %23 = stablehlo.dot_general %arg2, %22, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xbf16>, tensor<1x2x4x5x5xbf16>) -> tensor<2x4x3x1x5xbf16>
    %24 = stablehlo.transpose %23, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xbf16>) -> tensor<1x2x5x4x3xbf16>
    %25 = stablehlo.transpose %24, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xbf16>) -> tensor<2x5x4x1x3xbf16>
    %26 = stablehlo.reshape %25 : (tensor<2x5x4x1x3xbf16>) -> tensor<2x5x4x3xbf16>
    return %26 : tensor<2x5x4x3xbf16>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4 : tensor<1x2x4x5x5xf32>
  }
}
// form: f16 | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf16>, %arg1: tensor<2x6x4x3xf16>, %arg2: tensor<2x6x4x3xf16>) -> (tensor<2x5x4x3xf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf16>, tensor<2x6x4x3xf16>) -> tensor<2x4x5x6xf16>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<2x4x5x6xf16>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf16>
    %cst_0 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf16>, tensor<f16>) -> tensor<2x4x5xf16>
    %cst_1 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<2x4x5xf16>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf16>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf16>) -> tensor<2x4x5x1xf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf16>) -> tensor<2x4x5x6xf16>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf16>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf16>
    %10 = stablehlo.convert %9 : (tensor<2x4x5x6xf16>) -> tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.convert %12 : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf16>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf16>) -> tensor<2x4x5x6xf16>
    %15 = stablehlo.divide %9, %14 : tensor<2x4x5x6xf16>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf16>, tensor<2x4x5x6xf16>) -> tensor<2x4x3x5xf16>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf16>) -> tensor<2x5x4x3xf16>
    return %17 : tensor<2x5x4x3xf16>
  }
}
// form: jax_bf16_grouped_mask | mask groups=2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xbf16>, %arg1: tensor<2x5x2x3xbf16>, %arg2: tensor<2x5x2x3xbf16>, %arg3: tensor<2x1x5x5xi1>) -> (tensor<2x5x4x3xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xbf16>) -> tensor<2x5x2x2x3xbf16>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 3, 4] : (tensor<2x1x5x5xi1>) -> tensor<2x1x1x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x5x5xi1>) -> tensor<2x1x2x5x5xi1>
    %3 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x5x2x2x3xbf16>, tensor<2x5x2x3xbf16>) -> tensor<2x2x5x2x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x2x5xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x2x5x2x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %8 = stablehlo.transpose %2, dims = [2, 0, 1, 3, 4] : (tensor<2x1x2x5x5xi1>) -> tensor<2x2x1x5x5xi1>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %11 = stablehlo.and %9, %10 : tensor<2x2x2x5x5xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %12 = call @_where(%11, %5, %cst_0) : (tensor<2x2x2x5x5xi1>, tensor<2x2x5x2x5xf32>, tensor<f32>) -> tensor<2x2x2x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x2x2x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x2x2x5x5xf32>
    %19 = stablehlo.exponential %18 : tensor<2x2x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x2x2x5x5xf32>
    %24 = stablehlo.convert %23 : (tensor<2x2x2x5x5xf32>) -> tensor<2x2x2x5x5xbf16>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x3xbf16>, tensor<2x2x2x5x5xbf16>) -> tensor<2x2x3x2x5xbf16>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x2x3x2x5xbf16>) -> tensor<2x2x5x2x3xbf16>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<2x2x5x2x3xbf16>) -> tensor<2x5x2x2x3xbf16>
    %28 = stablehlo.reshape %27 : (tensor<2x5x2x2x3xbf16>) -> tensor<2x5x4x3xbf16>
    return %28 : tensor<2x5x4x3xbf16>
  }
  func.func private @_where(%arg0: tensor<2x2x2x5x5xi1>, %arg1: tensor<2x2x5x2x5xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<2x2x2x5x5xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x2x5xf32>) -> tensor<2x2x2x5x5xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>
    return %3 : tensor<2x2x2x5x5xf32>
  }
}
// form: jax_unbatched | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x3xf32>, %arg1: tensor<5x4x3xf32>, %arg2: tensor<5x4x3xf32>) -> (tensor<5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<5x4x3xf32>) -> tensor<1x5x4x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<5x4x3xf32>) -> tensor<1x5x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2, 3] : (tensor<5x4x3xf32>) -> tensor<1x5x4x3xf32>
    %3 = stablehlo.reshape %0 : (tensor<1x5x4x3xf32>) -> tensor<1x5x4x1x3xf32>
    %4 = stablehlo.dot_general %3, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x5x4x1x3xf32>, tensor<1x5x4x3xf32>) -> tensor<1x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x5x1x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<1x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %9 = call @tril(%8) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<1x4x5x5xi1>
    %12 = stablehlo.and %7, %11 : tensor<1x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %13 = call @_where(%12, %6, %cst_1) : (tensor<1x4x5x5xi1>, tensor<1x4x5x1x5xf32>, tensor<f32>) -> tensor<1x1x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x1x4x5x5xf32>, tensor<f32>) -> tensor<1x1x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x4x5xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<1x1x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x4x5xf32>) -> tensor<1x1x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x5x1xf32>) -> tensor<1x1x4x5x5xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<1x1x4x5x5xf32>
    %20 = stablehlo.exponential %19 : tensor<1x1x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x1x4x5x5xf32>, tensor<f32>) -> tensor<1x1x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x1x4x5xf32>) -> tensor<1x1x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x5x1xf32>) -> tensor<1x1x4x5x5xf32>
    %24 = stablehlo.divide %20, %23 : tensor<1x1x4x5x5xf32>
    %25 = stablehlo.dot_general %2, %24, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<1x5x4x3xf32>, tensor<1x1x4x5x5xf32>) -> tensor<1x4x3x1x5xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<1x4x3x1x5xf32>) -> tensor<1x1x5x4x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<1x1x5x4x3xf32>) -> tensor<1x5x4x1x3xf32>
    %28 = stablehlo.reshape %27 : (tensor<1x5x4x1x3xf32>) -> tensor<1x5x4x3xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x5x4x3xf32>) -> tensor<5x4x3xf32>
    return %29 : tensor<5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<1x4x5x5xi1>, %arg1: tensor<1x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x1x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<1x4x5x5xi1>) -> tensor<1x1x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<1x4x5x5xf32>) -> tensor<1x1x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<1x4x5x1x5xf32>) -> tensor<1x1x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x1x4x5x5xi1>, tensor<1x1x4x5x5xf32>
    return %4 : tensor<1x1x4x5x5xf32>
  }
}
// form: jax_vmapped | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2x5x4x3xf32>, %arg1: tensor<3x2x5x4x3xf32>, %arg2: tensor<3x2x5x4x3xf32>) -> (tensor<3x2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<3x2x5x4x3xf32>) -> tensor<3x2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 1, 3] x [0, 1, 3], contracting_dims = [5] x [4], precision = [DEFAULT, DEFAULT] : (tensor<3x2x5x4x1x3xf32>, tensor<3x2x5x4x3xf32>) -> tensor<3x2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<3x2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<3x2x4x5x1x5xf32>, tensor<f32>) -> tensor<3x1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [5] : (tensor<3x1x2x4x5x5xf32>, tensor<f32>) -> tensor<3x1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<3x1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 4] : (tensor<3x1x2x4x5xf32>) -> tensor<3x1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4, 5] : (tensor<3x1x2x4x5x1xf32>) -> tensor<3x1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<3x1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<3x1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [5] : (tensor<3x1x2x4x5x5xf32>, tensor<f32>) -> tensor<3x1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<3x1x2x4x5xf32>) -> tensor<3x1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4, 5] : (tensor<3x1x2x4x5x1xf32>) -> tensor<3x1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<3x1x2x4x5x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 1, 3] x [0, 2, 3], contracting_dims = [2] x [5], precision = [DEFAULT, DEFAULT] : (tensor<3x2x5x4x3xf32>, tensor<3x1x2x4x5x5xf32>) -> tensor<3x2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [0, 4, 1, 5, 2, 3] : (tensor<3x2x4x3x1x5xf32>) -> tensor<3x1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [0, 2, 3, 4, 1, 5] : (tensor<3x1x2x5x4x3xf32>) -> tensor<3x2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<3x2x5x4x1x3xf32>) -> tensor<3x2x5x4x3xf32>
    return %25 : tensor<3x2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<3x2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<3x1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [0, 4, 1, 2, 3, 5] : (tensor<3x2x4x5x1x5xf32>) -> tensor<3x1x2x4x5x5xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3, 4, 5] : (tensor<1x2x4x5x5xi1>) -> tensor<3x1x2x4x5x5xi1>
    %5 = stablehlo.broadcast_in_dim %2, dims = [1, 2, 3, 4, 5] : (tensor<1x2x4x5x5xf32>) -> tensor<3x1x2x4x5x5xf32>
    %6 = stablehlo.select %4, %3, %5 : tensor<3x1x2x4x5x5xi1>, tensor<3x1x2x4x5x5xf32>
    return %6 : tensor<3x1x2x4x5x5xf32>
  }
}
// form: jax_vmapped_queries | groups=4
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5x4x3xf32>, %arg1: tensor<5x4x3xf32>, %arg2: tensor<5x4x3xf32>) -> (tensor<3x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2, 3, 4] : (tensor<3x5x4x3xf32>) -> tensor<3x1x5x4x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<5x4x3xf32>) -> tensor<1x5x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2, 3] : (tensor<5x4x3xf32>) -> tensor<1x5x4x3xf32>
    %3 = stablehlo.reshape %0 : (tensor<3x1x5x4x3xf32>) -> tensor<3x1x5x4x1x3xf32>
    %4 = stablehlo.dot_general %3, %1, batching_dims = [1, 3] x [0, 2], contracting_dims = [5] x [3], precision = [DEFAULT, DEFAULT] : (tensor<3x1x5x4x1x3xf32>, tensor<1x5x4x3xf32>) -> tensor<1x4x3x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x3x5x1x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<1x4x3x5x1x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [5] : (tensor<1x4x3x5x1x5xf32>, tensor<f32>) -> tensor<1x4x3x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x4x3x5x1xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<1x4x3x5x1xf32>
    %10 = stablehlo.transpose %9, dims = [2, 4, 0, 1, 3] : (tensor<1x4x3x5x1xf32>) -> tensor<3x1x1x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4] : (tensor<3x1x1x4x5xf32>) -> tensor<3x1x1x4x5x1xf32>
    %12 = stablehlo.transpose %6, dims = [2, 4, 0, 1, 3, 5] : (tensor<1x4x3x5x1x5xf32>) -> tensor<3x1x1x4x5x5xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4, 5] : (tensor<3x1x1x4x5x1xf32>) -> tensor<3x1x1x4x5x5xf32>
    %14 = stablehlo.subtract %12, %13 : tensor<3x1x1x4x5x5xf32>
    %15 = stablehlo.exponential %14 : tensor<3x1x1x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [5] : (tensor<3x1x1x4x5x5xf32>, tensor<f32>) -> tensor<3x1x1x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<3x1x1x4x5xf32>) -> tensor<3x1x1x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4, 5] : (tensor<3x1x1x4x5x1xf32>) -> tensor<3x1x1x4x5x5xf32>
    %19 = stablehlo.divide %15, %18 : tensor<3x1x1x4x5x5xf32>
    %20 = stablehlo.dot_general %2, %19, batching_dims = [0, 2] x [2, 3], contracting_dims = [1] x [5], precision = [DEFAULT, DEFAULT] : (tensor<1x5x4x3xf32>, tensor<3x1x1x4x5x5xf32>) -> tensor<1x4x3x3x1x5xf32>
    %21 = stablehlo.transpose %20, dims = [3, 4, 0, 5, 1, 2] : (tensor<1x4x3x3x1x5xf32>) -> tensor<3x1x1x5x4x3xf32>
    %22 = stablehlo.transpose %21, dims = [0, 2, 3, 4, 1, 5] : (tensor<3x1x1x5x4x3xf32>) -> tensor<3x1x5x4x1x3xf32>
    %23 = stablehlo.reshape %22 : (tensor<3x1x5x4x1x3xf32>) -> tensor<3x1x5x4x3xf32>
    %24 = stablehlo.reshape %23 : (tensor<3x1x5x4x3xf32>) -> tensor<3x5x4x3xf32>
    return %24 : tensor<3x5x4x3xf32>
  }
}
// form: jax_jitted_twice | causal; causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = call @"<lambda>"(%arg1, %arg2, %arg0) : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x5x4x3xf32>
    %1 = call @"<lambda>_0"(%arg1, %arg2, %0) : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x5x4x3xf32>
    return %1 : tensor<2x5x4x3xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> tensor<2x5x4x3xf32> {
    %0 = stablehlo.reshape %arg2 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.dot_general %arg1, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4 : tensor<1x2x4x5x5xf32>
  }
  func.func private @"<lambda>_0"(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> tensor<2x5x4x3xf32> {
    %0 = stablehlo.reshape %arg2 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.dot_general %arg1, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
}
// form: nnx_plain | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: nnx_mask | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x5x6xi1>) -> tensor<2x4x1x5x6xi1>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %8 = stablehlo.and %6, %7 : tensor<1x2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %9 = call @_where(%8, %4, %cst_0) : (tensor<1x2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<1x2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<1x2x4x5x6xf32>
    %16 = stablehlo.exponential %15 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %20 = stablehlo.divide %16, %19 : tensor<1x2x4x5x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %22 = stablehlo.transpose %21, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %23 = stablehlo.transpose %22, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %24 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %3 : tensor<1x2x4x5x6xf32>
  }
}
// form: nnx_bias | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x5x6xf32>) -> tensor<2x4x1x5x6xf32>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %5 = stablehlo.transpose %4, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %6 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %7 = stablehlo.add %5, %6 : tensor<1x2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<1x2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<1x2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<1x2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %20 = stablehlo.transpose %19, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %21 = stablehlo.transpose %20, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
}
// form: nnx_bias_mask | mask bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>, %arg4: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x5x6xf32>) -> tensor<2x4x1x5x6xf32>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 3, 4] : (tensor<2x1x5x6xi1>) -> tensor<2x1x1x5x6xi1>
    %3 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x4x5x1x6xf32>
    %6 = stablehlo.transpose %5, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %8 = stablehlo.add %6, %7 : tensor<1x2x4x5x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %11 = stablehlo.transpose %2, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x5x6xi1>) -> tensor<1x2x1x5x6xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %13 = stablehlo.and %10, %12 : tensor<1x2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %14 = call @_where(%13, %8, %cst_0) : (tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<1x2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<1x2x4x5x6xf32>
    %21 = stablehlo.exponential %20 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %25 = stablehlo.divide %21, %24 : tensor<1x2x4x5x6xf32>
    %26 = stablehlo.dot_general %arg2, %25, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %27 = stablehlo.transpose %26, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %28 = stablehlo.transpose %27, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %29 = stablehlo.reshape %28 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %29 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<1x2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %2 : tensor<1x2x4x5x6xf32>
  }
}
// form: linen_plain | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %3 = stablehlo.divide %arg0, %2 : tensor<2x5x4x3xf32>
    %4 = stablehlo.dot_general %3, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: linen_causal | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xi32>) -> tensor<2x5xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x5xi32>) -> tensor<2x5x5xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %8 = stablehlo.convert %7 : (tensor<2x1x5x5xi1>) -> tensor<2x1x5x5xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %9 = stablehlo.sqrt %cst : tensor<f32>
    %10 = stablehlo.convert %9 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %12 = stablehlo.divide %arg0, %11 : tensor<2x5x4x3xf32>
    %13 = stablehlo.dot_general %12, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %14 = call @_where(%8, %13, %cst_0) : (tensor<2x1x5x5xf32>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<2x4x5x5xf32>
    %21 = stablehlo.exponential %20 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %25 = stablehlo.divide %21, %24 : tensor<2x4x5x5xf32>
    %26 = stablehlo.dot_general %arg2, %25, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %27 = stablehlo.transpose %26, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %27 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x5xf32>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<2x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %4 : tensor<2x4x5x5xf32>
  }
}
// form: linen_causal_and_padding | causal mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2x5xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xi32>) -> tensor<2x5xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x5xi32>) -> tensor<2x5x5xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %8 = stablehlo.convert %7 : (tensor<2x1x5x5xi1>) -> tensor<2x1x5x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %10 = stablehlo.compare GT, %arg3, %9, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %12 = stablehlo.compare GT, %arg3, %11, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x5xi1>) -> tensor<2x5x1xi1>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 2] : (tensor<2x5xi1>) -> tensor<2x1x5xi1>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x5x1xi1>) -> tensor<2x5x5xi1>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x1x5xi1>) -> tensor<2x5x5xi1>
    %17 = stablehlo.and %15, %16 : tensor<2x5x5xi1>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %19 = stablehlo.convert %18 : (tensor<2x1x5x5xi1>) -> tensor<2x1x5x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %21 = stablehlo.compare NE, %8, %20, FLOAT : (tensor<2x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %23 = stablehlo.compare NE, %19, %22, FLOAT : (tensor<2x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xi1>
    %24 = stablehlo.and %21, %23 : tensor<2x1x5x5xi1>
    %25 = stablehlo.convert %24 : (tensor<2x1x5x5xi1>) -> tensor<2x1x5x5xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %26 = stablehlo.sqrt %cst_2 : tensor<f32>
    %27 = stablehlo.convert %26 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.divide %arg0, %28 : tensor<2x5x4x3xf32>
    %30 = stablehlo.dot_general %29, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %31 = call @_where(%25, %30, %cst_3) : (tensor<2x1x5x5xf32>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %34 = stablehlo.maximum %33, %32 : tensor<2x4x5xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %37 = stablehlo.subtract %31, %36 : tensor<2x4x5x5xf32>
    %38 = stablehlo.exponential %37 : tensor<2x4x5x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %42 = stablehlo.divide %38, %41 : tensor<2x4x5x5xf32>
    %43 = stablehlo.dot_general %arg2, %42, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %44 = stablehlo.transpose %43, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %44 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x5xf32>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<2x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %4 : tensor<2x4x5x5xf32>
  }
}
// form: linen_mask_as_bias | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x5x6xf32>
    %2 = stablehlo.select %arg3, %0, %1 : tensor<2x1x5x6xi1>, tensor<2x1x5x6xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.sqrt %cst_1 : tensor<f32>
    %4 = stablehlo.convert %3 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %6 = stablehlo.divide %arg0, %5 : tensor<2x5x4x3xf32>
    %7 = stablehlo.dot_general %6, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.add %7, %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x5x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
}
// form: linen_dropout | multiplier
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xui32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %3 = stablehlo.divide %arg0, %2 : tensor<2x5x4x3xf32>
    %4 = stablehlo.dot_general %3, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %16 = call @_bernoulli(%arg3, %cst_3) : (tensor<2xui32>, tensor<f32>) -> tensor<1x1x5x6xi1>
    %17 = stablehlo.convert %16 : (tensor<1x1x5x6xi1>) -> tensor<1x1x5x6xf32>
    %cst_4 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x1x5x6xf32>
    %19 = stablehlo.divide %17, %18 : tensor<1x1x5x6xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x5x6xf32>) -> tensor<2x4x5x6xf32>
    %21 = stablehlo.multiply %15, %20 : tensor<2x4x5x6xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %23 : tensor<2x5x4x3xf32>
  }
  func.func private @_bernoulli(%arg0: tensor<2xui32>, %arg1: tensor<f32>) -> tensor<1x1x5x6xi1> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<1x1x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1x5x6xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<1x1x5x6xf32>, tensor<1x1x5x6xf32>) -> tensor<1x1x5x6xi1>
    return %2 : tensor<1x1x5x6xi1>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<1x1x5x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.iota dim = 0 : tensor<1x1x5x6xui64>
    %9 = stablehlo.iota dim = 1 : tensor<1x1x5x6xui64>
    %10 = stablehlo.iota dim = 2 : tensor<1x1x5x6xui64>
    %11 = stablehlo.iota dim = 3 : tensor<1x1x5x6xui64>
    %c = stablehlo.constant dense<30> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<1x1x5x6xui64>
    %13 = stablehlo.multiply %12, %8 : tensor<1x1x5x6xui64>
    %c_0 = stablehlo.constant dense<30> : tensor<ui64>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<1x1x5x6xui64>
    %15 = stablehlo.multiply %14, %9 : tensor<1x1x5x6xui64>
    %c_1 = stablehlo.constant dense<6> : tensor<ui64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<1x1x5x6xui64>
    %17 = stablehlo.multiply %16, %10 : tensor<1x1x5x6xui64>
    %c_2 = stablehlo.constant dense<1> : tensor<ui64>
    %18 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui64>) -> tensor<1x1x5x6xui64>
    %19 = stablehlo.multiply %18, %11 : tensor<1x1x5x6xui64>
    %20 = stablehlo.add %13, %15 : tensor<1x1x5x6xui64>
    %21 = stablehlo.add %20, %17 : tensor<1x1x5x6xui64>
    %22 = stablehlo.add %21, %19 : tensor<1x1x5x6xui64>
    %c_3 = stablehlo.constant dense<32> : tensor<ui64>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui64>) -> tensor<1x1x5x6xui64>
    %24 = stablehlo.shift_right_logical %22, %23 : tensor<1x1x5x6xui64>
    %25 = stablehlo.convert %22 : (tensor<1x1x5x6xui64>) -> tensor<1x1x5x6xui32>
    %26 = stablehlo.convert %24 : (tensor<1x1x5x6xui64>) -> tensor<1x1x5x6xui32>
    %27:2 = call @threefry2x32(%5, %7, %26, %25) : (tensor<ui32>, tensor<ui32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>) -> (tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>)
    %28 = stablehlo.xor %27#0, %27#1 : tensor<1x1x5x6xui32>
    %c_4 = stablehlo.constant dense<9> : tensor<ui32>
    %29 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %30 = stablehlo.shift_right_logical %28, %29 : tensor<1x1x5x6xui32>
    %c_5 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %31 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %32 = stablehlo.or %30, %31 : tensor<1x1x5x6xui32>
    %33 = stablehlo.bitcast_convert %32 : (tensor<1x1x5x6xui32>) -> tensor<1x1x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x5x6xf32>
    %35 = stablehlo.subtract %33, %34 : tensor<1x1x5x6xf32>
    %36 = stablehlo.subtract %3, %2 : tensor<1x1x1x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<1x1x5x6xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<1x1x5x6xf32>
    %39 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<1x1x5x6xf32>
    %40 = stablehlo.add %38, %39 : tensor<1x1x5x6xf32>
    %41 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<1x1x5x6xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<1x1x5x6xf32>
    return %42 : tensor<1x1x5x6xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<1x1x5x6xui32>, %arg3: tensor<1x1x5x6xui32>) -> (tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<1x1x5x6xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<1x1x5x6xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<1x1x5x6xui32>, %arg2: tensor<1x1x5x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<1x1x5x6xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<1x1x5x6xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<1x1x5x6xui32>
    %9 = stablehlo.or %5, %8 : tensor<1x1x5x6xui32>
    %10 = stablehlo.xor %3, %9 : tensor<1x1x5x6xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<1x1x5x6xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<1x1x5x6xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<1x1x5x6xui32>
    %19 = stablehlo.or %15, %18 : tensor<1x1x5x6xui32>
    %20 = stablehlo.xor %13, %19 : tensor<1x1x5x6xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<1x1x5x6xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<1x1x5x6xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<1x1x5x6xui32>
    %29 = stablehlo.or %25, %28 : tensor<1x1x5x6xui32>
    %30 = stablehlo.xor %23, %29 : tensor<1x1x5x6xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<1x1x5x6xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<1x1x5x6xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<1x1x5x6xui32>
    %39 = stablehlo.or %35, %38 : tensor<1x1x5x6xui32>
    %40 = stablehlo.xor %33, %39 : tensor<1x1x5x6xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %42 = stablehlo.add %33, %41 : tensor<1x1x5x6xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %44 = stablehlo.add %40, %43 : tensor<1x1x5x6xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<1x1x5x6xui32>
    %48 = stablehlo.add %44, %47 : tensor<1x1x5x6xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<1x1x5x6xui32>, tensor<1x1x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
}
// form: linen_dropout_of_all_heads | multiplier
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xui32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %3 = stablehlo.divide %arg0, %2 : tensor<2x5x4x3xf32>
    %4 = stablehlo.dot_general %3, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %16 = call @_bernoulli(%arg3, %cst_3) : (tensor<2xui32>, tensor<f32>) -> tensor<2x4x5x6xi1>
    %17 = stablehlo.convert %16 : (tensor<2x4x5x6xi1>) -> tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.divide %17, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.multiply %15, %19 : tensor<2x4x5x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
  func.func private @_bernoulli(%arg0: tensor<2xui32>, %arg1: tensor<f32>) -> tensor<2x4x5x6xi1> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<2x4x5x6xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xi1>
    return %2 : tensor<2x4x5x6xi1>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.iota dim = 0 : tensor<2x4x5x6xui64>
    %9 = stablehlo.iota dim = 1 : tensor<2x4x5x6xui64>
    %10 = stablehlo.iota dim = 2 : tensor<2x4x5x6xui64>
    %11 = stablehlo.iota dim = 3 : tensor<2x4x5x6xui64>
    %c = stablehlo.constant dense<120> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %13 = stablehlo.multiply %12, %8 : tensor<2x4x5x6xui64>
    %c_0 = stablehlo.constant dense<30> : tensor<ui64>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %15 = stablehlo.multiply %14, %9 : tensor<2x4x5x6xui64>
    %c_1 = stablehlo.constant dense<6> : tensor<ui64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %17 = stablehlo.multiply %16, %10 : tensor<2x4x5x6xui64>
    %c_2 = stablehlo.constant dense<1> : tensor<ui64>
    %18 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %19 = stablehlo.multiply %18, %11 : tensor<2x4x5x6xui64>
    %20 = stablehlo.add %13, %15 : tensor<2x4x5x6xui64>
    %21 = stablehlo.add %20, %17 : tensor<2x4x5x6xui64>
    %22 = stablehlo.add %21, %19 : tensor<2x4x5x6xui64>
    %c_3 = stablehlo.constant dense<32> : tensor<ui64>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %24 = stablehlo.shift_right_logical %22, %23 : tensor<2x4x5x6xui64>
    %25 = stablehlo.convert %22 : (tensor<2x4x5x6xui64>) -> tensor<2x4x5x6xui32>
    %26 = stablehlo.convert %24 : (tensor<2x4x5x6xui64>) -> tensor<2x4x5x6xui32>
    %27:2 = call @threefry2x32(%5, %7, %26, %25) : (tensor<ui32>, tensor<ui32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>) -> (tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>)
    %28 = stablehlo.xor %27#0, %27#1 : tensor<2x4x5x6xui32>
    %c_4 = stablehlo.constant dense<9> : tensor<ui32>
    %29 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %30 = stablehlo.shift_right_logical %28, %29 : tensor<2x4x5x6xui32>
    %c_5 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %31 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %32 = stablehlo.or %30, %31 : tensor<2x4x5x6xui32>
    %33 = stablehlo.bitcast_convert %32 : (tensor<2x4x5x6xui32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %35 = stablehlo.subtract %33, %34 : tensor<2x4x5x6xf32>
    %36 = stablehlo.subtract %3, %2 : tensor<1x1x1x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x5x6xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<2x4x5x6xf32>
    %39 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x5x6xf32>
    %40 = stablehlo.add %38, %39 : tensor<2x4x5x6xf32>
    %41 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x5x6xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<2x4x5x6xf32>
    return %42 : tensor<2x4x5x6xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2x4x5x6xui32>, %arg3: tensor<2x4x5x6xui32>) -> (tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<2x4x5x6xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<2x4x5x6xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x4x5x6xui32>, %arg2: tensor<2x4x5x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<2x4x5x6xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<2x4x5x6xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2x4x5x6xui32>
    %9 = stablehlo.or %5, %8 : tensor<2x4x5x6xui32>
    %10 = stablehlo.xor %3, %9 : tensor<2x4x5x6xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<2x4x5x6xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<2x4x5x6xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<2x4x5x6xui32>
    %19 = stablehlo.or %15, %18 : tensor<2x4x5x6xui32>
    %20 = stablehlo.xor %13, %19 : tensor<2x4x5x6xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<2x4x5x6xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<2x4x5x6xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<2x4x5x6xui32>
    %29 = stablehlo.or %25, %28 : tensor<2x4x5x6xui32>
    %30 = stablehlo.xor %23, %29 : tensor<2x4x5x6xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<2x4x5x6xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<2x4x5x6xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<2x4x5x6xui32>
    %39 = stablehlo.or %35, %38 : tensor<2x4x5x6xui32>
    %40 = stablehlo.xor %33, %39 : tensor<2x4x5x6xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %42 = stablehlo.add %33, %41 : tensor<2x4x5x6xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %44 = stablehlo.add %40, %43 : tensor<2x4x5x6xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %48 = stablehlo.add %44, %47 : tensor<2x4x5x6xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
}
// form: linen_bf16 | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xbf16>, %arg1: tensor<2x6x4x3xbf16>, %arg2: tensor<2x6x4x3xbf16>) -> (tensor<2x5x4x3xbf16> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<2x5x4x3xbf16>
    %3 = stablehlo.divide %arg0, %2 : tensor<2x5x4x3xbf16>
    %4 = stablehlo.dot_general %3, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xbf16>, tensor<2x6x4x3xbf16>) -> tensor<2x4x5x6xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xbf16>, tensor<bf16>) -> tensor<2x4x5xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x5xbf16>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xbf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xbf16>) -> tensor<2x4x5x1xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xbf16>) -> tensor<2x4x5x6xbf16>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xbf16>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xbf16>
    %12 = stablehlo.convert %11 : (tensor<2x4x5x6xbf16>) -> tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.convert %14 : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xbf16>) -> tensor<2x4x5x6xbf16>
    %17 = stablehlo.divide %11, %16 : tensor<2x4x5x6xbf16>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xbf16>, tensor<2x4x5x6xbf16>) -> tensor<2x4x3x5xbf16>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xbf16>) -> tensor<2x5x4x3xbf16>
    return %19 : tensor<2x5x4x3xbf16>
  }
}
// form: linen_bf16_softmax_f32 | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xbf16>, %arg1: tensor<2x6x4x3xbf16>, %arg2: tensor<2x6x4x3xbf16>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<2x5x4x3xbf16>
    %3 = stablehlo.divide %arg0, %2 : tensor<2x5x4x3xbf16>
    %4 = stablehlo.dot_general %3, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xbf16>, tensor<2x6x4x3xbf16>) -> tensor<2x4x5x6xbf16>
    %5 = stablehlo.convert %4 : (tensor<2x4x5x6xbf16>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.convert %arg2 : (tensor<2x6x4x3xbf16>) -> tensor<2x6x4x3xf32>
    %18 = stablehlo.convert %16 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %17, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: block | causal
module @jit_multi_head attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x4x3xf32>, %arg2: tensor<8x4x3xf32>, %arg3: tensor<8x4x3xf32>, %arg4: tensor<4x3x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x3xf32>) -> tensor<2x5x4x3xf32>
    %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x3xf32>) -> tensor<2x5x4x3xf32>
    %2 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x3xf32>) -> tensor<2x5x4x3xf32>
    %3 = stablehlo.reshape %0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %4 = stablehlo.dot_general %3, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %9 = call @tril(%8) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %12 = stablehlo.and %7, %11 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %13 = call @_where(%12, %6, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<1x2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<1x2x4x5x5xf32>
    %20 = stablehlo.exponential %19 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %24 = stablehlo.divide %20, %23 : tensor<1x2x4x5x5xf32>
    %25 = stablehlo.dot_general %2, %24, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.dot_general %28, %arg4, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<4x3x8xf32>) -> tensor<2x5x8xf32>
    return %29 : tensor<2x5x8xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4 : tensor<1x2x4x5x5xf32>
  }
}
// form: bthd | full
module @jit_plain attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15 : tensor<2x5x4x3xf32>
  }
}
// form: value_width | full
module @jit_plain attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x7xf32>) -> (tensor<2x5x4x7xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x7xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x7x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x7x5xf32>) -> tensor<2x5x4x7xf32>
    return %15 : tensor<2x5x4x7xf32>
  }
}
// form: bhtd | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x4x6x3xf32>, %arg2: tensor<2x4x6x3xf32>) -> (tensor<2x4x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x6x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x4x6x3xf32>) -> tensor<2x4x5x3xf32>
    return %14 : tensor<2x4x5x3xf32>
  }
}
// form: bhtd_matmul | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x4x6x3xf32>, %arg2: tensor<2x4x6x3xf32>) -> (tensor<2x4x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x4x6x3xf32>) -> tensor<2x4x3x6xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x3x6xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.73205078> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %14, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x4x6x3xf32>) -> tensor<2x4x5x3xf32>
    return %15 : tensor<2x4x5x3xf32>
  }
}
// form: bhtd_causal | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x4x5x3xf32>, %arg2: tensor<2x4x5x3xf32>) -> (tensor<2x4x5x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %1 = call @tril(%0) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %2 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %3 = stablehlo.dot_general %arg0, %2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = call @_where(%1, %3, %cst) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x5xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x5xf32>
    %16 = stablehlo.dot_general %15, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    return %16 : tensor<2x4x5x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: flat_heads | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x5x3xf32>, %arg1: tensor<8x6x3xf32>, %arg2: tensor<8x6x3xf32>) -> (tensor<8x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<8x6x3xf32>) -> tensor<8x3x6xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x3xf32>, tensor<8x3x6xf32>) -> tensor<8x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x5x6xf32>, tensor<f32>) -> tensor<8x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<8x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x6xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<8x5x6xf32>
    %8 = stablehlo.exponential %7 : tensor<8x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x5x6xf32>, tensor<f32>) -> tensor<8x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x5xf32>) -> tensor<8x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<8x5x1xf32>) -> tensor<8x5x6xf32>
    %12 = stablehlo.divide %8, %11 : tensor<8x5x6xf32>
    %13 = stablehlo.dot_general %12, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x6xf32>, tensor<8x6x3xf32>) -> tensor<8x5x3xf32>
    return %13 : tensor<8x5x3xf32>
  }
}
// form: one_head | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<5x3xf32>, %arg2: tensor<5x3xf32>) -> (tensor<5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %6 = stablehlo.dot_general %arg0, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<3x5xf32>) -> tensor<5x5xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.sqrt %cst : tensor<f32>
    %8 = stablehlo.convert %7 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %10 = stablehlo.divide %6, %9 : tensor<5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = call @_where(%4, %10, %cst_0) : (tensor<5x5xi1>, tensor<5x5xf32>, tensor<f32>) -> tensor<5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x5xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<5x5xf32>
    %18 = stablehlo.exponential %17 : tensor<5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x5xf32>
    %22 = stablehlo.divide %18, %21 : tensor<5x5xf32>
    %23 = stablehlo.dot_general %22, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    return %23 : tensor<5x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<5x5xf32>, %arg2: tensor<f32>) -> tensor<5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
// form: two_heads_axes | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x2x5x3xf32>, %arg1: tensor<2x3x2x6x3xf32>, %arg2: tensor<2x3x2x6x3xf32>) -> (tensor<2x3x2x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg1, dims = [0, 1, 2, 4, 3] : (tensor<2x3x2x6x3xf32>) -> tensor<2x3x2x3x6xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x5x3xf32>, tensor<2x3x2x3x6xf32>) -> tensor<2x3x2x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [4] : (tensor<2x3x2x5x6xf32>, tensor<f32>) -> tensor<2x3x2x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x2x5xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x3x2x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x3x2x5xf32>) -> tensor<2x3x2x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4] : (tensor<2x3x2x5x1xf32>) -> tensor<2x3x2x5x6xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x3x2x5x6xf32>
    %8 = stablehlo.exponential %7 : tensor<2x3x2x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [4] : (tensor<2x3x2x5x6xf32>, tensor<f32>) -> tensor<2x3x2x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x3x2x5xf32>) -> tensor<2x3x2x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4] : (tensor<2x3x2x5x1xf32>) -> tensor<2x3x2x5x6xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x3x2x5x6xf32>
    %13 = stablehlo.dot_general %12, %arg2, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x5x6xf32>, tensor<2x3x2x6x3xf32>) -> tensor<2x3x2x5x3xf32>
    return %13 : tensor<2x3x2x5x3xf32>
  }
}
// form: keys_transposed | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x4x3x6xf32>, %arg2: tensor<2x4x6x3xf32>) -> (tensor<2x4x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x3x6xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.dot_general %11, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x4x6x3xf32>) -> tensor<2x4x5x3xf32>
    return %12 : tensor<2x4x5x3xf32>
  }
}
// form: keys_first | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %13 : tensor<2x5x4x3xf32>
  }
}
// form: scores_transposed | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x5xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x6x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 3] : (tensor<2x4x5xf32>) -> tensor<2x4x1x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x1x5xf32>) -> tensor<2x4x6x5xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x4x6x5xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x6x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x4x6x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 3] : (tensor<2x4x5xf32>) -> tensor<2x4x1x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x1x5xf32>) -> tensor<2x4x6x5xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x6x5xf32>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x6x5xf32>) -> tensor<2x4x3x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %13 : tensor<2x5x4x3xf32>
  }
}
// form: scores_heads_last | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x5xf32>
    %1 = stablehlo.transpose %0, dims = [0, 3, 2, 1] : (tensor<2x4x6x5xf32>) -> tensor<2x5x6x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x6x4xf32>, tensor<f32>) -> tensor<2x5x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x4xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x5x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 3] : (tensor<2x5x4xf32>) -> tensor<2x5x1x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x5x1x4xf32>) -> tensor<2x5x6x4xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x5x6x4xf32>
    %8 = stablehlo.exponential %7 : tensor<2x5x6x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x6x4xf32>, tensor<f32>) -> tensor<2x5x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 3] : (tensor<2x5x4xf32>) -> tensor<2x5x1x4xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x5x1x4xf32>) -> tensor<2x5x6x4xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x5x6x4xf32>
    %13 = stablehlo.dot_general %arg2, %12, batching_dims = [0, 2] x [0, 3], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x5x6x4xf32>) -> tensor<2x4x3x5xf32>
    %14 = stablehlo.transpose %13, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %14 : tensor<2x5x4x3xf32>
  }
}
// form: values_first | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x4x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x3xf32>
    return %14 : tensor<2x4x5x3xf32>
  }
}
// form: output_heads_first | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<3x2x4x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [2, 0, 1, 3] : (tensor<2x4x3x5xf32>) -> tensor<3x2x4x5xf32>
    return %15 : tensor<3x2x4x5xf32>
  }
}
// form: merged_width | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x12xf32>, %arg1: tensor<2x6x12xf32>, %arg2: tensor<2x6x12xf32>) -> (tensor<2x5x12xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x12xf32>) -> tensor<2x5x4x3xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<2x6x12xf32>) -> tensor<2x6x4x3xf32>
    %2 = stablehlo.reshape %arg2 : (tensor<2x6x12xf32>) -> tensor<2x6x4x3xf32>
    %3 = stablehlo.dot_general %0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x5x4x3xf32>) -> tensor<2x5x12xf32>
    return %19 : tensor<2x5x12xf32>
  }
}
// form: split_merged | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x36xf32>) -> (tensor<2x5x12xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:5, 0:12] : (tensor<2x5x36xf32>) -> tensor<2x5x12xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:5, 12:24] : (tensor<2x5x36xf32>) -> tensor<2x5x12xf32>
    %2 = stablehlo.slice %arg0 [0:2, 0:5, 24:36] : (tensor<2x5x36xf32>) -> tensor<2x5x12xf32>
    %3 = stablehlo.reshape %0 : (tensor<2x5x12xf32>) -> tensor<2x5x4x3xf32>
    %4 = stablehlo.reshape %1 : (tensor<2x5x12xf32>) -> tensor<2x5x4x3xf32>
    %5 = stablehlo.reshape %2 : (tensor<2x5x12xf32>) -> tensor<2x5x4x3xf32>
    %6 = stablehlo.reshape %3 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %7 = stablehlo.dot_general %6, %4, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %12 = call @tril(%11) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %13 = stablehlo.broadcast_in_dim %12, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %15 = stablehlo.and %10, %14 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %16 = call @_where(%15, %9, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<1x2x4x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %22 = stablehlo.subtract %16, %21 : tensor<1x2x4x5x5xf32>
    %23 = stablehlo.exponential %22 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %27 = stablehlo.divide %23, %26 : tensor<1x2x4x5x5xf32>
    %28 = stablehlo.dot_general %5, %27, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %29 = stablehlo.transpose %28, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %30 = stablehlo.transpose %29, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %32 = stablehlo.reshape %31 : (tensor<2x5x4x3xf32>) -> tensor<2x5x12xf32>
    return %32 : tensor<2x5x12xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4 : tensor<1x2x4x5x5xf32>
  }
}
// form: two_axes_of_positions | groups=4
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x3x4x3xf32>, %arg1: tensor<2x2x3x4x3xf32>, %arg2: tensor<2x2x3x4x3xf32>) -> (tensor<2x2x3x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 3] x [0, 3], contracting_dims = [4] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3x4x3xf32>, tensor<2x2x3x4x3xf32>) -> tensor<2x4x2x3x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x4x2x3x2x3xf32>) -> tensor<2x4x2x3x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x2x3x6xf32>, tensor<f32>) -> tensor<2x4x2x3xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x2x3xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x4x2x3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x2x3xf32>) -> tensor<2x4x2x3x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4] : (tensor<2x4x2x3x1xf32>) -> tensor<2x4x2x3x6xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x4x2x3x6xf32>
    %8 = stablehlo.exponential %7 : tensor<2x4x2x3x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [4] : (tensor<2x4x2x3x6xf32>, tensor<f32>) -> tensor<2x4x2x3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x2x3xf32>) -> tensor<2x4x2x3x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4] : (tensor<2x4x2x3x1xf32>) -> tensor<2x4x2x3x6xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x4x2x3x6xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x4x2x3x6xf32>) -> tensor<2x4x2x3x2x3xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 3] x [0, 1], contracting_dims = [1, 2] x [4, 5], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3x4x3xf32>, tensor<2x4x2x3x2x3xf32>) -> tensor<2x4x3x2x3xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 4, 1, 2] : (tensor<2x4x3x2x3xf32>) -> tensor<2x2x3x4x3xf32>
    return %15 : tensor<2x2x3x4x3xf32>
  }
}
// form: one_query | full
module @jit_plain attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x1x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x1x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x1x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x1x6xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x1x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x1x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x1x6xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x1x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x3x1xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x1xf32>) -> tensor<2x1x4x3xf32>
    return %15 : tensor<2x1x4x3xf32>
  }
}
// form: one_query_lengths | lengths
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xi32>) -> (tensor<2x1x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<2x1x1x6xi32>, tensor<2x1x1x6xi32>) -> tensor<2x1x1x6xi1>
    %6 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x1x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x1x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1x6xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x1x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where(%5, %8, %cst_0) : (tensor<2x1x1x6xi1>, tensor<2x4x1x6xf32>, tensor<f32>) -> tensor<2x4x1x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x1x6xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x6xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x1x6xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x1x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x1x6xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x6xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x1x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x3x1xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x1xf32>) -> tensor<2x1x4x3xf32>
    return %22 : tensor<2x1x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x1x6xi1>, %arg1: tensor<2x4x1x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x1x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x4x1x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x1x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x1x6xi1>, tensor<2x4x1x6xf32>
    return %3 : tensor<2x4x1x6xf32>
  }
}
// form: two_widths | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x2x3xf32>, %arg1: tensor<2x6x4x2x3xf32>, %arg2: tensor<2x6x4x7xf32>) -> (tensor<2x5x4x7xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4, 3] x [4, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x2x3xf32>, tensor<2x6x4x2x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x7xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x7x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x7x5xf32>) -> tensor<2x5x4x7xf32>
    return %13 : tensor<2x5x4x7xf32>
  }
}
// form: latent | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x6x5x4xf32>
    %1 = stablehlo.transpose %0, dims = [0, 3, 2, 1] : (tensor<2x6x5x4xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.exponential %7 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.dot_general %arg1, %12, batching_dims = [0] x [0], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x3x4x5xf32>
    %14 = stablehlo.transpose %13, dims = [0, 3, 2, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x5x4x3xf32>
    return %14 : tensor<2x5x4x3xf32>
  }
}
// form: repeat_keys | groups=2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x2x3xf32>, %arg2: tensor<2x6x2x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 4] : (tensor<2x6x2x3xf32>) -> tensor<2x6x2x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x6x2x2x3xf32>) -> tensor<2x6x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 4] : (tensor<2x6x2x3xf32>) -> tensor<2x6x2x2x3xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x6x2x2x3xf32>) -> tensor<2x6x4x3xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %3, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
}
// form: broadcast_keys | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x2x5x3xf32>, %arg2: tensor<2x2x5x3xf32>) -> (tensor<2x4x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<2x2x5x3xf32>) -> tensor<2x2x1x5x3xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x5x3xf32>) -> tensor<2x2x2x5x3xf32>
    %7 = stablehlo.reshape %6 : (tensor<2x2x2x5x3xf32>) -> tensor<2x4x5x3xf32>
    %8 = stablehlo.transpose %7, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %9 = stablehlo.dot_general %arg0, %8, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %10 = call @_where(%4, %9, %cst) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x4x5x5xf32>
    %22 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<2x2x5x3xf32>) -> tensor<2x2x1x5x3xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x5x3xf32>) -> tensor<2x2x2x5x3xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x2x2x5x3xf32>) -> tensor<2x4x5x3xf32>
    %25 = stablehlo.dot_general %21, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    return %25 : tensor<2x4x5x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: grouped_queries | groups=2
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x2x3x3xf32>, %arg1: tensor<2x6x2x3xf32>, %arg2: tensor<2x6x2x3xf32>) -> (tensor<2x5x2x3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x3xf32>, tensor<2x5x2x3x3xf32>) -> tensor<2x2x6x5x3xf32>
    %1 = stablehlo.transpose %0, dims = [0, 1, 4, 3, 2] : (tensor<2x2x6x5x3xf32>) -> tensor<2x2x3x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x3x5x6xf32>, tensor<f32>) -> tensor<2x2x3x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x3x5xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x2x3x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x2x3x5xf32>) -> tensor<2x2x3x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4] : (tensor<2x2x3x5x1xf32>) -> tensor<2x2x3x5x6xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x2x3x5x6xf32>
    %8 = stablehlo.exponential %7 : tensor<2x2x3x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [4] : (tensor<2x2x3x5x6xf32>, tensor<f32>) -> tensor<2x2x3x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x2x3x5xf32>) -> tensor<2x2x3x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4] : (tensor<2x2x3x5x1xf32>) -> tensor<2x2x3x5x6xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x2x3x5x6xf32>
    %13 = stablehlo.dot_general %arg2, %12, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x3xf32>, tensor<2x2x3x5x6xf32>) -> tensor<2x2x3x3x5xf32>
    %14 = stablehlo.transpose %13, dims = [0, 4, 1, 3, 2] : (tensor<2x2x3x3x5xf32>) -> tensor<2x5x2x3x3xf32>
    return %14 : tensor<2x5x2x3x3xf32>
  }
}
// form: multi_query | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x3xf32>, %arg2: tensor<2x6x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x6x5x4xf32>
    %1 = stablehlo.transpose %0, dims = [0, 3, 2, 1] : (tensor<2x6x5x4xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.exponential %7 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.dot_general %arg2, %12, batching_dims = [0] x [0], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x3x4x5xf32>
    %14 = stablehlo.transpose %13, dims = [0, 3, 2, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x5x4x3xf32>
    return %14 : tensor<2x5x4x3xf32>
  }
}
// form: multi_query_causal | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x3xf32>, %arg2: tensor<2x5x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x5x5x4xf32>
    %6 = stablehlo.transpose %5, dims = [0, 3, 2, 1] : (tensor<2x5x5x4xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %7 = call @_where(%4, %6, %cst) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x5xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x5xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0] x [0], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x3x4x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 2, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: scale_on_queries | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.73205078> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %1 = stablehlo.divide %arg0, %0 : tensor<2x5x4x3xf32>
    %2 = stablehlo.dot_general %1, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: scale_on_keys | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x4x3xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<2x6x4x3xf32>
    %2 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: scale_divides | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.sqrt %cst_0 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.divide %2, %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
}
// form: scale_rsqrt | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.rsqrt %cst_0 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.multiply %2, %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
}
// form: scale_of_both | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.75983566> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2x5x4x3xf32>
    %cst_0 = stablehlo.constant dense<0.75983566> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x4x3xf32>
    %3 = stablehlo.multiply %arg1, %2 : tensor<2x6x4x3xf32>
    %4 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
}
// form: scale_twice | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
}
// form: scale_negative | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.negate %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_by_hand | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %2, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %13 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_unshifted | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.divide %3, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %9 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_of_all_maxima | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [0, 1, 2, 3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.subtract %2, %4 : tensor<2x4x5x6xf32>
    %6 = stablehlo.exponential %5 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.divide %6, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.dot_general %arg2, %10, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %12 = stablehlo.transpose %11, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %12 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_reciprocal | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.divide %6, %5 : tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.multiply %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.dot_general %arg2, %9, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %11 = stablehlo.transpose %10, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %11 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_base_two | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.693147182> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<2x4x5x6xf32>
    %5 = stablehlo.exponential %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.divide %5, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.dot_general %arg2, %9, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %11 = stablehlo.transpose %10, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %11 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_late_division | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.dot_general %arg2, %3, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %5 = stablehlo.transpose %4, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<2x4x5xf32>) -> tensor<2x5x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x5x4xf32>) -> tensor<2x5x4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x5x4x1xf32>) -> tensor<2x5x4x3xf32>
    %10 = stablehlo.divide %5, %9 : tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_where | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = call @_where_0(%arg3, %2, %cst_3) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %8, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = call @_where(%arg3, %11, %cst_4) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %11, %15 : tensor<2x4x5x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %17 = call @_where_1(%arg3, %16, %c) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<i32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %1 : tensor<2x4x5x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
  func.func private @_where_1(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<i32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
}
// form: softmax_guarded | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.is_finite %5 : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = call @_where_0(%6, %5, %cst_2) : (tensor<2x4x5x1xi1>, tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.compare EQ, %12, %13, FLOAT : (tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xi1>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = call @_where_1(%14, %cst_5, %12) : (tensor<2x4x5x1xi1>, tensor<f32>, tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %10, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x1xi1>, %arg1: tensor<2x4x5x1xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x1xi1>, tensor<2x4x5x1xf32>
    return %2 : tensor<2x4x5x1xf32>
  }
  func.func private @_where_1(%arg0: tensor<2x4x5x1xi1>, %arg1: tensor<f32>, %arg2: tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<2x4x5x1xi1>, tensor<2x4x5x1xf32>
    return %2 : tensor<2x4x5x1xf32>
  }
}
// form: softmax_mask_behind_exp | mask nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where(%arg3, %3, %cst_0) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %4, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
}
// form: softmax_f32_of_bf16 | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xbf16>, %arg1: tensor<2x6x4x3xbf16>, %arg2: tensor<2x6x4x3xbf16>) -> (tensor<2x5x4x3xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xbf16>, tensor<2x6x4x3xbf16>) -> tensor<2x4x5x6xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x5x6xbf16>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xbf16>
    %3 = stablehlo.convert %2 : (tensor<2x4x5x6xbf16>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.convert %16 : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xbf16>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xbf16>, tensor<2x4x5x6xbf16>) -> tensor<2x4x3x5xbf16>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xbf16>) -> tensor<2x5x4x3xbf16>
    return %19 : tensor<2x5x4x3xbf16>
  }
}
// form: softmax_bf16 | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xbf16>, %arg1: tensor<2x6x4x3xbf16>, %arg2: tensor<2x6x4x3xbf16>) -> (tensor<2x5x4x3xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xbf16>, tensor<2x6x4x3xbf16>) -> tensor<2x4x5x6xbf16>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x5x6xbf16>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xbf16>, tensor<bf16>) -> tensor<2x4x5xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x5xbf16>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xbf16>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xbf16>) -> tensor<2x4x5x1xbf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xbf16>) -> tensor<2x4x5x6xbf16>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xbf16>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xbf16>
    %10 = stablehlo.convert %9 : (tensor<2x4x5x6xbf16>) -> tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.convert %12 : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xbf16>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xbf16>) -> tensor<2x4x5x6xbf16>
    %15 = stablehlo.divide %9, %14 : tensor<2x4x5x6xbf16>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xbf16>, tensor<2x4x5x6xbf16>) -> tensor<2x4x3x5xbf16>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xbf16>) -> tensor<2x5x4x3xbf16>
    return %17 : tensor<2x5x4x3xbf16>
  }
}
// form: softmax_barrier | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.optimization_barrier %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.optimization_barrier %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: weights_scaled | full
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: causal_iota | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %2 = stablehlo.iota dim = 0 : tensor<5xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %7 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %10 = call @_where(%6, %9, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x4x5x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %23 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: causal_iota_reversed | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %2 = stablehlo.iota dim = 0 : tensor<5xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %6 = stablehlo.compare GT, %4, %5, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %7 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = call @_where(%6, %cst_0, %9) : (tensor<5x5xi1>, tensor<f32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x4x5x5xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %23 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: causal_constant | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[[true, false, false, false, false], [true, true, false, false, false], [true, true, true, false, false], [true, true, true, true, false], [true, true, true, true, true]]> : tensor<5x5xi1>
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %3 = call @_where(%c, %2, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x5xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x5xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: causal_triu | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %1 = call @triu(%0) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %2 = stablehlo.not %1 : tensor<5x5xi1>
    %3 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %6 = call @_where(%2, %5, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x5xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x5xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
  func.func private @triu(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %5, %arg0 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: causal_float_tril | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = call @tril(%0) : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %3 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xi1>
    %4 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %7 = call @_where(%3, %cst_2, %6) : (tensor<5x5xi1>, tensor<f32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x5xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x5xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xf32>
    return %6 : tensor<5x5xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: causal_added | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %3 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %5 = stablehlo.add %3, %4 : tensor<5x5xi32>
    %6 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %8 = call @_where(%7, %cst_0, %cst_1) : (tensor<5x5xi1>, tensor<f32>, tensor<f32>) -> tensor<5x5xf32>
    %9 = stablehlo.convert %8 : tensor<5x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %12 = stablehlo.add %2, %11 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x4x5x5xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x5x5xf32>
    %24 = stablehlo.dot_general %arg2, %23, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
// form: causal_added_by_hand | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %3 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %5 = stablehlo.add %3, %4 : tensor<5x5xi32>
    %6 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %8 = stablehlo.convert %7 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<5x5xf32>
    %cst_1 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<5x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %15 = stablehlo.add %2, %14 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<2x4x5x5xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x4x5x5xf32>
    %27 = stablehlo.dot_general %arg2, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %28 = stablehlo.transpose %27, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %28 : tensor<2x5x4x3xf32>
  }
}
// form: causal_added_infinity | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %3 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %5 = stablehlo.add %3, %4 : tensor<5x5xi32>
    %6 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = call @_where(%7, %cst_0, %cst_1) : (tensor<5x5xi1>, tensor<f32>, tensor<f32>) -> tensor<5x5xf32>
    %9 = stablehlo.convert %8 : tensor<5x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %12 = stablehlo.add %2, %11 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x4x5x5xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x5x5xf32>
    %24 = stablehlo.dot_general %arg2, %23, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
// form: causal_gated | causal
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.convert %4 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %6 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x5x5xf32>
    %9 = stablehlo.broadcast_in_dim %5, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %13 = stablehlo.subtract %12, %5 : tensor<5x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+10> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<5x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %18 = stablehlo.subtract %11, %17 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %21 = stablehlo.maximum %20, %19 : tensor<2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %24 = stablehlo.subtract %18, %23 : tensor<2x4x5x5xf32>
    %25 = stablehlo.exponential %24 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %29 = stablehlo.divide %25, %28 : tensor<2x4x5x5xf32>
    %30 = stablehlo.dot_general %arg2, %29, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %31 = stablehlo.transpose %30, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %31 : tensor<2x5x4x3xf32>
  }
}
// form: causal_aligned_right | causal offset=1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x6xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x6xi32>, tensor<5x6xi32>) -> tensor<5x6xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %8 = call @_where(%4, %7, %cst_0) : (tensor<5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: causal_strict | causal offset=-1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %8 = call @_where(%4, %7, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x5xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x5xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: causal_cached | causal offset=?
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<i32>) -> (tensor<2x2x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %2 = stablehlo.iota dim = 0 : tensor<2xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %5 = stablehlo.add %3, %4 : tensor<2x1xi32>
    %6 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x6xi32>
    %8 = stablehlo.compare LE, %6, %7, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x2x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x2x6xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2x4x2x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %12 = call @_where(%8, %11, %cst_0) : (tensor<2x6xi1>, tensor<2x4x2x6xf32>, tensor<f32>) -> tensor<2x4x2x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x2x6xf32>, tensor<f32>) -> tensor<2x4x2xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x2xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x2xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x2xf32>) -> tensor<2x4x2x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x2x1xf32>) -> tensor<2x4x2x6xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x4x2x6xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x2x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x2x6xf32>, tensor<f32>) -> tensor<2x4x2xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x2xf32>) -> tensor<2x4x2x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x2x1xf32>) -> tensor<2x4x2x6xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x2x6xf32>
    %24 = stablehlo.dot_general %arg2, %23, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x3x2xf32>
    %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<2x4x3x2xf32>) -> tensor<2x2x4x3xf32>
    return %25 : tensor<2x2x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x6xi1>, %arg1: tensor<2x4x2x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x2x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<2x6xi1>) -> tensor<2x4x2x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x2x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x2x6xi1>, tensor<2x4x2x6xf32>
    return %3 : tensor<2x4x2x6xf32>
  }
}
// form: causal_cached_each | causal offset=?
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xi32>) -> (tensor<2x2x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %2 = stablehlo.iota dim = 0 : tensor<2xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<2x1xi32>) -> tensor<1x2x1xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x2x1xi32>) -> tensor<2x2x1xi32>
    %7 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x1x1xi32>) -> tensor<2x2x1xi32>
    %8 = stablehlo.add %6, %7 : tensor<2x2x1xi32>
    %9 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<1x6xi32>) -> tensor<1x1x6xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x6xi32>) -> tensor<2x2x6xi32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x1xi32>) -> tensor<2x2x6xi32>
    %12 = stablehlo.compare LE, %10, %11, SIGNED : (tensor<2x2x6xi32>, tensor<2x2x6xi32>) -> tensor<2x2x6xi1>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 2, 3] : (tensor<2x2x6xi1>) -> tensor<2x1x2x6xi1>
    %14 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x2x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x2x6xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<2x4x2x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %17 = call @_where(%13, %16, %cst_0) : (tensor<2x1x2x6xi1>, tensor<2x4x2x6xf32>, tensor<f32>) -> tensor<2x4x2x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x2x6xf32>, tensor<f32>) -> tensor<2x4x2xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x2xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<2x4x2xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x2xf32>) -> tensor<2x4x2x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x2x1xf32>) -> tensor<2x4x2x6xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<2x4x2x6xf32>
    %24 = stablehlo.exponential %23 : tensor<2x4x2x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x2x6xf32>, tensor<f32>) -> tensor<2x4x2xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x4x2xf32>) -> tensor<2x4x2x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x2x1xf32>) -> tensor<2x4x2x6xf32>
    %28 = stablehlo.divide %24, %27 : tensor<2x4x2x6xf32>
    %29 = stablehlo.dot_general %arg2, %28, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x3x2xf32>
    %30 = stablehlo.transpose %29, dims = [0, 3, 1, 2] : (tensor<2x4x3x2xf32>) -> tensor<2x2x4x3xf32>
    return %30 : tensor<2x2x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x2x6xi1>, %arg1: tensor<2x4x2x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x2x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x2x6xi1>) -> tensor<2x4x2x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x2x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x2x6xi1>, tensor<2x4x2x6xf32>
    return %3 : tensor<2x4x2x6xf32>
  }
}
// form: window_by_distance | before=2 after=0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x6x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %2 = stablehlo.iota dim = 0 : tensor<6xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %6 = stablehlo.subtract %4, %5 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %10 = stablehlo.compare LT, %6, %9, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %11 = stablehlo.and %8, %10 : tensor<6x6xi1>
    %12 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x6x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<2x4x6x6xf32>
    %cst_1 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %15 = call @_where(%11, %14, %cst_1) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x6xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<2x4x6x6xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4x6x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x4x6x6xf32>
    %27 = stablehlo.dot_general %arg2, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x3x6xf32>
    %28 = stablehlo.transpose %27, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    return %28 : tensor<2x6x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %3 : tensor<2x4x6x6xf32>
  }
}
// form: window_constant | before=1 after=1
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x6x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[[true, true, false, false, false, false], [true, true, true, false, false, false], [false, true, true, true, false, false], [false, false, true, true, true, false], [false, false, false, true, true, true], [false, false, false, false, true, true]]> : tensor<6x6xi1>
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x6x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x6x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %3 = call @_where(%c, %2, %cst_0) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x6xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x6x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x6x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x6x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x3x6xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    return %16 : tensor<2x6x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %3 : tensor<2x4x6x6xf32>
  }
}
// form: segments | segments
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2x5xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 2] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<2x1x5xi32>) -> tensor<2x5x5xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %6 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where(%5, %8, %cst_0) : (tensor<2x1x5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x5x5xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x5x5xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: segments_causal | causal segments
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2x5xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 2] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<2x1x5xi32>) -> tensor<2x5x5xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %6 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %8 = stablehlo.add %6, %7 : tensor<5x5xi32>
    %9 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x1x5x5xi1>
    %13 = stablehlo.and %5, %12 : tensor<2x1x5x5xi1>
    %14 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %17 = call @_where(%13, %16, %cst_0) : (tensor<2x1x5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<2x4x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<2x4x5x5xf32>
    %24 = stablehlo.exponential %23 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %28 = stablehlo.divide %24, %27 : tensor<2x4x5x5xf32>
    %29 = stablehlo.dot_general %arg2, %28, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %30 = stablehlo.transpose %29, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %30 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: segments_of_two | segments
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x5xi32>, %arg4: tensor<2x6xi32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %1 = stablehlo.broadcast_in_dim %arg4, dims = [0, 2] : (tensor<2x6xi32>) -> tensor<2x1x6xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x6xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<2x1x6xi32>) -> tensor<2x5x6xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x5x6xi32>, tensor<2x5x6xi32>) -> tensor<2x5x6xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 2, 3] : (tensor<2x5x6xi1>) -> tensor<2x1x5x6xi1>
    %6 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where(%5, %8, %cst_0) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x5x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: padding | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 3] : (tensor<2x6xi1>) -> tensor<2x1x1x6xi1>
    %1 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %4 = call @_where(%0, %3, %cst_0) : (tensor<2x1x1x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x1x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: padding_added_1e9 | bias
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %3 = call @_where(%arg3, %cst_0, %cst_1) : (tensor<2x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3] : (tensor<2x6xf32>) -> tensor<2x1x1x6xf32>
    %5 = stablehlo.convert %4 : tensor<2x1x1x6xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.add %2, %6 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x6xi1>, tensor<2x6xf32>
    return %2 : tensor<2x6xf32>
  }
}
// form: padding_of_floats | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %4 = stablehlo.subtract %3, %arg3 : tensor<2x6xf32>
    %cst_1 = stablehlo.constant dense<-3.000000e+01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x6xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 3] : (tensor<2x6xf32>) -> tensor<2x1x1x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.add %2, %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x5x6xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
}
// form: mask_infinite_blind | mask nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: mask_small_number | mask hidden=-2.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-2.500000e+00> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: mask_before_scale | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: mask_twice | causal mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2x1x5x5xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %8 = call @_where(%4, %7, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%arg3, %8, %cst_1) : (tensor<2x1x5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x4x5x5xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x5x5xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %22 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x1x5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: mask_inverted | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.not %arg3 : tensor<2x1x5x6xi1>
    %1 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %4 = call @_where(%0, %cst_0, %3) : (tensor<2x1x5x6xi1>, tensor<f32>, tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<f32>, %arg2: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: mask_of_heads | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<4x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: mask_alternatives | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2x1x5x5xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x1x5x5xi1>
    %7 = stablehlo.or %arg3, %6 : tensor<2x1x5x5xi1>
    %8 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %11 = call @_where(%7, %10, %cst_0) : (tensor<2x1x5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<2x4x5x5xf32>
    %18 = stablehlo.exponential %17 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %22 = stablehlo.divide %18, %21 : tensor<2x4x5x5xf32>
    %23 = stablehlo.dot_general %arg2, %22, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %24 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: prefix | mask
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.iota dim = 0 : tensor<5xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %7 = stablehlo.compare LT, %5, %6, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<5xi1>) -> tensor<1x5xi1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x5xi1>) -> tensor<5x5xi1>
    %10 = stablehlo.or %4, %9 : tensor<5x5xi1>
    %11 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %14 = call @_where(%10, %13, %cst_1) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<2x4x5x5xf32>
    %21 = stablehlo.exponential %20 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %25 = stablehlo.divide %21, %24 : tensor<2x4x5x5xf32>
    %26 = stablehlo.dot_general %arg2, %25, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %27 = stablehlo.transpose %26, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %27 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: bias_alibi | causal bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[5.000000e-01, 2.500000e-01, 1.250000e-01, 6.250000e-02]> : tensor<4xf32>
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %9 = stablehlo.iota dim = 0 : tensor<5xi32>
    %10 = stablehlo.iota dim = 0 : tensor<5xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %14 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %15 = stablehlo.subtract %13, %14 : tensor<5x5xi32>
    %16 = stablehlo.convert %15 : (tensor<5x5xi32>) -> tensor<5x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<1x5x5xf32>
    %18 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<4x1x1xf32>) -> tensor<4x5x5xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x5x5xf32>) -> tensor<4x5x5xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<4x5x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2, 3] : (tensor<4x5x5xf32>) -> tensor<1x4x5x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %23 = stablehlo.add %7, %22 : tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %24 = call @_where(%4, %23, %cst_1) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %27 = stablehlo.maximum %26, %25 : tensor<2x4x5xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %30 = stablehlo.subtract %24, %29 : tensor<2x4x5x5xf32>
    %31 = stablehlo.exponential %30 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %35 = stablehlo.divide %31, %34 : tensor<2x4x5x5xf32>
    %36 = stablehlo.dot_general %arg2, %35, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %37 = stablehlo.transpose %36, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %37 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: bias_before_scale | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: bias_subtracted | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.subtract %2, %4 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
}
// form: bias_relative | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<5x6x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.dot_general %arg3, %arg0, batching_dims = [0] x [1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<5x6x3xf32>, tensor<2x5x4x3xf32>) -> tensor<5x6x2x4xf32>
    %4 = stablehlo.transpose %3, dims = [2, 3, 0, 1] : (tensor<5x6x2x4xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: bias_of_table | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<9x4xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[[4, 3, 2, 1, 0], [5, 4, 3, 2, 1], [6, 5, 4, 3, 2], [7, 6, 5, 4, 3], [8, 7, 6, 5, 4]]> : tensor<5x5xi32>
    %c_0 = stablehlo.constant dense<false> : tensor<5x5xi1>
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %c_1 = stablehlo.constant dense<9> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %4 = stablehlo.add %c, %3 : tensor<5x5xi32>
    %5 = stablehlo.select %c_0, %4, %c : tensor<5x5xi1>, tensor<5x5xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<5x5xi32>) -> tensor<5x5x1xi32>
    %7 = "stablehlo.gather"(%arg3, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<5x5x1xi32>) -> tensor<5x5x4xf32>
    %8 = stablehlo.transpose %7, dims = [2, 0, 1] : (tensor<5x5x4xf32>) -> tensor<4x5x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2, 3] : (tensor<4x5x5xf32>) -> tensor<1x4x5x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %11 = stablehlo.add %2, %10 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<2x4x5x5xf32>
    %18 = stablehlo.exponential %17 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %22 = stablehlo.divide %18, %21 : tensor<2x4x5x5xf32>
    %23 = stablehlo.dot_general %arg2, %22, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %24 : tensor<2x5x4x3xf32>
  }
}
// form: bias_of_two | bias nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x5x6xf32>, %arg4: tensor<2x1x1x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x4x5x6xf32>
    %6 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: cap | cap=1.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x4x5x6xf32>
    %5 = stablehlo.tanh %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
}
// form: cap_causal | causal cap=1.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x4x5x5xf32>
    %10 = stablehlo.tanh %9 : tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %13 = call @_where(%4, %12, %cst_2) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x5x5xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x5x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x5x5xf32>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %26 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: cap_window_grouped | before=2 after=0 groups=2 cap=1.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x3xf32>, %arg1: tensor<2x6x2x3xf32>, %arg2: tensor<2x6x2x3xf32>) -> (tensor<2x6x2x2x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x4x3xf32>) -> tensor<2x6x2x2x3xf32>
    %1 = stablehlo.dot_general %arg1, %0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x3xf32>, tensor<2x6x2x2x3xf32>) -> tensor<2x2x6x6x2xf32>
    %2 = stablehlo.transpose %1, dims = [0, 1, 4, 3, 2] : (tensor<2x2x6x6x2xf32>) -> tensor<2x2x2x6x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x2x2x6x6xf32>
    %5 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %7 = stablehlo.add %5, %6 : tensor<6x6xi32>
    %8 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %10 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c_0 = stablehlo.constant dense<-3> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %12 = stablehlo.add %10, %11 : tensor<6x6xi32>
    %13 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %14 = stablehlo.compare GE, %12, %13, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %15 = stablehlo.not %14 : tensor<6x6xi1>
    %16 = stablehlo.and %9, %15 : tensor<6x6xi1>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %18 = stablehlo.divide %4, %17 : tensor<2x2x2x6x6xf32>
    %19 = stablehlo.tanh %18 : tensor<2x2x2x6x6xf32>
    %cst_2 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<2x2x2x6x6xf32>
    %cst_3 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %22 = call @_where(%16, %21, %cst_3) : (tensor<6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x2x6xf32>
    %25 = stablehlo.maximum %24, %23 : tensor<2x2x2x6xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x6x1xf32>) -> tensor<2x2x2x6x6xf32>
    %28 = stablehlo.subtract %22, %27 : tensor<2x2x2x6x6xf32>
    %29 = stablehlo.exponential %28 : tensor<2x2x2x6x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x6x1xf32>) -> tensor<2x2x2x6x6xf32>
    %33 = stablehlo.divide %29, %32 : tensor<2x2x2x6x6xf32>
    %34 = stablehlo.dot_general %arg2, %33, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x3xf32>, tensor<2x2x2x6x6xf32>) -> tensor<2x2x3x2x6xf32>
    %35 = stablehlo.transpose %34, dims = [0, 4, 1, 3, 2] : (tensor<2x2x3x2x6xf32>) -> tensor<2x6x2x2x3xf32>
    return %35 : tensor<2x6x2x2x3xf32>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x2x2x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<6x6xi1>) -> tensor<2x2x2x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x6x6xi1>, tensor<2x2x2x6x6xf32>
    return %3 : tensor<2x2x2x6x6xf32>
  }
}
// form: sinks | sinks
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.concatenate %2, %4, dim = 3 : (tensor<2x4x5x6xf32>, tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x7xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x7xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x7xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x7xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x7xf32>
    %17 = stablehlo.slice %16 [0:2, 0:4, 0:5, 0:6] : (tensor<2x4x5x7xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
}
// form: sinks_first_causal | causal sinks
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<4xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x5x1xf32>
    %2 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %4 = stablehlo.add %2, %3 : tensor<5x5xi32>
    %5 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %7 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %10 = call @_where(%6, %9, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %11 = stablehlo.concatenate %1, %10, dim = 3 : (tensor<2x4x5x1xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.exponential %17 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %22 = stablehlo.divide %18, %21 : tensor<2x4x5x6xf32>
    %23 = stablehlo.slice %22 [0:2, 0:4, 0:5, 1:6] : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x5xf32>
    %24 = stablehlo.dot_general %arg2, %23, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: dropout_select | multiplier
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %13, %14 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = call @_where(%arg3, %15, %cst_4) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
}
// form: dropout_multiply | causal multiplier
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>, %arg3: tensor<2x4x5x5xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %8 = call @_where(%4, %7, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x5xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x5xf32>
    %20 = stablehlo.convert %arg3 : (tensor<2x4x5x5xi1>) -> tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %22 = stablehlo.divide %20, %21 : tensor<2x4x5x5xf32>
    %23 = stablehlo.convert %22 : tensor<2x4x5x5xf32>
    %24 = stablehlo.multiply %19, %23 : tensor<2x4x5x5xf32>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %26 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: dropout_drawn | multiplier
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2xui32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %14 = call @_bernoulli(%arg3, %cst_3) : (tensor<2xui32>, tensor<f32>) -> tensor<2x4x5x6xi1>
    %15 = stablehlo.convert %14 : (tensor<2x4x5x6xi1>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.multiply %13, %15 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %16, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
  func.func private @_bernoulli(%arg0: tensor<2xui32>, %arg1: tensor<f32>) -> tensor<2x4x5x6xi1> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<2x4x5x6xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xi1>
    return %2 : tensor<2x4x5x6xi1>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1x1x1xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.iota dim = 0 : tensor<2x4x5x6xui64>
    %9 = stablehlo.iota dim = 1 : tensor<2x4x5x6xui64>
    %10 = stablehlo.iota dim = 2 : tensor<2x4x5x6xui64>
    %11 = stablehlo.iota dim = 3 : tensor<2x4x5x6xui64>
    %c = stablehlo.constant dense<120> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %13 = stablehlo.multiply %12, %8 : tensor<2x4x5x6xui64>
    %c_0 = stablehlo.constant dense<30> : tensor<ui64>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %15 = stablehlo.multiply %14, %9 : tensor<2x4x5x6xui64>
    %c_1 = stablehlo.constant dense<6> : tensor<ui64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %17 = stablehlo.multiply %16, %10 : tensor<2x4x5x6xui64>
    %c_2 = stablehlo.constant dense<1> : tensor<ui64>
    %18 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %19 = stablehlo.multiply %18, %11 : tensor<2x4x5x6xui64>
    %20 = stablehlo.add %13, %15 : tensor<2x4x5x6xui64>
    %21 = stablehlo.add %20, %17 : tensor<2x4x5x6xui64>
    %22 = stablehlo.add %21, %19 : tensor<2x4x5x6xui64>
    %c_3 = stablehlo.constant dense<32> : tensor<ui64>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui64>) -> tensor<2x4x5x6xui64>
    %24 = stablehlo.shift_right_logical %22, %23 : tensor<2x4x5x6xui64>
    %25 = stablehlo.convert %22 : (tensor<2x4x5x6xui64>) -> tensor<2x4x5x6xui32>
    %26 = stablehlo.convert %24 : (tensor<2x4x5x6xui64>) -> tensor<2x4x5x6xui32>
    %27:2 = call @threefry2x32(%5, %7, %26, %25) : (tensor<ui32>, tensor<ui32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>) -> (tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>)
    %28 = stablehlo.xor %27#0, %27#1 : tensor<2x4x5x6xui32>
    %c_4 = stablehlo.constant dense<9> : tensor<ui32>
    %29 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %30 = stablehlo.shift_right_logical %28, %29 : tensor<2x4x5x6xui32>
    %c_5 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %31 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %32 = stablehlo.or %30, %31 : tensor<2x4x5x6xui32>
    %33 = stablehlo.bitcast_convert %32 : (tensor<2x4x5x6xui32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %35 = stablehlo.subtract %33, %34 : tensor<2x4x5x6xf32>
    %36 = stablehlo.subtract %3, %2 : tensor<1x1x1x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x5x6xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<2x4x5x6xf32>
    %39 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x5x6xf32>
    %40 = stablehlo.add %38, %39 : tensor<2x4x5x6xf32>
    %41 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<2x4x5x6xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<2x4x5x6xf32>
    return %42 : tensor<2x4x5x6xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2x4x5x6xui32>, %arg3: tensor<2x4x5x6xui32>) -> (tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<2x4x5x6xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<2x4x5x6xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x4x5x6xui32>, %arg2: tensor<2x4x5x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<2x4x5x6xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<2x4x5x6xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2x4x5x6xui32>
    %9 = stablehlo.or %5, %8 : tensor<2x4x5x6xui32>
    %10 = stablehlo.xor %3, %9 : tensor<2x4x5x6xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<2x4x5x6xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<2x4x5x6xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<2x4x5x6xui32>
    %19 = stablehlo.or %15, %18 : tensor<2x4x5x6xui32>
    %20 = stablehlo.xor %13, %19 : tensor<2x4x5x6xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<2x4x5x6xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<2x4x5x6xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<2x4x5x6xui32>
    %29 = stablehlo.or %25, %28 : tensor<2x4x5x6xui32>
    %30 = stablehlo.xor %23, %29 : tensor<2x4x5x6xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<2x4x5x6xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<2x4x5x6xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<2x4x5x6xui32>
    %39 = stablehlo.or %35, %38 : tensor<2x4x5x6xui32>
    %40 = stablehlo.xor %33, %39 : tensor<2x4x5x6xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %42 = stablehlo.add %33, %41 : tensor<2x4x5x6xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %44 = stablehlo.add %40, %43 : tensor<2x4x5x6xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2x4x5x6xui32>
    %48 = stablehlo.add %44, %47 : tensor<2x4x5x6xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2x4x5x6xui32>, tensor<2x4x5x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
}
// form: step_jax | full +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.multiply %14, %14 : tensor<1x2x4x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<1x2x4x5x1xf32>
    %20 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %21 = stablehlo.transpose %20, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %22 = stablehlo.transpose %21, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %24 = stablehlo.multiply %23, %23 : tensor<2x5x4x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %27 = stablehlo.multiply %23, %26 : tensor<2x5x4x3xf32>
    %28 = stablehlo.multiply %26, %23 : tensor<2x5x4x3xf32>
    %29 = stablehlo.add %27, %28 : tensor<2x5x4x3xf32>
    %30 = stablehlo.reshape %29 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %31 = stablehlo.transpose %30, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %32 = stablehlo.transpose %31, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %33 = stablehlo.dot_general %32, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x1x5x6xf32>
    %34 = stablehlo.transpose %33, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %35 = stablehlo.dot_general %32, %16, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %36 = stablehlo.transpose %35, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %37 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %38 = stablehlo.multiply %34, %37 : tensor<1x2x4x5x6xf32>
    %39 = stablehlo.multiply %38, %12 : tensor<1x2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %42 = stablehlo.negate %41 : tensor<1x2x4x5x1xf32>
    %43 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %44 = stablehlo.divide %34, %43 : tensor<1x2x4x5x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%42 init: %cst_7) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x6xf32>
    %48 = stablehlo.add %44, %47 : tensor<1x2x4x5x6xf32>
    %49 = stablehlo.multiply %48, %12 : tensor<1x2x4x5x6xf32>
    %50 = stablehlo.transpose %49, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x6xf32>) -> tensor<2x4x5x1x6xf32>
    %cst_8 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %52 = stablehlo.multiply %50, %51 : tensor<2x4x5x1x6xf32>
    %53 = stablehlo.dot_general %52, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x6x3xf32>
    %54 = stablehlo.transpose %53, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %55 = stablehlo.dot_general %52, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %56 = stablehlo.transpose %55, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %57 = stablehlo.reshape %56 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %25, %23, %57, %54, %36 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>
  }
}
// form: step_jax_causal | causal +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10:2 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10#0, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<1x2x4x5x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<1x2x4x5x1xf32>
    %25 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.multiply %28, %28 : tensor<2x5x4x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<2x5x4x3xf32>
    %33 = stablehlo.multiply %31, %28 : tensor<2x5x4x3xf32>
    %34 = stablehlo.add %32, %33 : tensor<2x5x4x3xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %37 = stablehlo.transpose %36, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %38 = stablehlo.dot_general %37, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x1x5x5xf32>
    %39 = stablehlo.transpose %38, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %40 = stablehlo.dot_general %37, %21, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %42 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %43 = stablehlo.multiply %39, %42 : tensor<1x2x4x5x5xf32>
    %44 = stablehlo.multiply %43, %17 : tensor<1x2x4x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %46 = stablehlo.reshape %45 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %47 = stablehlo.negate %46 : tensor<1x2x4x5x1xf32>
    %48 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %49 = stablehlo.divide %39, %48 : tensor<1x2x4x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_9) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x5xf32>
    %53 = stablehlo.add %49, %52 : tensor<1x2x4x5x5xf32>
    %54 = stablehlo.multiply %53, %17 : tensor<1x2x4x5x5xf32>
    %55 = call @_where_0(%10#1, %54) : (tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    %cst_10 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<2x4x5x1x5xf32>
    %58 = stablehlo.dot_general %57, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x5x3xf32>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    %60 = stablehlo.dot_general %57, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %62 = stablehlo.reshape %61 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %30, %28, %62, %59, %41 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4, %1 : tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x4x5x5xi1>, %arg1: tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    return %2 : tensor<2x4x5x1x5xf32>
  }
}
// form: step_jax_grouped | causal groups=2 +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x2x3xf32>, %arg2: tensor<2x5x2x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x5x2x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x5x2x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x2x2x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x2x3xf32>, tensor<2x5x2x3xf32>) -> tensor<2x2x5x2x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x2x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x5x2x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x2x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x2x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10:2 = call @_where(%9, %3, %cst_1) : (tensor<2x2x5x5xi1>, tensor<2x2x5x2x5xf32>, tensor<f32>) -> (tensor<2x2x2x5x5xf32>, tensor<2x2x2x5x5xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x2x2x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %16 = stablehlo.subtract %10#0, %15 : tensor<2x2x2x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<2x2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x2x2x5x5xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<2x2x2x5x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x2x5x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<2x2x2x5x1xf32>
    %25 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x3xf32>, tensor<2x2x2x5x5xf32>) -> tensor<2x2x3x2x5xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x2x3x2x5xf32>) -> tensor<2x2x5x2x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<2x2x5x2x3xf32>) -> tensor<2x5x2x2x3xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x5x2x2x3xf32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.multiply %28, %28 : tensor<2x5x4x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<2x5x4x3xf32>
    %33 = stablehlo.multiply %31, %28 : tensor<2x5x4x3xf32>
    %34 = stablehlo.add %32, %33 : tensor<2x5x4x3xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x5x4x3xf32>) -> tensor<2x5x2x2x3xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 1, 2, 4] : (tensor<2x5x2x2x3xf32>) -> tensor<2x2x5x2x3xf32>
    %37 = stablehlo.transpose %36, dims = [1, 3, 4, 0, 2] : (tensor<2x2x5x2x3xf32>) -> tensor<2x2x3x2x5xf32>
    %38 = stablehlo.dot_general %37, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3x2x5xf32>, tensor<2x5x2x3xf32>) -> tensor<2x2x2x5x5xf32>
    %39 = stablehlo.transpose %38, dims = [2, 0, 1, 3, 4] : (tensor<2x2x2x5x5xf32>) -> tensor<2x2x2x5x5xf32>
    %40 = stablehlo.dot_general %37, %21, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3x2x5xf32>, tensor<2x2x2x5x5xf32>) -> tensor<2x2x3x5xf32>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x2x3x5xf32>) -> tensor<2x5x2x3xf32>
    %42 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %43 = stablehlo.multiply %39, %42 : tensor<2x2x2x5x5xf32>
    %44 = stablehlo.multiply %43, %17 : tensor<2x2x2x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %46 = stablehlo.reshape %45 : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x1xf32>
    %47 = stablehlo.negate %46 : tensor<2x2x2x5x1xf32>
    %48 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x5x1xf32>) -> tensor<2x2x2x5x5xf32>
    %49 = stablehlo.divide %39, %48 : tensor<2x2x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_9) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x5x1xf32>, tensor<f32>) -> tensor<2x2x2x5xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5x5xf32>
    %52 = stablehlo.add %49, %51 : tensor<2x2x2x5x5xf32>
    %53 = stablehlo.multiply %52, %17 : tensor<2x2x2x5x5xf32>
    %54 = call @_where_0(%10#1, %53) : (tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>) -> tensor<2x2x5x2x5xf32>
    %cst_10 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x5x2x5xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<2x2x5x2x5xf32>
    %57 = stablehlo.dot_general %56, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x2x5xf32>, tensor<2x5x2x2x3xf32>) -> tensor<2x2x5x3xf32>
    %58 = stablehlo.transpose %57, dims = [0, 2, 1, 3] : (tensor<2x2x5x3xf32>) -> tensor<2x5x2x3xf32>
    %59 = stablehlo.dot_general %56, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x5x2x5xf32>, tensor<2x5x2x3xf32>) -> tensor<2x2x5x2x3xf32>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3, 4] : (tensor<2x2x5x2x3xf32>) -> tensor<2x5x2x2x3xf32>
    %61 = stablehlo.reshape %60 : (tensor<2x5x2x2x3xf32>) -> tensor<2x5x4x3xf32>
    return %30, %28, %61, %58, %41 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x2x3xf32>, tensor<2x5x2x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x5x5xi1>, %arg1: tensor<2x2x5x2x5xf32>, %arg2: tensor<f32>) -> (tensor<2x2x2x5x5xf32>, tensor<2x2x2x5x5xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<2x2x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<2x2x2x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x2x5xf32>) -> tensor<2x2x2x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>
    return %4, %1 : tensor<2x2x2x5x5xf32>, tensor<2x2x2x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x2x2x5x5xi1>, %arg1: tensor<2x2x2x5x5xf32>) -> tensor<2x2x5x2x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x5x5xi1>, tensor<2x2x2x5x5xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<2x2x2x5x5xf32>) -> tensor<2x2x5x2x5xf32>
    return %2 : tensor<2x2x5x2x5xf32>
  }
}
// form: step_jax_mask | mask +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 3, 4] : (tensor<2x1x5x6xi1>) -> tensor<2x1x1x5x6xi1>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x6xi1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x5x6xi1>) -> tensor<1x2x1x5x6xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x5x6xi1>) -> tensor<1x2x4x5x6xi1>
    %9 = stablehlo.and %6, %8 : tensor<1x2x4x5x6xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10 = call @_where(%9, %4, %cst_0) : (tensor<1x2x4x5x6xi1>, tensor<2x4x5x1x6xf32>, tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<1x2x4x5x6xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x6xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<1x2x4x5x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<1x2x4x5x1xf32>
    %25 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.multiply %28, %28 : tensor<2x5x4x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<2x5x4x3xf32>
    %33 = stablehlo.multiply %31, %28 : tensor<2x5x4x3xf32>
    %34 = stablehlo.add %32, %33 : tensor<2x5x4x3xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %37 = stablehlo.transpose %36, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %38 = stablehlo.dot_general %37, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x1x5x6xf32>
    %39 = stablehlo.transpose %38, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %40 = stablehlo.dot_general %37, %21, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %42 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %43 = stablehlo.multiply %39, %42 : tensor<1x2x4x5x6xf32>
    %44 = stablehlo.multiply %43, %17 : tensor<1x2x4x5x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %46 = stablehlo.reshape %45 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %47 = stablehlo.negate %46 : tensor<1x2x4x5x1xf32>
    %48 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %49 = stablehlo.divide %39, %48 : tensor<1x2x4x5x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_8) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x6xf32>
    %53 = stablehlo.add %49, %52 : tensor<1x2x4x5x6xf32>
    %54 = stablehlo.multiply %53, %17 : tensor<1x2x4x5x6xf32>
    %55 = call @_where_0(%9, %54) : (tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x5x1x6xf32>
    %cst_9 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<2x4x5x1x6xf32>
    %58 = stablehlo.dot_general %57, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x6x3xf32>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %60 = stablehlo.dot_general %57, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %62 = stablehlo.reshape %61 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %30, %28, %62, %59, %41 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<2x4x5x1x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x5x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    return %3 : tensor<1x2x4x5x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<1x2x4x5x6xi1>, %arg1: tensor<1x2x4x5x6xf32>) -> tensor<2x4x5x1x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x4x5x6xi1>, tensor<1x2x4x5x6xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x6xf32>) -> tensor<2x4x5x1x6xf32>
    return %2 : tensor<2x4x5x1x6xf32>
  }
}
// form: step_jax_bias | bias +grad(bias) nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<1x4x5x6xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}, tensor<1x4x5x6xf32> {jax.result_info = "result[1][3]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<1x4x5x6xf32>) -> tensor<1x4x1x5x6xf32>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %5 = stablehlo.transpose %4, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %6 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x5x6xf32>) -> tensor<1x1x4x5x6xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<1x2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<1x2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<1x2x4x5x6xf32>
    %20 = stablehlo.multiply %17, %17 : tensor<1x2x4x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<1x2x4x5x1xf32>
    %23 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %24 = stablehlo.transpose %23, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %25 = stablehlo.transpose %24, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %26 = stablehlo.reshape %25 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<2x5x4x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %30 = stablehlo.multiply %26, %29 : tensor<2x5x4x3xf32>
    %31 = stablehlo.multiply %29, %26 : tensor<2x5x4x3xf32>
    %32 = stablehlo.add %30, %31 : tensor<2x5x4x3xf32>
    %33 = stablehlo.reshape %32 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %34 = stablehlo.transpose %33, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %35 = stablehlo.transpose %34, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %36 = stablehlo.dot_general %35, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x1x5x6xf32>
    %37 = stablehlo.transpose %36, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %38 = stablehlo.dot_general %35, %19, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %39 = stablehlo.transpose %38, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %40 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %41 = stablehlo.multiply %37, %40 : tensor<1x2x4x5x6xf32>
    %42 = stablehlo.multiply %41, %15 : tensor<1x2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %44 = stablehlo.reshape %43 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %45 = stablehlo.negate %44 : tensor<1x2x4x5x1xf32>
    %46 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %47 = stablehlo.divide %37, %46 : tensor<1x2x4x5x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%45 init: %cst_7) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x6xf32>
    %51 = stablehlo.add %47, %50 : tensor<1x2x4x5x6xf32>
    %52 = stablehlo.multiply %51, %15 : tensor<1x2x4x5x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x4x5x6xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x4x5x6xf32>) -> tensor<1x1x4x5x6xf32>
    %55 = stablehlo.transpose %54, dims = [1, 2, 0, 3, 4] : (tensor<1x1x4x5x6xf32>) -> tensor<1x4x1x5x6xf32>
    %56 = stablehlo.transpose %52, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x6xf32>) -> tensor<2x4x5x1x6xf32>
    %cst_9 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<2x4x5x1x6xf32>
    %59 = stablehlo.dot_general %58, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x6x3xf32>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %61 = stablehlo.dot_general %58, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %62 = stablehlo.transpose %61, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %63 = stablehlo.reshape %55 : (tensor<1x4x1x5x6xf32>) -> tensor<1x4x5x6xf32>
    %64 = stablehlo.reshape %62 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %28, %26, %64, %60, %39, %63 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>, tensor<1x4x5x6xf32>
  }
}
// form: step_jax_bias_full | bias +grad(bias) nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}, tensor<2x4x5x6xf32> {jax.result_info = "result[1][3]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x5x6xf32>) -> tensor<2x4x1x5x6xf32>
    %2 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x6xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x1x6xf32>
    %5 = stablehlo.transpose %4, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x6xf32>) -> tensor<1x2x4x5x6xf32>
    %6 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %7 = stablehlo.add %5, %6 : tensor<1x2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<1x2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<1x2x4x5x6xf32>
    %14 = stablehlo.exponential %13 : tensor<1x2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<1x2x4x5x6xf32>
    %19 = stablehlo.multiply %16, %16 : tensor<1x2x4x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %21 = stablehlo.divide %20, %19 : tensor<1x2x4x5x1xf32>
    %22 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x1x5xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %24 = stablehlo.transpose %23, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<2x5x4x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.multiply %25, %28 : tensor<2x5x4x3xf32>
    %30 = stablehlo.multiply %28, %25 : tensor<2x5x4x3xf32>
    %31 = stablehlo.add %29, %30 : tensor<2x5x4x3xf32>
    %32 = stablehlo.reshape %31 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %33 = stablehlo.transpose %32, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %34 = stablehlo.transpose %33, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %35 = stablehlo.dot_general %34, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x1x5x6xf32>
    %36 = stablehlo.transpose %35, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x6xf32>) -> tensor<1x2x4x5x6xf32>
    %37 = stablehlo.dot_general %34, %18, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %38 = stablehlo.transpose %37, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %39 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %40 = stablehlo.multiply %36, %39 : tensor<1x2x4x5x6xf32>
    %41 = stablehlo.multiply %40, %14 : tensor<1x2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x6xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %44 = stablehlo.negate %43 : tensor<1x2x4x5x1xf32>
    %45 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x6xf32>
    %46 = stablehlo.divide %36, %45 : tensor<1x2x4x5x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%44 init: %cst_7) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x6xf32>
    %50 = stablehlo.add %46, %49 : tensor<1x2x4x5x6xf32>
    %51 = stablehlo.multiply %50, %14 : tensor<1x2x4x5x6xf32>
    %52 = stablehlo.transpose %51, dims = [1, 2, 0, 3, 4] : (tensor<1x2x4x5x6xf32>) -> tensor<2x4x1x5x6xf32>
    %53 = stablehlo.transpose %51, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x6xf32>) -> tensor<2x4x5x1x6xf32>
    %cst_8 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x6xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<2x4x5x1x6xf32>
    %56 = stablehlo.dot_general %55, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x6x3xf32>
    %57 = stablehlo.transpose %56, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %58 = stablehlo.dot_general %55, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %60 = stablehlo.reshape %52 : (tensor<2x4x1x5x6xf32>) -> tensor<2x4x5x6xf32>
    %61 = stablehlo.reshape %59 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %27, %25, %61, %57, %38, %60 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>
  }
}
// form: step_linen | full +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.sqrt %cst : tensor<f32>
    %1 = stablehlo.convert %0 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %3 = stablehlo.divide %arg0, %2 : tensor<2x5x4x3xf32>
    %4 = stablehlo.dot_general %3, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.multiply %13, %13 : tensor<2x4x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.divide %17, %16 : tensor<2x4x5x1xf32>
    %19 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<2x5x4x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %24 = stablehlo.multiply %20, %23 : tensor<2x5x4x3xf32>
    %25 = stablehlo.multiply %23, %20 : tensor<2x5x4x3xf32>
    %26 = stablehlo.add %24, %25 : tensor<2x5x4x3xf32>
    %27 = stablehlo.transpose %26, dims = [0, 2, 3, 1] : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
    %28 = stablehlo.dot_general %27, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %29 = stablehlo.dot_general %27, %15, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %30 = stablehlo.transpose %29, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %31 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %32 = stablehlo.multiply %28, %31 : tensor<2x4x5x6xf32>
    %33 = stablehlo.multiply %32, %11 : tensor<2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %36 = stablehlo.negate %35 : tensor<2x4x5x1xf32>
    %37 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %38 = stablehlo.divide %28, %37 : tensor<2x4x5x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%36 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
    %41 = stablehlo.add %38, %40 : tensor<2x4x5x6xf32>
    %42 = stablehlo.multiply %41, %11 : tensor<2x4x5x6xf32>
    %43 = stablehlo.dot_general %42, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x3xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %45 = stablehlo.dot_general %42, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x3xf32>
    %46 = stablehlo.transpose %45, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    %47 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %48 = stablehlo.divide %46, %47 : tensor<2x5x4x3xf32>
    return %22, %20, %48, %44, %30 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>
  }
}
// form: step_bhtd | causal +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x4x5x3xf32>, %arg2: tensor<2x4x5x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x4x5x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x4x5x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x4x5x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x4x5x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %6 = stablehlo.dot_general %arg0, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9:2 = call @_where(%4, %8, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> (tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %15 = stablehlo.subtract %9#0, %14 : tensor<2x4x5x5xf32>
    %16 = stablehlo.exponential %15 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x4x5x5xf32>
    %21 = stablehlo.multiply %18, %18 : tensor<2x4x5x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %23 = stablehlo.divide %22, %21 : tensor<2x4x5x1xf32>
    %24 = stablehlo.dot_general %20, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<2x4x5x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x5x3xf32>
    %28 = stablehlo.multiply %24, %27 : tensor<2x4x5x3xf32>
    %29 = stablehlo.multiply %27, %24 : tensor<2x4x5x3xf32>
    %30 = stablehlo.add %28, %29 : tensor<2x4x5x3xf32>
    %31 = stablehlo.dot_general %30, %20, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %32 = stablehlo.transpose %31, dims = [0, 1, 3, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x4x5x3xf32>
    %33 = stablehlo.dot_general %30, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x5xf32>
    %34 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<2x4x5x5xf32>
    %36 = stablehlo.multiply %35, %16 : tensor<2x4x5x5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %39 = stablehlo.negate %38 : tensor<2x4x5x1xf32>
    %40 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %41 = stablehlo.divide %33, %40 : tensor<2x4x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%39 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x5xf32>
    %44 = stablehlo.add %41, %43 : tensor<2x4x5x5xf32>
    %45 = stablehlo.multiply %44, %16 : tensor<2x4x5x5xf32>
    %46 = call @_where_0(%9#1, %45) : (tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<2x4x5x5xf32>
    %49 = stablehlo.dot_general %48, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    %50 = stablehlo.transpose %49, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %51 = stablehlo.dot_general %48, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x3xf32>
    %52 = stablehlo.transpose %50, dims = [0, 1, 3, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x4x5x3xf32>
    return %26, %24, %51, %52, %32 : tensor<f32>, tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> (tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3, %1 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %1 : tensor<2x4x5x5xf32>
  }
}
// form: step_cap | causal cap=1.5 +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x4x5x5xf32>
    %10 = stablehlo.tanh %9 : tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %14 = stablehlo.multiply %13, %10 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %15:2 = call @_where(%4, %14, %cst_3) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> (tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>)
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15#0 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %21 = stablehlo.subtract %15#0, %20 : tensor<2x4x5x5xf32>
    %22 = stablehlo.exponential %21 : tensor<2x4x5x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x4x5x5xf32>
    %27 = stablehlo.multiply %24, %24 : tensor<2x4x5x1xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %29 = stablehlo.divide %28, %27 : tensor<2x4x5x1xf32>
    %30 = stablehlo.dot_general %arg2, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %31 = stablehlo.transpose %30, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %32 = stablehlo.multiply %31, %31 : tensor<2x5x4x3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %35 = stablehlo.multiply %31, %34 : tensor<2x5x4x3xf32>
    %36 = stablehlo.multiply %34, %31 : tensor<2x5x4x3xf32>
    %37 = stablehlo.add %35, %36 : tensor<2x5x4x3xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 3, 1] : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
    %39 = stablehlo.dot_general %38, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %40 = stablehlo.dot_general %38, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %42 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %43 = stablehlo.multiply %39, %42 : tensor<2x4x5x5xf32>
    %44 = stablehlo.multiply %43, %22 : tensor<2x4x5x5xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %46 = stablehlo.reshape %45 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %47 = stablehlo.negate %46 : tensor<2x4x5x1xf32>
    %48 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %49 = stablehlo.divide %39, %48 : tensor<2x4x5x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x5xf32>
    %52 = stablehlo.add %49, %51 : tensor<2x4x5x5xf32>
    %53 = stablehlo.multiply %52, %22 : tensor<2x4x5x5xf32>
    %54 = call @_where_0(%15#1, %53) : (tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_12 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<2x4x5x5xf32>
    %57 = stablehlo.multiply %56, %12 : tensor<2x4x5x5xf32>
    %58 = stablehlo.multiply %57, %10 : tensor<2x4x5x5xf32>
    %59 = stablehlo.add %57, %58 : tensor<2x4x5x5xf32>
    %cst_13 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %61 = stablehlo.divide %59, %60 : tensor<2x4x5x5xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<2x4x5x5xf32>
    %64 = stablehlo.dot_general %63, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x3xf32>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    %66 = stablehlo.dot_general %63, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x3xf32>
    %67 = stablehlo.transpose %66, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    return %33, %31, %67, %65, %41 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> (tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3, %1 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %1 : tensor<2x4x5x5xf32>
  }
}
// form: step_by_hand | full +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %2, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.multiply %9, %9 : tensor<2x4x5x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<2x4x5x1xf32>
    %15 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<2x5x4x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<2x5x4x3xf32>
    %21 = stablehlo.multiply %19, %16 : tensor<2x5x4x3xf32>
    %22 = stablehlo.add %20, %21 : tensor<2x5x4x3xf32>
    %23 = stablehlo.transpose %22, dims = [0, 2, 3, 1] : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
    %24 = stablehlo.dot_general %23, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %25 = stablehlo.dot_general %23, %11, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %27 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %28 = stablehlo.multiply %24, %27 : tensor<2x4x5x6xf32>
    %29 = stablehlo.multiply %28, %7 : tensor<2x4x5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %32 = stablehlo.negate %31 : tensor<2x4x5x1xf32>
    %33 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %34 = stablehlo.divide %24, %33 : tensor<2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%32 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
    %37 = stablehlo.add %34, %36 : tensor<2x4x5x6xf32>
    %38 = stablehlo.multiply %37, %7 : tensor<2x4x5x6xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<2x4x5x6xf32>
    %41 = stablehlo.dot_general %40, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x3xf32>
    %42 = stablehlo.transpose %41, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %43 = stablehlo.dot_general %40, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x3xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    return %18, %16, %44, %42, %26 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>
  }
}
// form: step_dropout | multiplier +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x6x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<2x4x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<2x4x5x1xf32>
    %cst_4 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %13, %17 : tensor<2x4x5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = call @_where(%arg3, %18, %cst_5) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %22 = stablehlo.multiply %21, %21 : tensor<2x5x4x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %25 = stablehlo.multiply %21, %24 : tensor<2x5x4x3xf32>
    %26 = stablehlo.multiply %24, %21 : tensor<2x5x4x3xf32>
    %27 = stablehlo.add %25, %26 : tensor<2x5x4x3xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 3, 1] : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
    %29 = stablehlo.dot_general %28, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %30 = stablehlo.dot_general %28, %19, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
    %31 = stablehlo.transpose %30, dims = [0, 3, 1, 2] : (tensor<2x4x3x6xf32>) -> tensor<2x6x4x3xf32>
    %32 = call @_where_0(%arg3, %29) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %cst_8 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %34 = stablehlo.divide %32, %33 : tensor<2x4x5x6xf32>
    %35 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %36 = stablehlo.multiply %34, %35 : tensor<2x4x5x6xf32>
    %37 = stablehlo.multiply %36, %9 : tensor<2x4x5x6xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %40 = stablehlo.negate %39 : tensor<2x4x5x1xf32>
    %41 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %42 = stablehlo.divide %34, %41 : tensor<2x4x5x6xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%40 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
    %45 = stablehlo.add %42, %44 : tensor<2x4x5x6xf32>
    %46 = stablehlo.multiply %45, %9 : tensor<2x4x5x6xf32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<2x4x5x6xf32>
    %49 = stablehlo.dot_general %48, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x3xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1, 3] : (tensor<2x4x6x3xf32>) -> tensor<2x6x4x3xf32>
    %51 = stablehlo.dot_general %48, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x3xf32>
    %52 = stablehlo.transpose %51, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    return %23, %21, %52, %50, %31 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %1 : tensor<2x4x5x6xf32>
  }
}
// form: step_block | causal +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x4x3xf32>, %arg2: tensor<8x4x3xf32>, %arg3: tensor<8x4x3xf32>, %arg4: tensor<4x3x8xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x8xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x8xf32> {jax.result_info = "result[1][0]"}, tensor<8x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<8x4x3xf32> {jax.result_info = "result[1][2]"}, tensor<8x4x3xf32> {jax.result_info = "result[1][3]"}, tensor<4x3x8xf32> {jax.result_info = "result[1][4]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x3xf32>) -> tensor<2x5x4x3xf32>
    %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x3xf32>) -> tensor<2x5x4x3xf32>
    %2 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x3xf32>) -> tensor<2x5x4x3xf32>
    %3 = stablehlo.reshape %0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %4 = stablehlo.dot_general %3, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %9 = call @tril(%8) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %12 = stablehlo.and %7, %11 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %13:2 = call @_where(%12, %6, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<1x2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %19 = stablehlo.subtract %13#0, %18 : tensor<1x2x4x5x5xf32>
    %20 = stablehlo.exponential %19 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %24 = stablehlo.divide %20, %23 : tensor<1x2x4x5x5xf32>
    %25 = stablehlo.multiply %22, %22 : tensor<1x2x4x5x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<1x2x4x5x1xf32>
    %28 = stablehlo.dot_general %2, %24, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %29 = stablehlo.transpose %28, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %30 = stablehlo.transpose %29, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %32 = stablehlo.dot_general %31, %arg4, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<4x3x8xf32>) -> tensor<2x5x8xf32>
    %33 = stablehlo.multiply %32, %32 : tensor<2x5x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %36 = stablehlo.multiply %32, %35 : tensor<2x5x8xf32>
    %37 = stablehlo.multiply %35, %32 : tensor<2x5x8xf32>
    %38 = stablehlo.add %36, %37 : tensor<2x5x8xf32>
    %39 = stablehlo.dot_general %38, %31, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<2x5x4x3xf32>) -> tensor<8x4x3xf32>
    %40 = stablehlo.transpose %39, dims = [1, 2, 0] : (tensor<8x4x3xf32>) -> tensor<4x3x8xf32>
    %41 = stablehlo.dot_general %38, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<4x3x8xf32>) -> tensor<2x5x4x3xf32>
    %42 = stablehlo.reshape %41 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %43 = stablehlo.transpose %42, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %44 = stablehlo.transpose %43, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %45 = stablehlo.dot_general %44, %2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x1x5x5xf32>
    %46 = stablehlo.transpose %45, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %47 = stablehlo.dot_general %44, %24, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %48 = stablehlo.transpose %47, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %49 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %50 = stablehlo.multiply %46, %49 : tensor<1x2x4x5x5xf32>
    %51 = stablehlo.multiply %50, %20 : tensor<1x2x4x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %53 = stablehlo.reshape %52 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %54 = stablehlo.negate %53 : tensor<1x2x4x5x1xf32>
    %55 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %56 = stablehlo.divide %46, %55 : tensor<1x2x4x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%54 init: %cst_9) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x5xf32>
    %60 = stablehlo.add %56, %59 : tensor<1x2x4x5x5xf32>
    %61 = stablehlo.multiply %60, %20 : tensor<1x2x4x5x5xf32>
    %62 = call @_where_0(%13#1, %61) : (tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    %cst_10 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %64 = stablehlo.multiply %62, %63 : tensor<2x4x5x1x5xf32>
    %65 = stablehlo.dot_general %64, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x5x3xf32>
    %66 = stablehlo.transpose %65, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    %67 = stablehlo.dot_general %64, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %68 = stablehlo.transpose %67, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %69 = stablehlo.reshape %68 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %70 = stablehlo.dot_general %48, %arg0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x8xf32>) -> tensor<4x3x8xf32>
    %71 = stablehlo.transpose %70, dims = [2, 0, 1] : (tensor<4x3x8xf32>) -> tensor<8x4x3xf32>
    %72 = stablehlo.dot_general %48, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<8x4x3xf32>) -> tensor<2x5x8xf32>
    %73 = stablehlo.dot_general %66, %arg0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x8xf32>) -> tensor<4x3x8xf32>
    %74 = stablehlo.transpose %73, dims = [2, 0, 1] : (tensor<4x3x8xf32>) -> tensor<8x4x3xf32>
    %75 = stablehlo.dot_general %66, %arg2, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<8x4x3xf32>) -> tensor<2x5x8xf32>
    %76 = stablehlo.add %72, %75 : tensor<2x5x8xf32>
    %77 = stablehlo.dot_general %69, %arg0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x8xf32>) -> tensor<4x3x8xf32>
    %78 = stablehlo.transpose %77, dims = [2, 0, 1] : (tensor<4x3x8xf32>) -> tensor<8x4x3xf32>
    %79 = stablehlo.dot_general %69, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<8x4x3xf32>) -> tensor<2x5x8xf32>
    %80 = stablehlo.add %76, %79 : tensor<2x5x8xf32>
    return %34, %32, %80, %78, %74, %71, %40 : tensor<f32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<8x4x3xf32>, tensor<8x4x3xf32>, tensor<8x4x3xf32>, tensor<4x3x8xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4, %1 : tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x4x5x5xi1>, %arg1: tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    return %2 : tensor<2x4x5x1x5xf32>
  }
}
// form: step_of_two | causal +grad; causal +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = call @tril(%5) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %9 = stablehlo.and %4, %8 : tensor<2x4x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10:2 = call @_where(%9, %3, %cst_1) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %16 = stablehlo.subtract %10#0, %15 : tensor<1x2x4x5x5xf32>
    %17 = stablehlo.exponential %16 : tensor<1x2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x2x4x5x5xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<1x2x4x5x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<1x2x4x5x1xf32>
    %25 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %26 = stablehlo.transpose %25, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %27 = stablehlo.transpose %26, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %29 = stablehlo.reshape %28 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %30 = stablehlo.dot_general %29, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x5xf32>
    %cst_6 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<2x4x5x1x5xf32>
    %c_7 = stablehlo.constant dense<true> : tensor<i1>
    %33 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i1>) -> tensor<2x4x5x5xi1>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %34 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %35 = call @tril(%34) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %36 = stablehlo.broadcast_in_dim %35, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x4x5x5xi1>
    %38 = stablehlo.and %33, %37 : tensor<2x4x5x5xi1>
    %cst_9 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %39:2 = call @_where(%38, %32, %cst_9) : (tensor<2x4x5x5xi1>, tensor<2x4x5x1x5xf32>, tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>)
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%39#0 init: %cst_10) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x2x4x5xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<1x2x4x5xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %45 = stablehlo.subtract %39#0, %44 : tensor<1x2x4x5x5xf32>
    %46 = stablehlo.exponential %45 : tensor<1x2x4x5x5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_12) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %50 = stablehlo.divide %46, %49 : tensor<1x2x4x5x5xf32>
    %51 = stablehlo.multiply %48, %48 : tensor<1x2x4x5x1xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x1xf32>
    %53 = stablehlo.divide %52, %51 : tensor<1x2x4x5x1xf32>
    %54 = stablehlo.dot_general %arg2, %50, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x1x5xf32>
    %55 = stablehlo.transpose %54, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %56 = stablehlo.transpose %55, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %57 = stablehlo.reshape %56 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %58 = stablehlo.multiply %57, %57 : tensor<2x5x4x3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %61 = stablehlo.multiply %57, %60 : tensor<2x5x4x3xf32>
    %62 = stablehlo.multiply %60, %57 : tensor<2x5x4x3xf32>
    %63 = stablehlo.add %61, %62 : tensor<2x5x4x3xf32>
    %64 = stablehlo.reshape %63 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %65 = stablehlo.transpose %64, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %66 = stablehlo.transpose %65, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %67 = stablehlo.dot_general %66, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x1x5x5xf32>
    %68 = stablehlo.transpose %67, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %69 = stablehlo.dot_general %66, %50, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %70 = stablehlo.transpose %69, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %71 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %72 = stablehlo.multiply %68, %71 : tensor<1x2x4x5x5xf32>
    %73 = stablehlo.multiply %72, %46 : tensor<1x2x4x5x5xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_16) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %75 = stablehlo.reshape %74 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %76 = stablehlo.negate %75 : tensor<1x2x4x5x1xf32>
    %77 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %78 = stablehlo.divide %68, %77 : tensor<1x2x4x5x5xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%76 init: %cst_17) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x5xf32>
    %82 = stablehlo.add %78, %81 : tensor<1x2x4x5x5xf32>
    %83 = stablehlo.multiply %82, %46 : tensor<1x2x4x5x5xf32>
    %84 = call @_where_0(%39#1, %83) : (tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    %cst_18 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %86 = stablehlo.multiply %84, %85 : tensor<2x4x5x1x5xf32>
    %87 = stablehlo.dot_general %86, %29, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x5x3xf32>
    %88 = stablehlo.transpose %87, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    %89 = stablehlo.dot_general %86, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %90 = stablehlo.transpose %89, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %91 = stablehlo.reshape %90 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    %92 = stablehlo.reshape %91 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %93 = stablehlo.transpose %92, dims = [3, 0, 1, 2, 4] : (tensor<2x5x4x1x3xf32>) -> tensor<1x2x5x4x3xf32>
    %94 = stablehlo.transpose %93, dims = [1, 3, 4, 0, 2] : (tensor<1x2x5x4x3xf32>) -> tensor<2x4x3x1x5xf32>
    %95 = stablehlo.dot_general %94, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x1x5x5xf32>
    %96 = stablehlo.transpose %95, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %97 = stablehlo.dot_general %94, %21, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x1x5xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %98 = stablehlo.transpose %97, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %99 = stablehlo.add %70, %98 : tensor<2x5x4x3xf32>
    %100 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %101 = stablehlo.multiply %96, %100 : tensor<1x2x4x5x5xf32>
    %102 = stablehlo.multiply %101, %17 : tensor<1x2x4x5x5xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_19) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %104 = stablehlo.reshape %103 : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %105 = stablehlo.negate %104 : tensor<1x2x4x5x1xf32>
    %106 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %107 = stablehlo.divide %96, %106 : tensor<1x2x4x5x5xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.reduce(%105 init: %cst_20) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [1, 2, 3] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x5xf32>
    %111 = stablehlo.add %107, %110 : tensor<1x2x4x5x5xf32>
    %112 = stablehlo.multiply %111, %17 : tensor<1x2x4x5x5xf32>
    %113 = call @_where_0(%10#1, %112) : (tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    %cst_21 = stablehlo.constant dense<0.577350259> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %115 = stablehlo.multiply %113, %114 : tensor<2x4x5x1x5xf32>
    %116 = stablehlo.dot_general %115, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x1x3xf32>) -> tensor<2x4x5x3xf32>
    %117 = stablehlo.transpose %116, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    %118 = stablehlo.add %88, %117 : tensor<2x5x4x3xf32>
    %119 = stablehlo.dot_general %115, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x1x5xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x1x3xf32>
    %120 = stablehlo.transpose %119, dims = [0, 2, 1, 3, 4] : (tensor<2x4x5x1x3xf32>) -> tensor<2x5x4x1x3xf32>
    %121 = stablehlo.reshape %120 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %59, %57, %121, %118, %99 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x1x5xf32>, %arg2: tensor<f32>) -> (tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xi1>) -> tensor<1x2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x5x5xf32>) -> tensor<1x2x4x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    return %4, %1 : tensor<1x2x4x5x5xf32>, tensor<1x2x4x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x4x5x5xi1>, %arg1: tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4x5x5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x4x5x5xi1>, tensor<1x2x4x5x5xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x2x4x5x5xf32>) -> tensor<2x4x5x1x5xf32>
    return %2 : tensor<2x4x5x1x5xf32>
  }
}
// form: step_queries_only | full +grad
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0][0]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[0][1]"}, tensor<2x5x4x3xf32> {jax.result_info = "result[1][0]"}) {
    %cst = stablehlo.constant dense<"0xA8CF4B3E4C1B9A3E9C1432BFAE93753FE84618BFC420C3BEB063B63E20B5E9BE54DACDBEEA4868BFD2406E3F82FC443F00CA0A3C9439693F78BA643E50D645BE2800073F40B6713FF07947BF64E6D0BE9030813ED40D68BF74BA21BF58386EBF70BD6C3E2089DD3E6C936A3F708CC73D02EB33BF2CDA013F50AE513FB448BB3E0E390ABF306D973D806C1D3C50744A3F7C904BBF608A0DBFB8E64A3E12F7463F329E28BFF88E853E2C0A493FC07383BCEA47763FDE7A5FBF5CB995BE9453323F70090CBFCC974BBF00C6BDBD00E924BF385E5F3EE4545D3F84F9C43E2097CB3E6A70493F06FF77BF20817E3E80E5313CC0EDBCBDF0826EBE368006BFC02F06BEC41CC4BE886115BE88CEF33EB2761B3F3CD0993E820C223F9C369D3ED4F0F8BEF4F5EF3E6C254FBF300496BDF8597F3E24C4D5BEB44E5E3F107BCFBE38FA143E68CDD43EA0A0F53EC65356BF6003F2BEB0D1E03D8E7659BF825F11BF00A012BD18FC05BE00CBA9BCEA78783F2C55B7BE0093EBBB7CF68DBEB0BE35BEE810CDBE484A153E7A0F0E3FCC8B433F847CB7BE48C5DF3E2069FE3EACBE28BFBC2F723F80AFFD3C8EBF73BFDCDD04BFA24366BF98C8DF3EC0B3393DE00F14BF1416653FB809783F487F493E184EE63E20F5D63D86C461BF587B7F3E6CBA33BF685D5ABEE4128F3EE6754A3FD0D2ABBD683343BEE80FE53EFEEA31BF40EDFCBC3C53E93E58BEC53EE0F618BEC00A223E3CA2C4BE80C2F0BDAA534ABF085B773EACD1C53E00FFF43C504566BF44FDFB3E7ACC50BF7AEA2D3F90EBF7BE202762BD0080253D"> : tensor<2x6x4x3xf32>
    %cst_0 = stablehlo.constant dense<"0x5822F83ED6EA343F8812563FF8904E3FA071F73E18DDD33E04B8ADBE70BB8DBDD0A773BF74942ABF109A353E10EA25BE808B913CC04F123D8EFB0A3FF0BEDCBD449FA9BE00BD53BF30F055BE646DE63EA05446BF288E0DBEB061013EEC810A3F6C3DD1BE7C0EC7BEBAD2063F883D59BEAA2C73BF8CD482BEB4EF92BE3A2348BFA084AFBD242D5C3F9ACC693F9C4CB0BE4C1C54BF64C3CA3E7400553F989A65BE40CFE4BD00D415BDBA7410BFE8EECF3E14F964BF6A6378BFA4FAF2BE2C17233F76A0163FE8470E3FB61C3F3FAE0B453F98F9D63EB0FDA83E1CF5453F605BB43EE0275E3D54A0ACBE506F82BD564E2B3F98BB68BEA672693FAA5F59BF2CFDEC3E12EE5ABF40CDB33C107C1FBFD067933DC09ACFBC06FD323F50FF673E38BF7F3FE66836BF14E88EBE9048C4BDC082A13DC4E6B6BE648D0C3FD861B83EBC3B813EA87F06BFEE4215BFB05FF73D2012F33E8026F8BC808DEB3D408F99BD1031E03DA02A46BE52896C3F7C5FC53E8033CB3E0EF51F3FC0E4D33CB8C22BBEACD5F7BE20C63DBD58143D3F8CB3373F062B1ABF5077883D6E4843BF186D1D3F800F10BDB0A5AF3D02F2273FDE641B3F12AC67BFFA497C3F40A3B3BDF8EA46BEFE0C0B3FDCF028BF2AF076BF90EE47BEDCA546BF80CA57BD3815BFBE909B72BFB03500BF0246473F883BCBBEEE0D3BBF30299EBEF065533E32A9143F0274053F0CCD893E383882BEC0E132BF70CDAC3D025619BF60669C3E7CFF903EFCF3C6BEC491AF3EA88A8CBEF00D993ECC7BA7BE18CA7A3F80FC09BCB8E07DBF6009A4BD7878A3BE"> : tensor<2x6x4x3xf32>
    %0 = stablehlo.dot_general %arg0, %cst, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<2x4x5x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<2x4x5x1xf32>
    %17 = stablehlo.dot_general %cst_0, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<2x5x4x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_6) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x4x3xf32>
    %22 = stablehlo.multiply %18, %21 : tensor<2x5x4x3xf32>
    %23 = stablehlo.multiply %21, %18 : tensor<2x5x4x3xf32>
    %24 = stablehlo.add %22, %23 : tensor<2x5x4x3xf32>
    %25 = stablehlo.transpose %24, dims = [0, 2, 3, 1] : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
    %26 = stablehlo.dot_general %25, %cst_0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x3x5xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %27 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x4x5x6xf32>
    %29 = stablehlo.multiply %28, %9 : tensor<2x4x5x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %32 = stablehlo.negate %31 : tensor<2x4x5x1xf32>
    %33 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %34 = stablehlo.divide %26, %33 : tensor<2x4x5x6xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%32 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x6xf32>
    %37 = stablehlo.add %34, %36 : tensor<2x4x5x6xf32>
    %38 = stablehlo.multiply %37, %9 : tensor<2x4x5x6xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<2x4x5x6xf32>
    %41 = stablehlo.dot_general %40, %cst, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x3xf32>
    %42 = stablehlo.transpose %41, dims = [0, 2, 1, 3] : (tensor<2x4x5x3xf32>) -> tensor<2x5x4x3xf32>
    return %20, %18, %42 : tensor<f32>, tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>
  }
}
// form: one_key | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x1x4x3xf32>, %arg2: tensor<2x1x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x3xf32>, tensor<2x1x4x3xf32>) -> tensor<2x4x5x1x1xf32>
    %cst = stablehlo.constant dense<0.577350259> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x1xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4x5x1x1xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x1xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x1xf32>) -> tensor<1x2x4x5x1xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<1x2x4x5x1xf32>
    %11 = stablehlo.exponential %10 : tensor<1x2x4x5x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x1xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %14 = stablehlo.divide %11, %13 : tensor<1x2x4x5x1xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x1x4x3xf32>, tensor<1x2x4x5x1xf32>) -> tensor<2x4x3x1x5xf32>
    %16 = stablehlo.transpose %15, dims = [3, 0, 4, 1, 2] : (tensor<2x4x3x1x5xf32>) -> tensor<1x2x5x4x3xf32>
    %17 = stablehlo.transpose %16, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x3xf32>) -> tensor<2x5x4x1x3xf32>
    %18 = stablehlo.reshape %17 : (tensor<2x5x4x1x3xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
}
// form: base_three | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.power %3, %2 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %4, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_over_queries | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 3] : (tensor<2x4x5xf32>) -> tensor<2x4x1x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x1x5xf32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x5xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 3] : (tensor<2x4x5xf32>) -> tensor<2x4x1x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x1x5xf32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x5xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_over_heads | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x5x6xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x1x5x6xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x5x6xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x1x5x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_over_all | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2, 3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_over_sequences | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x6xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<4x5x6xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<4x5x6xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15 : tensor<2x5x4x3xf32>
  }
}
// form: softmax_twice | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x5x6xf32>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %26 : tensor<2x5x4x3xf32>
  }
}
// form: log_softmax | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = call @log_softmax(%2) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.dot_general %arg2, %3, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %5 = stablehlo.transpose %4, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %5 : tensor<2x5x4x3xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x4x5xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x4x5x6xf32>
    %6 = stablehlo.exponential %5 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.log %8 : tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    return %11 : tensor<2x4x5x6xf32>
  }
}
// form: sigmoid | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.negate %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.exponential %3 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.add %5, %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %7, %6 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: relu | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = call @relu(%2) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.dot_general %arg2, %3, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %5 = stablehlo.transpose %4, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %5 : tensor<2x5x4x3xf32>
  }
  func.func private @relu(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x4x5x6xf32>
    return %1 : tensor<2x4x5x6xf32>
  }
}
// form: exp_alone | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.dot_general %arg2, %3, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %5 = stablehlo.transpose %4, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %5 : tensor<2x5x4x3xf32>
  }
}
// form: sum_over_queries | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 3] : (tensor<2x4x5xf32>) -> tensor<2x4x1x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x1x5xf32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.divide %3, %6 : tensor<2x4x5x5xf32>
    %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %9 : tensor<2x5x4x3xf32>
  }
}
// form: sum_plus_number | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.divide %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.dot_general %arg2, %9, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %11 = stablehlo.transpose %10, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %11 : tensor<2x5x4x3xf32>
  }
}
// form: sum_of_squares | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %3, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: squares | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %4, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: mean_for_sum | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.sqrt %5 : tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %3, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: largest_for_sum | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.divide %3, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %9 : tensor<2x5x4x3xf32>
  }
}
// form: sum_of_others | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.exponential %arg3 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %3, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.dot_general %arg2, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %10 : tensor<2x5x4x3xf32>
  }
}
// form: maximum_of_keys | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 3] : (tensor<2x4x5xf32>) -> tensor<2x4x1x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x1x5xf32>) -> tensor<2x4x5x5xf32>
    %6 = stablehlo.subtract %2, %5 : tensor<2x4x5x5xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x5xf32>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %13 : tensor<2x5x4x3xf32>
  }
}
// form: expm1 | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential_minus_one %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.divide %3, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %9 : tensor<2x5x4x3xf32>
  }
}
// form: entropy | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.log %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: weights_returned | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x5x6xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15, %13 : tensor<2x5x4x3xf32>, tensor<2x4x5x6xf32>
  }
}
// form: scores_returned | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x5x6xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15, %2 : tensor<2x5x4x3xf32>, tensor<2x4x5x6xf32>
  }
}
// form: products_returned | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x5x6xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17, %2 : tensor<2x5x4x3xf32>, tensor<2x4x5x6xf32>
  }
}
// form: sums_returned | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x5x1xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.divide %3, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %9, %5 : tensor<2x5x4x3xf32>, tensor<2x4x5x1xf32>
  }
}
// form: maxima_returned | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x5x1xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.subtract %2, %5 : tensor<2x4x5x6xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.divide %7, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %13, %4 : tensor<2x5x4x3xf32>, tensor<2x4x5x1xf32>
  }
}
// form: weights_used_twice | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x6x4x7xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x5x4x7xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %16 = stablehlo.dot_general %arg3, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x7xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x7x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x7x5xf32>) -> tensor<2x5x4x7xf32>
    return %15, %17 : tensor<2x5x4x3xf32>, tensor<2x5x4x7xf32>
  }
}
// form: weights_mean | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x5x6xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x5x6xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x6xf32>
    %18 = stablehlo.divide %16, %17 : tensor<2x5x6xf32>
    return %15, %18 : tensor<2x5x4x3xf32>, tensor<2x5x6xf32>
  }
}
// form: weights_largest | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x5xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %16 = call @argmax(%13) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5xi32>
    return %15, %16 : tensor<2x5x4x3xf32>, tensor<2x4x5xi32>
  }
  func.func private @argmax(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5xi32> {
    %0 = stablehlo.iota dim = 3 : tensor<2x4x5x6xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<2x4x5x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<2x4x5xi32>
  }
}
// form: scores_shared | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.multiply %2, %16 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<2x4x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<2x4x5x6xf32>
    %24 = stablehlo.exponential %23 : tensor<2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %28 = stablehlo.divide %24, %27 : tensor<2x4x5x6xf32>
    %29 = stablehlo.dot_general %arg2, %28, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %30 = stablehlo.transpose %29, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    %31 = stablehlo.add %15, %30 : tensor<2x5x4x3xf32>
    return %31 : tensor<2x5x4x3xf32>
  }
}
// form: scores_squared | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = chlo.square %2 : tensor<2x4x5x6xf32> -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: scores_absolute | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.abs %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: scores_clipped | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %3 = call @clip(%2, %c, %c_0) : (tensor<2x4x5x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @clip(%arg0: tensor<2x4x5x6xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<2x4x5x6xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<2x4x5x6xf32>
    return %5 : tensor<2x4x5x6xf32>
  }
}
// form: scores_clipped_above | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.minimum %2, %3 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: scale_per_key | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.multiply %2, %4 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x4x5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
}
// form: scale_per_query | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<5xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [2, 3] : (tensor<5x1xf32>) -> tensor<1x1x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x5x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.multiply %2, %5 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
}
// form: scale_per_head | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.multiply %2, %5 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
}
// form: scale_given | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<f32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: scale_by_own_norm | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.sqrt %5 : tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.divide %2, %7 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
}
// form: scores_plus_row_mean | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.multiply %2, %7 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
}
// form: cap_by_sine | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.sine %2 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: cap_behind_bias | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.divide %5, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.tanh %7 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.exponential %16 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x4x5x6xf32>
    %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %23 : tensor<2x5x4x3xf32>
  }
}
// form: cap_behind_mask | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<-9.000000e+00> : tensor<f32>
    %8 = call @_where(%4, %7, %cst_0) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x4x5x5xf32>
    %11 = stablehlo.tanh %10 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x5x5xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x5x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x5x5xf32>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %26 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
// form: cap_twice | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x4x5x6xf32>
    %5 = stablehlo.tanh %4 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.tanh %9 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.exponential %18 : tensor<2x4x5x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x4x5x6xf32>
    %24 = stablehlo.dot_general %arg2, %23, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %25 : tensor<2x5x4x3xf32>
  }
}
// form: products_of_three | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.multiply %2, %arg3 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: distances | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 3, 4] : (tensor<2x5x4x3xf32>) -> tensor<2x5x1x4x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2, 3, 4] : (tensor<2x6x4x3xf32>) -> tensor<2x1x6x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3, 4] : (tensor<2x5x1x4x3xf32>) -> tensor<2x5x6x4x3xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3, 4] : (tensor<2x1x6x4x3xf32>) -> tensor<2x5x6x4x3xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<2x5x6x4x3xf32>
    %5 = chlo.square %4 : tensor<2x5x6x4x3xf32> -> tensor<2x5x6x4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [4] : (tensor<2x5x6x4x3xf32>, tensor<f32>) -> tensor<2x5x6x4xf32>
    %7 = stablehlo.transpose %6, dims = [0, 3, 1, 2] : (tensor<2x5x6x4xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.negate %7 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
}
// form: talking_heads_before | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x4xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.dot_general %arg3, %2, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<2x4x5x6xf32>) -> tensor<4x2x5x6xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0, 2, 3] : (tensor<4x2x5x6xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x4x5x6xf32>
    %8 = stablehlo.multiply %4, %7 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
}
// form: talking_heads_behind | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<4x4xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %arg3, %13, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<2x4x5x6xf32>) -> tensor<4x2x5x6xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0, 2, 3] : (tensor<4x2x5x6xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: weights_times_scores | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.multiply %13, %2 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: weights_times_floats | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.multiply %13, %arg3 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: weights_times_gates | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.negate %arg3 : tensor<2x6xf32>
    %15 = stablehlo.exponential %14 : tensor<2x6xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %17 = stablehlo.add %16, %15 : tensor<2x6xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %19 = stablehlo.divide %18, %17 : tensor<2x6xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 3] : (tensor<2x6xf32>) -> tensor<2x1x1x6xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xf32>) -> tensor<2x4x5x6xf32>
    %22 = stablehlo.multiply %13, %21 : tensor<2x4x5x6xf32>
    %23 = stablehlo.dot_general %arg2, %22, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %24 : tensor<2x5x4x3xf32>
  }
}
// form: weights_plus_number | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.add %13, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: weights_plus_identity | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x5xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x5xf32>
    %14 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %15 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %17 = stablehlo.add %14, %16 : tensor<5x5xi32>
    %18 = stablehlo.compare EQ, %17, %15, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %19 = stablehlo.convert %18 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %22 = stablehlo.add %13, %21 : tensor<2x4x5x5xf32>
    %23 = stablehlo.dot_general %arg2, %22, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %24 : tensor<2x5x4x3xf32>
  }
}
// form: weights_less_mean | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %cst_4 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<2x4x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x5x6xf32>
    %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %21 : tensor<2x5x4x3xf32>
  }
}
// form: weights_normalised_twice | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x4x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = call @_where(%arg3, %13, %cst_3) : (tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x4x5x6xf32>
    %19 = stablehlo.dot_general %arg2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %20 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
}
// form: weights_squared | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = chlo.square %13 : tensor<2x4x5x6xf32> -> tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: weights_cumulated | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = call @cumsum(%13) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    return %0 : tensor<2x4x5x6xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [5, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 6>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    return %1 : tensor<2x4x5x6xf32>
  }
}
// form: weights_reversed | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.reverse %13, dims = [3] : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
}
// form: weights_rolled | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = call @_roll_static(%13) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @_roll_static(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.slice %arg0 [0:2, 0:4, 0:5, 5:6] : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x1xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:4, 0:5, 0:5] : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 3 : (tensor<2x4x5x1xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x6xf32>
    return %2 : tensor<2x4x5x6xf32>
  }
}
// form: weights_cut | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.slice %13 [0:2, 0:4, 0:5, 1:6] : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x5xf32>
    %15 = stablehlo.slice %arg2 [0:2, 1:6, 0:4, 0:3] : (tensor<2x6x4x3xf32>) -> tensor<2x5x4x3xf32>
    %16 = stablehlo.dot_general %15, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
}
// form: weights_transposed | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x5xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x5xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %15 : tensor<2x5x4x3xf32>
  }
}
// form: weights_summed_over_queries | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %15 = stablehlo.dot_general %14, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x3xf32>
    return %15 : tensor<2x4x3xf32>
  }
}
// form: weights_summed_over_heads | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0] x [0], contracting_dims = [1, 3] x [2, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x5x6xf32>, tensor<2x6x4x3xf32>) -> tensor<2x5x3xf32>
    return %14 : tensor<2x5x3xf32>
  }
}
// form: weights_of_diagonal | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x5x4x3xf32>, %arg2: tensor<2x5x4x3xf32>) -> (tensor<2x5x4x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x5x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x5xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x5xf32>
    %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2, 1] x [0, 1, 3], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x3x5xf32>
    %15 = stablehlo.transpose %14, dims = [0, 4, 1, 2, 3] : (tensor<2x4x5x3x5xf32>) -> tensor<2x5x4x5x3xf32>
    return %15 : tensor<2x5x4x5x3xf32>
  }
}
// form: no_values | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x4x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x5xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x5x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%arg2 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x6x4x3xf32>, tensor<f32>) -> tensor<f32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %17 = stablehlo.add %14, %16 : tensor<2x4x6xf32>
    return %17 : tensor<2x4x6xf32>
  }
}
// form: no_keys | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x6xf32>, %arg1: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x4x5xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x4x5x6xf32>
    %6 = stablehlo.exponential %5 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.divide %6, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.dot_general %arg1, %10, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %12 = stablehlo.transpose %11, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %12 : tensor<2x5x4x3xf32>
  }
}
// form: scores_summed | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = call @cumsum(%2) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x4x5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x4x5x6xf32>
    %15 = stablehlo.dot_general %arg2, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %16 : tensor<2x5x4x3xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    return %0 : tensor<2x4x5x6xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [5, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 6>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    return %1 : tensor<2x4x5x6xf32>
  }
}
// form: two_exponentials | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x4x5x6xf32>
    %4 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x5x4x3xf32>) -> tensor<2x4x6x5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6x5xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x4x6x5xf32>
    %7 = stablehlo.transpose %6, dims = [0, 1, 3, 2] : (tensor<2x4x6x5xf32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x5x6xf32>
    %10 = stablehlo.exponential %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.add %3, %10 : tensor<2x4x5x6xf32>
    %12 = stablehlo.add %3, %10 : tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %16 = stablehlo.divide %11, %15 : tensor<2x4x5x6xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %18 : tensor<2x5x4x3xf32>
  }
}
// form: masks_of_two_numbers | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>, %arg4: tensor<2x1x5x6xi1>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
    %3 = call @_where(%arg4, %2, %cst_0) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<-5.000000e+00> : tensor<f32>
    %4 = call @_where(%arg3, %3, %cst_1) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<2x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<2x4x5x6xf32>
    %11 = stablehlo.exponential %10 : tensor<2x4x5x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %15 = stablehlo.divide %11, %14 : tensor<2x4x5x6xf32>
    %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %17 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: bias_behind_small_mask | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x4x3xf32>, %arg1: tensor<2x6x4x3xf32>, %arg2: tensor<2x6x4x3xf32>, %arg3: tensor<2x1x5x6xi1>, %arg4: tensor<4x5x6xf32>) -> (tensor<2x5x4x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x4x5x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x5x6xf32>
    %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
    %3 = call @_where(%arg3, %2, %cst_0) : (tensor<2x1x5x6xi1>, tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5x6xf32>
    %4 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2, 3] : (tensor<4x5x6xf32>) -> tensor<1x4x5x6xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
    %6 = stablehlo.add %3, %5 : tensor<2x4x5x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x5x6xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x5x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x6xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x5x6xf32>
    %18 = stablehlo.dot_general %arg2, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x3xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 1, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x5x4x3xf32>
    return %19 : tensor<2x5x4x3xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x5x6xi1>, %arg1: tensor<2x4x5x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x5x6xi1>) -> tensor<2x4x5x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x5x6xi1>, tensor<2x4x5x6xf32>
    return %3 : tensor<2x4x5x6xf32>
  }
}
// form: classifier | -
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<6x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x6xf32>) -> tensor<2x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x6xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x6xf32>
    %9 = stablehlo.exponential %8 : tensor<2x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x6xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x6xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x6xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %17 = stablehlo.subtract %15, %16 : tensor<2x6xf32>
    %18 = stablehlo.tanh %17 : tensor<2x6xf32>
    %19 = stablehlo.dot_general %18, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x3xf32>) -> tensor<2x3xf32>
    return %19 : tensor<2x3xf32>
  }
}
