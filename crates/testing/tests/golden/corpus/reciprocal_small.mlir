module @jit_reciprocal_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20xf8E3M4>, %arg1: tensor<20xf8E4M3>, %arg2: tensor<20xf8E4M3B11FNUZ>, %arg3: tensor<20xf8E4M3FN>, %arg4: tensor<20xf8E4M3FNUZ>, %arg5: tensor<20xf8E5M2>, %arg6: tensor<20xf8E5M2FNUZ>, %arg7: tensor<20xf4E2M1FN>) -> (tensor<20xf8E3M4> {jax.result_info = "result[0]"}, tensor<20xf8E4M3> {jax.result_info = "result[1]"}, tensor<20xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<20xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<20xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<20xf8E5M2> {jax.result_info = "result[5]"}, tensor<20xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<20xf4E2M1FN> {jax.result_info = "result[7]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f8E3M4>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f8E3M4>) -> tensor<20xf8E3M4>
    %1 = stablehlo.divide %0, %arg0 : tensor<20xf8E3M4>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f8E4M3>) -> tensor<20xf8E4M3>
    %3 = stablehlo.divide %2, %arg1 : tensor<20xf8E4M3>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3B11FNUZ>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<20xf8E4M3B11FNUZ>
    %5 = stablehlo.divide %4, %arg2 : tensor<20xf8E4M3B11FNUZ>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FN>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %7 = stablehlo.divide %6, %arg3 : tensor<20xf8E4M3FN>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FNUZ>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<20xf8E4M3FNUZ>
    %9 = stablehlo.divide %8, %arg4 : tensor<20xf8E4M3FNUZ>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f8E5M2>) -> tensor<20xf8E5M2>
    %11 = stablehlo.divide %10, %arg5 : tensor<20xf8E5M2>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2FNUZ>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<20xf8E5M2FNUZ>
    %13 = stablehlo.divide %12, %arg6 : tensor<20xf8E5M2FNUZ>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f4E2M1FN>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f4E2M1FN>) -> tensor<20xf4E2M1FN>
    %15 = stablehlo.divide %14, %arg7 : tensor<20xf4E2M1FN>
    return %1, %3, %5, %7, %9, %11, %13, %15 : tensor<20xf8E3M4>, tensor<20xf8E4M3>, tensor<20xf8E4M3B11FNUZ>, tensor<20xf8E4M3FN>, tensor<20xf8E4M3FNUZ>, tensor<20xf8E5M2>, tensor<20xf8E5M2FNUZ>, tensor<20xf4E2M1FN>
  }
}
