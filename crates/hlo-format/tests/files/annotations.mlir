// What says something about a program and changes nothing in it is passed over.
#loc = loc(unknown)
module @jit_f attributes {mhlo.num_partitions = 8 : i32, jax.uses_shape_polymorphism = false} {
  sdy.mesh @mesh = <["dp"=4, "tp"=2]> {stablehlo.mesh = {axes = [{name = "dp", size = 4 : i64}, {name = "tp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>, tf.aliasing_output = 0 : i32} loc("x")) -> (tensor<8x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.sine %arg0 {mhlo.frontend_attributes = {a = "b"}} : tensor<8x8xf32> loc(#loc4)
    %1 = sdy.sharding_constraint %0 <@mesh, [{"dp"}, {"tp"}]> : tensor<8x8xf32> loc(#loc)
    %2 = stablehlo.composite "my.square" %1 {composite_attributes = {k = 3 : i64}, decomposition = @my.square} : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc4)
    %values, %indices = chlo.top_k(%2, k = 3) : tensor<8x8xf32> -> (tensor<8x3xf32>, tensor<8x3xi32>)
    return %2 : tensor<8x8xf32>
  } loc(#loc)
  func.func private @my.square(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = chlo.square %arg0 : tensor<8x8xf32> -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
} loc(#loc)
#loc1 = loc("f.py":11:24 to :27)
#loc2 = loc("g"(#loc1))
#loc3 = loc(callsite(#loc2 at fused<"x">["f.py":5:10 to 6:3, unknown]))
#loc4 = loc("jit(f)/layer/sin"(#loc3))
