module @jit_dot_product_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x2x4xf32>, %arg1: tensor<2x5x2x4xf32>, %arg2: tensor<2x1x3x5xi1>) -> (tensor<2x3x2x4xf32> {jax.result_info = "result[0]"}, tensor<2x3x2x4xf32> {jax.result_info = "result[1]"}, tensor<2x3x2x4xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x1x4xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x1x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x3x1x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x3x1x5xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x3x1x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x3x1x5xf32>, tensor<f32>) -> tensor<2x2x3x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x3x1xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x2x3x1xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<2x2x3x1xf32>) -> tensor<1x2x2x3xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<2x2x3x1x5xf32>) -> tensor<1x2x2x3x5xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x3x1xf32>) -> tensor<1x2x2x3x5xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<1x2x2x3x5xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x2x3x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x3x5xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x3x1xf32>) -> tensor<1x2x2x3x5xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x2x3x5xf32>
    %17 = stablehlo.dot_general %arg1, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<1x2x2x3x5xf32>) -> tensor<2x2x4x1x3xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x3xf32>) -> tensor<1x2x3x2x4xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<1x2x3x2x4xf32>) -> tensor<2x3x2x1x4xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x3x2x1x4xf32>) -> tensor<2x3x2x4xf32>
    %21 = stablehlo.reshape %arg0 : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x1x4xf32>
    %22 = stablehlo.dot_general %21, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x1x4xf32>, tensor<2x3x2x4xf32>) -> tensor<2x2x3x1x3xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x3x1x3xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<2x2x3x1x3xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x3x3xi1>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %26 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<3x3xi1>
    %27 = call @tril(%26) : (tensor<3x3xi1>) -> tensor<3x3xi1>
    %28 = stablehlo.broadcast_in_dim %27, dims = [2, 3] : (tensor<3x3xi1>) -> tensor<1x1x3x3xi1>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x3x3xi1>) -> tensor<2x2x3x3xi1>
    %30 = stablehlo.and %25, %29 : tensor<2x2x3x3xi1>
    %cst_5 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %31 = call @_where(%30, %24, %cst_5) : (tensor<2x2x3x3xi1>, tensor<2x2x3x1x3xf32>, tensor<f32>) -> tensor<1x2x2x3x3xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_6) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x3x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x2x3xf32>
    %34 = stablehlo.maximum %33, %32 : tensor<1x2x2x3xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x3x1xf32>) -> tensor<1x2x2x3x3xf32>
    %37 = stablehlo.subtract %31, %36 : tensor<1x2x2x3x3xf32>
    %38 = stablehlo.exponential %37 : tensor<1x2x2x3x3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x3x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x3x1xf32>) -> tensor<1x2x2x3x3xf32>
    %42 = stablehlo.divide %38, %41 : tensor<1x2x2x3x3xf32>
    %43 = stablehlo.dot_general %arg0, %42, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x4xf32>, tensor<1x2x2x3x3xf32>) -> tensor<2x2x4x1x3xf32>
    %44 = stablehlo.transpose %43, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x3xf32>) -> tensor<1x2x3x2x4xf32>
    %45 = stablehlo.transpose %44, dims = [1, 2, 3, 0, 4] : (tensor<1x2x3x2x4xf32>) -> tensor<2x3x2x1x4xf32>
    %46 = stablehlo.reshape %45 : (tensor<2x3x2x1x4xf32>) -> tensor<2x3x2x4xf32>
    %47 = stablehlo.reshape %arg0 : (tensor<2x3x2x4xf32>) -> tensor<2x3x2x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<2x1x3x5xi1>) -> tensor<2x1x1x3x5xi1>
    %49 = stablehlo.dot_general %47, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x1x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x3x1x5xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x2x3x1x5xf32>
    %51 = stablehlo.multiply %49, %50 : tensor<2x2x3x1x5xf32>
    %c_10 = stablehlo.constant dense<true> : tensor<i1>
    %52 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<2x2x3x5xi1>
    %53 = stablehlo.broadcast_in_dim %52, dims = [1, 2, 3, 4] : (tensor<2x2x3x5xi1>) -> tensor<1x2x2x3x5xi1>
    %54 = stablehlo.transpose %48, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x3x5xi1>) -> tensor<1x2x1x3x5xi1>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x3x5xi1>) -> tensor<1x2x2x3x5xi1>
    %56 = stablehlo.and %53, %55 : tensor<1x2x2x3x5xi1>
    %cst_11 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %57 = call @_where_0(%56, %51, %cst_11) : (tensor<1x2x2x3x5xi1>, tensor<2x2x3x1x5xf32>, tensor<f32>) -> tensor<1x2x2x3x5xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_12) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x3x5xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x2x2x3xf32>
    %60 = stablehlo.maximum %59, %58 : tensor<1x2x2x3xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x3x1xf32>) -> tensor<1x2x2x3x5xf32>
    %63 = stablehlo.subtract %57, %62 : tensor<1x2x2x3x5xf32>
    %64 = stablehlo.exponential %63 : tensor<1x2x2x3x5xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_14) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x3x5xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x3x1xf32>) -> tensor<1x2x2x3x5xf32>
    %68 = stablehlo.divide %64, %67 : tensor<1x2x2x3x5xf32>
    %69 = stablehlo.dot_general %arg1, %68, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<1x2x2x3x5xf32>) -> tensor<2x2x4x1x3xf32>
    %70 = stablehlo.transpose %69, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x3xf32>) -> tensor<1x2x3x2x4xf32>
    %71 = stablehlo.transpose %70, dims = [1, 2, 3, 0, 4] : (tensor<1x2x3x2x4xf32>) -> tensor<2x3x2x1x4xf32>
    %72 = stablehlo.reshape %71 : (tensor<2x3x2x1x4xf32>) -> tensor<2x3x2x4xf32>
    return %20, %46, %72 : tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>
  }
  func.func private @tril(%arg0: tensor<3x3xi1>) -> tensor<3x3xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %2 = stablehlo.add %0, %1 : tensor<3x3xi32>
    %3 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<3x3xi1>, tensor<3x3xi1>
    return %6 : tensor<3x3xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x3x3xi1>, %arg1: tensor<2x2x3x1x3xf32>, %arg2: tensor<f32>) -> tensor<1x2x2x3x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x3x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x2x3x3xi1>) -> tensor<1x2x2x3x3xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x3x3xf32>) -> tensor<1x2x2x3x3xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x3x1x3xf32>) -> tensor<1x2x2x3x3xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x2x3x3xi1>, tensor<1x2x2x3x3xf32>
    return %4 : tensor<1x2x2x3x3xf32>
  }
  func.func private @_where_0(%arg0: tensor<1x2x2x3x5xi1>, %arg1: tensor<2x2x3x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x2x3x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x3x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x3x5xf32>) -> tensor<1x2x2x3x5xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x3x1x5xf32>) -> tensor<1x2x2x3x5xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x2x3x5xi1>, tensor<1x2x2x3x5xf32>
    return %3 : tensor<1x2x2x3x5xf32>
  }
}
