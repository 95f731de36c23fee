module @jit_rotary attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x2x4xf32>) -> (tensor<2x5x2x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %2 = stablehlo.iota dim = 0 : tensor<2xf32>
    %3 = stablehlo.negate %2 : tensor<2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %7 = stablehlo.power %6, %5 : tensor<2xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %9 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x2xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<5x2xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<5x2xf32>
    %12 = stablehlo.cosine %11 : tensor<5x2xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 3] : (tensor<5x2xf32>) -> tensor<1x5x1x2xf32>
    %14 = stablehlo.sine %11 : tensor<5x2xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1, 3] : (tensor<5x2xf32>) -> tensor<1x5x1x2xf32>
    %16 = stablehlo.slice %arg0 [0:2, 0:5, 0:2, 0:2] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x2xf32>
    %17 = stablehlo.slice %arg0 [0:2, 0:5, 0:2, 2:4] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x2xf32>
    %18 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<2x5x2x2xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<2x5x2x2xf32>
    %20 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<2x5x2x2xf32>
    %21 = stablehlo.multiply %17, %20 : tensor<2x5x2x2xf32>
    %22 = stablehlo.subtract %19, %21 : tensor<2x5x2x2xf32>
    %23 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<2x5x2x2xf32>
    %24 = stablehlo.multiply %16, %23 : tensor<2x5x2x2xf32>
    %25 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<2x5x2x2xf32>
    %26 = stablehlo.multiply %17, %25 : tensor<2x5x2x2xf32>
    %27 = stablehlo.add %24, %26 : tensor<2x5x2x2xf32>
    %28 = stablehlo.concatenate %22, %27, dim = 3 : (tensor<2x5x2x2xf32>, tensor<2x5x2x2xf32>) -> tensor<2x5x2x4xf32>
    return %28 : tensor<2x5x2x4xf32>
  }
}
