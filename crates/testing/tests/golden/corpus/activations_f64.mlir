module @jit_activations_f64 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3x4xf64> {jax.result_info = "result[0]"}, tensor<3x4xf64> {jax.result_info = "result[1]"}, tensor<3x4xf64> {jax.result_info = "result[2]"}, tensor<3x4xf64> {jax.result_info = "result[3]"}, tensor<3x4xf64> {jax.result_info = "result[4]"}, tensor<3x4xf64> {jax.result_info = "result[5]"}) {
    %0 = call @relu(%arg0) : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf64>
    %2 = stablehlo.multiply %1, %arg0 : tensor<3x4xf64>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %4 = stablehlo.multiply %3, %2 : tensor<3x4xf64>
    %5 = stablehlo.add %arg0, %4 : tensor<3x4xf64>
    %cst_0 = stablehlo.constant dense<0.79788456080286541> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %7 = stablehlo.multiply %6, %5 : tensor<3x4xf64>
    %8 = stablehlo.tanh %7 : tensor<3x4xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %10 = stablehlo.add %9, %8 : tensor<3x4xf64>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %12 = stablehlo.multiply %11, %10 : tensor<3x4xf64>
    %13 = stablehlo.multiply %arg0, %12 : tensor<3x4xf64>
    %14 = call @silu(%arg0) : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %cst_3 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %15 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
    %cst_4 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %17 = stablehlo.maximum %16, %15 : tensor<3xf64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x4xf64>
    %20 = stablehlo.subtract %arg0, %19 : tensor<3x4xf64>
    %21 = stablehlo.exponential %20 : tensor<3x4xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %22 = stablehlo.reduce(%21 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x4xf64>
    %25 = stablehlo.divide %21, %24 : tensor<3x4xf64>
    %26 = call @softplus(%arg0) : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %27 = stablehlo.tanh %arg0 : tensor<3x4xf64>
    %28 = stablehlo.multiply %27, %arg0 : tensor<3x4xf64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %30 = stablehlo.add %28, %29 : tensor<3x4xf64>
    return %0, %13, %14, %25, %26, %30 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>
  }
  func.func private @relu(%arg0: tensor<3x4xf64>) -> tensor<3x4xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x4xf64>
    return %1 : tensor<3x4xf64>
  }
  func.func private @silu(%arg0: tensor<3x4xf64>) -> tensor<3x4xf64> {
    %0 = stablehlo.negate %arg0 : tensor<3x4xf64>
    %1 = stablehlo.exponential %0 : tensor<3x4xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %3 = stablehlo.add %2, %1 : tensor<3x4xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %5 = stablehlo.divide %4, %3 : tensor<3x4xf64>
    %6 = stablehlo.multiply %arg0, %5 : tensor<3x4xf64>
    return %6 : tensor<3x4xf64>
  }
  func.func private @softplus(%arg0: tensor<3x4xf64>) -> tensor<3x4xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x4xf64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %3 = stablehlo.subtract %arg0, %2 : tensor<3x4xf64>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<3x4xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %6 = stablehlo.add %arg0, %5 : tensor<3x4xf64>
    %7 = stablehlo.abs %3 : tensor<3x4xf64>
    %8 = stablehlo.negate %7 : tensor<3x4xf64>
    %9 = stablehlo.exponential %8 : tensor<3x4xf64>
    %10 = stablehlo.log_plus_one %9 : tensor<3x4xf64>
    %11 = stablehlo.add %1, %10 : tensor<3x4xf64>
    %12 = stablehlo.select %4, %6, %11 : tensor<3x4xi1>, tensor<3x4xf64>
    return %12 : tensor<3x4xf64>
  }
}
