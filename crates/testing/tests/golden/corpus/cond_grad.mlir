module @jit_cond_grad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<i1>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<i1>) -> tensor<i32>
    %1:2 = "stablehlo.case"(%0) ({
      %3 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
      %4 = stablehlo.multiply %3, %arg0 : tensor<3x4xf32>
      %5 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
      %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
      %7 = stablehlo.multiply %6, %5 : tensor<3x4xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
      stablehlo.return %8, %7 : tensor<f32>, tensor<3x4xf32>
    }, {
      %3 = stablehlo.sine %arg0 : tensor<3x4xf32>
      %4 = stablehlo.cosine %arg0 : tensor<3x4xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
      stablehlo.return %5, %4 : tensor<f32>, tensor<3x4xf32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<3x4xf32>)
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = "stablehlo.case"(%0) ({
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
      %4 = stablehlo.multiply %3, %1#1 : tensor<3x4xf32>
      stablehlo.return %4 : tensor<3x4xf32>
    }, {
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
      %4 = stablehlo.multiply %3, %1#1 : tensor<3x4xf32>
      stablehlo.return %4 : tensor<3x4xf32>
    }) : (tensor<i32>) -> tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
