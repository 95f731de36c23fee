module @jit_scatter_blocks attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x6xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3x2x3xf32>) -> (tensor<5x4x6xf32> {jax.result_info = "result[0]"}, tensor<5x4x6xf32> {jax.result_info = "result[1]"}, tensor<5x4x6xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<2147483647> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %1 = stablehlo.minimum %c, %0 : tensor<2xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %4 = stablehlo.clamp %3, %arg1, %2 : tensor<3x2xi32>
    %5 = "stablehlo.scatter"(%arg0, %4, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<5x4x6xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<5x4x6xf32>
    %6 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<5x4x6xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<5x4x6xf32>
    %c_2 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
    %c_3 = stablehlo.constant dense<2147483647> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.minimum %c_2, %7 : tensor<2xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %11 = stablehlo.clamp %10, %arg1, %9 : tensor<3x2xi32>
    %12 = "stablehlo.scatter"(%arg0, %11, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<5x4x6xf32>, tensor<3x2xi32>, tensor<3x2x3xf32>) -> tensor<5x4x6xf32>
    return %5, %6, %12 : tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>
  }
}
