#dyn = #stablehlo.bounds<3, ?>
!tok = !stablehlo.token
func.func @types(%a: tensor<?x?xf32, #dyn>, %b: tensor<*xi8>, %t: !tok, %u: tuple<tensor<2xbf16>, tuple<>>,
                 %q: tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:3>>, %c: tensor<2x2x!quant.uniform<u8:f32:1, {0.1, 2.5e-2:128}>>,
                 %f: !stablehlo.future<tensor<2xf32>>, %n: none, %x: index, %fn: (i32) -> (f32, f32), %m: memref<2x?xf16>,
                 %d: tensor<?x8xf32, #other.dims<"n",8>>)
    -> (tensor<?x?xf32, #stablehlo.type_extensions<bounds = [3, ?]>>, tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:3>>) {
  %0 = stablehlo.add %q, %q : tensor<4x!quant.uniform<i8<-127:127>:f32, 5.0e-1:3>>
  %1 = stablehlo.after_all %t, %t : !tok
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:3>>, !tok>
  %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:3>>, !tok>) -> !tok
  %4 = "stablehlo.custom_call"(%3) {call_target_name = "f", kinds = [f32, tensor<2xi2>, unit, -5 : si32, 1.5 : tf32, 0x7FC00000 : f32,
    array<i1: true, false>, array<f32: 1.0, -2.0>, array<i8>, affine_map<(d0,d1) -> (d1)>, @a::@"b c", true, {}]} : (!tok) -> !tok
  return %a, %0 : tensor<?x?xf32, #dyn>, tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:3>>
}
