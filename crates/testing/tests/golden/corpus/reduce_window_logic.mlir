module @jit_reduce_window_logic attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xi1>) -> (tensor<4x4xi1> {jax.result_info = "result[0]"}, tensor<3x3xi1> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = "stablehlo.reduce_window"(%arg0, %c) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %2 = stablehlo.or %arg1, %arg2 : tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<4x4xi1>, tensor<i1>) -> tensor<4x4xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %1 = "stablehlo.reduce_window"(%arg0, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %2 = stablehlo.and %arg1, %arg2 : tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<4x4xi1>, tensor<i1>) -> tensor<3x3xi1>
    return %0, %1 : tensor<4x4xi1>, tensor<3x3xi1>
  }
}
