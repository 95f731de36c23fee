module @jit_reduce_f8 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf8E4M3FN>) -> (tensor<3xf8E4M3FN> {jax.result_info = "result[0]"}, tensor<4xf8E4M3FN> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<-4.480000e+02> : tensor<f8E4M3FN>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<3xf8E4M3FN>
    %cst_0 = stablehlo.constant dense<4.480000e+02> : tensor<f8E4M3FN>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<3x4xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<4xf8E4M3FN>
    return %0, %1 : tensor<3xf8E4M3FN>, tensor<4xf8E4M3FN>
  }
}
