module @jit_scan_rnn_hessian_vector attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<5x4xf32>, %arg2: tensor<4x4xf32>) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %12:16 = stablehlo.while(%iterArg = %arg1, %iterArg_19 = %arg0, %iterArg_20 = %arg2, %iterArg_21 = %c, %iterArg_22 = %0, %iterArg_23 = %1, %iterArg_24 = %2, %iterArg_25 = %3, %iterArg_26 = %4, %iterArg_27 = %5, %iterArg_28 = %6, %iterArg_29 = %7, %iterArg_30 = %8, %iterArg_31 = %9, %iterArg_32 = %10, %iterArg_33 = %11) : tensor<5x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<5x2xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5xf32>, tensor<5x2xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
    cond {
      %c_34 = stablehlo.constant dense<5> : tensor<i32>
      %21 = stablehlo.compare LT, %iterArg_21, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %21 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_21) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %22:12 = func.call @closed_call(%iterArg_19, %iterArg_20, %iterArg_22, %iterArg_23, %21) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      %23 = func.call @dynamic_update_index_in_dim(%iterArg_24, %22#2, %iterArg_21) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %24 = func.call @dynamic_update_index_in_dim_0(%iterArg_25, %22#3, %iterArg_21) : (tensor<5x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5x2xf32>
      %25 = func.call @dynamic_update_index_in_dim_1(%iterArg_26, %22#4, %iterArg_21) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
      %26 = func.call @dynamic_update_index_in_dim_1(%iterArg_27, %22#5, %iterArg_21) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
      %27 = func.call @dynamic_update_index_in_dim_1(%iterArg_28, %22#6, %iterArg_21) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
      %28 = func.call @dynamic_update_index_in_dim(%iterArg_29, %22#7, %iterArg_21) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %29 = func.call @dynamic_update_index_in_dim_0(%iterArg_30, %22#8, %iterArg_21) : (tensor<5x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5x2xf32>
      %30 = func.call @dynamic_update_index_in_dim_1(%iterArg_31, %22#9, %iterArg_21) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
      %31 = func.call @dynamic_update_index_in_dim_1(%iterArg_32, %22#10, %iterArg_21) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
      %32 = func.call @dynamic_update_index_in_dim_1(%iterArg_33, %22#11, %iterArg_21) : (tensor<5x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
      %c_34 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.add %iterArg_21, %c_34 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_19, %iterArg_20, %33, %22#0, %22#1, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32 : tensor<5x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<5x2xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5xf32>, tensor<5x2xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
    }
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12#4 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%12#5 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %20:13 = stablehlo.while(%iterArg = %12#8, %iterArg_19 = %12#9, %iterArg_20 = %12#10, %iterArg_21 = %12#13, %iterArg_22 = %12#14, %iterArg_23 = %12#15, %iterArg_24 = %arg0, %iterArg_25 = %arg2, %iterArg_26 = %c_18, %iterArg_27 = %17, %iterArg_28 = %16, %iterArg_29 = %18, %iterArg_30 = %19) : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>
    cond {
      %c_31 = stablehlo.constant dense<5> : tensor<i32>
      %21 = stablehlo.compare LT, %iterArg_26, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %c_31 = stablehlo.constant dense<5> : tensor<i32>
      %21 = stablehlo.subtract %c_31, %iterArg_26 : tensor<i32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.subtract %21, %c_32 : tensor<i32>
      %23 = func.call @dynamic_index_in_dim(%iterArg, %22) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %24 = func.call @dynamic_index_in_dim(%iterArg_19, %22) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %25 = func.call @dynamic_index_in_dim(%iterArg_20, %22) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %26 = func.call @dynamic_index_in_dim(%iterArg_21, %22) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %27 = func.call @dynamic_index_in_dim(%iterArg_22, %22) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %28 = func.call @dynamic_index_in_dim(%iterArg_23, %22) : (tensor<5x4xf32>, tensor<i32>) -> tensor<4xf32>
      %29:4 = func.call @closed_call_2(%iterArg_24, %iterArg_25, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %23, %24, %25, %26, %27, %28) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>)
      %c_33 = stablehlo.constant dense<1> : tensor<i32>
      %30 = stablehlo.add %iterArg_26, %c_33 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %30, %29#0, %29#1, %29#2, %29#3 : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>
    }
    return %20#11 : tensor<4x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %1 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %2 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %1, %2 : tensor<4xf32>
    %4 = stablehlo.add %0, %arg4 : tensor<4xf32>
    %5 = stablehlo.tanh %4 : tensor<4xf32>
    %6 = stablehlo.multiply %3, %5 : tensor<4xf32>
    %7 = stablehlo.add %3, %6 : tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.subtract %8, %5 : tensor<4xf32>
    %10 = stablehlo.multiply %7, %9 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.subtract %11, %5 : tensor<4xf32>
    %13 = stablehlo.negate %10 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %16 = stablehlo.slice %5 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    %17 = stablehlo.slice %10 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    return %5, %10, %14, %16, %arg2, %5, %12, %15, %17, %arg3, %10, %13 : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<5x2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> tensor<5x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    return %1 : tensor<5x2xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<5x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> tensor<5x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<5x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<5x4xf32>
    return %1 : tensor<5x4xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4x4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) {
    %0 = stablehlo.multiply %arg3, %arg8 : tensor<4xf32>
    %1 = stablehlo.multiply %arg5, %arg8 : tensor<4xf32>
    %2 = stablehlo.multiply %arg3, %arg11 : tensor<4xf32>
    %3 = stablehlo.add %1, %2 : tensor<4xf32>
    %4 = stablehlo.multiply %0, %arg7 : tensor<4xf32>
    %5 = stablehlo.multiply %3, %arg7 : tensor<4xf32>
    %6 = stablehlo.multiply %0, %arg10 : tensor<4xf32>
    %7 = stablehlo.add %5, %6 : tensor<4xf32>
    %8 = stablehlo.add %0, %4 : tensor<4xf32>
    %9 = stablehlo.add %3, %7 : tensor<4xf32>
    %10 = stablehlo.dot_general %8, %arg6, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %11 = stablehlo.dot_general %9, %arg6, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %12 = stablehlo.dot_general %8, %arg9, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %13 = stablehlo.add %11, %12 : tensor<4x4xf32>
    %14 = stablehlo.transpose %10, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %15 = stablehlo.transpose %13, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %16 = stablehlo.add %arg2, %14 : tensor<4x4xf32>
    %17 = stablehlo.add %arg4, %15 : tensor<4x4xf32>
    %18 = stablehlo.dot_general %8, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %19 = stablehlo.dot_general %9, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %20 = stablehlo.dot_general %8, %arg1, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %21 = stablehlo.add %19, %20 : tensor<4xf32>
    return %16, %18, %17, %21 : tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>
  }
}
