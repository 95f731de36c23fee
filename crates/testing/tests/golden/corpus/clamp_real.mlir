module @jit_clamp_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f16>, %arg1: tensor<26xf16>, %arg2: tensor<f16>, %arg3: tensor<bf16>, %arg4: tensor<26xbf16>, %arg5: tensor<bf16>, %arg6: tensor<f32>, %arg7: tensor<26xf32>, %arg8: tensor<f32>, %arg9: tensor<f64>, %arg10: tensor<26xf64>, %arg11: tensor<f64>) -> (tensor<26xf16> {jax.result_info = "result[0]"}, tensor<26xbf16> {jax.result_info = "result[1]"}, tensor<26xf32> {jax.result_info = "result[2]"}, tensor<26xf64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f16>) -> tensor<26xf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f16>) -> tensor<26xf16>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<26xf16>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<bf16>) -> tensor<26xbf16>
    %4 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<bf16>) -> tensor<26xbf16>
    %5 = stablehlo.clamp %3, %arg4, %4 : tensor<26xbf16>
    %6 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<26xf32>
    %7 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<f32>) -> tensor<26xf32>
    %8 = stablehlo.clamp %6, %arg7, %7 : tensor<26xf32>
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<f64>) -> tensor<26xf64>
    %10 = stablehlo.broadcast_in_dim %arg11, dims = [] : (tensor<f64>) -> tensor<26xf64>
    %11 = stablehlo.clamp %9, %arg10, %10 : tensor<26xf64>
    return %2, %5, %8, %11 : tensor<26xf16>, tensor<26xbf16>, tensor<26xf32>, tensor<26xf64>
  }
}
