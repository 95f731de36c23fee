module @jit_cumprod_types attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf64>, %arg1: tensor<7xbf16>, %arg2: tensor<7xf16>, %arg3: tensor<7xi32>, %arg4: tensor<7xi8>, %arg5: tensor<7xui32>) -> (tensor<7xf64> {jax.result_info = "result[0]"}, tensor<7xbf16> {jax.result_info = "result[1]"}, tensor<7xf16> {jax.result_info = "result[2]"}, tensor<7xi32> {jax.result_info = "result[3]"}, tensor<7xi8> {jax.result_info = "result[4]"}, tensor<7xui32> {jax.result_info = "result[5]"}) {
    %0 = call @cumprod(%arg0) : (tensor<7xf64>) -> tensor<7xf64>
    %1 = call @cumprod_0(%arg1) : (tensor<7xbf16>) -> tensor<7xbf16>
    %2 = call @cumprod_1(%arg2) : (tensor<7xf16>) -> tensor<7xf16>
    %3 = call @cumprod_2(%arg3) : (tensor<7xi32>) -> tensor<7xi32>
    %4 = call @cumprod_3(%arg4) : (tensor<7xi8>) -> tensor<7xi8>
    %5 = call @cumprod_4(%arg5) : (tensor<7xui32>) -> tensor<7xui32>
    return %0, %1, %2, %3, %4, %5 : tensor<7xf64>, tensor<7xbf16>, tensor<7xf16>, tensor<7xi32>, tensor<7xi8>, tensor<7xui32>
  }
  func.func private @cumprod(%arg0: tensor<7xf64>) -> tensor<7xf64> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }) : (tensor<7xf64>, tensor<f64>) -> tensor<7xf64>
    return %0 : tensor<7xf64>
  }
  func.func private @cumprod_0(%arg0: tensor<7xbf16>) -> tensor<7xbf16> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
    }) : (tensor<7xbf16>, tensor<bf16>) -> tensor<7xbf16>
    return %0 : tensor<7xbf16>
  }
  func.func private @cumprod_1(%arg0: tensor<7xf16>) -> tensor<7xf16> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f16>, %arg2: tensor<f16>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f16>
      stablehlo.return %1 : tensor<f16>
    }) : (tensor<7xf16>, tensor<f16>) -> tensor<7xf16>
    return %0 : tensor<7xf16>
  }
  func.func private @cumprod_2(%arg0: tensor<7xi32>) -> tensor<7xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = "stablehlo.reduce_window"(%arg0, %c) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    return %0 : tensor<7xi32>
  }
  func.func private @cumprod_3(%arg0: tensor<7xi8>) -> tensor<7xi8> {
    %c = stablehlo.constant dense<1> : tensor<i8>
    %0 = "stablehlo.reduce_window"(%arg0, %c) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i8>, %arg2: tensor<i8>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<i8>
      stablehlo.return %1 : tensor<i8>
    }) : (tensor<7xi8>, tensor<i8>) -> tensor<7xi8>
    return %0 : tensor<7xi8>
  }
  func.func private @cumprod_4(%arg0: tensor<7xui32>) -> tensor<7xui32> {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %0 = "stablehlo.reduce_window"(%arg0, %c) <{base_dilations = array<i64: 1>, padding = dense<[[6, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<ui32>
      stablehlo.return %1 : tensor<ui32>
    }) : (tensor<7xui32>, tensor<ui32>) -> tensor<7xui32>
    return %0 : tensor<7xui32>
  }
}
