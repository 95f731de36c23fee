module @jit_reduce_narrow attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xi4>, %arg1: tensor<3x4xui4>) -> (tensor<4xi4> {jax.result_info = "result[0]"}, tensor<3xui4> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i4>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<3x4xi4>, tensor<i4>) -> tensor<4xi4>
    %c_0 = stablehlo.constant dense<1> : tensor<ui4>
    %1 = stablehlo.reduce(%arg1 init: %c_0) applies stablehlo.multiply across dimensions = [1] : (tensor<3x4xui4>, tensor<ui4>) -> tensor<3xui4>
    return %0, %1 : tensor<4xi4>, tensor<3xui4>
  }
}
