module @jit_cummin_types attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf64>, %arg1: tensor<7xbf16>, %arg2: tensor<7xf16>, %arg3: tensor<7xi32>, %arg4: tensor<7xi8>, %arg5: tensor<7xui32>) -> (tensor<7xf64> {jax.result_info = "result[0]"}, tensor<7xbf16> {jax.result_info = "result[1]"}, tensor<7xf16> {jax.result_info = "result[2]"}, tensor<7xi32> {jax.result_info = "result[3]"}, tensor<7xi8> {jax.result_info = "result[4]"}, tensor<7xui32> {jax.result_info = "result[5]"}) {
    %0 = call @cummin(%arg0) : (tensor<7xf64>) -> tensor<7xf64>
    %1 = call @cummin_0(%arg1) : (tensor<7xbf16>) -> tensor<7xbf16>
    %2 = call @cummin_1(%arg2) : (tensor<7xf16>) -> tensor<7xf16>
    %3 = call @cummin_2(%arg3) : (tensor<7xi32>) -> tensor<7xi32>
    %4 = call @cummin_3(%arg4) : (tensor<7xi8>) -> tensor<7xi8>
    %5 = call @cummin_4(%arg5) : (tensor<7xui32>) -> tensor<7xui32>
    return %0, %1, %2, %3, %4, %5 : tensor<7xf64>, tensor<7xbf16>, tensor<7xf16>, tensor<7xi32>, tensor<7xi8>, tensor<7xui32>
  }
  func.func private @cummin(%arg0: tensor<7xf64>) -> tensor<7xf64> {
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<7xf64>, tensor<f64>) -> tensor<7xf64>
    return %1 : tensor<7xf64>
  }
  func.func private @cummin_0(%arg0: tensor<7xbf16>) -> tensor<7xbf16> {
    %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<7xbf16>, tensor<bf16>) -> tensor<7xbf16>
    return %1 : tensor<7xbf16>
  }
  func.func private @cummin_1(%arg0: tensor<7xf16>) -> tensor<7xf16> {
    %cst = stablehlo.constant dense<0x7C00> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<f16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f16>, %arg2: tensor<f16>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<f16>
      stablehlo.return %2 : tensor<f16>
    }) : (tensor<7xf16>, tensor<f16>) -> tensor<7xf16>
    return %1 : tensor<7xf16>
  }
  func.func private @cummin_2(%arg0: tensor<7xi32>) -> tensor<7xi32> {
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    return %1 : tensor<7xi32>
  }
  func.func private @cummin_3(%arg0: tensor<7xi8>) -> tensor<7xi8> {
    %c = stablehlo.constant dense<127> : tensor<i8>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<i8>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i8>, %arg2: tensor<i8>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<i8>
      stablehlo.return %2 : tensor<i8>
    }) : (tensor<7xi8>, tensor<i8>) -> tensor<7xi8>
    return %1 : tensor<7xi8>
  }
  func.func private @cummin_4(%arg0: tensor<7xui32>) -> tensor<7xui32> {
    %c = stablehlo.constant dense<4294967295> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<ui32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<ui32>
      stablehlo.return %2 : tensor<ui32>
    }) : (tensor<7xui32>, tensor<ui32>) -> tensor<7xui32>
    return %1 : tensor<7xui32>
  }
}
