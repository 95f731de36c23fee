module @jit_lu_f32 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<2x3x3xf32>) -> (tensor<4x4xf32> {jax.result_info = "result[0][0]"}, tensor<4xi32> {jax.result_info = "result[0][1]"}, tensor<4xi32> {jax.result_info = "result[0][2]"}, tensor<2x3x3xf32> {jax.result_info = "result[1][0]"}, tensor<2x3xi32> {jax.result_info = "result[1][1]"}, tensor<2x3xi32> {jax.result_info = "result[1][2]"}) {
    %0:3 = stablehlo.custom_call @LuDecomposition(%arg0) {api_version = 2 : i32, backend_config = ""} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<4xi32>)
    %1:3 = stablehlo.custom_call @LuDecomposition(%arg1) {api_version = 2 : i32, backend_config = ""} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xi32>, tensor<2x3xi32>)
    return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : tensor<4x4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<2x3x3xf32>, tensor<2x3xi32>, tensor<2x3xi32>
  }
}
