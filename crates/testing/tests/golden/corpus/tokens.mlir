module @jit_tokens attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.create_token : !stablehlo.token
    %1 = stablehlo.create_token : !stablehlo.token
    %2 = stablehlo.after_all %0, %1 : !stablehlo.token
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<3x4xf32>
    return %4 : tensor<3x4xf32>
  }
}
