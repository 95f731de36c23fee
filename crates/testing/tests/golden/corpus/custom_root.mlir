module @jit_custom_root attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %cst) : tensor<f32>, tensor<i32>, tensor<i32>, tensor<f32>
    cond {
      %c_4 = stablehlo.constant dense<12> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %2, %1#0, %1#1 : tensor<f32>, tensor<i32>, tensor<i32>, tensor<f32>
    }
    return %0#3 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
    %2 = stablehlo.multiply %1, %arg2 : tensor<f32>
    %3 = stablehlo.subtract %2, %arg0 : tensor<f32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.multiply %cst, %arg2 : tensor<f32>
    %5 = stablehlo.multiply %4, %arg2 : tensor<f32>
    %6 = stablehlo.divide %3, %5 : tensor<f32>
    %7 = stablehlo.subtract %arg2, %6 : tensor<f32>
    return %0, %7 : tensor<i32>, tensor<f32>
  }
}
