module @jit_activations_bf16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xbf16>) -> (tensor<3x4xbf16> {jax.result_info = "result[0]"}, tensor<3x4xbf16> {jax.result_info = "result[1]"}, tensor<3x4xbf16> {jax.result_info = "result[2]"}, tensor<3x4xbf16> {jax.result_info = "result[3]"}, tensor<3x4xbf16> {jax.result_info = "result[4]"}, tensor<3x4xbf16> {jax.result_info = "result[5]"}) {
    %0 = call @relu(%arg0) : (tensor<3x4xbf16>) -> tensor<3x4xbf16>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xbf16>
    %2 = stablehlo.multiply %1, %arg0 : tensor<3x4xbf16>
    %cst = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %4 = stablehlo.multiply %3, %2 : tensor<3x4xbf16>
    %5 = stablehlo.add %arg0, %4 : tensor<3x4xbf16>
    %cst_0 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %7 = stablehlo.multiply %6, %5 : tensor<3x4xbf16>
    %8 = stablehlo.tanh %7 : tensor<3x4xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %10 = stablehlo.add %9, %8 : tensor<3x4xbf16>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %12 = stablehlo.multiply %11, %10 : tensor<3x4xbf16>
    %13 = stablehlo.multiply %arg0, %12 : tensor<3x4xbf16>
    %14 = call @silu(%arg0) : (tensor<3x4xbf16>) -> tensor<3x4xbf16>
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %15 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xbf16>, tensor<bf16>) -> tensor<3xbf16>
    %cst_4 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<3xbf16>
    %17 = stablehlo.maximum %16, %15 : tensor<3xbf16>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<3xbf16>) -> tensor<3x1xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<3x1xbf16>) -> tensor<3x4xbf16>
    %20 = stablehlo.subtract %arg0, %19 : tensor<3x4xbf16>
    %21 = stablehlo.exponential %20 : tensor<3x4xbf16>
    %22 = stablehlo.convert %21 : (tensor<3x4xbf16>) -> tensor<3x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %25 = stablehlo.convert %24 : (tensor<3x1xf32>) -> tensor<3x1xbf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<3x1xbf16>) -> tensor<3x4xbf16>
    %27 = stablehlo.divide %21, %26 : tensor<3x4xbf16>
    %28 = call @softplus(%arg0) : (tensor<3x4xbf16>) -> tensor<3x4xbf16>
    %29 = stablehlo.tanh %arg0 : tensor<3x4xbf16>
    %30 = stablehlo.multiply %29, %arg0 : tensor<3x4xbf16>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %32 = stablehlo.add %30, %31 : tensor<3x4xbf16>
    return %0, %13, %14, %27, %28, %32 : tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xbf16>
  }
  func.func private @relu(%arg0: tensor<3x4xbf16>) -> tensor<3x4xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x4xbf16>
    return %1 : tensor<3x4xbf16>
  }
  func.func private @silu(%arg0: tensor<3x4xbf16>) -> tensor<3x4xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<3x4xbf16>
    %1 = stablehlo.exponential %0 : tensor<3x4xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %3 = stablehlo.add %2, %1 : tensor<3x4xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<3x4xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<3x4xbf16>
    return %6 : tensor<3x4xbf16>
  }
  func.func private @softplus(%arg0: tensor<3x4xbf16>) -> tensor<3x4xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x4xbf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %3 = stablehlo.subtract %arg0, %2 : tensor<3x4xbf16>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<3x4xbf16>, tensor<3x4xbf16>) -> tensor<3x4xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x4xbf16>
    %6 = stablehlo.add %arg0, %5 : tensor<3x4xbf16>
    %7 = stablehlo.abs %3 : tensor<3x4xbf16>
    %8 = stablehlo.negate %7 : tensor<3x4xbf16>
    %9 = stablehlo.exponential %8 : tensor<3x4xbf16>
    %10 = stablehlo.log_plus_one %9 : tensor<3x4xbf16>
    %11 = stablehlo.add %1, %10 : tensor<3x4xbf16>
    %12 = stablehlo.select %4, %6, %11 : tensor<3x4xi1>, tensor<3x4xbf16>
    return %12 : tensor<3x4xbf16>
  }
}
