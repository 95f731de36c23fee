module @jit_reduce_window_types attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xi32>, %arg1: tensor<7xi8>, %arg2: tensor<7xbf16>, %arg3: tensor<7xf64>, %arg4: tensor<7xcomplex<f32>>) -> (tensor<7xi32> {jax.result_info = "result[0]"}, tensor<7xi8> {jax.result_info = "result[1]"}, tensor<7xbf16> {jax.result_info = "result[2]"}, tensor<7xf64> {jax.result_info = "result[3]"}, tensor<7xcomplex<f32>> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %10 = stablehlo.add %arg5, %arg6 : tensor<i32>
      stablehlo.return %10 : tensor<i32>
    }) : (tensor<7xi32>, tensor<i32>) -> tensor<7xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i8>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i8>) -> tensor<i8>
    %3 = "stablehlo.reduce_window"(%arg1, %2) <{base_dilations = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<i8>, %arg6: tensor<i8>):
      %10 = stablehlo.add %arg5, %arg6 : tensor<i8>
      stablehlo.return %10 : tensor<i8>
    }) : (tensor<7xi8>, tensor<i8>) -> tensor<7xi8>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %5 = "stablehlo.reduce_window"(%arg2, %4) <{base_dilations = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<bf16>, %arg6: tensor<bf16>):
      %10 = stablehlo.add %arg5, %arg6 : tensor<bf16>
      stablehlo.return %10 : tensor<bf16>
    }) : (tensor<7xbf16>, tensor<bf16>) -> tensor<7xbf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<f64>
    %7 = "stablehlo.reduce_window"(%arg3, %6) <{base_dilations = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %10 = stablehlo.add %arg5, %arg6 : tensor<f64>
      stablehlo.return %10 : tensor<f64>
    }) : (tensor<7xf64>, tensor<f64>) -> tensor<7xf64>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f32>>) -> tensor<complex<f32>>
    %9 = "stablehlo.reduce_window"(%arg4, %8) <{base_dilations = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<complex<f32>>, %arg6: tensor<complex<f32>>):
      %10 = stablehlo.add %arg5, %arg6 : tensor<complex<f32>>
      stablehlo.return %10 : tensor<complex<f32>>
    }) : (tensor<7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<7xcomplex<f32>>
    return %1, %3, %5, %7, %9 : tensor<7xi32>, tensor<7xi8>, tensor<7xbf16>, tensor<7xf64>, tensor<7xcomplex<f32>>
  }
}
