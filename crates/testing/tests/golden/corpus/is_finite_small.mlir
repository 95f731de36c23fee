module @jit_is_finite_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20xf8E3M4>, %arg1: tensor<20xf8E4M3>, %arg2: tensor<20xf8E4M3B11FNUZ>, %arg3: tensor<20xf8E4M3FN>, %arg4: tensor<20xf8E4M3FNUZ>, %arg5: tensor<20xf8E5M2>, %arg6: tensor<20xf8E5M2FNUZ>, %arg7: tensor<20xf4E2M1FN>) -> (tensor<20xi1> {jax.result_info = "result[0]"}, tensor<20xi1> {jax.result_info = "result[1]"}, tensor<20xi1> {jax.result_info = "result[2]"}, tensor<20xi1> {jax.result_info = "result[3]"}, tensor<20xi1> {jax.result_info = "result[4]"}, tensor<20xi1> {jax.result_info = "result[5]"}, tensor<20xi1> {jax.result_info = "result[6]"}, tensor<20xi1> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.is_finite %arg0 : (tensor<20xf8E3M4>) -> tensor<20xi1>
    %1 = stablehlo.is_finite %arg1 : (tensor<20xf8E4M3>) -> tensor<20xi1>
    %2 = stablehlo.is_finite %arg2 : (tensor<20xf8E4M3B11FNUZ>) -> tensor<20xi1>
    %3 = stablehlo.is_finite %arg3 : (tensor<20xf8E4M3FN>) -> tensor<20xi1>
    %4 = stablehlo.is_finite %arg4 : (tensor<20xf8E4M3FNUZ>) -> tensor<20xi1>
    %5 = stablehlo.is_finite %arg5 : (tensor<20xf8E5M2>) -> tensor<20xi1>
    %6 = stablehlo.is_finite %arg6 : (tensor<20xf8E5M2FNUZ>) -> tensor<20xi1>
    %7 = stablehlo.is_finite %arg7 : (tensor<20xf4E2M1FN>) -> tensor<20xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>
  }
}
