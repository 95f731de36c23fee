module @jit_quantized_like attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8xf32>, %arg1: tensor<8x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.abs %arg0 : tensor<3x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<3x8xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %cst_0 = stablehlo.constant dense<1.270000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<3x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x8xf32>
    %6 = stablehlo.divide %arg0, %5 : tensor<3x8xf32>
    %7 = call @round(%6) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %c = stablehlo.constant dense<-128> : tensor<i32>
    %c_1 = stablehlo.constant dense<127> : tensor<i32>
    %8 = call @clip(%7, %c, %c_1) : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
    %9 = stablehlo.convert %8 : (tensor<3x8xf32>) -> tensor<3x8xi8>
    %10 = stablehlo.abs %arg1 : tensor<8x4xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_3 = stablehlo.constant dense<1.270000e+02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %14 = stablehlo.divide %12, %13 : tensor<1x4xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %16 = stablehlo.divide %arg1, %15 : tensor<8x4xf32>
    %17 = call @round_0(%16) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %c_4 = stablehlo.constant dense<-128> : tensor<i32>
    %c_5 = stablehlo.constant dense<127> : tensor<i32>
    %18 = call @clip_1(%17, %c_4, %c_5) : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %19 = stablehlo.convert %18 : (tensor<8x4xf32>) -> tensor<8x4xi8>
    %20 = stablehlo.dot_general %9, %19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x8xi8>, tensor<8x4xi8>) -> tensor<3x4xi32>
    %21 = stablehlo.convert %20 : (tensor<3x4xi32>) -> tensor<3x4xf32>
    %22 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<3x4xf32>
    %24 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
    %25 = stablehlo.multiply %23, %24 : tensor<3x4xf32>
    return %25 : tensor<3x4xf32>
  }
  func.func private @round(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<3x8xf32>
    return %0 : tensor<3x8xf32>
  }
  func.func private @clip(%arg0: tensor<3x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<3x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<3x8xf32>
    return %5 : tensor<3x8xf32>
  }
  func.func private @round_0(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
  func.func private @clip_1(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
}
