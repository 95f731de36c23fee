module @jit_scanned_layers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x6x8xf32>, %arg1: tensor<3x8x6xf32>, %arg2: tensor<i32>, %arg3: tensor<3x6x8xf32>, %arg4: tensor<3x8x6xf32>, %arg5: tensor<3x6x8xf32>, %arg6: tensor<3x8x6xf32>, %arg7: tensor<4x6xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x6x8xf32> {jax.result_info = "result[1]['a']"}, tensor<3x8x6xf32> {jax.result_info = "result[1]['b']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<3x6x8xf32> {jax.result_info = "result[2][0].mu['a']"}, tensor<3x8x6xf32> {jax.result_info = "result[2][0].mu['b']"}, tensor<3x6x8xf32> {jax.result_info = "result[2][0].nu['a']"}, tensor<3x8x6xf32> {jax.result_info = "result[2][0].nu['b']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:5 = stablehlo.while(%iterArg = %arg0, %iterArg_30 = %arg1, %iterArg_31 = %c, %iterArg_32 = %arg7, %iterArg_33 = %0) : tensor<3x6x8xf32>, tensor<3x8x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<3x4x6xf32>
    cond {
      %c_34 = stablehlo.constant dense<3> : tensor<i32>
      %73 = stablehlo.compare LT, %iterArg_31, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %73 : tensor<i1>
    } do {
      %73 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_31) : (tensor<3x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %74 = func.call @dynamic_index_in_dim_0(%iterArg_30, %iterArg_31) : (tensor<3x8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
      %75:2 = func.call @closed_call(%iterArg_32, %73, %74) : (tensor<4x6xf32>, tensor<6x8xf32>, tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
      %76 = func.call @dynamic_update_index_in_dim(%iterArg_33, %75#1, %iterArg_31) : (tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<3x4x6xf32>
      %c_34 = stablehlo.constant dense<1> : tensor<i32>
      %77 = stablehlo.add %iterArg_31, %c_34 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_30, %77, %75#0, %76 : tensor<3x6x8xf32>, tensor<3x8x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<3x4x6xf32>
    }
    %2 = chlo.square %1#3 : tensor<4x6xf32> -> tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %4 = stablehlo.multiply %3, %1#3 : tensor<4x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %6 = stablehlo.divide %5, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %8 = stablehlo.divide %cst_4, %cst_5 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %10 = stablehlo.multiply %9, %4 : tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %13:7 = stablehlo.while(%iterArg = %1#4, %iterArg_30 = %arg0, %iterArg_31 = %arg1, %iterArg_32 = %c_8, %iterArg_33 = %10, %iterArg_34 = %11, %iterArg_35 = %12) : tensor<3x4x6xf32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>
    cond {
      %c_36 = stablehlo.constant dense<3> : tensor<i32>
      %73 = stablehlo.compare LT, %iterArg_32, %c_36, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %73 : tensor<i1>
    } do {
      %c_36 = stablehlo.constant dense<3> : tensor<i32>
      %73 = stablehlo.subtract %c_36, %iterArg_32 : tensor<i32>
      %c_37 = stablehlo.constant dense<1> : tensor<i32>
      %74 = stablehlo.subtract %73, %c_37 : tensor<i32>
      %75 = func.call @dynamic_index_in_dim_1(%iterArg, %74) : (tensor<3x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %76 = func.call @dynamic_index_in_dim(%iterArg_30, %74) : (tensor<3x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %77 = func.call @dynamic_index_in_dim_0(%iterArg_31, %74) : (tensor<3x8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
      %78:3 = func.call @closed_call_2(%iterArg_33, %75, %76, %77) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6x8xf32>, tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<6x8xf32>, tensor<8x6xf32>)
      %79 = func.call @dynamic_update_index_in_dim_3(%iterArg_34, %78#1, %74) : (tensor<3x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<3x6x8xf32>
      %80 = func.call @dynamic_update_index_in_dim_4(%iterArg_35, %78#2, %74) : (tensor<3x8x6xf32>, tensor<8x6xf32>, tensor<i32>) -> tensor<3x8x6xf32>
      %c_38 = stablehlo.constant dense<1> : tensor<i32>
      %81 = stablehlo.add %iterArg_32, %c_38 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_30, %iterArg_31, %81, %78#0, %79, %80 : tensor<3x4x6xf32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>
    }
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %15 = stablehlo.multiply %14, %13#5 : tensor<3x6x8xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %17 = stablehlo.multiply %16, %arg3 : tensor<3x6x8xf32>
    %18 = stablehlo.add %15, %17 : tensor<3x6x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %20 = stablehlo.multiply %19, %13#6 : tensor<3x8x6xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %22 = stablehlo.multiply %21, %arg4 : tensor<3x8x6xf32>
    %23 = stablehlo.add %20, %22 : tensor<3x8x6xf32>
    %24 = stablehlo.multiply %13#5, %13#5 : tensor<3x6x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %26 = stablehlo.multiply %25, %24 : tensor<3x6x8xf32>
    %cst_14 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %28 = stablehlo.multiply %27, %arg5 : tensor<3x6x8xf32>
    %29 = stablehlo.add %26, %28 : tensor<3x6x8xf32>
    %30 = stablehlo.multiply %13#6, %13#6 : tensor<3x8x6xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<3x8x6xf32>
    %cst_16 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %34 = stablehlo.multiply %33, %arg6 : tensor<3x8x6xf32>
    %35 = stablehlo.add %32, %34 : tensor<3x8x6xf32>
    %c_17 = stablehlo.constant dense<2147483647> : tensor<i32>
    %36 = stablehlo.compare LT, %arg2, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %37 = stablehlo.add %arg2, %c_18 : tensor<i32>
    %c_19 = stablehlo.constant dense<2147483647> : tensor<i32>
    %38 = call @_where(%36, %37, %c_19) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %39 = stablehlo.convert %38 : (tensor<i32>) -> tensor<f32>
    %cst_20 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %40 = stablehlo.convert %38 : (tensor<i32>) -> tensor<f32>
    %41 = stablehlo.power %cst_20, %40 : tensor<f32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.subtract %cst_21, %41 : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %44 = stablehlo.divide %18, %43 : tensor<3x6x8xf32>
    %45 = stablehlo.broadcast_in_dim %42, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %46 = stablehlo.divide %23, %45 : tensor<3x8x6xf32>
    %47 = stablehlo.convert %38 : (tensor<i32>) -> tensor<f32>
    %cst_22 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %48 = stablehlo.convert %38 : (tensor<i32>) -> tensor<f32>
    %49 = stablehlo.power %cst_22, %48 : tensor<f32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.subtract %cst_23, %49 : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %52 = stablehlo.divide %29, %51 : tensor<3x6x8xf32>
    %53 = stablehlo.broadcast_in_dim %50, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %54 = stablehlo.divide %35, %53 : tensor<3x8x6xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %56 = stablehlo.add %52, %55 : tensor<3x6x8xf32>
    %57 = stablehlo.sqrt %56 : tensor<3x6x8xf32>
    %cst_25 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %59 = stablehlo.add %57, %58 : tensor<3x6x8xf32>
    %60 = stablehlo.divide %44, %59 : tensor<3x6x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %62 = stablehlo.add %54, %61 : tensor<3x8x6xf32>
    %63 = stablehlo.sqrt %62 : tensor<3x8x6xf32>
    %cst_27 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %65 = stablehlo.add %63, %64 : tensor<3x8x6xf32>
    %66 = stablehlo.divide %46, %65 : tensor<3x8x6xf32>
    %cst_28 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x6x8xf32>
    %68 = stablehlo.multiply %67, %60 : tensor<3x6x8xf32>
    %cst_29 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<3x8x6xf32>
    %70 = stablehlo.multiply %69, %66 : tensor<3x8x6xf32>
    %71 = stablehlo.add %arg0, %68 : tensor<3x6x8xf32>
    %72 = stablehlo.add %arg1, %70 : tensor<3x8x6xf32>
    return %6, %71, %72, %38, %18, %23, %29, %35 : tensor<f32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>, tensor<i32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>, tensor<3x6x8xf32>, tensor<3x8x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x6x8xf32>, %arg1: tensor<i32>) -> tensor<6x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 6, 8] : (tensor<3x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x8x6xf32>, %arg1: tensor<i32>) -> tensor<8x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 6] : (tensor<3x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    return %1 : tensor<8x6xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.tanh %0 : tensor<4x8xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %3 = chlo.square %2 : tensor<4x6xf32> -> tensor<4x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %7 = stablehlo.divide %5, %6 : tensor<4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %9 = stablehlo.add %7, %8 : tensor<4x1xf32>
    %10 = stablehlo.sqrt %9 : tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %12 = stablehlo.divide %2, %11 : tensor<4x6xf32>
    %13 = stablehlo.add %arg0, %12 : tensor<4x6xf32>
    return %13, %arg0 : tensor<4x6xf32>, tensor<4x6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<i32>) -> tensor<3x4x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x6xf32>, tensor<1x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x6xf32>
    return %1 : tensor<3x4x6xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x4x6xf32>, %arg1: tensor<i32>) -> tensor<4x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 6] : (tensor<3x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<6x8xf32>, tensor<8x6xf32>) {
    %0:4 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg0 : tensor<4x6xf32>, tensor<6x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>
    %1 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %5 = stablehlo.dot_general %2, %0#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %6 = chlo.square %5 : tensor<4x6xf32> -> tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<4x1xf32>
    %15 = stablehlo.sqrt %14 : tensor<4x1xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %17 = stablehlo.divide %16, %15 : tensor<4x1xf32>
    %18 = stablehlo.multiply %15, %15 : tensor<4x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %20 = stablehlo.divide %19, %18 : tensor<4x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %22 = stablehlo.multiply %0#3, %21 : tensor<4x6xf32>
    %23 = stablehlo.multiply %22, %5 : tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %25 = stablehlo.reshape %24 : (tensor<4xf32>) -> tensor<4x1xf32>
    %26 = stablehlo.negate %25 : tensor<4x1xf32>
    %27 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %28 = stablehlo.divide %0#3, %27 : tensor<4x6xf32>
    %29 = stablehlo.multiply %26, %17 : tensor<4x1xf32>
    %cst_7 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %31 = stablehlo.divide %29, %30 : tensor<4x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
    %34 = stablehlo.multiply %33, %8 : tensor<4x6xf32>
    %35 = stablehlo.add %28, %34 : tensor<4x6xf32>
    %36 = stablehlo.dot_general %35, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
    %37 = stablehlo.transpose %36, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
    %38 = stablehlo.dot_general %35, %0#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<8x6xf32>) -> tensor<4x8xf32>
    %39 = stablehlo.multiply %38, %4 : tensor<4x8xf32>
    %40 = stablehlo.multiply %39, %2 : tensor<4x8xf32>
    %41 = stablehlo.add %39, %40 : tensor<4x8xf32>
    %42 = stablehlo.dot_general %41, %0#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %44 = stablehlo.dot_general %41, %0#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<4x6xf32>
    %45 = stablehlo.add %0#3, %44 : tensor<4x6xf32>
    return %45, %43, %37 : tensor<4x6xf32>, tensor<6x8xf32>, tensor<8x6xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<3x6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<i32>) -> tensor<3x6x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x6x8xf32>
    return %1 : tensor<3x6x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<3x8x6xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<i32>) -> tensor<3x8x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x8x6xf32>, tensor<1x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x6xf32>
    return %1 : tensor<3x8x6xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
