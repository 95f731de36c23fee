module @jit_clamp_signed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i2>, %arg1: tensor<12xi2>, %arg2: tensor<i2>, %arg3: tensor<i4>, %arg4: tensor<12xi4>, %arg5: tensor<i4>, %arg6: tensor<i8>, %arg7: tensor<12xi8>, %arg8: tensor<i8>, %arg9: tensor<i16>, %arg10: tensor<12xi16>, %arg11: tensor<i16>, %arg12: tensor<i32>, %arg13: tensor<12xi32>, %arg14: tensor<i32>, %arg15: tensor<i64>, %arg16: tensor<12xi64>, %arg17: tensor<i64>) -> (tensor<12xi2> {jax.result_info = "result[0]"}, tensor<12xi4> {jax.result_info = "result[1]"}, tensor<12xi8> {jax.result_info = "result[2]"}, tensor<12xi16> {jax.result_info = "result[3]"}, tensor<12xi32> {jax.result_info = "result[4]"}, tensor<12xi64> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<i2>) -> tensor<12xi2>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i2>) -> tensor<12xi2>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<12xi2>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i4>) -> tensor<12xi4>
    %4 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<i4>) -> tensor<12xi4>
    %5 = stablehlo.clamp %3, %arg4, %4 : tensor<12xi4>
    %6 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<i8>) -> tensor<12xi8>
    %7 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<i8>) -> tensor<12xi8>
    %8 = stablehlo.clamp %6, %arg7, %7 : tensor<12xi8>
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<i16>) -> tensor<12xi16>
    %10 = stablehlo.broadcast_in_dim %arg11, dims = [] : (tensor<i16>) -> tensor<12xi16>
    %11 = stablehlo.clamp %9, %arg10, %10 : tensor<12xi16>
    %12 = stablehlo.broadcast_in_dim %arg12, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %13 = stablehlo.broadcast_in_dim %arg14, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %14 = stablehlo.clamp %12, %arg13, %13 : tensor<12xi32>
    %15 = stablehlo.broadcast_in_dim %arg15, dims = [] : (tensor<i64>) -> tensor<12xi64>
    %16 = stablehlo.broadcast_in_dim %arg17, dims = [] : (tensor<i64>) -> tensor<12xi64>
    %17 = stablehlo.clamp %15, %arg16, %16 : tensor<12xi64>
    return %2, %5, %8, %11, %14, %17 : tensor<12xi2>, tensor<12xi4>, tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>
  }
}
