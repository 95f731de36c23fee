// pass: raise
module @step {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x4x5x3xf32>, %arg2: tensor<2x4x5x3xf32>) -> (tensor<f32>, tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %5 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %6 = stablehlo.dot_general %arg0, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x5xf32>
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
    %24 = stablehlo.dot_general %20, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<2x4x5x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x5x3xf32>
    %28 = stablehlo.multiply %24, %27 : tensor<2x4x5x3xf32>
    %29 = stablehlo.multiply %27, %24 : tensor<2x4x5x3xf32>
    %30 = stablehlo.add %28, %29 : tensor<2x4x5x3xf32>
    %31 = stablehlo.dot_general %30, %20, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x5x3xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x3x5xf32>
    %32 = stablehlo.transpose %31, dims = [0, 1, 3, 2] : (tensor<2x4x3x5xf32>) -> tensor<2x4x5x3xf32>
    %33 = stablehlo.dot_general %30, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x5xf32>
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
    %49 = stablehlo.dot_general %48, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    %50 = stablehlo.transpose %49, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %51 = stablehlo.dot_general %48, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x5x5xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x3xf32>
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
