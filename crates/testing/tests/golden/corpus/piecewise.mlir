module @jit_piecewise attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<-3.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %1 = stablehlo.compare LT, %arg0, %0, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_0 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %4 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<1x3x4xi1>
    %5 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<1x3x4xi1>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1x3x4xi1>, tensor<1x3x4xi1>) -> tensor<2x3x4xi1>
    %7 = call @_piecewise(%arg0, %6) : (tensor<3x4xf32>, tensor<2x3x4xi1>) -> tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %9 = stablehlo.compare LT, %arg0, %8, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %11 = stablehlo.compare GT, %arg0, %10, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %12 = stablehlo.negate %arg0 : tensor<3x4xf32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<3x4xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<1x3x4xi1>
    %15 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<1x3x4xi1>
    %16 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<1x3x4xi1>
    %17 = stablehlo.concatenate %14, %15, %16, dim = 0 : (tensor<1x3x4xi1>, tensor<1x3x4xi1>, tensor<1x3x4xi1>) -> tensor<3x3x4xi1>
    %18 = call @argmax_1(%17) : (tensor<3x3x4xi1>) -> tensor<3x4xi32>
    %cst_3 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %21 = stablehlo.compare LT, %18, %20, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %23 = stablehlo.compare LT, %18, %22, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %24 = stablehlo.select %23, %arg0, %12 : tensor<3x4xi1>, tensor<3x4xf32>
    %25 = stablehlo.select %21, %19, %24 : tensor<3x4xi1>, tensor<3x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %27 = stablehlo.compare GT, %arg0, %26, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %28 = call @_where(%27, %arg0, %c_7) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<i32>) -> tensor<3x4xf32>
    %cst_8 = stablehlo.constant dense<-2.000000e-01> : tensor<f32>
    %cst_9 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %29 = call @clip(%arg0, %cst_8, %cst_9) : (tensor<3x4xf32>, tensor<f32>, tensor<f32>) -> tensor<3x4xf32>
    return %7, %25, %28, %29 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @_piecewise(%arg0: tensor<3x4xf32>, %arg1: tensor<2x3x4xi1>) -> tensor<3x4xf32> {
    %0 = stablehlo.slice %arg1 [0:1, 0:3, 0:4] : (tensor<2x3x4xi1>) -> tensor<1x3x4xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1x3x4xi1>
    %2 = stablehlo.concatenate %1, %arg1, dim = 0 : (tensor<1x3x4xi1>, tensor<2x3x4xi1>) -> tensor<3x3x4xi1>
    %3 = call @cumsum(%2) : (tensor<3x3x4xi1>) -> tensor<3x3x4xi32>
    %4 = call @argmax(%3) : (tensor<3x3x4xi32>) -> tensor<3x4xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %7 = stablehlo.clamp %5, %4, %6 : tensor<3x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %9 = stablehlo.compare EQ, %7, %8, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %10 = stablehlo.select %9, %arg0, %arg0 : tensor<3x4xi1>, tensor<3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<3x4xf32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %14 = stablehlo.compare EQ, %7, %13, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %15 = stablehlo.select %14, %arg0, %arg0 : tensor<3x4xi1>, tensor<3x4xf32>
    %16 = stablehlo.sine %15 : tensor<3x4xf32>
    %c_4 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %18 = stablehlo.compare EQ, %7, %17, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %19 = stablehlo.select %18, %arg0, %arg0 : tensor<3x4xi1>, tensor<3x4xf32>
    %20 = stablehlo.cosine %19 : tensor<3x4xf32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %22 = stablehlo.compare LT, %7, %21, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3x4xi32>
    %24 = stablehlo.compare LT, %7, %23, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %25 = stablehlo.select %24, %16, %20 : tensor<3x4xi1>, tensor<3x4xf32>
    %26 = stablehlo.select %22, %12, %25 : tensor<3x4xi1>, tensor<3x4xf32>
    return %26 : tensor<3x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<3x3x4xi1>) -> tensor<3x3x4xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<3x3x4xi1>) -> tensor<3x3x4xi32>
    %1 = call @cumsum_0(%0) : (tensor<3x3x4xi32>) -> tensor<3x3x4xi32>
    return %1 : tensor<3x3x4xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<3x3x4xi32>) -> tensor<3x3x4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[2, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3x3x4xi32>, tensor<i32>) -> tensor<3x3x4xi32>
    return %1 : tensor<3x3x4xi32>
  }
  func.func private @argmax(%arg0: tensor<3x3x4xi32>) -> tensor<3x4xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<3x3x4xi32>
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<3x3x4xi32>, tensor<3x3x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<3x4xi32>, tensor<3x4xi32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
    }
    return %1#1 : tensor<3x4xi32>
  }
  func.func private @argmax_1(%arg0: tensor<3x3x4xi1>) -> tensor<3x4xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<3x3x4xi32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<3x3x4xi1>, tensor<3x3x4xi32>, tensor<i1>, tensor<i32>) -> (tensor<3x4xi1>, tensor<3x4xi32>)
     reducer(%arg1: tensor<i1>, %arg3: tensor<i1>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i1>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
    }
    return %1#1 : tensor<3x4xi32>
  }
  func.func private @_where(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf32>, %arg2: tensor<i32>) -> tensor<3x4xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<3x4xi1>, tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
  func.func private @clip(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<3x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x4xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<3x4xf32>
    return %5 : tensor<3x4xf32>
  }
}
