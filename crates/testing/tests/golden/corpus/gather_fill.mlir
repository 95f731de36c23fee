module @jit_gather_fill attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x4x6xf32>, %arg1: tensor<4xi32>, %arg2: tensor<3x2xi32>) -> (tensor<4x4x6xf32> {jax.result_info = "result[0]"}, tensor<3x2x3xf32> {jax.result_info = "result[1]"}, tensor<2x3x1x3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %5 = stablehlo.compare LE, %0, %4, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %6 = stablehlo.and %2, %5 : tensor<4x1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.reduce(%6 init: %c_1) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %8 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 6>}> : (tensor<5x4x6xf32>, tensor<4x1xi32>) -> tensor<4x4x6xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xi1>) -> tensor<4x4x6xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %11 = stablehlo.select %9, %8, %10 : tensor<4x4x6xi1>, tensor<4x4x6xf32>
    %c_2 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %13 = stablehlo.compare GE, %arg2, %12, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<3x2xi32>
    %16 = stablehlo.compare LE, %arg2, %15, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %17 = stablehlo.and %13, %16 : tensor<3x2xi1>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %18 = stablehlo.reduce(%17 init: %c_4) applies stablehlo.and across dimensions = [1] : (tensor<3x2xi1>, tensor<i1>) -> tensor<3xi1>
    %19 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 3>}> : (tensor<5x4x6xf32>, tensor<3x2xi32>) -> tensor<3x2x3xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<3xi1>) -> tensor<3x2x3xi1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x2x3xf32>
    %22 = stablehlo.select %20, %19, %21 : tensor<3x2x3xi1>, tensor<3x2x3xf32>
    %23 = stablehlo.reverse %arg2, dims = [1] : tensor<3x2xi32>
    %c_6 = stablehlo.constant dense<3> : tensor<2xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<3x2xi32>
    %25 = stablehlo.compare GE, %23, %24, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %26 = stablehlo.broadcast_in_dim %c_6, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<3x2xi32>
    %28 = stablehlo.compare LE, %23, %27, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
    %29 = stablehlo.and %25, %28 : tensor<3x2xi1>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %30 = stablehlo.reduce(%29 init: %c_8) applies stablehlo.and across dimensions = [1] : (tensor<3x2xi1>, tensor<i1>) -> tensor<3xi1>
    %31 = "stablehlo.gather"(%arg0, %23) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2, 3], start_index_map = [2, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 3>}> : (tensor<5x4x6xf32>, tensor<3x2xi32>) -> tensor<2x3x1x3xf32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<3xi1>) -> tensor<2x3x1x3xi1>
    %cst_9 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x3x1x3xf32>
    %34 = stablehlo.select %32, %31, %33 : tensor<2x3x1x3xi1>, tensor<2x3x1x3xf32>
    return %11, %22, %34 : tensor<4x4x6xf32>, tensor<3x2x3xf32>, tensor<2x3x1x3xf32>
  }
}
