module @jit_while_vmapped attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xi32>) -> (tensor<4xi32> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %0) : tensor<4xi32>, tensor<4xi32>
    cond {
      %c_1 = stablehlo.constant dense<50> : tensor<i32>
      %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %3 = stablehlo.compare LT, %iterArg, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_2 = stablehlo.constant dense<false> : tensor<i1>
      %4 = stablehlo.reduce(%3 init: %c_2) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<2> : tensor<i32>
      %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %3 = stablehlo.multiply %iterArg, %2 : tensor<4xi32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %5 = stablehlo.add %iterArg_0, %4 : tensor<4xi32>
      %c_3 = stablehlo.constant dense<50> : tensor<i32>
      %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %7 = stablehlo.compare LT, %iterArg, %6, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xi1>) -> tensor<4xi1>
      %9 = stablehlo.select %8, %3, %iterArg : tensor<4xi1>, tensor<4xi32>
      %10 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xi1>) -> tensor<4xi1>
      %11 = stablehlo.select %10, %5, %iterArg_0 : tensor<4xi1>, tensor<4xi32>
      stablehlo.return %9, %11 : tensor<4xi32>, tensor<4xi32>
    }
    return %1#0, %1#1 : tensor<4xi32>, tensor<4xi32>
  }
}
