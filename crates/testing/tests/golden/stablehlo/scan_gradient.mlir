module @jit_scan_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<5x4xf32>) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %5:8 = stablehlo.while(%iterArg = %arg1, %iterArg_10 = %arg0, %iterArg_11 = %c, %iterArg_12 = %0, %iterArg_13 = %1, %iterArg_14 = %2, %iterArg_15 = %3, %iterArg_16 = %4) : tensor<5x4xf32>, tensor<4x4xf32>, tensor<i64>, tensor<4xf32>, tensor<5xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
    cond {
      %c_17 = stablehlo.constant dense<5> : tensor<i64>
      %12 = stablehlo.compare LT, %iterArg_11, %c_17, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<5x4xf32>, tensor<i64>) -> tensor<4xf32>
      %13:5 = func.call @closed_call(%iterArg_10, %iterArg_12, %12) : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      %14 = func.call @dynamic_update_index_in_dim(%iterArg_13, %13#1, %iterArg_11) : (tensor<5xf32>, tensor<f32>, tensor<i64>) -> tensor<5xf32>
      %15 = func.call @dynamic_update_index_in_dim_0(%iterArg_14, %13#2, %iterArg_11) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<5x4xf32>
      %16 = func.call @dynamic_update_index_in_dim_0(%iterArg_15, %13#3, %iterArg_11) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<5x4xf32>
      %17 = func.call @dynamic_update_index_in_dim_0(%iterArg_16, %13#4, %iterArg_11) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<5x4xf32>
      %c_17 = stablehlo.constant dense<1> : tensor<i64>
      %18 = stablehlo.add %iterArg_11, %c_17 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_10, %18, %13#0, %14, %15, %16, %17 : tensor<5x4xf32>, tensor<4x4xf32>, tensor<i64>, tensor<4xf32>, tensor<5xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
    }
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5#4 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %11:8 = stablehlo.while(%iterArg = %8, %iterArg_10 = %5#5, %iterArg_11 = %5#6, %iterArg_12 = %5#7, %iterArg_13 = %arg0, %iterArg_14 = %c_9, %iterArg_15 = %10, %iterArg_16 = %9) : tensor<5xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<4x4xf32>, tensor<i64>, tensor<4x4xf32>, tensor<4xf32>
    cond {
      %c_17 = stablehlo.constant dense<5> : tensor<i64>
      %12 = stablehlo.compare LT, %iterArg_14, %c_17, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %c_17 = stablehlo.constant dense<5> : tensor<i64>
      %12 = stablehlo.subtract %c_17, %iterArg_14 : tensor<i64>
      %c_18 = stablehlo.constant dense<1> : tensor<i64>
      %13 = stablehlo.subtract %12, %c_18 : tensor<i64>
      %14 = func.call @dynamic_index_in_dim_1(%iterArg, %13) : (tensor<5xf32>, tensor<i64>) -> tensor<f32>
      %15 = func.call @dynamic_index_in_dim(%iterArg_10, %13) : (tensor<5x4xf32>, tensor<i64>) -> tensor<4xf32>
      %16 = func.call @dynamic_index_in_dim(%iterArg_11, %13) : (tensor<5x4xf32>, tensor<i64>) -> tensor<4xf32>
      %17 = func.call @dynamic_index_in_dim(%iterArg_12, %13) : (tensor<5x4xf32>, tensor<i64>) -> tensor<4xf32>
      %18:2 = func.call @closed_call_2(%iterArg_13, %iterArg_15, %iterArg_16, %14, %15, %16, %17) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
      %c_19 = stablehlo.constant dense<1> : tensor<i64>
      %19 = stablehlo.add %iterArg_14, %c_19 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %19, %18#0, %18#1 : tensor<5xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<4x4xf32>, tensor<i64>, tensor<4x4xf32>, tensor<4xf32>
    }
    return %11#6 : tensor<4x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4xf32>, %arg1: tensor<i64>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<4xf32>
    %2 = stablehlo.tanh %1 : tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %2, %5, %arg1, %2, %4 : tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i64>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<5x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i64>) -> tensor<5x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<5x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<5x4xf32>
    return %1 : tensor<5x4xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<5xf32>, %arg1: tensor<i64>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<5xf32>, tensor<i64>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_2(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<f32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.add %arg2, %0 : tensor<4xf32>
    %2 = stablehlo.multiply %1, %arg6 : tensor<4xf32>
    %3 = stablehlo.multiply %2, %arg5 : tensor<4xf32>
    %4 = stablehlo.add %2, %3 : tensor<4xf32>
    %5 = stablehlo.dot_general %4, %arg4, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = stablehlo.add %arg1, %6 : tensor<4x4xf32>
    %8 = stablehlo.dot_general %4, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    return %7, %8 : tensor<4x4xf32>, tensor<4xf32>
  }
}
