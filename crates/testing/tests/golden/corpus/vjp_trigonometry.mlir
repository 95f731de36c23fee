module @jit_vjp_trigonometry attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<5xf32> {jax.result_info = "result[3]"}, tensor<5xf32> {jax.result_info = "result[4]"}, tensor<5xf32> {jax.result_info = "result[5]"}, tensor<5xf32> {jax.result_info = "result[6]"}, tensor<5xf32> {jax.result_info = "result[7]"}, tensor<5xf32> {jax.result_info = "result[8]"}, tensor<5xf32> {jax.result_info = "result[9]"}) {
    %0 = stablehlo.tan %arg0 : tensor<5xf32>
    %1 = chlo.asin %arg0 : tensor<5xf32> -> tensor<5xf32>
    %2 = chlo.acos %arg0 : tensor<5xf32> -> tensor<5xf32>
    %3 = chlo.atan %arg0 : tensor<5xf32> -> tensor<5xf32>
    %4 = chlo.sinh %arg0 : tensor<5xf32> -> tensor<5xf32>
    %5 = chlo.cosh %arg0 : tensor<5xf32> -> tensor<5xf32>
    %6 = chlo.asinh %arg0 : tensor<5xf32> -> tensor<5xf32>
    %7 = chlo.atanh %arg0 : tensor<5xf32> -> tensor<5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %9 = stablehlo.add %arg0, %8 : tensor<5xf32>
    %10 = call @arccosh(%9) : (tensor<5xf32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %12 = stablehlo.add %arg0, %11 : tensor<5xf32>
    %13 = stablehlo.atan2 %arg0, %12 : tensor<5xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %10, %13 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @arccosh(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %0 = chlo.acosh %arg0 : tensor<5xf32> -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
