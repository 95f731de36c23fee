module @jit_logistic_small attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20xf8E3M4>, %arg1: tensor<20xf8E4M3>, %arg2: tensor<20xf8E4M3B11FNUZ>, %arg3: tensor<20xf8E4M3FN>, %arg4: tensor<20xf8E4M3FNUZ>, %arg5: tensor<20xf8E5M2>, %arg6: tensor<20xf8E5M2FNUZ>, %arg7: tensor<20xf4E2M1FN>) -> (tensor<20xf8E3M4> {jax.result_info = "result[0]"}, tensor<20xf8E4M3> {jax.result_info = "result[1]"}, tensor<20xf8E4M3B11FNUZ> {jax.result_info = "result[2]"}, tensor<20xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<20xf8E4M3FNUZ> {jax.result_info = "result[4]"}, tensor<20xf8E5M2> {jax.result_info = "result[5]"}, tensor<20xf8E5M2FNUZ> {jax.result_info = "result[6]"}, tensor<20xf4E2M1FN> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.negate %arg0 : tensor<20xf8E3M4>
    %1 = stablehlo.exponential %0 : tensor<20xf8E3M4>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f8E3M4>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f8E3M4>) -> tensor<20xf8E3M4>
    %3 = stablehlo.add %2, %1 : tensor<20xf8E3M4>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f8E3M4>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f8E3M4>) -> tensor<20xf8E3M4>
    %5 = stablehlo.divide %4, %3 : tensor<20xf8E3M4>
    %6 = stablehlo.negate %arg1 : tensor<20xf8E4M3>
    %7 = stablehlo.exponential %6 : tensor<20xf8E4M3>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f8E4M3>) -> tensor<20xf8E4M3>
    %9 = stablehlo.add %8, %7 : tensor<20xf8E4M3>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f8E4M3>) -> tensor<20xf8E4M3>
    %11 = stablehlo.divide %10, %9 : tensor<20xf8E4M3>
    %12 = stablehlo.negate %arg2 : tensor<20xf8E4M3B11FNUZ>
    %13 = stablehlo.exponential %12 : tensor<20xf8E4M3B11FNUZ>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3B11FNUZ>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<20xf8E4M3B11FNUZ>
    %15 = stablehlo.add %14, %13 : tensor<20xf8E4M3B11FNUZ>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3B11FNUZ>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<20xf8E4M3B11FNUZ>
    %17 = stablehlo.divide %16, %15 : tensor<20xf8E4M3B11FNUZ>
    %18 = stablehlo.negate %arg3 : tensor<20xf8E4M3FN>
    %19 = stablehlo.exponential %18 : tensor<20xf8E4M3FN>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FN>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %21 = stablehlo.add %20, %19 : tensor<20xf8E4M3FN>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FN>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %23 = stablehlo.divide %22, %21 : tensor<20xf8E4M3FN>
    %24 = stablehlo.negate %arg4 : tensor<20xf8E4M3FNUZ>
    %25 = stablehlo.exponential %24 : tensor<20xf8E4M3FNUZ>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FNUZ>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<20xf8E4M3FNUZ>
    %27 = stablehlo.add %26, %25 : tensor<20xf8E4M3FNUZ>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FNUZ>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<20xf8E4M3FNUZ>
    %29 = stablehlo.divide %28, %27 : tensor<20xf8E4M3FNUZ>
    %30 = stablehlo.negate %arg5 : tensor<20xf8E5M2>
    %31 = stablehlo.exponential %30 : tensor<20xf8E5M2>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2>
    %32 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f8E5M2>) -> tensor<20xf8E5M2>
    %33 = stablehlo.add %32, %31 : tensor<20xf8E5M2>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2>
    %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f8E5M2>) -> tensor<20xf8E5M2>
    %35 = stablehlo.divide %34, %33 : tensor<20xf8E5M2>
    %36 = stablehlo.negate %arg6 : tensor<20xf8E5M2FNUZ>
    %37 = stablehlo.exponential %36 : tensor<20xf8E5M2FNUZ>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2FNUZ>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<20xf8E5M2FNUZ>
    %39 = stablehlo.add %38, %37 : tensor<20xf8E5M2FNUZ>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2FNUZ>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<20xf8E5M2FNUZ>
    %41 = stablehlo.divide %40, %39 : tensor<20xf8E5M2FNUZ>
    %42 = stablehlo.negate %arg7 : tensor<20xf4E2M1FN>
    %43 = stablehlo.exponential %42 : tensor<20xf4E2M1FN>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f4E2M1FN>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f4E2M1FN>) -> tensor<20xf4E2M1FN>
    %45 = stablehlo.add %44, %43 : tensor<20xf4E2M1FN>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f4E2M1FN>
    %46 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f4E2M1FN>) -> tensor<20xf4E2M1FN>
    %47 = stablehlo.divide %46, %45 : tensor<20xf4E2M1FN>
    return %5, %11, %17, %23, %29, %35, %41, %47 : tensor<20xf8E3M4>, tensor<20xf8E4M3>, tensor<20xf8E4M3B11FNUZ>, tensor<20xf8E4M3FN>, tensor<20xf8E4M3FNUZ>, tensor<20xf8E5M2>, tensor<20xf8E5M2FNUZ>, tensor<20xf4E2M1FN>
  }
}
