module @jit_jnp_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}, tensor<2x2x2xi32> {jax.result_info = "result[3]"}, tensor<3x1xui8> {jax.result_info = "result[4]"}, tensor<8xui8> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.multiply %arg0, %4 : tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %7 = stablehlo.add %5, %6 : tensor<3x4xf32>
    %8 = stablehlo.iota dim = 0 : tensor<2xf32>
    %9 = stablehlo.iota dim = 0 : tensor<3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %14 = stablehlo.add %12, %13 : tensor<2x3xf32>
    %15 = stablehlo.iota dim = 0 : tensor<2xi32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<2xi32>) -> tensor<2x2xi32>
    %17 = stablehlo.iota dim = 0 : tensor<2xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
    %19 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<2x2xi32>) -> tensor<1x2x2xi32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<2x2xi32>) -> tensor<1x2x2xi32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1x2x2xi32>, tensor<1x2x2xi32>) -> tensor<2x2x2xi32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %23 = stablehlo.compare GT, %arg0, %22, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %24 = call @packbits(%23) : (tensor<3x4xi1>) -> tensor<3x1xui8>
    %c = stablehlo.constant dense<77> : tensor<ui8>
    %25 = call @unpackbits(%c) : (tensor<ui8>) -> tensor<8xui8>
    return %3, %7, %14, %21, %24, %25 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x3xf32>, tensor<2x2x2xi32>, tensor<3x1xui8>, tensor<8xui8>
  }
  func.func private @packbits(%arg0: tensor<3x4xi1>) -> tensor<3x1xui8> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<3x4xi1>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
    %2 = stablehlo.convert %1 : (tensor<3x4xi1>) -> tensor<3x4xui8>
    %3 = stablehlo.iota dim = 0 : tensor<8xui8>
    %4 = stablehlo.reverse %3, dims = [0] : tensor<8xui8>
    %c_0 = stablehlo.constant dense<0> : tensor<ui8>
    %5 = stablehlo.pad %2, %c_0, low = [0, 0], high = [0, 4], interior = [0, 0] : (tensor<3x4xui8>, tensor<ui8>) -> tensor<3x8xui8>
    %6 = stablehlo.reshape %5 : (tensor<3x8xui8>) -> tensor<3x1x8xui8>
    %7 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<8xui8>) -> tensor<1x1x8xui8>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x1x8xui8>) -> tensor<3x1x8xui8>
    %9 = stablehlo.shift_left %6, %8 : tensor<3x1x8xui8>
    %10 = stablehlo.convert %9 : (tensor<3x1x8xui8>) -> tensor<3x1x8xui32>
    %c_1 = stablehlo.constant dense<0> : tensor<ui32>
    %11 = stablehlo.reduce(%10 init: %c_1) applies stablehlo.add across dimensions = [2] : (tensor<3x1x8xui32>, tensor<ui32>) -> tensor<3x1xui32>
    %12 = stablehlo.convert %11 : (tensor<3x1xui32>) -> tensor<3x1xui8>
    return %12 : tensor<3x1xui8>
  }
  func.func private @unpackbits(%arg0: tensor<ui8>) -> tensor<8xui8> {
    %0 = stablehlo.iota dim = 0 : tensor<8xui8>
    %c = stablehlo.constant dense<1> : tensor<ui8>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<8xui8>
    %2 = stablehlo.shift_left %1, %0 : tensor<8xui8>
    %3 = stablehlo.reverse %2, dims = [0] : tensor<8xui8>
    %4 = stablehlo.reshape %arg0 : (tensor<ui8>) -> tensor<1xui8>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xui8>) -> tensor<1x1xui8>
    %6 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<8xui8>) -> tensor<1x8xui8>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x1xui8>) -> tensor<1x8xui8>
    %8 = stablehlo.and %7, %6 : tensor<1x8xui8>
    %c_0 = stablehlo.constant dense<0> : tensor<ui8>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<1x8xui8>
    %10 = stablehlo.compare GT, %8, %9, UNSIGNED : (tensor<1x8xui8>, tensor<1x8xui8>) -> tensor<1x8xi1>
    %11 = stablehlo.convert %10 : (tensor<1x8xi1>) -> tensor<1x8xui8>
    %12 = stablehlo.reshape %11 : (tensor<1x8xui8>) -> tensor<8xui8>
    return %12 : tensor<8xui8>
  }
}
