module @jit_floor_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20xf8E3M4>, %arg1: tensor<20xf8E4M3>, %arg2: tensor<20xf8E4M3B11FNUZ>, %arg3: tensor<20xf8E4M3FN>, %arg4: tensor<20xf8E4M3FNUZ>, %arg5: tensor<20xf8E5M2>, %arg6: tensor<20xf8E5M2FNUZ>, %arg7: tensor<20xf4E2M1FN>) -> (tensor<20xf8E3M4> {jax.result_info = "result[0]"}, tensor<20xf8E4M3> {jax.result_info = "result[1]"}, tensor<20xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<20xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<20xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<20xf8E5M2> {jax.result_info = "result[5]"}, tensor<20xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<20xf4E2M1FN> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.floor %arg0 : tensor<20xf8E3M4>
    %1 = stablehlo.floor %arg1 : tensor<20xf8E4M3>
    %2 = stablehlo.floor %arg2 : tensor<20xf8E4M3B11FNUZ>
    %3 = stablehlo.floor %arg3 : tensor<20xf8E4M3FN>
    %4 = stablehlo.floor %arg4 : tensor<20xf8E4M3FNUZ>
    %5 = stablehlo.floor %arg5 : tensor<20xf8E5M2>
    %6 = stablehlo.floor %arg6 : tensor<20xf8E5M2FNUZ>
    %7 = stablehlo.floor %arg7 : tensor<20xf4E2M1FN>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<20xf8E3M4>, tensor<20xf8E4M3>, tensor<20xf8E4M3B11FNUZ>, tensor<20xf8E4M3FN>, tensor<20xf8E4M3FNUZ>, tensor<20xf8E5M2>, tensor<20xf8E5M2FNUZ>, tensor<20xf4E2M1FN>
  }
}
