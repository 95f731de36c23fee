module @ring {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) -> (tensor<4x6xf32>, tensor<2xf32>) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y", ?}]>, <@mesh, []>] out_shardings=[<@mesh, [{"y"}, {"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x", "y"} (%arg2: tensor<2x3xf32>, %arg3: tensor<i32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg2) : tensor<i32>, tensor<2x3xf32>
      cond {
        %5 = stablehlo.compare LT, %iterArg, %arg3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %5 : tensor<i1>
      } do {
        %c_1 = stablehlo.constant dense<1> : tensor<i32>
        %5 = stablehlo.add %iterArg, %c_1 : tensor<i32>
        %6 = func.call @passed(%iterArg_0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        stablehlo.return %5, %6 : tensor<i32>, tensor<2x3xf32>
      }
      %2 = stablehlo.partition_id : tensor<ui32>
      %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<f32>
      %4 = stablehlo.reshape %3 : (tensor<f32>) -> tensor<1xf32>
      sdy.return %1#1, %4 : tensor<2x3xf32>, tensor<1xf32>
    } : (tensor<4x6xf32>, tensor<i32>) -> (tensor<4x6xf32>, tensor<2xf32>)
    return %0#0, %0#1 : tensor<4x6xf32>, tensor<2xf32>
  }
  func.func private @passed(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
