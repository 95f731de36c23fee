module @jit_reduce_ui16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xui16>) -> (tensor<2x4xui16> {jax.result_info = "result[0]"}, tensor<3xui16> {jax.result_info = "result[1]"}, tensor<2x3xui16> {jax.result_info = "result[2]"}, tensor<ui16> {jax.result_info = "result[3]"}, tensor<2x4xui16> {jax.result_info = "result[4]"}, tensor<4xui16> {jax.result_info = "result[5]"}, tensor<2x4xi32> {jax.result_info = "result[6]"}, tensor<2x3xi32> {jax.result_info = "result[7]"}) {
    %c = stablehlo.constant dense<0> : tensor<ui16>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3x4xui16>, tensor<ui16>) -> tensor<2x4xui16>
    %c_0 = stablehlo.constant dense<0> : tensor<ui16>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xui16>, tensor<ui16>) -> tensor<3xui16>
    %c_1 = stablehlo.constant dense<1> : tensor<ui16>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.multiply across dimensions = [2] : (tensor<2x3x4xui16>, tensor<ui16>) -> tensor<2x3xui16>
    %c_2 = stablehlo.constant dense<0> : tensor<ui16>
    %3 = stablehlo.reduce(%arg0 init: %c_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x4xui16>, tensor<ui16>) -> tensor<ui16>
    %c_3 = stablehlo.constant dense<0> : tensor<ui16>
    %4 = stablehlo.reduce(%arg0 init: %c_3) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3x4xui16>, tensor<ui16>) -> tensor<2x4xui16>
    %c_4 = stablehlo.constant dense<65535> : tensor<ui16>
    %5 = stablehlo.reduce(%arg0 init: %c_4) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<2x3x4xui16>, tensor<ui16>) -> tensor<4xui16>
    %6 = call @argmax(%arg0) : (tensor<2x3x4xui16>) -> tensor<2x4xi32>
    %7 = call @argmin(%arg0) : (tensor<2x3x4xui16>) -> tensor<2x3xi32>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x4xui16>, tensor<3xui16>, tensor<2x3xui16>, tensor<ui16>, tensor<2x4xui16>, tensor<4xui16>, tensor<2x4xi32>, tensor<2x3xi32>
  }
  func.func private @argmax(%arg0: tensor<2x3x4xui16>) -> tensor<2x4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x3x4xi32>
    %c = stablehlo.constant dense<0> : tensor<ui16>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<2x3x4xui16>, tensor<2x3x4xi32>, tensor<ui16>, tensor<i32>) -> (tensor<2x4xui16>, tensor<2x4xi32>)
     reducer(%arg1: tensor<ui16>, %arg3: tensor<ui16>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<ui16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<ui16>, tensor<i32>
    }
    return %1#1 : tensor<2x4xi32>
  }
  func.func private @argmin(%arg0: tensor<2x3x4xui16>) -> tensor<2x3xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<2x3x4xi32>
    %c = stablehlo.constant dense<65535> : tensor<ui16>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [2] : (tensor<2x3x4xui16>, tensor<2x3x4xi32>, tensor<ui16>, tensor<i32>) -> (tensor<2x3xui16>, tensor<2x3xi32>)
     reducer(%arg1: tensor<ui16>, %arg3: tensor<ui16>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<ui16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<ui16>, tensor<i32>
    }
    return %1#1 : tensor<2x3xi32>
  }
}
