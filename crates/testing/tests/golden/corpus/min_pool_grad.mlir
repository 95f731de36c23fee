module @jit_min_pool_grad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x5x3xf64>) -> (tensor<2x6x5x3xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 2, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %10 = stablehlo.minimum %arg1, %arg2 : tensor<f64>
      stablehlo.return %10 : tensor<f64>
    }) : (tensor<2x6x5x3xf64>, tensor<f64>) -> tensor<2x5x2x3xf64>
    %2 = stablehlo.sine %1 : tensor<2x5x2x3xf64>
    %3 = stablehlo.cosine %1 : tensor<2x5x2x3xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %4 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x5x2x3xf64>, tensor<f64>) -> tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x5x2x3xf64>
    %6 = stablehlo.multiply %5, %3 : tensor<2x5x2x3xf64>
    %cst_2 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %7 = stablehlo.pad %arg0, %cst_2, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x6x5x3xf64>, tensor<f64>) -> tensor<2x6x5x3xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = "stablehlo.select_and_scatter"(%7, %6, %cst_3) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 2, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %10 = stablehlo.compare LE, %arg1, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %10 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %10 : tensor<f64>
    }) : (tensor<2x6x5x3xf64>, tensor<2x5x2x3xf64>, tensor<f64>) -> tensor<2x6x5x3xf64>
    %9 = stablehlo.slice %8 [0:2, 0:6, 0:5, 0:3] : (tensor<2x6x5x3xf64>) -> tensor<2x6x5x3xf64>
    return %9 : tensor<2x6x5x3xf64>
  }
}
