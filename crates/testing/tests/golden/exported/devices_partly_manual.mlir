module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["dp"=4, "tp"=2]> {stablehlo.mesh = {axes = [{name = "dp", size = 4 : i64}, {name = "tp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "result[0]"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"dp", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"dp"} (%arg1: tensor<2x4xf32>) {
      %1 = stablehlo.sine %arg1 : tensor<2x4xf32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
      %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %17 = stablehlo.add %arg2, %arg3 : tensor<f32>
        %18 = sdy.sharding_constraint %17 <@mesh, []> : tensor<f32>
        stablehlo.return %18 : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %4 = stablehlo.iota dim = 0 : tensor<4x4xi32>
      %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<4x4xi32>
      %6 = stablehlo.iota dim = 1 : tensor<4x4xi32>
      %7 = sdy.sharding_constraint %6 <@mesh, [{?}, {?}]> : tensor<4x4xi32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
      %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<4x4xi32>
      %10 = stablehlo.add %5, %9 : tensor<4x4xi32>
      %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<4x4xi32>
      %12 = stablehlo.compare EQ, %11, %7, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
      %13 = stablehlo.convert %12 : (tensor<4x4xi1>) -> tensor<4x4xf32>
      %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<4x4xf32>
      %15 = stablehlo.dot_general %3, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %16 = sdy.sharding_constraint %15 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
      sdy.return %16 : tensor<2x4xf32>
    } : (tensor<8x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}
