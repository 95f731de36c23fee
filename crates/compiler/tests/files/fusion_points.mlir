// pass: fusion
// A kernel of a person, whose body is no loop, is fused inside; one that is a loop runs as one.
module @points {
  func.func public @main(%arg0: tensor<64x48xf32>, %arg1: tensor<48x32xf32>) -> (tensor<64x32xf32>, tensor<64x48xf32>) {
    %0 = "jarrah.kernel"(%arg0, %arg1) <{arbitrary = array<i64: 2>, grid = array<i64: 4, 2, 3>, inputs = [[{block = 16 : i64, grid = 0 : i64}, {block = 16 : i64, grid = 2 : i64}], [{block = 16 : i64, grid = 2 : i64}, {block = 16 : i64, grid = 1 : i64}]], outputs = [[{block = 16 : i64, grid = 0 : i64}, {block = 16 : i64, grid = 1 : i64}]], starts = ["zeros"]}> ({
    ^bb0(%i: tensor<i32>, %j: tensor<i32>, %k: tensor<i32>, %x: tensor<16x16xf32>, %y: tensor<16x16xf32>, %held: tensor<16x16xf32>):
      %1 = stablehlo.exponential %x : tensor<16x16xf32>
      %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %3 = stablehlo.add %held, %2 : tensor<16x16xf32>
      stablehlo.return %3 : tensor<16x16xf32>
    }) : (tensor<64x48xf32>, tensor<48x32xf32>) -> tensor<64x32xf32>
    %4 = "jarrah.kernel"(%arg0) <{arbitrary = array<i64: 0>, grid = array<i64: 64>, inputs = [[{point = 0 : i64}, "whole"]], outputs = [[{point = 0 : i64}, "whole"]]}> ({
    ^bb0(%i: tensor<i32>, %x: tensor<48xf32>):
      %5 = func.call @twice(%x) : (tensor<48xf32>) -> tensor<48xf32>
      stablehlo.return %5 : tensor<48xf32>
    }) : (tensor<64x48xf32>) -> tensor<64x48xf32>
    return %0, %4 : tensor<64x32xf32>, tensor<64x48xf32>
  }
  func.func private @twice(%arg0: tensor<48xf32>) -> tensor<48xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<48xf32>
    return %0 : tensor<48xf32>
  }
}
