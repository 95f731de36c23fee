module @jit_pow_integers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xi32>, %arg2: tensor<9xi32>, %arg3: tensor<9xi32>) -> (tensor<9xf32> {jax.result_info = "result[0]"}, tensor<9xi32> {jax.result_info = "result[1]"}, tensor<9xi32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg1 : (tensor<9xi32>) -> tensor<9xf32>
    %1 = stablehlo.power %arg0, %0 : tensor<9xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %3 = stablehlo.compare EQ, %arg2, %2, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %5 = stablehlo.compare NE, %arg3, %4, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %6 = stablehlo.and %3, %5 : tensor<9xi1>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %7 = call @_where(%6, %c_1, %c_2) : (tensor<9xi1>, tensor<i32>, tensor<i32>) -> tensor<9xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %9 = stablehlo.and %arg3, %8 : tensor<9xi32>
    %10 = stablehlo.multiply %7, %arg2 : tensor<9xi32>
    %11 = call @_where_0(%9, %10, %7) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %12 = stablehlo.multiply %arg2, %arg2 : tensor<9xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %14 = stablehlo.shift_right_logical %arg3, %13 : tensor<9xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %16 = stablehlo.and %14, %15 : tensor<9xi32>
    %17 = stablehlo.multiply %11, %12 : tensor<9xi32>
    %18 = call @_where_0(%16, %17, %11) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %19 = stablehlo.multiply %12, %12 : tensor<9xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %21 = stablehlo.shift_right_logical %14, %20 : tensor<9xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %23 = stablehlo.and %21, %22 : tensor<9xi32>
    %24 = stablehlo.multiply %18, %19 : tensor<9xi32>
    %25 = call @_where_0(%23, %24, %18) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %26 = stablehlo.multiply %19, %19 : tensor<9xi32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %28 = stablehlo.shift_right_logical %21, %27 : tensor<9xi32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %30 = stablehlo.and %28, %29 : tensor<9xi32>
    %31 = stablehlo.multiply %25, %26 : tensor<9xi32>
    %32 = call @_where_0(%30, %31, %25) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %33 = stablehlo.multiply %26, %26 : tensor<9xi32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %35 = stablehlo.shift_right_logical %28, %34 : tensor<9xi32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %37 = stablehlo.and %35, %36 : tensor<9xi32>
    %38 = stablehlo.multiply %32, %33 : tensor<9xi32>
    %39 = call @_where_0(%37, %38, %32) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %40 = stablehlo.multiply %33, %33 : tensor<9xi32>
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %42 = stablehlo.shift_right_logical %35, %41 : tensor<9xi32>
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %44 = stablehlo.and %42, %43 : tensor<9xi32>
    %45 = stablehlo.multiply %39, %40 : tensor<9xi32>
    %46 = call @_where_0(%44, %45, %39) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %47 = stablehlo.multiply %40, %40 : tensor<9xi32>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %49 = stablehlo.shift_right_logical %42, %48 : tensor<9xi32>
    %50 = stablehlo.multiply %arg1, %arg1 : tensor<9xi32>
    %51 = stablehlo.multiply %50, %arg1 : tensor<9xi32>
    return %1, %46, %51 : tensor<9xf32>, tensor<9xi32>, tensor<9xi32>
  }
  func.func private @_where(%arg0: tensor<9xi1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<9xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<9xi1>, tensor<9xi32>
    return %2 : tensor<9xi32>
  }
  func.func private @_where_0(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>, %arg2: tensor<9xi32>) -> tensor<9xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %1 = stablehlo.compare NE, %arg0, %0, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %2 = stablehlo.select %1, %arg1, %arg2 : tensor<9xi1>, tensor<9xi32>
    return %2 : tensor<9xi32>
  }
}
