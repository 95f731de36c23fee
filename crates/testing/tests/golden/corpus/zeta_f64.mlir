module @jit_zeta_f64 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>) -> (tensor<8xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %1 = stablehlo.add %arg0, %0 : tensor<8xf64>
    %2 = chlo.zeta %1, %arg1 : tensor<8xf64>, tensor<8xf64> -> tensor<8xf64>
    return %2 : tensor<8xf64>
  }
}
