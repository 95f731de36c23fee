module @jit_iota attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<5xi32> {jax.result_info = "result[0]"}, tensor<2x3xf32> {jax.result_info = "result[1]"}, tensor<3xui8> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.iota dim = 1 : tensor<2x3xf32>
    %2 = stablehlo.iota dim = 0 : tensor<3xui8>
    return %0, %1, %2 : tensor<5xi32>, tensor<2x3xf32>, tensor<3xui8>
  }
}
