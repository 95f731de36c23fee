module @jit_clamp_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f8E3M4>, %arg1: tensor<20xf8E3M4>, %arg2: tensor<f8E3M4>, %arg3: tensor<f8E4M3>, %arg4: tensor<20xf8E4M3>, %arg5: tensor<f8E4M3>, %arg6: tensor<f8E4M3B11FNUZ>, %arg7: tensor<20xf8E4M3B11FNUZ>, %arg8: tensor<f8E4M3B11FNUZ>, %arg9: tensor<f8E4M3FN>, %arg10: tensor<20xf8E4M3FN>, %arg11: tensor<f8E4M3FN>, %arg12: tensor<f8E4M3FNUZ>, %arg13: tensor<20xf8E4M3FNUZ>, %arg14: tensor<f8E4M3FNUZ>, %arg15: tensor<f8E5M2>, %arg16: tensor<20xf8E5M2>, %arg17: tensor<f8E5M2>, %arg18: tensor<f8E5M2FNUZ>, %arg19: tensor<20xf8E5M2FNUZ>, %arg20: tensor<f8E5M2FNUZ>, %arg21: tensor<f4E2M1FN>, %arg22: tensor<20xf4E2M1FN>, %arg23: tensor<f4E2M1FN>) -> (tensor<20xf8E3M4> {jax.result_info = "result[0]"}, tensor<20xf8E4M3> {jax.result_info = "result[1]"}, tensor<20xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<20xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<20xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<20xf8E5M2> {jax.result_info = "result[5]"}, tensor<20xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<20xf4E2M1FN> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f8E3M4>) -> tensor<20xf8E3M4>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f8E3M4>) -> tensor<20xf8E3M4>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<20xf8E3M4>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f8E4M3>) -> tensor<20xf8E4M3>
    %4 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<f8E4M3>) -> tensor<20xf8E4M3>
    %5 = stablehlo.clamp %3, %arg4, %4 : tensor<20xf8E4M3>
    %6 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<20xf8E4M3B11FNUZ>
    %7 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<20xf8E4M3B11FNUZ>
    %8 = stablehlo.clamp %6, %arg7, %7 : tensor<20xf8E4M3B11FNUZ>
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %10 = stablehlo.broadcast_in_dim %arg11, dims = [] : (tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %11 = stablehlo.clamp %9, %arg10, %10 : tensor<20xf8E4M3FN>
    %12 = stablehlo.broadcast_in_dim %arg12, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<20xf8E4M3FNUZ>
    %13 = stablehlo.broadcast_in_dim %arg14, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<20xf8E4M3FNUZ>
    %14 = stablehlo.clamp %12, %arg13, %13 : tensor<20xf8E4M3FNUZ>
    %15 = stablehlo.broadcast_in_dim %arg15, dims = [] : (tensor<f8E5M2>) -> tensor<20xf8E5M2>
    %16 = stablehlo.broadcast_in_dim %arg17, dims = [] : (tensor<f8E5M2>) -> tensor<20xf8E5M2>
    %17 = stablehlo.clamp %15, %arg16, %16 : tensor<20xf8E5M2>
    %18 = stablehlo.broadcast_in_dim %arg18, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<20xf8E5M2FNUZ>
    %19 = stablehlo.broadcast_in_dim %arg20, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<20xf8E5M2FNUZ>
    %20 = stablehlo.clamp %18, %arg19, %19 : tensor<20xf8E5M2FNUZ>
    %21 = stablehlo.broadcast_in_dim %arg21, dims = [] : (tensor<f4E2M1FN>) -> tensor<20xf4E2M1FN>
    %22 = stablehlo.broadcast_in_dim %arg23, dims = [] : (tensor<f4E2M1FN>) -> tensor<20xf4E2M1FN>
    %23 = stablehlo.clamp %21, %arg22, %22 : tensor<20xf4E2M1FN>
    return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<20xf8E3M4>, tensor<20xf8E4M3>, tensor<20xf8E4M3B11FNUZ>, tensor<20xf8E4M3FN>, tensor<20xf8E4M3FNUZ>, tensor<20xf8E5M2>, tensor<20xf8E5M2FNUZ>, tensor<20xf4E2M1FN>
  }
}
