module {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {origin = "test"}
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, { }]>}) -> tensor<8x4xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x",?},{}], replicated={"y"}> : tensor<8x4xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
      %2 = stablehlo.add %b, %b : tensor<4x4xf32>
      sdy.return %2 : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = sdy.named_computation<"block">(%1) (%b: tensor<8x4xf32>) {
      sdy.return %b : tensor<8x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    sdy.sharding_group %3 group_id=21 : tensor<8x4xf32>
    %4 = sdy.all_gather [{"x"}, {}] %3 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %5 = sdy.sharded_to_unreduced [{"x"}, {}] %4 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x4xf32>
    %6 = sdy.replicated_to_unreduced {"y"} %5 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x4xf32>
    %7 = sdy.func_data_flow_edge %6 : tensor<8x4xf32>
    return %7 : tensor<8x4xf32>
  }
}
