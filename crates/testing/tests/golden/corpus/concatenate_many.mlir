module @jit_concatenate_many attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xf32>, %arg1: tensor<3x5xf32>) -> (tensor<3x7xf32> {jax.result_info = "result[0]"}, tensor<3x2x2xf32> {jax.result_info = "result[1]"}, tensor<3x7xf32> {jax.result_info = "result[2]"}, tensor<6x2xf32> {jax.result_info = "result[3]"}, tensor<6x4xf32> {jax.result_info = "result[4]"}, tensor<3x4xf32> {jax.result_info = "result[5]"}, tensor<15x2xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<3x2xf32>, tensor<3x5xf32>) -> tensor<3x7xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %3 = stablehlo.concatenate %1, %2, dim = 2 : (tensor<3x2x1xf32>, tensor<3x2x1xf32>) -> tensor<3x2x2xf32>
    %4 = call @atleast_1d(%arg0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %5 = call @atleast_1d_0(%arg1) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %6 = stablehlo.concatenate %4, %5, dim = 1 : (tensor<3x2xf32>, tensor<3x5xf32>) -> tensor<3x7xf32>
    %7 = call @atleast_2d(%arg0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %8 = call @atleast_2d(%arg0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %9 = stablehlo.concatenate %7, %8, dim = 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<3x2xf32>) -> tensor<1x3x1x2xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x3x1x2xf32>) -> tensor<2x3x2x2xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x3x2x2xf32>) -> tensor<6x4xf32>
    %13 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x2xf32>
    %14 = stablehlo.reshape %13 : (tensor<3x2x2xf32>) -> tensor<3x4xf32>
    %15 = stablehlo.concatenate %arg0, %arg0, %arg0, %arg0, %arg0, dim = 0 : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<15x2xf32>
    return %0, %3, %6, %9, %12, %14, %15 : tensor<3x7xf32>, tensor<3x2x2xf32>, tensor<3x7xf32>, tensor<6x2xf32>, tensor<6x4xf32>, tensor<3x4xf32>, tensor<15x2xf32>
  }
  func.func private @atleast_1d(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    return %arg0 : tensor<3x2xf32>
  }
  func.func private @atleast_1d_0(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
    return %arg0 : tensor<3x5xf32>
  }
  func.func private @atleast_2d(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    return %arg0 : tensor<3x2xf32>
  }
}
