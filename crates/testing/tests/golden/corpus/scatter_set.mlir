module @jit_scatter_set attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x3xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5xi32>, %arg3: tensor<5x3xf32>) -> (tensor<7x3xf32> {jax.result_info = "result[0]"}, tensor<7x3xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg1 [0:5:2] : (tensor<5xi32>) -> tensor<3xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %2 = stablehlo.slice %1 [1:3, 0:1] : (tensor<3x1xi32>) -> tensor<2x1xi32>
    %3 = stablehlo.slice %arg3 [0:2, 0:3] : (tensor<5x3xf32>) -> tensor<2x3xf32>
    %4 = "stablehlo.scatter"(%arg0, %2, %3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<7x3xf32>
    %5 = stablehlo.slice %arg2 [0:4] : (tensor<5xi32>) -> tensor<4xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %7 = stablehlo.slice %arg3 [0:4, 0:3] : (tensor<5x3xf32>) -> tensor<4x3xf32>
    %8 = "stablehlo.scatter"(%arg0, %6, %7) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<7x3xf32>
    return %4, %8 : tensor<7x3xf32>, tensor<7x3xf32>
  }
}
