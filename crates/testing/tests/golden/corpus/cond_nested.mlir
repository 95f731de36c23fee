module @jit_cond_nested attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.compare GT, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %3 = stablehlo.negate %arg1 : tensor<3x4xf32>
      stablehlo.return %3 : tensor<3x4xf32>
    }, {
      %c_0 = stablehlo.constant dense<5> : tensor<i32>
      %3 = stablehlo.compare GT, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
      %5 = "stablehlo.case"(%4) ({
        %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
        %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
        %7 = stablehlo.subtract %arg1, %6 : tensor<3x4xf32>
        stablehlo.return %7 : tensor<3x4xf32>
      }, {
        %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
        %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
        %7 = stablehlo.add %arg1, %6 : tensor<3x4xf32>
        stablehlo.return %7 : tensor<3x4xf32>
      }) : (tensor<i32>) -> tensor<3x4xf32>
      stablehlo.return %5 : tensor<3x4xf32>
    }) : (tensor<i32>) -> tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
}
