module @jit_constants_special attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<5xf16> {jax.result_info = "result[0]"}, tensor<5xbf16> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<5xf64> {jax.result_info = "result[3]"}, tensor<2xcomplex<f32>> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[0x7C00, 0xFC00, 0x7E00, -0.000000e+00, 1.000400e-03]> : tensor<5xf16>
    %cst_0 = stablehlo.constant dense<[0x7F80, 0xFF80, 0x7FC0, -0.000000e+00, 9.994500e-04]> : tensor<5xbf16>
    %cst_1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.000000e+00, 1.000000e-03]> : tensor<5xf32>
    %cst_2 = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, -0.000000e+00, 1.000000e-03]> : tensor<5xf64>
    %cst_3 = stablehlo.constant dense<[(0x7FC00000,0x7F800000), (-0.000000e+00,1.000000e+00)]> : tensor<2xcomplex<f32>>
    return %cst, %cst_0, %cst_1, %cst_2, %cst_3 : tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>, tensor<5xf64>, tensor<2xcomplex<f32>>
  }
}
