module @jit_gather_general attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x6xf32>, %arg1: tensor<3x2xi32>) -> (tensor<3x2x3xf32> {jax.result_info = "result"}) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 3>}> : (tensor<5x4x6xf32>, tensor<3x2xi32>) -> tensor<3x2x3xf32>
    return %0 : tensor<3x2x3xf32>
  }
}
