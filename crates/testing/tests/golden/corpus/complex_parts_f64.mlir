module @jit_complex_parts_f64 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf64>, %arg1: tensor<14xf64>) -> (tensor<14xcomplex<f64>> {jax.result_info = "result[0]"}, tensor<14xf64> {jax.result_info = "result[1]"}, tensor<14xf64> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.complex %arg0, %arg1 : tensor<14xcomplex<f64>>
    %1 = stablehlo.complex %arg0, %arg1 : tensor<14xcomplex<f64>>
    %2 = stablehlo.real %1 : (tensor<14xcomplex<f64>>) -> tensor<14xf64>
    %3 = stablehlo.complex %arg1, %arg0 : tensor<14xcomplex<f64>>
    %4 = stablehlo.imag %3 : (tensor<14xcomplex<f64>>) -> tensor<14xf64>
    return %0, %2, %4 : tensor<14xcomplex<f64>>, tensor<14xf64>, tensor<14xf64>
  }
}
