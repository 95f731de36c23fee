module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["dp"=4, "tp"=2]> {stablehlo.mesh = {axes = [{name = "dp", size = 4 : i64}, {name = "tp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"dp"}, {"tp"}]>] out_shardings=[<@mesh, [{"dp"}, {"tp"}]>, <@mesh, [{}, {"tp"}]>] manual_axes={"dp", "tp"} (%arg1: tensor<2x2xf32>) {
      %1 = stablehlo.iota dim = 0 : tensor<3xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %3:4 = stablehlo.while(%iterArg = %1, %iterArg_0 = %c, %iterArg_1 = %arg1, %iterArg_2 = %2) : tensor<3xf32>, tensor<i32>, tensor<2x2xf32>, tensor<3x2xf32>
      cond {
        %c_3 = stablehlo.constant dense<3> : tensor<i32>
        %4 = stablehlo.compare LT, %iterArg_0, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<3xf32>, tensor<i32>) -> tensor<f32>
        %5:2 = func.call @closed_call(%iterArg_1, %4) : (tensor<2x2xf32>, tensor<f32>) -> (tensor<2x2xf32>, tensor<2xf32>)
        %6 = func.call @dynamic_update_index_in_dim(%iterArg_2, %5#1, %iterArg_0) : (tensor<3x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<3x2xf32>
        %c_3 = stablehlo.constant dense<1> : tensor<i32>
        %7 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
        stablehlo.return %iterArg, %7, %5#0, %6 : tensor<3xf32>, tensor<i32>, tensor<2x2xf32>, tensor<3x2xf32>
      }
      sdy.return %3#2, %3#3 : tensor<2x2xf32>, tensor<3x2xf32>
    } : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<3x4xf32>)
    return %0#0, %0#1 : tensor<8x4xf32>, tensor<3x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<2x2xf32>, %arg1: tensor<f32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2x2xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %14 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x2xf32>
    %c = stablehlo.constant dense<2> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %6 = stablehlo.divide %5, %c : tensor<ui32>
    %7 = stablehlo.remainder %6, %c_0 : tensor<ui32>
    %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
    %9 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %11 = stablehlo.add %arg0, %10 : tensor<2x2xf32>
    %12 = stablehlo.add %11, %4 : tensor<2x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    return %12, %13 : tensor<2x2xf32>, tensor<2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> tensor<3x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
    return %1 : tensor<3x2xf32>
  }
}
