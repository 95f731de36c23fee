module @jit_max_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f32>>, %arg2: tensor<12xcomplex<f64>>, %arg3: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.real %arg0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %1 = stablehlo.real %arg1 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %3 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %4 = stablehlo.imag %arg0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %5 = stablehlo.imag %arg1 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %6 = stablehlo.compare GT, %4, %5, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %7 = stablehlo.select %2, %6, %3 : tensor<12xi1>, tensor<12xi1>
    %8 = stablehlo.select %7, %arg0, %arg1 : tensor<12xi1>, tensor<12xcomplex<f32>>
    %9 = stablehlo.real %arg2 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %10 = stablehlo.real %arg3 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %11 = stablehlo.compare EQ, %9, %10, FLOAT : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xi1>
    %12 = stablehlo.compare GT, %9, %10, FLOAT : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xi1>
    %13 = stablehlo.imag %arg2 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %14 = stablehlo.imag %arg3 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %15 = stablehlo.compare GT, %13, %14, FLOAT : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xi1>
    %16 = stablehlo.select %11, %15, %12 : tensor<12xi1>, tensor<12xi1>
    %17 = stablehlo.select %16, %arg2, %arg3 : tensor<12xi1>, tensor<12xcomplex<f64>>
    return %8, %17 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
