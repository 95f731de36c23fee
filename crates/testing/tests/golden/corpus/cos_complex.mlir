module @jit_cos_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
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
    %17 = stablehlo.multiply %5, %16 : tensor<12xf32>
    %18 = stablehlo.negate %4 : tensor<12xf32>
    %19 = stablehlo.multiply %18, %11 : tensor<12xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %21 = stablehlo.complex %17, %20 : tensor<12xcomplex<f32>>
    %22 = stablehlo.complex %17, %19 : tensor<12xcomplex<f32>>
    %23 = stablehlo.select %3, %21, %22 : tensor<12xi1>, tensor<12xcomplex<f32>>
    %24 = stablehlo.real %arg1 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %25 = stablehlo.imag %arg1 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %27 = stablehlo.compare EQ, %24, %26, FLOAT : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xi1>
    %28 = stablehlo.sine %24 : tensor<12xf64>
    %29 = stablehlo.cosine %24 : tensor<12xf64>
    %30 = stablehlo.exponential_minus_one %25 : tensor<12xf64>
    %31 = stablehlo.negate %25 : tensor<12xf64>
    %32 = stablehlo.exponential_minus_one %31 : tensor<12xf64>
    %33 = stablehlo.subtract %30, %32 : tensor<12xf64>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %35 = stablehlo.divide %33, %34 : tensor<12xf64>
    %36 = stablehlo.add %30, %32 : tensor<12xf64>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %38 = stablehlo.add %36, %37 : tensor<12xf64>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %40 = stablehlo.divide %38, %39 : tensor<12xf64>
    %41 = stablehlo.multiply %29, %40 : tensor<12xf64>
    %42 = stablehlo.negate %28 : tensor<12xf64>
    %43 = stablehlo.multiply %42, %35 : tensor<12xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %44 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %45 = stablehlo.complex %41, %44 : tensor<12xcomplex<f64>>
    %46 = stablehlo.complex %41, %43 : tensor<12xcomplex<f64>>
    %47 = stablehlo.select %27, %45, %46 : tensor<12xi1>, tensor<12xcomplex<f64>>
    return %23, %47 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
