module @jit_conj_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.real %arg0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %1 = stablehlo.imag %arg0 : (tensor<12xcomplex<f32>>) -> tensor<12xf32>
    %2 = stablehlo.negate %1 : tensor<12xf32>
    %3 = stablehlo.complex %0, %2 : tensor<12xcomplex<f32>>
    %4 = stablehlo.real %arg1 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %5 = stablehlo.imag %arg1 : (tensor<12xcomplex<f64>>) -> tensor<12xf64>
    %6 = stablehlo.negate %5 : tensor<12xf64>
    %7 = stablehlo.complex %4, %6 : tensor<12xcomplex<f64>>
    return %3, %7 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
