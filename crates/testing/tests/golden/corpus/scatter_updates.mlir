module @jit_scatter_updates attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x3xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5x3xf32>) -> (tensor<7x3xf32> {jax.result_info = "result[0]"}, tensor<7x3xf32> {jax.result_info = "result[1]"}, tensor<7x3xf32> {jax.result_info = "result[2]"}, tensor<7x3xf32> {jax.result_info = "result[3]"}, tensor<7x3xf32> {jax.result_info = "result[4]"}, tensor<7x3xf32> {jax.result_info = "result[5]"}, tensor<7x3xf32> {jax.result_info = "result[6]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %1 = stablehlo.add %arg2, %0 : tensor<5x3xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %4 = stablehlo.compare LT, %arg1, %3, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_1 = stablehlo.constant dense<7> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %6 = stablehlo.add %arg1, %5 : tensor<5xi32>
    %7 = stablehlo.select %4, %6, %arg1 : tensor<5xi1>, tensor<5xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %9 = "stablehlo.scatter"(%2, %8, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %52 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %52 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<5x1xi32>, tensor<5x3xf32>) -> tensor<7x3xf32>
    %10 = stablehlo.divide %arg0, %9 : tensor<7x3xf32>
    %11 = stablehlo.slice %arg1 [1:5] : (tensor<5xi32>) -> tensor<4xi32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7x3xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %14 = stablehlo.compare LT, %11, %13, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_4 = stablehlo.constant dense<7> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %16 = stablehlo.add %11, %15 : tensor<4xi32>
    %17 = stablehlo.select %14, %16, %11 : tensor<4xi1>, tensor<4xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %20 = "stablehlo.scatter"(%12, %18, %19) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %52 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %52 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<7x3xf32>
    %21 = stablehlo.power %arg0, %20 : tensor<7x3xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %23 = stablehlo.compare LT, %arg1, %22, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_7 = stablehlo.constant dense<7> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %25 = stablehlo.add %arg1, %24 : tensor<5xi32>
    %26 = stablehlo.select %23, %25, %arg1 : tensor<5xi1>, tensor<5xi32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %28 = stablehlo.convert %27 : tensor<5xi32>
    %29 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %31 = stablehlo.concatenate %29, %30, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %33 = "stablehlo.scatter"(%arg0, %31, %32) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %52 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %52 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<5x2xi32>, tensor<5xf32>) -> tensor<7x3xf32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %36 = "stablehlo.scatter"(%arg0, %34, %35) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %52 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %52 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<7x3xf32>
    %37 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_12 = stablehlo.constant dense<2> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %39 = stablehlo.multiply %38, %37 : tensor<2xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %41 = stablehlo.add %40, %39 : tensor<2xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<7x2xf32>
    %44 = "stablehlo.scatter"(%arg0, %42, %43) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<2x1xi32>, tensor<7x2xf32>) -> tensor<7x3xf32>
    %c_15 = stablehlo.constant dense<6> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %47 = "stablehlo.scatter"(%arg0, %45, %46) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %52 = stablehlo.minimum %arg3, %arg4 : tensor<f32>
      stablehlo.return %52 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<7x3xf32>
    %c_17 = stablehlo.constant dense<2> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.concatenate %48, %49, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %cst_19 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %51 = "stablehlo.scatter"(%arg0, %50, %cst_19) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %52 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %52 : tensor<f32>
    }) : (tensor<7x3xf32>, tensor<2xi32>, tensor<f32>) -> tensor<7x3xf32>
    return %10, %21, %33, %36, %44, %47, %51 : tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>, tensor<7x3xf32>
  }
}
