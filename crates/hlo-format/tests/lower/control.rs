use jarrah_hlo::Op;

use super::{f32s, i32s, lower, run};

#[test]
fn what_regions_capture_becomes_operands() {
    let text = "
func.func @main(%n: tensor<i32>, %step: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %sum, %step : tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}";
    let program = lower(text);
    let Op::While(op) = &program.instrs().last().unwrap().op else { panic!("{program:?}") };
    assert_eq!(op.consts, 2);
    assert_eq!(run(text, &[i32s(&[], &[4]), i32s(&[], &[10])]), [i32s(&[], &[40])]);
}

#[test]
fn tuples_are_taken_apart_and_tokens_dropped() {
    let text = r#"
func.func @main(%x: tensor<2xf32>, %y: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
  %0 = stablehlo.tuple %y, %x : tuple<tensor<i32>, tensor<2xf32>>
  %1 = stablehlo.tuple %x, %0 : tuple<tensor<2xf32>, tuple<tensor<i32>, tensor<2xf32>>>
  %token = stablehlo.after_all : !stablehlo.token
  %2:2 = stablehlo.optimization_barrier %1, %token : tuple<tensor<2xf32>, tuple<tensor<i32>, tensor<2xf32>>>, !stablehlo.token
  %3 = stablehlo.get_tuple_element %2#0[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>, tensor<2xf32>>>) -> tuple<tensor<i32>, tensor<2xf32>>
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<i32>
  %5 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
  return %4, %5 : tensor<i32>, tensor<2xf32>
}"#;
    let (x, y) = (f32s(&[2], &[1.5, 2.5]), i32s(&[], &[7]));
    assert_eq!(run(text, &[x.clone(), y.clone()]), [y, x]);
}

#[test]
fn functions_are_built_once_and_composites_are_calls() {
    let text = r#"
module @twice {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = call @double(%x) : (tensor<f32>) -> tensor<f32>
    %1 = stablehlo.composite "own.double" %0 {decomposition = @double} : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @double(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %x, %x : tensor<f32>
    return %0 : tensor<f32>
  }
}"#;
    let program = lower(text);
    assert_eq!(program.name(), "twice");
    let callees: Vec<_> = program.instrs().iter().flat_map(|i| i.op.programs()).collect();
    assert!(std::sync::Arc::ptr_eq(callees[0], callees[1]));
    assert_eq!(run(text, &[f32s(&[], &[3.0])]), [f32s(&[], &[12.0])]);
}

#[test]
fn maps_of_any_function_of_scalars() {
    let text = r#"
func.func @main(%x: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %0 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.multiply %a, %three : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %2 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    %1 = "stablehlo.case"(%a) ({
      %c = stablehlo.constant dense<10> : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }, {
      %c = stablehlo.constant dense<20> : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %2 : tensor<2x2xi32>, tensor<2x2xi32>
}"#;
    let x = i32s(&[2, 2], &[0, 1, 2, 0]);
    assert_eq!(run(text, &[x]), [i32s(&[2, 2], &[0, 3, 6, 0]), i32s(&[2, 2], &[10, 20, 20, 10])]);
}

#[test]
fn scans_along_any_axis() {
    let text = "
func.func @main(%x: tensor<2x3xi32>, %init: tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>) {
  %0:2 = chlo.scan(%x) inits(%init) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %carry: tensor<2xi32>):
    %1 = stablehlo.add %a, %carry : tensor<2xi32>
    stablehlo.return %1, %1 : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2xi32>
}";
    let results = run(text, &[i32s(&[2, 3], &[1, 2, 3, 4, 5, 6]), i32s(&[2], &[10, 20])]);
    assert_eq!(results, [i32s(&[2, 3], &[16, 15, 13, 35, 31, 26]), i32s(&[2], &[16, 35])]);
}
