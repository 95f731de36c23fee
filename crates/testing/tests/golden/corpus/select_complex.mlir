module @jit_select_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi1>, %arg1: tensor<i1>, %arg2: tensor<12xcomplex<f32>>, %arg3: tensor<12xcomplex<f32>>, %arg4: tensor<12xcomplex<f64>>, %arg5: tensor<12xcomplex<f64>>) -> (tensor<12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<12xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<12xcomplex<f64>> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.select %arg0, %arg2, %arg3 : tensor<12xi1>, tensor<12xcomplex<f32>>
    %1 = stablehlo.select %arg0, %arg4, %arg5 : tensor<12xi1>, tensor<12xcomplex<f64>>
    %2 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<12xcomplex<f32>>
    %3 = stablehlo.select %arg1, %arg4, %arg5 : tensor<i1>, tensor<12xcomplex<f64>>
    return %0, %1, %2, %3 : tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>, tensor<12xcomplex<f32>>, tensor<12xcomplex<f64>>
  }
}
