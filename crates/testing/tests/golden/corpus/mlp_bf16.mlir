module @jit_mlp_bf16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xbf16>, %arg1: tensor<3x6xbf16>, %arg2: tensor<2xbf16>, %arg3: tensor<6x2xbf16>, %arg4: tensor<4x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<6xbf16> {jax.result_info = "result[1]['params']['layers_0']['bias']"}, tensor<3x6xbf16> {jax.result_info = "result[1]['params']['layers_0']['kernel']"}, tensor<2xbf16> {jax.result_info = "result[1]['params']['layers_3']['bias']"}, tensor<6x2xbf16> {jax.result_info = "result[1]['params']['layers_3']['kernel']"}) {
    %0 = stablehlo.convert %arg4 : (tensor<4x3xf32>) -> tensor<4x3xbf16>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xbf16>, tensor<3x6xbf16>) -> tensor<4x6xbf16>
    %2 = stablehlo.reshape %arg0 : (tensor<6xbf16>) -> tensor<1x6xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x6xbf16>) -> tensor<4x6xbf16>
    %4 = stablehlo.add %1, %3 : tensor<4x6xbf16>
    %5 = stablehlo.multiply %4, %4 : tensor<4x6xbf16>
    %6 = stablehlo.multiply %5, %4 : tensor<4x6xbf16>
    %7 = stablehlo.multiply %4, %4 : tensor<4x6xbf16>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %9 = stablehlo.multiply %8, %7 : tensor<4x6xbf16>
    %cst_0 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %11 = stablehlo.multiply %10, %6 : tensor<4x6xbf16>
    %12 = stablehlo.add %4, %11 : tensor<4x6xbf16>
    %cst_1 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %14 = stablehlo.multiply %13, %12 : tensor<4x6xbf16>
    %15 = stablehlo.tanh %14 : tensor<4x6xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %17 = stablehlo.subtract %16, %15 : tensor<4x6xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %19 = stablehlo.add %18, %15 : tensor<4x6xbf16>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %21 = stablehlo.multiply %20, %19 : tensor<4x6xbf16>
    %22 = stablehlo.multiply %4, %21 : tensor<4x6xbf16>
    %23 = stablehlo.dot_general %22, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xbf16>, tensor<6x2xbf16>) -> tensor<4x2xbf16>
    %24 = stablehlo.reshape %arg2 : (tensor<2xbf16>) -> tensor<1x2xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<1x2xbf16>) -> tensor<4x2xbf16>
    %26 = stablehlo.add %23, %25 : tensor<4x2xbf16>
    %27 = stablehlo.convert %26 : (tensor<4x2xbf16>) -> tensor<4x2xf32>
    %28 = chlo.square %27 : tensor<4x2xf32> -> tensor<4x2xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %30 = stablehlo.multiply %29, %27 : tensor<4x2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%28 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %32 = stablehlo.divide %31, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %33 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
    %35 = stablehlo.multiply %34, %30 : tensor<4x2xf32>
    %36 = stablehlo.convert %35 : (tensor<4x2xf32>) -> tensor<4x2xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %37 = stablehlo.reduce(%36 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
    %38 = stablehlo.reshape %37 : (tensor<2xbf16>) -> tensor<1x2xbf16>
    %39 = stablehlo.reshape %38 : (tensor<1x2xbf16>) -> tensor<2xbf16>
    %40 = stablehlo.dot_general %36, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xbf16>, tensor<4x6xbf16>) -> tensor<2x6xbf16>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<2x6xbf16>) -> tensor<6x2xbf16>
    %42 = stablehlo.dot_general %36, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2xbf16>, tensor<6x2xbf16>) -> tensor<4x6xbf16>
    %43 = stablehlo.multiply %4, %42 : tensor<4x6xbf16>
    %44 = stablehlo.multiply %42, %21 : tensor<4x6xbf16>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %46 = stablehlo.multiply %45, %43 : tensor<4x6xbf16>
    %47 = stablehlo.multiply %46, %17 : tensor<4x6xbf16>
    %48 = stablehlo.multiply %47, %15 : tensor<4x6xbf16>
    %49 = stablehlo.add %47, %48 : tensor<4x6xbf16>
    %cst_12 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %51 = stablehlo.multiply %50, %49 : tensor<4x6xbf16>
    %52 = stablehlo.add %44, %51 : tensor<4x6xbf16>
    %cst_13 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %53 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<4x6xbf16>
    %54 = stablehlo.multiply %53, %51 : tensor<4x6xbf16>
    %55 = stablehlo.multiply %54, %9 : tensor<4x6xbf16>
    %56 = stablehlo.add %52, %55 : tensor<4x6xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %57 = stablehlo.reduce(%56 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<4x6xbf16>, tensor<bf16>) -> tensor<6xbf16>
    %58 = stablehlo.reshape %57 : (tensor<6xbf16>) -> tensor<1x6xbf16>
    %59 = stablehlo.reshape %58 : (tensor<1x6xbf16>) -> tensor<6xbf16>
    %60 = stablehlo.dot_general %56, %0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xbf16>, tensor<4x3xbf16>) -> tensor<6x3xbf16>
    %61 = stablehlo.transpose %60, dims = [1, 0] : (tensor<6x3xbf16>) -> tensor<3x6xbf16>
    return %32, %59, %61, %39, %41 : tensor<f32>, tensor<6xbf16>, tensor<3x6xbf16>, tensor<2xbf16>, tensor<6x2xbf16>
  }
}
