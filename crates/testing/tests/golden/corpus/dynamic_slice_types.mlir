module @jit_dynamic_slice_types attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<i8>, %arg2: tensor<ui8>, %arg3: tensor<i16>, %arg4: tensor<ui32>, %arg5: tensor<i64>, %arg6: tensor<ui64>) -> (tensor<2x2xf32> {jax.result_info = "result[0]"}, tensor<2x2xf32> {jax.result_info = "result[1]"}, tensor<2x2xf32> {jax.result_info = "result[2]"}, tensor<2x2xf32> {jax.result_info = "result[3]"}, tensor<2x2xf32> {jax.result_info = "result[4]"}, tensor<2x2xf32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<0> : tensor<i8>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4> : tensor<i8>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i8>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i8>
    %c_1 = stablehlo.constant dense<0> : tensor<i8>
    %3 = stablehlo.compare LT, %arg1, %c_1, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<5> : tensor<i8>
    %4 = stablehlo.add %arg1, %c_2 : tensor<i8>
    %5 = stablehlo.select %3, %4, %arg1 : tensor<i1>, tensor<i8>
    %6 = stablehlo.dynamic_slice %arg0, %2, %5, sizes = [2, 2] : (tensor<4x5xf32>, tensor<i8>, tensor<i8>) -> tensor<2x2xf32>
    %7 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [2, 2] : (tensor<4x5xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x2xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i16>
    %8 = stablehlo.compare LT, %arg3, %c_3, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<4> : tensor<i16>
    %9 = stablehlo.add %arg3, %c_4 : tensor<i16>
    %10 = stablehlo.select %8, %9, %arg3 : tensor<i1>, tensor<i16>
    %c_5 = stablehlo.constant dense<0> : tensor<i16>
    %11 = stablehlo.compare LT, %arg3, %c_5, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<5> : tensor<i16>
    %12 = stablehlo.add %arg3, %c_6 : tensor<i16>
    %13 = stablehlo.select %11, %12, %arg3 : tensor<i1>, tensor<i16>
    %14 = stablehlo.dynamic_slice %arg0, %10, %13, sizes = [2, 2] : (tensor<4x5xf32>, tensor<i16>, tensor<i16>) -> tensor<2x2xf32>
    %15 = stablehlo.dynamic_slice %arg0, %arg4, %arg4, sizes = [2, 2] : (tensor<4x5xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x2xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %16 = stablehlo.compare LT, %arg5, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<4> : tensor<i64>
    %17 = stablehlo.add %arg5, %c_8 : tensor<i64>
    %18 = stablehlo.select %16, %17, %arg5 : tensor<i1>, tensor<i64>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %19 = stablehlo.compare LT, %arg5, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<5> : tensor<i64>
    %20 = stablehlo.add %arg5, %c_10 : tensor<i64>
    %21 = stablehlo.select %19, %20, %arg5 : tensor<i1>, tensor<i64>
    %22 = stablehlo.dynamic_slice %arg0, %18, %21, sizes = [2, 2] : (tensor<4x5xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
    %23 = stablehlo.dynamic_slice %arg0, %arg6, %arg6, sizes = [2, 2] : (tensor<4x5xf32>, tensor<ui64>, tensor<ui64>) -> tensor<2x2xf32>
    return %6, %7, %14, %15, %22, %23 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  }
}
