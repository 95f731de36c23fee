// pass: raise
module @grouped {
  func.func public @main(%arg0: tensor<2x4x5x3xf32>, %arg1: tensor<2x2x5x3xf32>, %arg2: tensor<2x2x5x3xf32>) -> tensor<2x4x5x3xf32> {
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
    %9 = stablehlo.dot_general %arg0, %8, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) -> tensor<2x4x5x5xf32>
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
    %25 = stablehlo.dot_general %21, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
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
