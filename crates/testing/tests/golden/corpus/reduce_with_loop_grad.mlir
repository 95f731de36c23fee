module @jit_reduce_with_loop_grad attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %3:6 = stablehlo.while(%iterArg = %0, %iterArg_7 = %c_3, %iterArg_8 = %c, %iterArg_9 = %cst_0, %iterArg_10 = %1, %iterArg_11 = %2) : tensor<f32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
    cond {
      %c_12 = stablehlo.constant dense<4> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_7, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6:4 = func.call @closed_call(%iterArg, %iterArg_8, %iterArg_9) : (tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_10, %6#2, %iterArg_7) : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
      %8 = func.call @dynamic_update_index_in_dim(%iterArg_11, %6#3, %iterArg_7) : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_7, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %9, %6#0, %6#1, %7, %8 : tensor<f32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
    }
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %5:6 = stablehlo.while(%iterArg = %3#4, %iterArg_7 = %3#5, %iterArg_8 = %0, %iterArg_9 = %c_6, %iterArg_10 = %4, %iterArg_11 = %cst_5) : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i32>, tensor<6xf32>, tensor<f32>
    cond {
      %c_12 = stablehlo.constant dense<4> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_12 = stablehlo.constant dense<4> : tensor<i32>
      %6 = stablehlo.subtract %c_12, %iterArg_9 : tensor<i32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.subtract %6, %c_13 : tensor<i32>
      %8 = func.call @dynamic_index_in_dim(%iterArg, %7) : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
      %9 = func.call @dynamic_index_in_dim(%iterArg_7, %7) : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
      %10:2 = func.call @closed_call_0(%iterArg_8, %iterArg_10, %iterArg_11, %8, %9) : (tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<6xf32>, tensor<f32>)
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_9, %c_14 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %11, %10#0, %10#1 : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i32>, tensor<6xf32>, tensor<f32>
    }
    return %5#4 : tensor<6xf32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> (tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.sine %arg2 : tensor<f32>
    %2 = stablehlo.cosine %arg2 : tensor<f32>
    %3 = stablehlo.multiply %1, %arg0 : tensor<f32>
    return %0, %3, %2, %1 : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_0(%arg0: tensor<f32>, %arg1: tensor<6xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>) -> (tensor<6xf32>, tensor<f32>) {
    %0 = stablehlo.multiply %arg4, %arg2 : tensor<f32>
    %1 = stablehlo.multiply %arg2, %arg0 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %3 = stablehlo.add %arg1, %2 : tensor<6xf32>
    %4 = stablehlo.multiply %1, %arg3 : tensor<f32>
    return %3, %4 : tensor<6xf32>, tensor<f32>
  }
}
