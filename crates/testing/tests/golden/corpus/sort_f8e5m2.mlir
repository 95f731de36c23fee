module @jit_sort_f8e5m2 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf8E5M2>) -> (tensor<3x5xf8E5M2> {jax.result_info = "result[0]"}, tensor<3x5xf8E5M2> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f8E5M2>, %arg2: tensor<f8E5M2>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f8E5M2>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7E> : tensor<f8E5M2>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f8E5M2>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f8E5M2>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7E> : tensor<f8E5M2>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f8E5M2>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<3x5xf8E5M2>) -> tensor<3x5xf8E5M2>
    %1 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f8E5M2>, %arg2: tensor<f8E5M2>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f8E5M2>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7E> : tensor<f8E5M2>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f8E5M2>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f8E5M2>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7E> : tensor<f8E5M2>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f8E5M2>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<3x5xf8E5M2>) -> tensor<3x5xf8E5M2>
    return %0, %1 : tensor<3x5xf8E5M2>, tensor<3x5xf8E5M2>
  }
}
