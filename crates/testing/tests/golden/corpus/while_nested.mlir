module @jit_while_nested attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>) -> (tensor<i32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0, %iterArg_2 = %c_0) : tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %3:4 = stablehlo.while(%iterArg_6 = %iterArg, %iterArg_7 = %c_5, %iterArg_8 = %2, %iterArg_9 = %iterArg_2) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
      cond {
        %4 = stablehlo.compare LT, %iterArg_7, %iterArg_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %c_10 = stablehlo.constant dense<1> : tensor<i32>
        %4 = stablehlo.add %iterArg_7, %c_10 : tensor<i32>
        %5 = stablehlo.multiply %iterArg_6, %iterArg_7 : tensor<i32>
        %6 = stablehlo.convert %5 : tensor<i32>
        %7 = stablehlo.add %iterArg_9, %6 : tensor<i32>
        stablehlo.return %iterArg_6, %4, %iterArg_8, %7 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
      }
      stablehlo.return %1, %iterArg_1, %3#3 : tensor<i32>, tensor<i32>, tensor<i32>
    }
    return %0#2 : tensor<i32>
  }
}
