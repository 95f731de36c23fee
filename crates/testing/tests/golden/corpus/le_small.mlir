module @jit_le_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20xf8E3M4>, %arg1: tensor<20xf8E3M4>, %arg2: tensor<20xf8E4M3>, %arg3: tensor<20xf8E4M3>, %arg4: tensor<20xf8E4M3B11FNUZ>, %arg5: tensor<20xf8E4M3B11FNUZ>, %arg6: tensor<20xf8E4M3FN>, %arg7: tensor<20xf8E4M3FN>, %arg8: tensor<20xf8E4M3FNUZ>, %arg9: tensor<20xf8E4M3FNUZ>, %arg10: tensor<20xf8E5M2>, %arg11: tensor<20xf8E5M2>, %arg12: tensor<20xf8E5M2FNUZ>, %arg13: tensor<20xf8E5M2FNUZ>, %arg14: tensor<20xf4E2M1FN>, %arg15: tensor<20xf4E2M1FN>) -> (tensor<20xi1> {jax.result_info = "result[0]"}, tensor<20xi1> {jax.result_info = "result[1]"}, tensor<20xi1> {jax.result_info = "result[2]"}, tensor<20xi1> {jax.result_info = "result[3]"}, tensor<20xi1> {jax.result_info = "result[4]"}, tensor<20xi1> {jax.result_info = "result[5]"}, tensor<20xi1> {jax.result_info = "result[6]"}, tensor<20xi1> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.compare LE, %arg0, %arg1, FLOAT : (tensor<20xf8E3M4>, tensor<20xf8E3M4>) -> tensor<20xi1>
    %1 = stablehlo.compare LE, %arg2, %arg3, FLOAT : (tensor<20xf8E4M3>, tensor<20xf8E4M3>) -> tensor<20xi1>
    %2 = stablehlo.compare LE, %arg4, %arg5, FLOAT : (tensor<20xf8E4M3B11FNUZ>, tensor<20xf8E4M3B11FNUZ>) -> tensor<20xi1>
    %3 = stablehlo.compare LE, %arg6, %arg7, FLOAT : (tensor<20xf8E4M3FN>, tensor<20xf8E4M3FN>) -> tensor<20xi1>
    %4 = stablehlo.compare LE, %arg8, %arg9, FLOAT : (tensor<20xf8E4M3FNUZ>, tensor<20xf8E4M3FNUZ>) -> tensor<20xi1>
    %5 = stablehlo.compare LE, %arg10, %arg11, FLOAT : (tensor<20xf8E5M2>, tensor<20xf8E5M2>) -> tensor<20xi1>
    %6 = stablehlo.compare LE, %arg12, %arg13, FLOAT : (tensor<20xf8E5M2FNUZ>, tensor<20xf8E5M2FNUZ>) -> tensor<20xi1>
    %7 = stablehlo.compare LE, %arg14, %arg15, FLOAT : (tensor<20xf4E2M1FN>, tensor<20xf4E2M1FN>) -> tensor<20xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>, tensor<20xi1>
  }
}
