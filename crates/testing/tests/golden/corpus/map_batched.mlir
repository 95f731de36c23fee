module @jit_map_batched attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>) -> (tensor<5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:4, 0:3] : (tensor<5x3xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
    %2 = stablehlo.slice %arg0 [4:5, 0:3] : (tensor<5x3xf32>) -> tensor<1x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:3 = stablehlo.while(%iterArg = %1, %iterArg_0 = %c, %iterArg_1 = %3) : tensor<2x2x3xf32>, tensor<i32>, tensor<2x2x3xf32>
    cond {
      %c_2 = stablehlo.constant dense<2> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<2x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %9 = func.call @closed_call(%8) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %10 = func.call @dynamic_update_index_in_dim(%iterArg_1, %9, %iterArg_0) : (tensor<2x2x3xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<2x2x3xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %11, %10 : tensor<2x2x3xf32>, tensor<i32>, tensor<2x2x3xf32>
    }
    %5 = stablehlo.sine %2 : tensor<1x3xf32>
    %6 = stablehlo.reshape %4#2 : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
    %7 = stablehlo.concatenate %6, %5, dim = 0 : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
    return %7 : tensor<5x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 3] : (tensor<2x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.sine %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>) -> tensor<2x2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x2x3xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x3xf32>
    return %1 : tensor<2x2x3xf32>
  }
}
