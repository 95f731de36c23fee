module @jit_remat_policy_grad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tanh %arg0 : tensor<3x4xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.reduce_precision %1, format = e8m23 : tensor<3x4xf32>
    %3 = stablehlo.sine %2 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5:4 = stablehlo.optimization_barrier %2, %arg1, %arg0, %cst_0 : tensor<3x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<f32>
    %6 = stablehlo.tanh %5#2 : tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %8 = stablehlo.subtract %7, %6 : tensor<3x4xf32>
    %9 = stablehlo.cosine %5#0 : tensor<3x4xf32>
    %10 = stablehlo.broadcast_in_dim %5#3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<3x4xf32>
    %12 = stablehlo.dot_general %11, %5#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
    %13 = stablehlo.multiply %12, %8 : tensor<3x4xf32>
    %14 = stablehlo.multiply %13, %6 : tensor<3x4xf32>
    %15 = stablehlo.add %13, %14 : tensor<3x4xf32>
    return %15 : tensor<3x4xf32>
  }
}
