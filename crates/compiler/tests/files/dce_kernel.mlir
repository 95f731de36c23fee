// pass: dce
// Of a kernel stay the results that are used, what these need, and what they begin as.
module @dead_results {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>) -> tensor<8xf32> {
    %0:3 = "jarrah.kernel"(%arg0, %arg1, %arg2, %arg3) <{arbitrary = array<i64: 0>, grid = array<i64: 2>, inputs = [[{block = 4 : i64, grid = 0 : i64}], [{block = 4 : i64, grid = 0 : i64}], [{block = 4 : i64, grid = 0 : i64}], ["whole"]], outputs = [[{block = 4 : i64, grid = 0 : i64}], [{block = 4 : i64, grid = 0 : i64}], ["whole"]], scratch = [tensor<f32>, tensor<4xf32>], starts = ["fresh", {operand = 2 : i64}, "zeros"]}> ({
    ^bb0(%i: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<8xf32>, %held: tensor<4xf32>, %sum: tensor<8xf32>, %dead: tensor<f32>, %kept: tensor<4xf32>):
      %1 = stablehlo.add %a, %kept : tensor<4xf32>
      %2 = stablehlo.multiply %held, %1 : tensor<4xf32>
      %3 = stablehlo.exponential %b : tensor<4xf32>
      %4 = stablehlo.add %sum, %d : tensor<8xf32>
      stablehlo.return %3, %2, %4, %dead, %1 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<f32>, tensor<4xf32>
    }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    return %0#1 : tensor<8xf32>
  }
}
