module @jit_vjp_special attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf64>) -> (tensor<5xf64> {jax.result_info = "result[0]"}, tensor<5xf64> {jax.result_info = "result[1]"}, tensor<5xf64> {jax.result_info = "result[2]"}, tensor<5xf64> {jax.result_info = "result[3]"}, tensor<5xf64> {jax.result_info = "result[4]"}, tensor<5xf64> {jax.result_info = "result[5]"}) {
    %0 = chlo.erf %arg0 : tensor<5xf64> -> tensor<5xf64>
    %1 = chlo.erfc %arg0 : tensor<5xf64> -> tensor<5xf64>
    %2 = chlo.erf_inv %arg0 : tensor<5xf64> -> tensor<5xf64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %4 = stablehlo.add %arg0, %3 : tensor<5xf64>
    %5 = chlo.lgamma %4 : tensor<5xf64> -> tensor<5xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %7 = stablehlo.add %arg0, %6 : tensor<5xf64>
    %8 = chlo.digamma %7 : tensor<5xf64> -> tensor<5xf64>
    %9 = chlo.bessel_i1e %arg0 : tensor<5xf64> -> tensor<5xf64>
    return %0, %1, %2, %5, %8, %9 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
  }
}
