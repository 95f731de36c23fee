module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["dp"=4, "tp"=2]> {stablehlo.mesh = {axes = [{name = "dp", size = 4 : i64}, {name = "tp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<4x6xf32>) -> (tensor<8x6xf32> {jax.result_info = "result[0]"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"dp"}, {}]>, <@mesh, [{}, {"tp"}]>, <@mesh, [{"tp"}, {}]>] out_shardings=[<@mesh, [{"dp"}, {}]>] manual_axes={"dp", "tp"} (%arg3: tensor<2x6xf32>, %arg4: tensor<6x2xf32>, %arg5: tensor<2x6xf32>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x2xf32>) -> tensor<2x2xf32>
      %2 = stablehlo.tanh %1 : tensor<2x2xf32>
      %3 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
      %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %5 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
      sdy.return %4 : tensor<2x6xf32>
    } : (tensor<8x6xf32>, tensor<6x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
}
