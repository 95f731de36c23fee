module @jit_scatter_sub_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x3xi32>, %arg1: tensor<5xi32>, %arg2: tensor<5x3xi32>) -> (tensor<7x3xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %1 = "stablehlo.scatter"(%arg0, %0, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.subtract %arg3, %arg4 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<7x3xi32>, tensor<5x1xi32>, tensor<5x3xi32>) -> tensor<7x3xi32>
    return %1 : tensor<7x3xi32>
  }
}
