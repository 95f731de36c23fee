use jarrah_base::{DType, Literal, Type};
use jarrah_hlo_format::lower::LowerOptions;

use super::{f32s, i32s, lower_with, refusal, run};

const DOUBLED: &str = r#"
module {
  func.func public @main(%x: tensor<?x3xf32> loc("x")) -> tensor<?x3xf32> {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %0 = call @inner(%n, %x) : (tensor<i32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
  func.func private @inner(%n: tensor<i32>, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.multiply %n, %two : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %three = stablehlo.constant dense<3> : tensor<1xi32>
    %2 = stablehlo.concatenate %1, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xi32>) -> tensor<?x3xf32>
    %4 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %5 = stablehlo.add %3, %4 : tensor<?x3xf32>
    return %5 : tensor<?x3xf32>
  }
}"#;

#[test]
fn shapes_follow_from_those_of_the_arguments() {
    for n in 1..4usize {
        let x = Literal::zeros(Type::tensor(DType::F32, [n, 3])).unwrap();
        let program =
            lower_with(DOUBLED, &LowerOptions::for_arguments(std::slice::from_ref(&x))).unwrap().program;
        program.verify().unwrap();
        assert_eq!(program.result_types(), [Type::tensor(DType::F32, [2 * n, 3])]);
        let results = jarrah_hlo_eval::evaluate(&program, &[x]).unwrap();
        assert_eq!(results[0].get_f64(6 * n - 1), (2 * n - 1) as f64);
    }
}

#[test]
fn without_types_the_argument_is_named() {
    let (message, line) = refusal(DOUBLED);
    assert_eq!(message, "argument 0 (x) of @main is tensor<?x3xf32>: its dimension 0 is not known");
    assert_eq!(line, 3);
}

#[test]
fn types_must_be_those_that_the_module_admits() {
    let options =
        LowerOptions { arguments: Some(vec![Type::tensor(DType::F32, [2, 4])]), ..LowerOptions::default() };
    let error = lower_with(DOUBLED, &options).unwrap_err();
    assert_eq!(error.message(), "argument 0 (x) of @main is tensor<?x3xf32>, not f32[2,4]");
}

#[test]
fn an_argument_may_say_an_extent() {
    let text = "
func.func @main(%n: tensor<i64>, %x: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %0, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}";
    let arguments = [Literal::scalar(3i64), Literal::scalar(1.5f32)];
    let program = lower_with(text, &LowerOptions::for_arguments(&arguments)).unwrap().program;
    assert_eq!(jarrah_hlo_eval::evaluate(&program, &arguments).unwrap(), [f32s(&[3], &[1.5; 3])]);
    let (message, _) = refusal(text);
    assert!(message.starts_with("operand 1, which the result's shape depends on"), "{message}");
}

#[test]
fn constant_shapes_need_no_arguments() {
    let text = "
func.func @main(%x: tensor<4xi32>) -> (tensor<2x2xi32>, tensor<7xi32>, tensor<2xi32>, tensor<3xi32>) {
  %shape = stablehlo.constant dense<2> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<4xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  %pad = stablehlo.constant dense<9> : tensor<i32>
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<-1> : tensor<1xi64>
  %between = stablehlo.constant dense<1> : tensor<1xi64>
  %1 = stablehlo.dynamic_pad %x, %pad, %low, %high, %between : (tensor<4xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xi32>
  %start = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.constant dense<4> : tensor<1xi64>
  %stride = stablehlo.constant dense<2> : tensor<1xi64>
  %2 = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<4xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  %size = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.set_dimension_size %x, %size, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %4 = stablehlo.add %3, %3 : tensor<?xi32, #stablehlo.bounds<4>>
  %shape4 = stablehlo.constant dense<3> : tensor<1xi64>
  %5 = stablehlo.dynamic_reshape %4, %shape4 : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<1xi64>) -> tensor<3xi32>
  return %0, %1, %2, %5 : tensor<2x2xi32>, tensor<7xi32>, tensor<2xi32>, tensor<3xi32>
}";
    let results = run(text, &[i32s(&[4], &[1, 2, 3, 4])]);
    assert_eq!(results[0], i32s(&[2, 2], &[1, 2, 3, 4]));
    assert_eq!(results[1], i32s(&[7], &[9, 1, 9, 2, 9, 3, 9]));
    assert_eq!(results[2], i32s(&[2], &[2, 4]));
    assert_eq!(results[3], i32s(&[3], &[2, 4, 6]));
}

#[test]
fn a_slice_may_start_anywhere_if_its_extent_is_known() {
    let text = "
func.func @main(%x: tensor<6xi32>, %at: tensor<1xi32>) -> tensor<?xi32> {
  %size = stablehlo.constant dense<2> : tensor<1xi32>
  %limit = stablehlo.add %at, %size : tensor<1xi32>
  %stride = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %at, %limit, %stride : (tensor<6xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}";
    let results = run(text, &[i32s(&[6], &[0, 1, 2, 3, 4, 5]), i32s(&[1], &[3])]);
    assert_eq!(results, [i32s(&[2], &[3, 4])]);
}

#[test]
fn shapes_inside_loops() {
    let text = "
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %s = %shape, %y = %x) : tensor<i32>, tensor<1xi32>, tensor<?xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %ones = stablehlo.constant dense<1.0> : tensor<f32>
    %2 = stablehlo.dynamic_broadcast_in_dim %ones, %shape, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %3 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.add %2, %3 : tensor<?xf32>
    %5 = stablehlo.add %y, %4 : tensor<?xf32>
    stablehlo.return %1, %s, %5 : tensor<i32>, tensor<1xi32>, tensor<?xf32>
  }
  return %0#2 : tensor<?xf32>
}";
    let x = f32s(&[2], &[0.0, 0.0]);
    let program = lower_with(text, &LowerOptions::for_arguments(std::slice::from_ref(&x))).unwrap().program;
    assert_eq!(jarrah_hlo_eval::evaluate(&program, &[x]).unwrap(), [f32s(&[2], &[2.0, 4.0])]);
}

#[test]
fn assertions_on_shapes() {
    let text = r#"
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %ok = stablehlo.compare GE, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "at least 2 are needed, there are {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}"#;
    let ok = |n: usize| {
        let arguments = Some(vec![Type::tensor(DType::F32, [n])]);
        lower_with(text, &LowerOptions { arguments, ..LowerOptions::default() })
    };
    assert!(ok(2).is_ok());
    let error = ok(1).unwrap_err();
    assert_eq!(error.message(), "at least 2 are needed, there are 1");
    assert_eq!(error.location().unwrap().line(), 6);
}

#[test]
fn windows_whose_sizes_are_values() {
    let text = r#"
module {
  func.func public @main(%x: tensor<?xf32>) -> tensor<?xf32> {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %size = stablehlo.constant dense<2> : tensor<1xi32>
    %none = stablehlo.constant dense<0> : tensor<1x2xi32>
    %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %size, %one, %one, %one, %none, %shape) {api_version = 2 : i32, called_computations = [@sum], indices_of_shape_operands = dense<7> : tensor<1xi64>} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>, tensor<1xi32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }
}"#;
    let x = f32s(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let program = lower_with(text, &LowerOptions::for_arguments(std::slice::from_ref(&x))).unwrap().program;
    assert_eq!(jarrah_hlo_eval::evaluate(&program, &[x]).unwrap(), [f32s(&[3], &[3.0, 5.0, 7.0])]);
}
