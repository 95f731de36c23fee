module @jit_clamp_unsigned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui2>, %arg1: tensor<12xui2>, %arg2: tensor<ui2>, %arg3: tensor<ui4>, %arg4: tensor<12xui4>, %arg5: tensor<ui4>, %arg6: tensor<ui8>, %arg7: tensor<12xui8>, %arg8: tensor<ui8>, %arg9: tensor<ui16>, %arg10: tensor<12xui16>, %arg11: tensor<ui16>, %arg12: tensor<ui32>, %arg13: tensor<12xui32>, %arg14: tensor<ui32>, %arg15: tensor<ui64>, %arg16: tensor<12xui64>, %arg17: tensor<ui64>) -> (tensor<12xui2> {jax.result_info = "result[0]"}, tensor<12xui4> {jax.result_info = "result[1]"}, tensor<12xui8> {jax.result_info = "result[2]"}, tensor<12xui16> {jax.result_info = "result[3]"}, tensor<12xui32> {jax.result_info = "result[4]"}, tensor<12xui64> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui2>) -> tensor<12xui2>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<ui2>) -> tensor<12xui2>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<12xui2>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui4>) -> tensor<12xui4>
    %4 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<ui4>) -> tensor<12xui4>
    %5 = stablehlo.clamp %3, %arg4, %4 : tensor<12xui4>
    %6 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<ui8>) -> tensor<12xui8>
    %7 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<ui8>) -> tensor<12xui8>
    %8 = stablehlo.clamp %6, %arg7, %7 : tensor<12xui8>
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<ui16>) -> tensor<12xui16>
    %10 = stablehlo.broadcast_in_dim %arg11, dims = [] : (tensor<ui16>) -> tensor<12xui16>
    %11 = stablehlo.clamp %9, %arg10, %10 : tensor<12xui16>
    %12 = stablehlo.broadcast_in_dim %arg12, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %13 = stablehlo.broadcast_in_dim %arg14, dims = [] : (tensor<ui32>) -> tensor<12xui32>
    %14 = stablehlo.clamp %12, %arg13, %13 : tensor<12xui32>
    %15 = stablehlo.broadcast_in_dim %arg15, dims = [] : (tensor<ui64>) -> tensor<12xui64>
    %16 = stablehlo.broadcast_in_dim %arg17, dims = [] : (tensor<ui64>) -> tensor<12xui64>
    %17 = stablehlo.clamp %15, %arg16, %16 : tensor<12xui64>
    return %2, %5, %8, %11, %14, %17 : tensor<12xui2>, tensor<12xui4>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>
  }
}
