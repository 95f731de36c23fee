module @jit_exp2_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20xf8E3M4>, %arg1: tensor<20xf8E4M3>, %arg2: tensor<20xf8E4M3B11FNUZ>, %arg3: tensor<20xf8E4M3FN>, %arg4: tensor<20xf8E4M3FNUZ>, %arg5: tensor<20xf8E5M2>, %arg6: tensor<20xf8E5M2FNUZ>, %arg7: tensor<20xf4E2M1FN>) -> (tensor<20xf8E3M4> {jax.result_info = "result[0]"}, tensor<20xf8E4M3> {jax.result_info = "result[1]"}, tensor<20xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<20xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<20xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<20xf8E5M2> {jax.result_info = "result[5]"}, tensor<20xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<20xf4E2M1FN> {jax.result_info = "result[7]"}) {
    %cst = stablehlo.constant dense<6.875000e-01> : tensor<f8E3M4>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f8E3M4>) -> tensor<20xf8E3M4>
    %1 = stablehlo.multiply %0, %arg0 : tensor<20xf8E3M4>
    %2 = stablehlo.exponential %1 : tensor<20xf8E3M4>
    %cst_0 = stablehlo.constant dense<6.875000e-01> : tensor<f8E4M3>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f8E4M3>) -> tensor<20xf8E4M3>
    %4 = stablehlo.multiply %3, %arg1 : tensor<20xf8E4M3>
    %5 = stablehlo.exponential %4 : tensor<20xf8E4M3>
    %cst_1 = stablehlo.constant dense<6.875000e-01> : tensor<f8E4M3B11FNUZ>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<20xf8E4M3B11FNUZ>
    %7 = stablehlo.multiply %6, %arg2 : tensor<20xf8E4M3B11FNUZ>
    %8 = stablehlo.exponential %7 : tensor<20xf8E4M3B11FNUZ>
    %cst_2 = stablehlo.constant dense<6.875000e-01> : tensor<f8E4M3FN>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %10 = stablehlo.multiply %9, %arg3 : tensor<20xf8E4M3FN>
    %11 = stablehlo.exponential %10 : tensor<20xf8E4M3FN>
    %cst_3 = stablehlo.constant dense<6.875000e-01> : tensor<f8E4M3FNUZ>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<20xf8E4M3FNUZ>
    %13 = stablehlo.multiply %12, %arg4 : tensor<20xf8E4M3FNUZ>
    %14 = stablehlo.exponential %13 : tensor<20xf8E4M3FNUZ>
    %cst_4 = stablehlo.constant dense<7.500000e-01> : tensor<f8E5M2>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f8E5M2>) -> tensor<20xf8E5M2>
    %16 = stablehlo.multiply %15, %arg5 : tensor<20xf8E5M2>
    %17 = stablehlo.exponential %16 : tensor<20xf8E5M2>
    %cst_5 = stablehlo.constant dense<7.500000e-01> : tensor<f8E5M2FNUZ>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<20xf8E5M2FNUZ>
    %19 = stablehlo.multiply %18, %arg6 : tensor<20xf8E5M2FNUZ>
    %20 = stablehlo.exponential %19 : tensor<20xf8E5M2FNUZ>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f4E2M1FN>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f4E2M1FN>) -> tensor<20xf4E2M1FN>
    %22 = stablehlo.multiply %21, %arg7 : tensor<20xf4E2M1FN>
    %23 = stablehlo.exponential %22 : tensor<20xf4E2M1FN>
    return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<20xf8E3M4>, tensor<20xf8E4M3>, tensor<20xf8E4M3B11FNUZ>, tensor<20xf8E4M3FN>, tensor<20xf8E4M3FNUZ>, tensor<20xf8E5M2>, tensor<20xf8E5M2FNUZ>, tensor<20xf4E2M1FN>
  }
}
