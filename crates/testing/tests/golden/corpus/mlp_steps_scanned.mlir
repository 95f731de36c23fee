module @jit_mlp_steps_scanned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<5x4xf32>, %arg4: tensor<5x2xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]['a']"}, tensor<6xf32> {jax.result_info = "result[0]['b']"}, tensor<6x2xf32> {jax.result_info = "result[0]['c']"}, tensor<5xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:7 = stablehlo.while(%iterArg = %arg3, %iterArg_0 = %arg4, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1, %iterArg_4 = %arg2, %iterArg_5 = %0) : tensor<5x4xf32>, tensor<5x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<5xf32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_1, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2:4 = func.call @closed_call(%iterArg, %iterArg_0, %iterArg_2, %iterArg_3, %iterArg_4) : (tensor<5x4xf32>, tensor<5x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<f32>)
      %3 = func.call @dynamic_update_index_in_dim(%iterArg_5, %2#3, %iterArg_1) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_1, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %4, %2#0, %2#1, %2#2, %3 : tensor<5x4xf32>, tensor<5x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<5xf32>
    }
    return %1#3, %1#4, %1#5, %1#6 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5x4xf32>, %arg1: tensor<5x2xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6x2xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg1 : tensor<5x2xf32>
    %9 = chlo.square %8 : tensor<5x2xf32> -> tensor<5x2xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<5x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %16 = stablehlo.multiply %15, %11 : tensor<5x2xf32>
    %17 = stablehlo.dot_general %16, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x2xf32>, tensor<5x6xf32>) -> tensor<2x6xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
    %19 = stablehlo.dot_general %16, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x2xf32>, tensor<6x2xf32>) -> tensor<5x6xf32>
    %20 = stablehlo.multiply %19, %6 : tensor<5x6xf32>
    %21 = stablehlo.multiply %20, %4 : tensor<5x6xf32>
    %22 = stablehlo.add %20, %21 : tensor<5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
    %24 = stablehlo.reshape %23 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %26 = stablehlo.dot_general %22, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x6xf32>
    %30 = stablehlo.subtract %arg2, %29 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %32 = stablehlo.multiply %31, %25 : tensor<6xf32>
    %33 = stablehlo.subtract %arg3, %32 : tensor<6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %35 = stablehlo.multiply %34, %18 : tensor<6x2xf32>
    %36 = stablehlo.subtract %arg4, %35 : tensor<6x2xf32>
    return %30, %33, %36, %13 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
}
