module @jit_gather_index_types attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x3xf32>, %arg1: tensor<3xi8>, %arg2: tensor<3xui8>, %arg3: tensor<3xi16>, %arg4: tensor<3xui32>, %arg5: tensor<3xi64>) -> (tensor<3x3xf32> {jax.result_info = "result[0]"}, tensor<3x3xf32> {jax.result_info = "result[1]"}, tensor<3x3xf32> {jax.result_info = "result[2]"}, tensor<3x3xf32> {jax.result_info = "result[3]"}, tensor<3x3xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i8>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<3xi8>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
    %c_0 = stablehlo.constant dense<7> : tensor<i8>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i8>) -> tensor<3xi8>
    %3 = stablehlo.add %arg1, %2 : tensor<3xi8>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<3xi1>, tensor<3xi8>
    %5 = stablehlo.convert %4 : (tensor<3xi8>) -> tensor<3xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    %8 = stablehlo.convert %arg2 : (tensor<3xui8>) -> tensor<3xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %10 = "stablehlo.gather"(%arg0, %9) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i16>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i16>) -> tensor<3xi16>
    %12 = stablehlo.compare LT, %arg3, %11, SIGNED : (tensor<3xi16>, tensor<3xi16>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<7> : tensor<i16>
    %13 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i16>) -> tensor<3xi16>
    %14 = stablehlo.add %arg3, %13 : tensor<3xi16>
    %15 = stablehlo.select %12, %14, %arg3 : tensor<3xi1>, tensor<3xi16>
    %16 = stablehlo.convert %15 : (tensor<3xi16>) -> tensor<3xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %18 = "stablehlo.gather"(%arg0, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    %19 = stablehlo.convert %arg4 : (tensor<3xui32>) -> tensor<3xi32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %21 = "stablehlo.gather"(%arg0, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %22 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %23 = stablehlo.compare LT, %arg5, %22, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %c_4 = stablehlo.constant dense<7> : tensor<i64>
    %24 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %25 = stablehlo.add %arg5, %24 : tensor<3xi64>
    %26 = stablehlo.select %23, %25, %arg5 : tensor<3xi1>, tensor<3xi64>
    %27 = stablehlo.convert %26 : (tensor<3xi64>) -> tensor<3xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %29 = "stablehlo.gather"(%arg0, %28) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
    return %7, %10, %18, %21, %29 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
  }
}
