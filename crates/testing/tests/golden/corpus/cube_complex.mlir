module @jit_cube_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>, %arg1: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<12xcomplex<f32>>
    %1 = stablehlo.multiply %0, %arg0 : tensor<12xcomplex<f32>>
    %2 = stablehlo.multiply %arg1, %arg1 : tensor<12xcomplex<f64>>
    %3 = stablehlo.multiply %2, %arg1 : tensor<12xcomplex<f64>>
    return %1, %3 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
