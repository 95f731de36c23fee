// Ops that StableHLO lacks.
module @own {
  func.func public @main(%arg0: tensor<f32> {jarrah.path = "carry"}, %arg1: tensor<10xf32>, %arg2: tensor<4xi32>) -> (tensor<f32>, tensor<10xf32>, tensor<7xf32>, tensor<10xf32>) {
    %0:2 = "jarrah.scan"(%arg0, %arg1) <{carry = 1 : i64, consts = 0 : i64, length = 10 : i64, reverse = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %3 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %3, %3 : tensor<f32>, tensor<f32>
    }) : (tensor<f32>, tensor<10xf32>) -> (tensor<f32>, tensor<10xf32>)
    %1 = "jarrah.kernel"(%0#1) <{grid = array<i64: 2>, inputs = [[{block = 5 : i64, grid = 0 : i64}]], outputs = [[{block = 5 : i64, grid = 0 : i64}]]}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<5xf32>):
      %3 = chlo.erf %arg4 : tensor<5xf32> -> tensor<5xf32>
      stablehlo.return %3 : tensor<5xf32>
    }) : (tensor<10xf32>) -> tensor<10xf32>
    %2:2 = "jarrah.kernel"(%arg2, %1) <{arbitrary = array<i64: 0>, flops = 40 : ui64, form = "steps", grid = array<i64: 4>, inputs = [[{at = 0 : i64, size = 3 : i64, unit = 2 : i64}]], outputs = [[{point_at = 0 : i64}], ["whole"]], prefetch = 1 : i64, scratch = [tensor<f32>], starts = ["zeros", {operand = 1 : i64}]}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<4xi32>, %arg5: tensor<3xf32>, %arg6: tensor<f32>, %arg7: tensor<10xf32>, %arg8: tensor<f32>):
      %3 = stablehlo.add %arg6, %arg8 : tensor<f32>
      %4 = chlo.erf %arg7 : tensor<10xf32> -> tensor<10xf32>
      stablehlo.return %3, %4, %3 : tensor<f32>, tensor<10xf32>, tensor<f32>
    }, {
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<4xi32>):
      %3 = stablehlo.dynamic_slice %arg4, %arg3, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %4 = stablehlo.reshape %3 : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }) : (tensor<4xi32>, tensor<10xf32>) -> (tensor<7xf32>, tensor<10xf32>)
    return %0#0, %1, %2#0, %2#1 : tensor<f32>, tensor<10xf32>, tensor<7xf32>, tensor<10xf32>
  }
}
