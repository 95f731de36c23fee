module @jit_shift_past_end attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xi8>, %arg1: tensor<5xi8>, %arg2: tensor<5xi32>, %arg3: tensor<5xi32>, %arg4: tensor<5xi64>, %arg5: tensor<5xi64>, %arg6: tensor<5xui8>, %arg7: tensor<5xui8>, %arg8: tensor<5xui32>, %arg9: tensor<5xui32>) -> (tensor<5xi8> {jax.result_info = "result[0]"}, tensor<5xi8> {jax.result_info = "result[1]"}, tensor<5xi8> {jax.result_info = "result[2]"}, tensor<5xi32> {jax.result_info = "result[3]"}, tensor<5xi32> {jax.result_info = "result[4]"}, tensor<5xi32> {jax.result_info = "result[5]"}, tensor<5xi64> {jax.result_info = "result[6]"}, tensor<5xi64> {jax.result_info = "result[7]"}, tensor<5xi64> {jax.result_info = "result[8]"}, tensor<5xui8> {jax.result_info = "result[9]"}, tensor<5xui8> {jax.result_info = "result[10]"}, tensor<5xui8> {jax.result_info = "result[11]"}, tensor<5xui32> {jax.result_info = "result[12]"}, tensor<5xui32> {jax.result_info = "result[13]"}, tensor<5xui32> {jax.result_info = "result[14]"}) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5xi8>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5xi8>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5xi8>
    %3 = stablehlo.shift_left %arg2, %arg3 : tensor<5xi32>
    %4 = stablehlo.shift_right_logical %arg2, %arg3 : tensor<5xi32>
    %5 = stablehlo.shift_right_arithmetic %arg2, %arg3 : tensor<5xi32>
    %6 = stablehlo.shift_left %arg4, %arg5 : tensor<5xi64>
    %7 = stablehlo.shift_right_logical %arg4, %arg5 : tensor<5xi64>
    %8 = stablehlo.shift_right_arithmetic %arg4, %arg5 : tensor<5xi64>
    %9 = stablehlo.shift_left %arg6, %arg7 : tensor<5xui8>
    %10 = stablehlo.shift_right_logical %arg6, %arg7 : tensor<5xui8>
    %11 = stablehlo.shift_right_arithmetic %arg6, %arg7 : tensor<5xui8>
    %12 = stablehlo.shift_left %arg8, %arg9 : tensor<5xui32>
    %13 = stablehlo.shift_right_logical %arg8, %arg9 : tensor<5xui32>
    %14 = stablehlo.shift_right_arithmetic %arg8, %arg9 : tensor<5xui32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi64>, tensor<5xi64>, tensor<5xi64>, tensor<5xui8>, tensor<5xui8>, tensor<5xui8>, tensor<5xui32>, tensor<5xui32>, tensor<5xui32>
  }
}
