module @jit_reduce_bitwise attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xi32>, %arg1: tensor<3x4xui8>, %arg2: tensor<3x4xi1>) -> (tensor<3xi32> {jax.result_info = "result[0]"}, tensor<3xi32> {jax.result_info = "result[1]"}, tensor<3xi32> {jax.result_info = "result[2]"}, tensor<3xui8> {jax.result_info = "result[3]"}, tensor<3xui8> {jax.result_info = "result[4]"}, tensor<3xui8> {jax.result_info = "result[5]"}, tensor<3xi1> {jax.result_info = "result[6]"}, tensor<3xi1> {jax.result_info = "result[7]"}, tensor<3xi1> {jax.result_info = "result[8]"}) {
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.and across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.xor across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    %c_2 = stablehlo.constant dense<255> : tensor<ui8>
    %3 = stablehlo.reduce(%arg1 init: %c_2) applies stablehlo.and across dimensions = [1] : (tensor<3x4xui8>, tensor<ui8>) -> tensor<3xui8>
    %c_3 = stablehlo.constant dense<0> : tensor<ui8>
    %4 = stablehlo.reduce(%arg1 init: %c_3) applies stablehlo.or across dimensions = [1] : (tensor<3x4xui8>, tensor<ui8>) -> tensor<3xui8>
    %c_4 = stablehlo.constant dense<0> : tensor<ui8>
    %5 = stablehlo.reduce(%arg1 init: %c_4) applies stablehlo.xor across dimensions = [1] : (tensor<3x4xui8>, tensor<ui8>) -> tensor<3xui8>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %6 = stablehlo.reduce(%arg2 init: %c_5) applies stablehlo.and across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    %c_6 = stablehlo.constant dense<false> : tensor<i1>
    %7 = stablehlo.reduce(%arg2 init: %c_6) applies stablehlo.or across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    %c_7 = stablehlo.constant dense<false> : tensor<i1>
    %8 = stablehlo.reduce(%arg2 init: %c_7) applies stablehlo.xor across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
  }
}
