module @jit_select_and_gather_add attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %1 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %3 = stablehlo.add %0, %2 : tensor<5x5xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.convert %4 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %6 = stablehlo.slice %5 [0:5, 0:5] : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %7 = stablehlo.convert %6 : tensor<5x5xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.reduce_window"(%arg0, %8) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %63 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %63 : tensor<f32>
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11:2 = "stablehlo.reduce_window"(%10, %7, %cst_0, %cst_1) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>):
      %63 = stablehlo.compare GE, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %64 = stablehlo.select %63, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %65 = stablehlo.select %63, %arg2, %arg4 : tensor<i1>, tensor<f32>
      stablehlo.return %64, %65 : tensor<f32>, tensor<f32>
    }) : (tensor<5x5xf32>, tensor<5x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<5x4xf32>, tensor<5x4xf32>)
    %12 = stablehlo.multiply %9, %9 : tensor<4xf32>
    %13 = stablehlo.multiply %12, %9 : tensor<4xf32>
    %14 = stablehlo.multiply %9, %9 : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<5x4xf32>
    %19 = stablehlo.multiply %11#1, %18 : tensor<5x4xf32>
    %20 = stablehlo.multiply %9, %9 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.multiply %21, %9 : tensor<4xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<5x4xf32>
    %25 = stablehlo.multiply %11#1, %24 : tensor<5x4xf32>
    %cst_4 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %27 = stablehlo.multiply %26, %20 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %29 = stablehlo.multiply %28, %25 : tensor<5x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%13 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%19 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5xf32>
    %32 = stablehlo.iota dim = 0 : tensor<1x1xi32>
    %33 = stablehlo.iota dim = 1 : tensor<1x1xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %35 = stablehlo.add %32, %34 : tensor<1x1xi32>
    %36 = stablehlo.compare EQ, %35, %33, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %37 = stablehlo.convert %36 : (tensor<1x1xi1>) -> tensor<1x1xf32>
    %38 = stablehlo.slice %37 [0:1, 0:1] : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x1xf32>) -> tensor<1xf32>
    %40 = stablehlo.convert %39 : tensor<1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<1xf32>) -> tensor<1x4xf32>
    %42 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %43 = stablehlo.broadcast_in_dim %29, dims = [0, 2] : (tensor<5x4xf32>) -> tensor<5x1x4xf32>
    %44 = stablehlo.multiply %41, %42 : tensor<1x4xf32>
    %45 = stablehlo.broadcast_in_dim %41, dims = [1, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<5x1x4xf32>
    %47 = stablehlo.multiply %46, %43 : tensor<5x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %49 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<5x5xf32>) -> tensor<5x1x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.pad %48, %cst_9, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<1x5xf32>, tensor<f32>) -> tensor<1x5xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = "stablehlo.select_and_scatter"(%50, %44, %cst_10) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %63 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %63 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %63 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %63 : tensor<f32>
    }) : (tensor<1x5xf32>, tensor<1x4xf32>, tensor<f32>) -> tensor<1x5xf32>
    %52 = stablehlo.slice %51 [0:1, 0:5] : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %53 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<1x5xf32>) -> tensor<5x1x5xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %54 = stablehlo.pad %53, %cst_11, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<5x1x5xf32>, tensor<f32>) -> tensor<5x1x5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = "stablehlo.select_and_scatter"(%54, %47, %cst_12) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %63 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %63 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %63 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %63 : tensor<f32>
    }) : (tensor<5x1x5xf32>, tensor<5x1x4xf32>, tensor<f32>) -> tensor<5x1x5xf32>
    %56 = stablehlo.slice %55 [0:5, 0:1, 0:5] : (tensor<5x1x5xf32>) -> tensor<5x1x5xf32>
    %57 = stablehlo.slice %52 [0:1, 0:5] : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %58 = stablehlo.slice %56 [0:5, 0:1, 0:5] : (tensor<5x1x5xf32>) -> tensor<5x1x5xf32>
    %59 = stablehlo.reshape %57 : (tensor<1x5xf32>) -> tensor<5xf32>
    %60 = stablehlo.reshape %58 : (tensor<5x1x5xf32>) -> tensor<5x5xf32>
    %61 = stablehlo.transpose %60, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %62 = stablehlo.slice %61 [0:5, 0:5] : (tensor<5x5xf32>) -> tensor<5x5xf32>
    return %62 : tensor<5x5xf32>
  }
}
