module @jit_sign_unsigned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xui2>, %arg1: tensor<12xui4>, %arg2: tensor<12xui8>, %arg3: tensor<12xui16>, %arg4: tensor<12xui32>, %arg5: tensor<12xui64>) -> (tensor<12xui2> {jax.result_info = "result[0]"}, tensor<12xui4> {jax.result_info = "result[1]"}, tensor<12xui8> {jax.result_info = "result[2]"}, tensor<12xui16> {jax.result_info = "result[3]"}, tensor<12xui32> {jax.result_info = "result[4]"}, tensor<12xui64> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<0> : tensor<ui2>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui2>) -> tensor<12xui2>
    %1 = stablehlo.compare EQ, %arg0, %0, UNSIGNED : (tensor<12xui2>, tensor<12xui2>) -> tensor<12xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<ui2>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui2>) -> tensor<12xui2>
    %c_1 = stablehlo.constant dense<1> : tensor<ui2>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui2>) -> tensor<12xui2>
    %4 = stablehlo.select %1, %2, %3 : tensor<12xi1>, tensor<12xui2>
    %c_2 = stablehlo.constant dense<0> : tensor<ui4>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui4>) -> tensor<12xui4>
    %6 = stablehlo.compare EQ, %arg1, %5, UNSIGNED : (tensor<12xui4>, tensor<12xui4>) -> tensor<12xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<ui4>
    %7 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui4>) -> tensor<12xui4>
    %c_4 = stablehlo.constant dense<1> : tensor<ui4>
    %8 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui4>) -> tensor<12xui4>
    %9 = stablehlo.select %6, %7, %8 : tensor<12xi1>, tensor<12xui4>
    %c_5 = stablehlo.constant dense<0> : tensor<ui8>
    %10 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui8>) -> tensor<12xui8>
    %11 = stablehlo.compare EQ, %arg2, %10, UNSIGNED : (tensor<12xui8>, tensor<12xui8>) -> tensor<12xi1>
    %c_6 = stablehlo.constant dense<0> : tensor<ui8>
    %12 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui8>) -> tensor<12xui8>
    %c_7 = stablehlo.constant dense<1> : tensor<ui8>
    %13 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui8>) -> tensor<12xui8>
    %14 = stablehlo.select %11, %12, %13 : tensor<12xi1>, tensor<12xui8>
    %c_8 = stablehlo.constant dense<0> : tensor<ui16>
    %15 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui16>) -> tensor<12xui16>
    %16 = stablehlo.compare EQ, %arg3, %15, UNSIGNED : (tensor<12xui16>, tensor<12xui16>) -> tensor<12xi1>
    %c_9 = stablehlo.constant dense<0> : tensor<ui16>
    %17 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui16>) -> tensor<12xui16>
    %c_10 = stablehlo.constant dense<1> : tensor<ui16>
    %18 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui16>) -> tensor<12xui16>
    %19 = stablehlo.select %16, %17, %18 : tensor<12xi1>, tensor<12xui16>
    %c_11 = stablehlo.constant dense<0> : tensor<ui32>
    %20 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %21 = stablehlo.compare EQ, %arg4, %20, UNSIGNED : (tensor<12xui32>, tensor<12xui32>) -> tensor<12xi1>
    %c_12 = stablehlo.constant dense<0> : tensor<ui32>
    %22 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %c_13 = stablehlo.constant dense<1> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %24 = stablehlo.select %21, %22, %23 : tensor<12xi1>, tensor<12xui32>
    %c_14 = stablehlo.constant dense<0> : tensor<ui64>
    %25 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui64>) -> tensor<12xui64>
    %26 = stablehlo.compare EQ, %arg5, %25, UNSIGNED : (tensor<12xui64>, tensor<12xui64>) -> tensor<12xi1>
    %c_15 = stablehlo.constant dense<0> : tensor<ui64>
    %27 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui64>) -> tensor<12xui64>
    %c_16 = stablehlo.constant dense<1> : tensor<ui64>
    %28 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui64>) -> tensor<12xui64>
    %29 = stablehlo.select %26, %27, %28 : tensor<12xi1>, tensor<12xui64>
    return %4, %9, %14, %19, %24, %29 : tensor<12xui2>, tensor<12xui4>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>
  }
}
