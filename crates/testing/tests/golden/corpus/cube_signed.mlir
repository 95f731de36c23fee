module @jit_cube_signed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xi2>, %arg1: tensor<12xi4>, %arg2: tensor<12xi8>, %arg3: tensor<12xi16>, %arg4: tensor<12xi32>, %arg5: tensor<12xi64>) -> (tensor<12xi2> {jax.result_info = "result[0]"}, tensor<12xi4> {jax.result_info = "result[1]"}, tensor<12xi8> {jax.result_info = "result[2]"}, tensor<12xi16> {jax.result_info = "result[3]"}, tensor<12xi32> {jax.result_info = "result[4]"}, tensor<12xi64> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<12xi2>
    %1 = stablehlo.multiply %0, %arg0 : tensor<12xi2>
    %2 = stablehlo.multiply %arg1, %arg1 : tensor<12xi4>
    %3 = stablehlo.multiply %2, %arg1 : tensor<12xi4>
    %4 = stablehlo.multiply %arg2, %arg2 : tensor<12xi8>
    %5 = stablehlo.multiply %4, %arg2 : tensor<12xi8>
    %6 = stablehlo.multiply %arg3, %arg3 : tensor<12xi16>
    %7 = stablehlo.multiply %6, %arg3 : tensor<12xi16>
    %8 = stablehlo.multiply %arg4, %arg4 : tensor<12xi32>
    %9 = stablehlo.multiply %8, %arg4 : tensor<12xi32>
    %10 = stablehlo.multiply %arg5, %arg5 : tensor<12xi64>
    %11 = stablehlo.multiply %10, %arg5 : tensor<12xi64>
    return %1, %3, %5, %7, %9, %11 : tensor<12xi2>, tensor<12xi4>, tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>
  }
}
