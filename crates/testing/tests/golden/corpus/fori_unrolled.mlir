module @jit_fori_unrolled attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = call @closed_call(%c, %arg0) : (tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>)
    %1:2 = call @closed_call(%0#0, %0#1) : (tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>)
    %2:2 = call @closed_call(%1#0, %1#1) : (tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>)
    return %2#1 : tensor<3x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.sine %arg1 : tensor<3x4xf32>
    %2 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.add %1, %3 : tensor<3x4xf32>
    return %0, %4 : tensor<i32>, tensor<3x4xf32>
  }
}
