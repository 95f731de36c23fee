// pass: raise
module @torch {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x2x5x3xf32>, %arg2: tensor<2x2x5x3xf32>) -> tensor<2x4x5x3xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %2 = stablehlo.iota dim = 0 : tensor<5xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %6 = stablehlo.subtract %4, %5 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %8 = stablehlo.compare LE, %6, %7, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %10 = stablehlo.and %8, %9 : tensor<5x5xi1>
    %11 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<2x2x5x3xf32>) -> tensor<2x2x2x5x3xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x2x2x5x3xf32>) -> tensor<2x4x5x3xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<2x2x5x3xf32>) -> tensor<2x2x2x5x3xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x2x2x5x3xf32>) -> tensor<2x4x5x3xf32>
    %cst = stablehlo.constant dense<0.75983566> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x3xf32>
    %16 = stablehlo.multiply %arg0, %15 : tensor<2x4x5x3xf32>
    %17 = stablehlo.transpose %12, dims = [0, 1, 3, 2] : (tensor<2x4x5x3xf32>) -> tensor<2x4x3x5xf32>
    %cst_1 = stablehlo.constant dense<0.75983566> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x3x5xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<2x4x3x5xf32>
    %20 = stablehlo.dot_general %16, %19, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = call @_where(%10, %cst_2, %cst_3) : (tensor<5x5xi1>, tensor<f32>, tensor<f32>) -> tensor<5x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %24 = stablehlo.add %20, %23 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %26 = stablehlo.compare EQ, %24, %25, FLOAT : (tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xi1>
    %27 = stablehlo.not %26 : tensor<2x4x5x5xi1>
    %c_5 = stablehlo.constant dense<false> : tensor<i1>
    %28 = stablehlo.reduce(%27 init: %c_5) applies stablehlo.or across dimensions = [3] : (tensor<2x4x5x5xi1>, tensor<i1>) -> tensor<2x4x5xi1>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x4x5xi1>) -> tensor<2x4x5x1xi1>
    %30 = stablehlo.not %29 : tensor<2x4x5x1xi1>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %33 = stablehlo.maximum %32, %31 : tensor<2x4x5xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %36 = stablehlo.subtract %24, %35 : tensor<2x4x5x5xf32>
    %37 = stablehlo.exponential %36 : tensor<2x4x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %41 = stablehlo.divide %37, %40 : tensor<2x4x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = call @_where_0(%30, %cst_9, %41) : (tensor<2x4x5x1xi1>, tensor<f32>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %43 = stablehlo.dot_general %42, %14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    return %43 : tensor<2x4x5x3xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x1xi1>, %arg1: tensor<f32>, %arg2: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xi1>) -> tensor<2x4x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}
