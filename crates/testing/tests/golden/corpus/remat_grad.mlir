module @jit_remat_grad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tanh %arg0 : tensor<3x4xf32>
    %1 = stablehlo.sine %0 : tensor<3x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3:2 = stablehlo.optimization_barrier %arg0, %cst_0 : tensor<3x4xf32>, tensor<f32>
    %4 = stablehlo.tanh %3#0 : tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<3x4xf32>
    %7 = stablehlo.cosine %4 : tensor<3x4xf32>
    %8 = stablehlo.broadcast_in_dim %3#1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<3x4xf32>
    %10 = stablehlo.multiply %9, %6 : tensor<3x4xf32>
    %11 = stablehlo.multiply %10, %4 : tensor<3x4xf32>
    %12 = stablehlo.add %10, %11 : tensor<3x4xf32>
    return %12 : tensor<3x4xf32>
  }
}
