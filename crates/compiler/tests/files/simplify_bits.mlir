// pass: simplify
module @bits {
  func.func public @main(%arg0: tensor<3x4xui8>, %arg1: tensor<3x4xi8>, %arg2: tensor<6xi32>) -> (tensor<3x2x4xui8>, tensor<3x2x4xi8>, tensor<3x6xi32>, tensor<3x2x4xui8>, tensor<6x4xui8>, tensor<3x4x2xui8>) {
    %c = stablehlo.constant dense<15> : tensor<3x4xui8>
    %c_0 = stablehlo.constant dense<4> : tensor<3x4xui8>
    %0 = stablehlo.and %arg0, %c : tensor<3x4xui8>
    %1 = stablehlo.shift_right_logical %arg0, %c_0 : tensor<3x4xui8>
    %2 = stablehlo.reshape %0 : (tensor<3x4xui8>) -> tensor<3x1x4xui8>
    %3 = stablehlo.reshape %1 : (tensor<3x4xui8>) -> tensor<3x1x4xui8>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<3x1x4xui8>, tensor<3x1x4xui8>) -> tensor<3x2x4xui8>
    %c_1 = stablehlo.constant dense<4> : tensor<3x4xi8>
    %5 = stablehlo.shift_left %arg1, %c_1 : tensor<3x4xi8>
    %6 = stablehlo.shift_right_arithmetic %5, %c_1 : tensor<3x4xi8>
    %7 = stablehlo.shift_right_arithmetic %arg1, %c_1 : tensor<3x4xi8>
    %8 = stablehlo.reshape %6 : (tensor<3x4xi8>) -> tensor<3x1x4xi8>
    %9 = stablehlo.reshape %7 : (tensor<3x4xi8>) -> tensor<3x1x4xi8>
    %10 = stablehlo.concatenate %8, %9, dim = 1 : (tensor<3x1x4xi8>, tensor<3x1x4xi8>) -> tensor<3x2x4xi8>
    %c_2 = stablehlo.constant dense<960> : tensor<6xi32>
    %c_3 = stablehlo.constant dense<6> : tensor<6xi32>
    %c_4 = stablehlo.constant dense<-1024> : tensor<6xi32>
    %11 = stablehlo.and %arg2, %c_2 : tensor<6xi32>
    %12 = stablehlo.shift_right_logical %11, %c_3 : tensor<6xi32>
    %13 = stablehlo.and %arg2, %c_4 : tensor<6xi32>
    %14 = stablehlo.reshape %12 : (tensor<6xi32>) -> tensor<1x6xi32>
    %15 = stablehlo.reshape %13 : (tensor<6xi32>) -> tensor<1x6xi32>
    %16 = stablehlo.reshape %arg2 : (tensor<6xi32>) -> tensor<1x6xi32>
    %17 = stablehlo.concatenate %14, %15, %16, dim = 0 : (tensor<1x6xi32>, tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<3x6xi32>
    %18 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xui8>
    %19 = stablehlo.reshape %18 : (tensor<3x4xui8>) -> tensor<3x1x4xui8>
    %20 = stablehlo.concatenate %2, %19, dim = 1 : (tensor<3x1x4xui8>, tensor<3x1x4xui8>) -> tensor<3x2x4xui8>
    %21 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x4xui8>, tensor<3x4xui8>) -> tensor<6x4xui8>
    %22 = stablehlo.reshape %0 : (tensor<3x4xui8>) -> tensor<3x4x1xui8>
    %23 = stablehlo.reshape %1 : (tensor<3x4xui8>) -> tensor<3x4x1xui8>
    %24 = stablehlo.concatenate %22, %23, dim = 2 : (tensor<3x4x1xui8>, tensor<3x4x1xui8>) -> tensor<3x4x2xui8>
    return %4, %10, %17, %20, %21, %24 : tensor<3x2x4xui8>, tensor<3x2x4xi8>, tensor<3x6xi32>, tensor<3x2x4xui8>, tensor<6x4xui8>, tensor<3x4x2xui8>
  }
}
