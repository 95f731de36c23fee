module @jit_move_c128 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xcomplex<f64>>, %arg1: tensor<3x4xcomplex<f64>>, %arg2: tensor<complex<f64>>, %arg3: tensor<i32>) -> (tensor<2x6xcomplex<f64>> {jax.result_info = "result[0]"}, tensor<4x3xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<3x4xcomplex<f64>> {jax.result_info = "result[2]"}, tensor<2x2xcomplex<f64>> {jax.result_info = "result[3]"}, tensor<6x4xcomplex<f64>> {jax.result_info = "result[4]"}, tensor<2x3x4xcomplex<f64>> {jax.result_info = "result[5]"}, tensor<2x2xcomplex<f64>> {jax.result_info = "result[6]"}, tensor<3x4xcomplex<f64>> {jax.result_info = "result[7]"}, tensor<3x4xcomplex<f64>> {jax.result_info = "result[8]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<3x4xcomplex<f64>>) -> tensor<2x6xcomplex<f64>>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xcomplex<f64>>) -> tensor<4x3xcomplex<f64>>
    %2 = stablehlo.reverse %arg0, dims = [1] : tensor<3x4xcomplex<f64>>
    %3 = stablehlo.slice %arg0 [1:3, 0:4:2] : (tensor<3x4xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %4 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<3x4xcomplex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<6x4xcomplex<f64>>
    %5 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.add %arg3, %c_0 : tensor<i32>
    %8 = stablehlo.select %6, %7, %arg3 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %arg3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %10 = stablehlo.add %arg3, %c_2 : tensor<i32>
    %11 = stablehlo.select %9, %10, %arg3 : tensor<i1>, tensor<i32>
    %12 = stablehlo.dynamic_slice %arg0, %8, %11, sizes = [2, 2] : (tensor<3x4xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<2x2xcomplex<f64>>
    %13 = stablehlo.slice %arg1 [0:1, 0:2] : (tensor<3x4xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.compare LT, %arg3, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %15 = stablehlo.add %arg3, %c_4 : tensor<i32>
    %16 = stablehlo.select %14, %15, %arg3 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %arg3, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %18 = stablehlo.add %arg3, %c_6 : tensor<i32>
    %19 = stablehlo.select %17, %18, %arg3 : tensor<i1>, tensor<i32>
    %20 = stablehlo.dynamic_update_slice %arg0, %13, %16, %19 : (tensor<3x4xcomplex<f64>>, tensor<1x2xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<3x4xcomplex<f64>>
    %21 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<3x4xcomplex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<3x4xi1>
    %22 = stablehlo.select %21, %arg0, %arg1 : tensor<3x4xi1>, tensor<3x4xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %12, %20, %22 : tensor<2x6xcomplex<f64>>, tensor<4x3xcomplex<f64>>, tensor<3x4xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<6x4xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<3x4xcomplex<f64>>, tensor<3x4xcomplex<f64>>
  }
}
