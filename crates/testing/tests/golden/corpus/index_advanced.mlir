module @jit_index_advanced attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x6xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>, %arg3: tensor<5xi1>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<5x3x3xf32> {jax.result_info = "result[1]"}, tensor<5x4x1x2xf32> {jax.result_info = "result[2]"}, tensor<3x6xf32> {jax.result_info = "result[3]"}, tensor<5x4x6xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3xi1>, tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %6 = stablehlo.compare LT, %arg2, %5, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %8 = stablehlo.add %arg2, %7 : tensor<3xi32>
    %9 = stablehlo.select %6, %8, %arg2 : tensor<3xi1>, tensor<3xi32>
    %10 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %12 = stablehlo.concatenate %10, %11, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %13 = "stablehlo.gather"(%arg0, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1>}> : (tensor<5x4x6xf32>, tensor<3x2xi32>) -> tensor<3x4xf32>
    %14 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %16 = stablehlo.compare LT, %14, %15, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %18 = stablehlo.add %14, %17 : tensor<3x1xi32>
    %19 = stablehlo.select %16, %18, %14 : tensor<3x1xi1>, tensor<3x1xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %21 = stablehlo.compare LT, %arg2, %20, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %23 = stablehlo.add %arg2, %22 : tensor<3xi32>
    %24 = stablehlo.select %21, %23, %arg2 : tensor<3xi1>, tensor<3xi32>
    %25 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x3xi32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<3xi32>) -> tensor<3x3xi32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<3x3xi32>) -> tensor<3x3x1xi32>
    %28 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<3x3xi32>) -> tensor<3x3x1xi32>
    %29 = stablehlo.concatenate %27, %28, dim = 2 : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<3x3x2xi32>
    %30 = "stablehlo.gather"(%arg0, %29) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x4x6xf32>, tensor<3x3x2xi32>) -> tensor<5x3x3xf32>
    %31 = stablehlo.slice %arg0 [0:5, 0:4, 1:3] : (tensor<5x4x6xf32>) -> tensor<5x4x2xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 3] : (tensor<5x4x2xf32>) -> tensor<5x4x1x2xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %34 = stablehlo.compare LT, %arg1, %33, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %36 = stablehlo.add %arg1, %35 : tensor<3xi32>
    %37 = stablehlo.select %34, %36, %arg1 : tensor<3xi1>, tensor<3xi32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %39 = stablehlo.convert %38 : tensor<3xi32>
    %40 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_10 = stablehlo.constant dense<-1> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %42 = stablehlo.multiply %41, %40 : tensor<6xi32>
    %c_11 = stablehlo.constant dense<5> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %44 = stablehlo.add %43, %42 : tensor<6xi32>
    %45 = stablehlo.reverse %44, dims = [0] : tensor<6xi32>
    %46 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<3xi32>) -> tensor<3x6x1xi32>
    %47 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<3xi32>) -> tensor<3x6x1xi32>
    %48 = stablehlo.broadcast_in_dim %45, dims = [1] : (tensor<6xi32>) -> tensor<3x6x1xi32>
    %49 = stablehlo.concatenate %46, %47, %48, dim = 2 : (tensor<3x6x1xi32>, tensor<3x6x1xi32>, tensor<3x6x1xi32>) -> tensor<3x6x3xi32>
    %50 = "stablehlo.gather"(%arg0, %49) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<5x4x6xf32>, tensor<3x6x3xi32>) -> tensor<3x6xf32>
    %51 = stablehlo.reverse %50, dims = [1] : tensor<3x6xf32>
    %52 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<5xi1>) -> tensor<5x1x1xi1>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %53 = call @_where(%52, %arg0, %c_12) : (tensor<5x1x1xi1>, tensor<5x4x6xf32>, tensor<i32>) -> tensor<5x4x6xf32>
    return %13, %30, %32, %51, %53 : tensor<3x4xf32>, tensor<5x3x3xf32>, tensor<5x4x1x2xf32>, tensor<3x6xf32>, tensor<5x4x6xf32>
  }
  func.func private @_where(%arg0: tensor<5x1x1xi1>, %arg1: tensor<5x4x6xf32>, %arg2: tensor<i32>) -> tensor<5x4x6xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<5x1x1xi1>) -> tensor<5x4x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x4x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<5x4x6xi1>, tensor<5x4x6xf32>
    return %3 : tensor<5x4x6xf32>
  }
}
