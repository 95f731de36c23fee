module @jit_cholesky_update attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3xf32>, %arg1: tensor<3xf32>) -> (tensor<3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:1] : (tensor<3x3xf32>) -> tensor<1x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
    %2 = stablehlo.slice %arg1 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.compare EQ, %3, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.convert %4 : (tensor<i1>) -> tensor<i32>
    %6:2 = "stablehlo.case"(%5) ({
      %63 = stablehlo.abs %1 : tensor<f32>
      %64 = stablehlo.abs %3 : tensor<f32>
      %65 = stablehlo.compare GT, %63, %64, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %66 = stablehlo.select %65, %63, %64 : tensor<i1>, tensor<f32>
      %67 = stablehlo.divide %1, %66 : tensor<f32>
      %68 = stablehlo.divide %3, %66 : tensor<f32>
      %69 = stablehlo.multiply %67, %67 : tensor<f32>
      %70 = stablehlo.multiply %68, %68 : tensor<f32>
      %71 = stablehlo.add %69, %70 : tensor<f32>
      %72 = stablehlo.sqrt %71 : tensor<f32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %73 = stablehlo.divide %cst_4, %72 : tensor<f32>
      %74 = stablehlo.multiply %67, %73 : tensor<f32>
      %75 = stablehlo.negate %68 : tensor<f32>
      %76 = stablehlo.multiply %75, %73 : tensor<f32>
      stablehlo.return %74, %76 : tensor<f32>, tensor<f32>
    }, {
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      stablehlo.return %cst_4, %cst_5 : tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
    %7 = stablehlo.slice %arg0 [0:1, 0:3] : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x3xf32>) -> tensor<3xf32>
    %9 = stablehlo.broadcast_in_dim %6#0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<3xf32>
    %11 = stablehlo.broadcast_in_dim %6#1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %12 = stablehlo.multiply %11, %arg1 : tensor<3xf32>
    %13 = stablehlo.subtract %10, %12 : tensor<3xf32>
    %14 = stablehlo.broadcast_in_dim %6#0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %15 = stablehlo.multiply %14, %arg1 : tensor<3xf32>
    %16 = stablehlo.broadcast_in_dim %6#1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %17 = stablehlo.multiply %16, %8 : tensor<3xf32>
    %18 = stablehlo.add %15, %17 : tensor<3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %20 = "stablehlo.scatter"(%arg0, %19, %13) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<3x3xf32>
    %21 = stablehlo.slice %20 [1:2, 1:2] : (tensor<3x3xf32>) -> tensor<1x1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x1xf32>) -> tensor<f32>
    %23 = stablehlo.slice %18 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %24 = stablehlo.reshape %23 : (tensor<1xf32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.compare EQ, %24, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %26 = stablehlo.convert %25 : (tensor<i1>) -> tensor<i32>
    %27:2 = "stablehlo.case"(%26) ({
      %63 = stablehlo.abs %22 : tensor<f32>
      %64 = stablehlo.abs %24 : tensor<f32>
      %65 = stablehlo.compare GT, %63, %64, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %66 = stablehlo.select %65, %63, %64 : tensor<i1>, tensor<f32>
      %67 = stablehlo.divide %22, %66 : tensor<f32>
      %68 = stablehlo.divide %24, %66 : tensor<f32>
      %69 = stablehlo.multiply %67, %67 : tensor<f32>
      %70 = stablehlo.multiply %68, %68 : tensor<f32>
      %71 = stablehlo.add %69, %70 : tensor<f32>
      %72 = stablehlo.sqrt %71 : tensor<f32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %73 = stablehlo.divide %cst_4, %72 : tensor<f32>
      %74 = stablehlo.multiply %67, %73 : tensor<f32>
      %75 = stablehlo.negate %68 : tensor<f32>
      %76 = stablehlo.multiply %75, %73 : tensor<f32>
      stablehlo.return %74, %76 : tensor<f32>, tensor<f32>
    }, {
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      stablehlo.return %cst_4, %cst_5 : tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
    %28 = stablehlo.slice %20 [1:2, 0:3] : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x3xf32>) -> tensor<3xf32>
    %30 = stablehlo.broadcast_in_dim %27#0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<3xf32>
    %32 = stablehlo.broadcast_in_dim %27#1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %33 = stablehlo.multiply %32, %18 : tensor<3xf32>
    %34 = stablehlo.subtract %31, %33 : tensor<3xf32>
    %35 = stablehlo.broadcast_in_dim %27#0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %36 = stablehlo.multiply %35, %18 : tensor<3xf32>
    %37 = stablehlo.broadcast_in_dim %27#1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %38 = stablehlo.multiply %37, %29 : tensor<3xf32>
    %39 = stablehlo.add %36, %38 : tensor<3xf32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %41 = "stablehlo.scatter"(%20, %40, %34) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<3x3xf32>
    %42 = stablehlo.slice %41 [2:3, 2:3] : (tensor<3x3xf32>) -> tensor<1x1xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x1xf32>) -> tensor<f32>
    %44 = stablehlo.slice %39 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %45 = stablehlo.reshape %44 : (tensor<1xf32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.compare EQ, %45, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %47 = stablehlo.convert %46 : (tensor<i1>) -> tensor<i32>
    %48:2 = "stablehlo.case"(%47) ({
      %63 = stablehlo.abs %43 : tensor<f32>
      %64 = stablehlo.abs %45 : tensor<f32>
      %65 = stablehlo.compare GT, %63, %64, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %66 = stablehlo.select %65, %63, %64 : tensor<i1>, tensor<f32>
      %67 = stablehlo.divide %43, %66 : tensor<f32>
      %68 = stablehlo.divide %45, %66 : tensor<f32>
      %69 = stablehlo.multiply %67, %67 : tensor<f32>
      %70 = stablehlo.multiply %68, %68 : tensor<f32>
      %71 = stablehlo.add %69, %70 : tensor<f32>
      %72 = stablehlo.sqrt %71 : tensor<f32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %73 = stablehlo.divide %cst_4, %72 : tensor<f32>
      %74 = stablehlo.multiply %67, %73 : tensor<f32>
      %75 = stablehlo.negate %68 : tensor<f32>
      %76 = stablehlo.multiply %75, %73 : tensor<f32>
      stablehlo.return %74, %76 : tensor<f32>, tensor<f32>
    }, {
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      stablehlo.return %cst_4, %cst_5 : tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
    %49 = stablehlo.slice %41 [2:3, 0:3] : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %50 = stablehlo.reshape %49 : (tensor<1x3xf32>) -> tensor<3xf32>
    %51 = stablehlo.broadcast_in_dim %48#0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<3xf32>
    %53 = stablehlo.broadcast_in_dim %48#1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %54 = stablehlo.multiply %53, %39 : tensor<3xf32>
    %55 = stablehlo.subtract %52, %54 : tensor<3xf32>
    %56 = stablehlo.broadcast_in_dim %48#0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %57 = stablehlo.multiply %56, %39 : tensor<3xf32>
    %58 = stablehlo.broadcast_in_dim %48#1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %59 = stablehlo.multiply %58, %50 : tensor<3xf32>
    %60 = stablehlo.add %57, %59 : tensor<3xf32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %62 = "stablehlo.scatter"(%41, %61, %55) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<3x3xf32>
    return %62 : tensor<3x3xf32>
  }
}
