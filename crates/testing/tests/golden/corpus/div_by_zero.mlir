module @jit_div_by_zero attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xi8>, %arg1: tensor<5xi8>, %arg2: tensor<5xi32>, %arg3: tensor<5xi32>, %arg4: tensor<5xi64>, %arg5: tensor<5xi64>, %arg6: tensor<5xui8>, %arg7: tensor<5xui8>, %arg8: tensor<5xui32>, %arg9: tensor<5xui32>) -> (tensor<5xi8> {jax.result_info = "result[0]"}, tensor<5xi8> {jax.result_info = "result[1]"}, tensor<5xi32> {jax.result_info = "result[2]"}, tensor<5xi32> {jax.result_info = "result[3]"}, tensor<5xi64> {jax.result_info = "result[4]"}, tensor<5xi64> {jax.result_info = "result[5]"}, tensor<5xui8> {jax.result_info = "result[6]"}, tensor<5xui8> {jax.result_info = "result[7]"}, tensor<5xui32> {jax.result_info = "result[8]"}, tensor<5xui32> {jax.result_info = "result[9]"}) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5xi8>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5xi8>
    %2 = stablehlo.divide %arg2, %arg3 : tensor<5xi32>
    %3 = stablehlo.remainder %arg2, %arg3 : tensor<5xi32>
    %4 = stablehlo.divide %arg4, %arg5 : tensor<5xi64>
    %5 = stablehlo.remainder %arg4, %arg5 : tensor<5xi64>
    %6 = stablehlo.divide %arg6, %arg7 : tensor<5xui8>
    %7 = stablehlo.remainder %arg6, %arg7 : tensor<5xui8>
    %8 = stablehlo.divide %arg8, %arg9 : tensor<5xui32>
    %9 = stablehlo.remainder %arg8, %arg9 : tensor<5xui32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<5xi8>, tensor<5xi8>, tensor<5xi32>, tensor<5xi32>, tensor<5xi64>, tensor<5xi64>, tensor<5xui8>, tensor<5xui8>, tensor<5xui32>, tensor<5xui32>
  }
}
