module @jit_associative_scan attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2][0]"}, tensor<3x4xf32> {jax.result_info = "result[2][1]"}) {
    %0 = stablehlo.slice %arg0 [0:2:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.slice %arg0 [1:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<1x4xf32>
    %3 = stablehlo.slice %arg0 [2:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<1x4xf32>
    %5 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %6 = stablehlo.concatenate %5, %4, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.pad %6, %cst, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.pad %2, %cst_0, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %9 = stablehlo.add %7, %8 : tensor<3x4xf32>
    %10 = stablehlo.slice %arg0 [0:3, 0:3:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %11 = stablehlo.slice %arg0 [0:3, 1:4:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %12 = stablehlo.maximum %10, %11 : tensor<3x2xf32>
    %13 = stablehlo.slice %12 [0:3, 0:1:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %14 = stablehlo.slice %12 [0:3, 1:2:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %15 = stablehlo.maximum %13, %14 : tensor<3x1xf32>
    %16 = stablehlo.slice %15 [0:3, 0:0] : (tensor<3x1xf32>) -> tensor<3x0xf32>
    %17 = stablehlo.slice %12 [0:3, 2:2:2] : (tensor<3x2xf32>) -> tensor<3x0xf32>
    %18 = stablehlo.maximum %16, %17 : tensor<3x0xf32>
    %19 = stablehlo.slice %12 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %20 = stablehlo.concatenate %19, %18, dim = 1 : (tensor<3x1xf32>, tensor<3x0xf32>) -> tensor<3x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.pad %20, %cst_1, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.pad %15, %cst_2, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %23 = stablehlo.add %21, %22 : tensor<3x2xf32>
    %24 = stablehlo.slice %23 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %25 = stablehlo.slice %arg0 [0:3, 2:4:2] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %26 = stablehlo.maximum %24, %25 : tensor<3x1xf32>
    %27 = stablehlo.slice %arg0 [0:3, 0:1] : (tensor<3x4xf32>) -> tensor<3x1xf32>
    %28 = stablehlo.concatenate %27, %26, dim = 1 : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.pad %28, %cst_3, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.pad %23, %cst_4, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %31 = stablehlo.add %29, %30 : tensor<3x4xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %33 = stablehlo.multiply %arg0, %32 : tensor<3x4xf32>
    %34 = stablehlo.reverse %arg0, dims = [0] : tensor<3x4xf32>
    %35 = stablehlo.reverse %33, dims = [0] : tensor<3x4xf32>
    %36 = stablehlo.slice %34 [0:2:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %37 = stablehlo.slice %35 [0:2:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %38 = stablehlo.slice %34 [1:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %39 = stablehlo.slice %35 [1:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %40 = stablehlo.multiply %36, %38 : tensor<1x4xf32>
    %41 = stablehlo.multiply %38, %37 : tensor<1x4xf32>
    %42 = stablehlo.add %41, %39 : tensor<1x4xf32>
    %43 = stablehlo.slice %34 [2:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %44 = stablehlo.slice %35 [2:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %45 = stablehlo.multiply %40, %43 : tensor<1x4xf32>
    %46 = stablehlo.multiply %43, %42 : tensor<1x4xf32>
    %47 = stablehlo.add %46, %44 : tensor<1x4xf32>
    %48 = stablehlo.slice %34 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %49 = stablehlo.concatenate %48, %45, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %50 = stablehlo.slice %35 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %51 = stablehlo.concatenate %50, %47, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.pad %49, %cst_6, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.pad %40, %cst_7, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %54 = stablehlo.add %52, %53 : tensor<3x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.pad %51, %cst_8, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.pad %42, %cst_9, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %57 = stablehlo.add %55, %56 : tensor<3x4xf32>
    %58 = stablehlo.reverse %54, dims = [0] : tensor<3x4xf32>
    %59 = stablehlo.reverse %57, dims = [0] : tensor<3x4xf32>
    return %9, %31, %58, %59 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
}
