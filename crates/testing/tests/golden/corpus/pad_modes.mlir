module @jit_pad_modes attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<6x7xf32> {jax.result_info = "result[0]"}, tensor<6x7xf32> {jax.result_info = "result[1]"}, tensor<6x7xf32> {jax.result_info = "result[2]"}, tensor<6x7xf32> {jax.result_info = "result[3]"}, tensor<6x7xf32> {jax.result_info = "result[4]"}, tensor<6x7xf32> {jax.result_info = "result[5]"}, tensor<6x7xf32> {jax.result_info = "result[6]"}, tensor<6x7xf32> {jax.result_info = "result[7]"}, tensor<6x7xf32> {jax.result_info = "result[8]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad_0(%arg0, %c_0) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_pad_1(%arg0, %c_1) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @_pad_5(%arg0, %c_2) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_pad_6(%arg0, %c_3) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = call @_pad_7(%arg0, %c_4) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_pad_11(%arg0, %c_5) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %7 = call @_pad_12(%arg0, %c_6) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %8 = call @_pad_13(%arg0, %c_7) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>
  }
  func.func private @_pad(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 2], high = [2, 1], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<6x7xf32>
    return %1 : tensor<6x7xf32>
  }
  func.func private @_pad_0(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.slice %arg0 [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x2x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %7 = stablehlo.slice %6 [0:6, 0:1] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x2xf32>
    %9 = stablehlo.reshape %8 : (tensor<6x1x2xf32>) -> tensor<6x2xf32>
    %10 = stablehlo.slice %6 [0:6, 3:4] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<6x1x1xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %13 : tensor<6x7xf32>
  }
  func.func private @_pad_1(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %2 = call @_flip(%1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.concatenate %2, %arg0, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.slice %3 [3:4, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.slice %3 [1:3, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %6 = call @_flip_2(%5) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.concatenate %3, %6, dim = 0 : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %8 = stablehlo.slice %7 [0:6, 0:1] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.slice %7 [0:6, 1:3] : (tensor<6x4xf32>) -> tensor<6x2xf32>
    %10 = call @_flip_3(%9) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %11 = stablehlo.concatenate %10, %7, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>) -> tensor<6x6xf32>
    %12 = stablehlo.slice %11 [0:6, 5:6] : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.slice %11 [0:6, 4:5] : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %14 = call @_flip_4(%13) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %15 = stablehlo.concatenate %11, %14, dim = 1 : (tensor<6x6xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %15 : tensor<6x7xf32>
  }
  func.func private @_flip(%arg0: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
  func.func private @_flip_2(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @_flip_3(%arg0: tensor<6x2xf32>) -> tensor<6x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<6x2xf32>
    return %0 : tensor<6x2xf32>
  }
  func.func private @_flip_4(%arg0: tensor<6x1xf32>) -> tensor<6x1xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<6x1xf32>
    return %0 : tensor<6x1xf32>
  }
  func.func private @_pad_5(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %2 = call @_flip(%1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.concatenate %2, %arg0, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.slice %3 [3:4, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.slice %3 [2:4, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %6 = call @_flip_2(%5) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.concatenate %3, %6, dim = 0 : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %8 = stablehlo.slice %7 [0:6, 0:1] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.slice %7 [0:6, 0:2] : (tensor<6x4xf32>) -> tensor<6x2xf32>
    %10 = call @_flip_3(%9) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %11 = stablehlo.concatenate %10, %7, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>) -> tensor<6x6xf32>
    %12 = stablehlo.slice %11 [0:6, 5:6] : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.slice %11 [0:6, 5:6] : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %14 = call @_flip_4(%13) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %15 = stablehlo.concatenate %11, %14, dim = 1 : (tensor<6x6xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %15 : tensor<6x7xf32>
  }
  func.func private @_pad_6(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.slice %arg0 [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:4] : (tensor<3x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.concatenate %0, %arg0, %1, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %3 = stablehlo.slice %2 [0:6, 2:4] : (tensor<6x4xf32>) -> tensor<6x2xf32>
    %4 = stablehlo.slice %2 [0:6, 0:1] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %5 = stablehlo.concatenate %3, %2, %4, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %5 : tensor<6x7xf32>
  }
  func.func private @_pad_7(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %arg0 [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @_linspace(%c, %2) : (tensor<i32>, tensor<4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = call @_linspace_8(%c_0, %4) : (tensor<i32>, tensor<4xf32>) -> tensor<2x4xf32>
    %6 = call @_flip_2(%5) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.concatenate %3, %arg0, %6, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %8 = stablehlo.slice %7 [0:6, 0:1] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.slice %7 [0:6, 3:4] : (tensor<6x4xf32>) -> tensor<6x1xf32>
    %10 = stablehlo.reshape %8 : (tensor<6x1xf32>) -> tensor<6xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %11 = call @_linspace_9(%c_1, %10) : (tensor<i32>, tensor<6xf32>) -> tensor<6x2xf32>
    %12 = stablehlo.reshape %9 : (tensor<6x1xf32>) -> tensor<6xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %13 = call @_linspace_10(%c_2, %12) : (tensor<i32>, tensor<6xf32>) -> tensor<6x1xf32>
    %14 = call @_flip_4(%13) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %15 = stablehlo.concatenate %11, %7, %14, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %15 : tensor<6x7xf32>
  }
  func.func private @_linspace(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<1x4xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.subtract %arg1, %2 : tensor<4xf32>
    %4 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<1x4xf32>
    return %4 : tensor<1x4xf32>
  }
  func.func private @_linspace_8(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.subtract %arg1, %2 : tensor<4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.divide %3, %4 : tensor<4xf32>
    %6 = stablehlo.iota dim = 0 : tensor<2xf32>
    %7 = stablehlo.reshape %6 : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x1xf32>
    %10 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %12 = stablehlo.subtract %11, %9 : tensor<2x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x4xf32>
    %16 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %18 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<2x4xf32>
    %20 = stablehlo.add %15, %19 : tensor<2x4xf32>
    return %20 : tensor<2x4xf32>
  }
  func.func private @_linspace_9(%arg0: tensor<i32>, %arg1: tensor<6xf32>) -> tensor<6x2xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %3 = stablehlo.subtract %arg1, %2 : tensor<6xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %5 = stablehlo.divide %3, %4 : tensor<6xf32>
    %6 = stablehlo.iota dim = 0 : tensor<2xf32>
    %7 = stablehlo.reshape %6 : (tensor<2xf32>) -> tensor<1x2xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %9 = stablehlo.divide %7, %8 : tensor<1x2xf32>
    %10 = stablehlo.reshape %1 : (tensor<6xf32>) -> tensor<6x1xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %12 = stablehlo.subtract %11, %9 : tensor<1x2xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<6x2xf32>
    %16 = stablehlo.reshape %arg1 : (tensor<6xf32>) -> tensor<6x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %18 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<6x2xf32>
    %20 = stablehlo.add %15, %19 : tensor<6x2xf32>
    return %20 : tensor<6x2xf32>
  }
  func.func private @_linspace_10(%arg0: tensor<i32>, %arg1: tensor<6xf32>) -> tensor<6x1xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %3 = stablehlo.subtract %arg1, %2 : tensor<6xf32>
    %4 = stablehlo.reshape %1 : (tensor<6xf32>) -> tensor<6x1xf32>
    return %4 : tensor<6x1xf32>
  }
  func.func private @_pad_11(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x2x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.concatenate %3, %arg0, %5, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x2xf32>
    %10 = stablehlo.reshape %9 : (tensor<6x1x2xf32>) -> tensor<6x2xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<6x1x1xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.concatenate %10, %6, %12, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %13 : tensor<6x7xf32>
  }
  func.func private @_pad_12(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x2x4xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %8 = stablehlo.concatenate %5, %arg0, %7, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<6x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x2xf32>
    %14 = stablehlo.reshape %13 : (tensor<6x1x2xf32>) -> tensor<6x2xf32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %16 = stablehlo.reshape %15 : (tensor<6x1x1xf32>) -> tensor<6x1xf32>
    %17 = stablehlo.concatenate %14, %8, %16, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %17 : tensor<6x7xf32>
  }
  func.func private @_pad_13(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.minimum across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x2x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.concatenate %3, %arg0, %5, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.minimum across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x2xf32>
    %10 = stablehlo.reshape %9 : (tensor<6x1x2xf32>) -> tensor<6x2xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<6x1x1xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.concatenate %10, %6, %12, dim = 1 : (tensor<6x2xf32>, tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x7xf32>
    return %13 : tensor<6x7xf32>
  }
}
