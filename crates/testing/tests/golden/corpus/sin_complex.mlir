module @jit_sin_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.real %arg0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %1 = stablehlo.imag %arg0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %3 = stablehlo.compare EQ, %0, %2, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %4 = stablehlo.sine %0 : tensor<12xf32>
    %5 = stablehlo.cosine %0 : tensor<12xf32>
    %6 = stablehlo.exponential_minus_one %1 : tensor<12xf32>
    %7 = stablehlo.negate %1 : tensor<12xf32>
    %8 = stablehlo.exponential_minus_one %7 : tensor<12xf32>
    %9 = stablehlo.subtract %6, %8 : tensor<12xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %11 = stablehlo.divide %9, %10 : tensor<12xf32>
    %12 = stablehlo.add %6, %8 : tensor<12xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %14 = stablehlo.add %12, %13 : tensor<12xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %16 = stablehlo.divide %14, %15 : tensor<12xf32>
    %17 = stablehlo.multiply %4, %16 : tensor<12xf32>
    %18 = stablehlo.multiply %5, %11 : tensor<12xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %20 = stablehlo.complex %19, %18 : tensor<12xcomplex<f32>>
    %21 = stablehlo.complex %17, %18 : tensor<12xcomplex<f32>>
    %22 = stablehlo.select %3, %20, %21 : tensor<12xi1>, tensor<12xcomplex<f32>>
    %23 = stablehlo.real %arg1 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %24 = stablehlo.imag %arg1 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %26 = stablehlo.compare EQ, %23, %25, FLOAT : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xi1>
    %27 = stablehlo.sine %23 : tensor<12xf64>
    %28 = stablehlo.cosine %23 : tensor<12xf64>
    %29 = stablehlo.exponential_minus_one %24 : tensor<12xf64>
    %30 = stablehlo.negate %24 : tensor<12xf64>
    %31 = stablehlo.exponential_minus_one %30 : tensor<12xf64>
    %32 = stablehlo.subtract %29, %31 : tensor<12xf64>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %34 = stablehlo.divide %32, %33 : tensor<12xf64>
    %35 = stablehlo.add %29, %31 : tensor<12xf64>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %37 = stablehlo.add %35, %36 : tensor<12xf64>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %38 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %39 = stablehlo.divide %37, %38 : tensor<12xf64>
    %40 = stablehlo.multiply %27, %39 : tensor<12xf64>
    %41 = stablehlo.multiply %28, %34 : tensor<12xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %43 = stablehlo.complex %42, %41 : tensor<12xcomplex<f64>>
    %44 = stablehlo.complex %40, %41 : tensor<12xcomplex<f64>>
    %45 = stablehlo.select %26, %43, %44 : tensor<12xi1>, tensor<12xcomplex<f64>>
    return %22, %45 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
