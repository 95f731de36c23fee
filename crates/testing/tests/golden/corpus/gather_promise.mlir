module @jit_gather_promise attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x6xf32>, %arg1: tensor<4xi32>, %arg2: tensor<3x2xi32>) -> (tensor<4x4x6xf32> {jax.result_info = "result[0]"}, tensor<3x2x3xf32> {jax.result_info = "result[1]"}, tensor<2x3x1x3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 6>}> : (tensor<5x4x6xf32>, tensor<4x1xi32>) -> tensor<4x4x6xf32>
    %2 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 3>}> : (tensor<5x4x6xf32>, tensor<3x2xi32>) -> tensor<3x2x3xf32>
    %3 = stablehlo.reverse %arg2, dims = [1] : tensor<3x2xi32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2, 3], start_index_map = [2, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 3>}> : (tensor<5x4x6xf32>, tensor<3x2xi32>) -> tensor<2x3x1x3xf32>
    return %1, %2, %4 : tensor<4x4x6xf32>, tensor<3x2x3xf32>, tensor<2x3x1x3xf32>
  }
}
