module @jit_vjp_associative_scan attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<6xf32>
    %2 = stablehlo.slice %1 [0:5:2] : (tensor<6xf32>) -> tensor<3xf32>
    %3 = stablehlo.slice %1 [1:6:2] : (tensor<6xf32>) -> tensor<3xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<3xf32>
    %5 = stablehlo.slice %4 [0:2:2] : (tensor<3xf32>) -> tensor<1xf32>
    %6 = stablehlo.slice %4 [1:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<1xf32>
    %8 = stablehlo.slice %4 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<1xf32>
    %10 = stablehlo.slice %4 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %11 = stablehlo.concatenate %10, %9, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.pad %11, %cst_0, low = [0], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.pad %7, %cst_1, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %14 = stablehlo.add %12, %13 : tensor<3xf32>
    %15 = stablehlo.slice %14 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %16 = stablehlo.slice %1 [2:6:2] : (tensor<6xf32>) -> tensor<2xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<2xf32>
    %18 = stablehlo.slice %1 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %19 = stablehlo.concatenate %18, %17, dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.pad %19, %cst_2, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.pad %14, %cst_3, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %22 = stablehlo.add %20, %21 : tensor<6xf32>
    return %22 : tensor<6xf32>
  }
}
