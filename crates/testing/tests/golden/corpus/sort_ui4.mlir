module @jit_sort_ui4 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xui4>) -> (tensor<3x5xui4> {jax.result_info = "result[0]"}, tensor<3x5xui4> {jax.result_info = "result[1]"}) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui4>, %arg2: tensor<ui4>):
      %2 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<3x5xui4>) -> tensor<3x5xui4>
    %1 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui4>, %arg2: tensor<ui4>):
      %2 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<3x5xui4>) -> tensor<3x5xui4>
    return %0, %1 : tensor<3x5xui4>, tensor<3x5xui4>
  }
}
