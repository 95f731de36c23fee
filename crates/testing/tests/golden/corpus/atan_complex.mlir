module @jit_atan_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = chlo.atan %arg0 : tensor<12xcomplex<f32>> -> tensor<12xcomplex<f32>>
    %1 = chlo.atan %arg1 : tensor<12xcomplex<f64>> -> tensor<12xcomplex<f64>>
    return %0, %1 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
