module @jit_reduce_several attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xi32>) -> (tensor<2x4xf32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}, tensor<2x4xi32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %0:3 = stablehlo.reduce(%arg0 init: %cst), (%arg1 init: %cst_0), (%arg2 init: %c) across dimensions = [1] : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xi32>, tensor<f32>, tensor<f32>, tensor<i32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xi32>)
     reducer(%arg3: tensor<f32>, %arg6: tensor<f32>) (%arg4: tensor<f32>, %arg7: tensor<f32>) (%arg5: tensor<i32>, %arg8: tensor<i32>)  {
      %1 = stablehlo.maximum %arg3, %arg6 : tensor<f32>
      %2 = stablehlo.add %arg4, %arg7 : tensor<f32>
      %3 = stablehlo.compare GE, %arg3, %arg6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = func.call @_where(%3, %arg5, %arg8) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %1, %2, %4 : tensor<f32>, tensor<f32>, tensor<i32>
    }
    return %0#0, %0#1, %0#2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
