module @jit_optax_ctc_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4xf32>, %arg1: tensor<2x3xi32>) -> (tensor<2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.slice %arg0 [0:2, 0:6, 0:1] : (tensor<2x6x4xf32>) -> tensor<2x6x1xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x6x1xf32>) -> tensor<2x6xf32>
    %4 = call @log_softmax(%arg0) : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = stablehlo.convert %5 : (tensor<2xf32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.subtract %7, %6 : tensor<2xi32>
    %9 = stablehlo.slice %arg1 [0:2, 0:2] : (tensor<2x3xi32>) -> tensor<2x2xi32>
    %10 = stablehlo.slice %arg1 [0:2, 1:3] : (tensor<2x3xi32>) -> tensor<2x2xi32>
    %11 = stablehlo.compare EQ, %9, %10, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %12 = stablehlo.convert %11 : (tensor<2x2xi1>) -> tensor<2x2xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %13 = call @_pad(%12, %c_2) : (tensor<2x2xf32>, tensor<i32>) -> tensor<2x3xf32>
    %14 = stablehlo.slice %4 [0:2, 0:6, 0:1] : (tensor<2x6x4xf32>) -> tensor<2x6x1xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0, 2] : (tensor<2x6x1xf32>) -> tensor<6x2x1xf32>
    %16 = call @_one_hot(%arg1) : (tensor<2x3xi32>) -> tensor<2x3x4xf32>
    %17 = stablehlo.dot_general %4, %16, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4xf32>, tensor<2x3x4xf32>) -> tensor<2x6x3xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0, 2] : (tensor<2x6x3xf32>) -> tensor<6x2x3xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<-1.000000e+05> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x4xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %24 = "stablehlo.scatter"(%21, %22, %23) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<2x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %cst_8 = stablehlo.constant dense<-1.000000e+05> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<2x3xf32>
    %28 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x2x3xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %31:9 = stablehlo.while(%iterArg = %18, %iterArg_13 = %15, %iterArg_14 = %28, %iterArg_15 = %13, %iterArg_16 = %c_11, %iterArg_17 = %24, %iterArg_18 = %27, %iterArg_19 = %29, %iterArg_20 = %30) : tensor<6x2x3xf32>, tensor<6x2x1xf32>, tensor<6x2xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<6x2x4xf32>, tensor<6x2x3xf32>
    cond {
      %c_21 = stablehlo.constant dense<6> : tensor<i32>
      %54 = stablehlo.compare LT, %iterArg_16, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %54 : tensor<i1>
    } do {
      %54 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_16) : (tensor<6x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %55 = func.call @dynamic_index_in_dim_0(%iterArg_13, %iterArg_16) : (tensor<6x2x1xf32>, tensor<i32>) -> tensor<2x1xf32>
      %56 = func.call @dynamic_index_in_dim_1(%iterArg_14, %iterArg_16) : (tensor<6x2xf32>, tensor<i32>) -> tensor<2xf32>
      %57:4 = func.call @closed_call(%iterArg_15, %iterArg_17, %iterArg_18, %54, %55, %56) : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>)
      %58 = func.call @dynamic_update_index_in_dim(%iterArg_19, %57#2, %iterArg_16) : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %59 = func.call @dynamic_update_index_in_dim_2(%iterArg_20, %57#3, %iterArg_16) : (tensor<6x2x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<6x2x3xf32>
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %60 = stablehlo.add %iterArg_16, %c_21 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_13, %iterArg_14, %iterArg_15, %60, %57#0, %57#1, %58, %59 : tensor<6x2x3xf32>, tensor<6x2x1xf32>, tensor<6x2xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<6x2x4xf32>, tensor<6x2x3xf32>
    }
    %32 = stablehlo.slice %31#7 [5:6, 0:2, 0:4] : (tensor<6x2x4xf32>) -> tensor<1x2x4xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %34 = stablehlo.slice %31#8 [5:6, 0:2, 0:3] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    %36 = stablehlo.slice %33 [0:2, 0:1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
    %37 = stablehlo.slice %33 [0:2, 1:4] : (tensor<2x4xf32>) -> tensor<2x3xf32>
    %38 = stablehlo.maximum %37, %35 : tensor<2x3xf32>
    %39 = stablehlo.subtract %37, %35 : tensor<2x3xf32>
    %40 = stablehlo.compare NE, %39, %39, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %41 = stablehlo.add %37, %35 : tensor<2x3xf32>
    %42 = stablehlo.abs %39 : tensor<2x3xf32>
    %43 = stablehlo.negate %42 : tensor<2x3xf32>
    %44 = stablehlo.exponential %43 : tensor<2x3xf32>
    %45 = stablehlo.log_plus_one %44 : tensor<2x3xf32>
    %46 = stablehlo.add %38, %45 : tensor<2x3xf32>
    %47 = stablehlo.select %40, %41, %46 : tensor<2x3xi1>, tensor<2x3xf32>
    %48 = stablehlo.concatenate %36, %47, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %50 = "stablehlo.scatter"(%31#7, %49, %48) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<6x2x4xf32>, tensor<1xi32>, tensor<2x4xf32>) -> tensor<6x2x4xf32>
    %51 = call @_one_hot_3(%8) : (tensor<2xi32>) -> tensor<2x4xf32>
    %52 = stablehlo.dot_general %48, %51, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
    %53 = stablehlo.negate %52 : tensor<2xf32>
    return %53 : tensor<2xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x6x4xf32>) -> tensor<2x6x4xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x4xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x6xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x4xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x6x4xf32>
    %6 = stablehlo.exponential %5 : tensor<2x6x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x4xf32>, tensor<f32>) -> tensor<2x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %9 = stablehlo.log %8 : tensor<2x6x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x4xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x6x4xf32>
    return %11 : tensor<2x6x4xf32>
  }
  func.func private @_pad(%arg0: tensor<2x2xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @_one_hot(%arg0: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x3x1xi32>) -> tensor<2x3x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<2x3x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x3x4xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi1>
    %5 = stablehlo.convert %4 : (tensor<2x3x4xi1>) -> tensor<2x3x4xf32>
    return %5 : tensor<2x3x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 3] : (tensor<6x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x2x1xf32>, %arg1: tensor<i32>) -> tensor<2x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 1] : (tensor<6x2x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x1xf32>) -> tensor<2x1xf32>
    return %1 : tensor<2x1xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6x2xf32>, %arg1: tensor<i32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2] : (tensor<6x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>, %arg4: tensor<2x1xf32>, %arg5: tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>) {
    %cst = stablehlo.constant dense<-1.000000e+05> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<2x3xf32>
    %2 = stablehlo.add %arg2, %1 : tensor<2x3xf32>
    %3 = stablehlo.slice %arg1 [0:2, 0:1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
    %4 = stablehlo.slice %arg1 [0:2, 1:4] : (tensor<2x4xf32>) -> tensor<2x3xf32>
    %5 = stablehlo.maximum %4, %2 : tensor<2x3xf32>
    %6 = stablehlo.subtract %4, %2 : tensor<2x3xf32>
    %7 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %8 = stablehlo.add %4, %2 : tensor<2x3xf32>
    %9 = stablehlo.abs %6 : tensor<2x3xf32>
    %10 = stablehlo.negate %9 : tensor<2x3xf32>
    %11 = stablehlo.exponential %10 : tensor<2x3xf32>
    %12 = stablehlo.log_plus_one %11 : tensor<2x3xf32>
    %13 = stablehlo.add %5, %12 : tensor<2x3xf32>
    %14 = stablehlo.select %7, %8, %13 : tensor<2x3xi1>, tensor<2x3xf32>
    %15 = stablehlo.concatenate %3, %14, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
    %16 = stablehlo.slice %15 [0:2, 0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
    %17 = stablehlo.add %16, %arg3 : tensor<2x3xf32>
    %18 = stablehlo.add %arg2, %arg3 : tensor<2x3xf32>
    %19 = stablehlo.maximum %17, %18 : tensor<2x3xf32>
    %20 = stablehlo.subtract %17, %18 : tensor<2x3xf32>
    %21 = stablehlo.compare NE, %20, %20, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %22 = stablehlo.add %17, %18 : tensor<2x3xf32>
    %23 = stablehlo.abs %20 : tensor<2x3xf32>
    %24 = stablehlo.negate %23 : tensor<2x3xf32>
    %25 = stablehlo.exponential %24 : tensor<2x3xf32>
    %26 = stablehlo.log_plus_one %25 : tensor<2x3xf32>
    %27 = stablehlo.add %19, %26 : tensor<2x3xf32>
    %28 = stablehlo.select %21, %22, %27 : tensor<2x3xi1>, tensor<2x3xf32>
    %29 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %30 = stablehlo.add %15, %29 : tensor<2x4xf32>
    %31 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %32 = stablehlo.add %arg2, %31 : tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %34 = stablehlo.subtract %33, %arg0 : tensor<2x3xf32>
    %cst_1 = stablehlo.constant dense<-1.000000e+05> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<2x3xf32>
    %37 = stablehlo.add %32, %36 : tensor<2x3xf32>
    %38 = stablehlo.slice %30 [0:2, 0:1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
    %39 = stablehlo.slice %30 [0:2, 1:4] : (tensor<2x4xf32>) -> tensor<2x3xf32>
    %40 = stablehlo.maximum %39, %37 : tensor<2x3xf32>
    %41 = stablehlo.subtract %39, %37 : tensor<2x3xf32>
    %42 = stablehlo.compare NE, %41, %41, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %43 = stablehlo.add %39, %37 : tensor<2x3xf32>
    %44 = stablehlo.abs %41 : tensor<2x3xf32>
    %45 = stablehlo.negate %44 : tensor<2x3xf32>
    %46 = stablehlo.exponential %45 : tensor<2x3xf32>
    %47 = stablehlo.log_plus_one %46 : tensor<2x3xf32>
    %48 = stablehlo.add %40, %47 : tensor<2x3xf32>
    %49 = stablehlo.select %42, %43, %48 : tensor<2x3xi1>, tensor<2x3xf32>
    %50 = stablehlo.concatenate %38, %49, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
    %51 = stablehlo.reshape %arg5 : (tensor<2xf32>) -> tensor<2x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %53 = stablehlo.multiply %52, %arg2 : tensor<2x3xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %55 = stablehlo.subtract %54, %51 : tensor<2x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %57 = stablehlo.multiply %56, %28 : tensor<2x3xf32>
    %58 = stablehlo.add %53, %57 : tensor<2x3xf32>
    %59 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %60 = stablehlo.multiply %59, %arg1 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %62 = stablehlo.subtract %61, %51 : tensor<2x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
    %64 = stablehlo.multiply %63, %50 : tensor<2x4xf32>
    %65 = stablehlo.add %60, %64 : tensor<2x4xf32>
    return %65, %58, %65, %58 : tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<6x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4xf32>
    return %1 : tensor<6x2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>) -> tensor<6x2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x2x3xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x3xf32>
    return %1 : tensor<6x2x3xf32>
  }
  func.func private @_one_hot_3(%arg0: tensor<2xi32>) -> tensor<2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<2x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %5 = stablehlo.convert %4 : (tensor<2x4xi1>) -> tensor<2x4xf32>
    return %5 : tensor<2x4xf32>
  }
}
