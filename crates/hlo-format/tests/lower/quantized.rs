use jarrah_base::{DType, Literal};

use super::{f32s, lower, run};

fn i8s(dims: &[usize], values: &[i8]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

#[test]
fn stored_integers_stand_for_reals() {
    let text = "
func.func @main(%x: tensor<4xf32>) -> (tensor<4x!quant.uniform<i8:f32, 0.5:-10>>, tensor<4xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:-10>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<4x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<4xf32>
  return %0, %1 : tensor<4x!quant.uniform<i8:f32, 0.5:-10>>, tensor<4xf32>
}";
    assert_eq!(lower(text).result_types()[0].dtype(), DType::I8);
    let results = run(text, &[f32s(&[4], &[1.0, 0.25, 1e9, -1e9])]);
    assert_eq!(results[0], i8s(&[4], &[-8, -10, 127, -128]));
    assert_eq!(results[1], f32s(&[4], &[1.0, 0.0, 68.5, -59.0]));
}

#[test]
fn scales_may_vary_along_an_axis() {
    let text = "
func.func @main(%x: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-1}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-1}>>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}";
    let results = run(text, &[i8s(&[2, 2], &[3, 3, -1, -1])]);
    assert_eq!(results, [f32s(&[2, 2], &[1.0, 8.0, -1.0, 0.0])]);
}

#[test]
fn arithmetic_is_that_of_the_reals() {
    let text = "
!a = !quant.uniform<i8:f32, 0.5>
!b = !quant.uniform<i8:f32, 0.25:4>
func.func @main(%x: tensor<2x!a>, %y: tensor<2x!b>) -> (tensor<2x!a>, tensor<2xi1>) {
  %0 = stablehlo.add %x, %y : (tensor<2x!a>, tensor<2x!b>) -> tensor<2x!a>
  %1 = stablehlo.compare LT, %x, %0 : (tensor<2x!a>, tensor<2x!a>) -> tensor<2xi1>
  return %0, %1 : tensor<2x!a>, tensor<2xi1>
}";
    // 1 + 1, and 2 - 1.
    let results = run(text, &[i8s(&[2], &[2, 4]), i8s(&[2], &[8, 0])]);
    assert_eq!(results[0], i8s(&[2], &[4, 2]));
    assert_eq!(results[1], Literal::from_bools(&[2], &[true, false]).unwrap());
}

#[test]
fn what_only_moves_elements_moves_integers() {
    let text = "
!a = !quant.uniform<i8:f32, 0.5:3>
func.func @main(%x: tensor<2x3x!a>) -> tensor<3x2x!a> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3x!a>) -> tensor<3x2x!a>
  return %0 : tensor<3x2x!a>
}";
    assert_eq!(lower(text).instrs().len(), 1);
    let results = run(text, &[i8s(&[2, 3], &[1, 2, 3, 4, 5, 6])]);
    assert_eq!(results, [i8s(&[3, 2], &[1, 4, 2, 5, 3, 6])]);
}

#[test]
fn products_with_quantized_weights_only() {
    let text = "
!w = !quant.uniform<i8:f32:1, {0.5, 2.0}>
func.func @main(%x: tensor<1x2xf32>, %w: tensor<2x2x!w>) -> tensor<1x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!w>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}";
    let results = run(text, &[f32s(&[1, 2], &[1.0, 10.0]), i8s(&[2, 2], &[2, 1, 4, 3])]);
    assert_eq!(results, [f32s(&[1, 2], &[21.0, 62.0])]);
}

/// The message with which the verifier refuses an op on these types.
fn wrong(op: &str, operands: &[&str], result: &str) -> String {
    let mut params = Vec::new();
    for (i, ty) in operands.iter().enumerate() {
        params.push(format!("%{}: {ty}", ["x", "y"][i]));
    }
    let names: Vec<&str> = ["%x", "%y"][..operands.len()].to_vec();
    let (head, attributes) = op.split_once(' ').unwrap_or((op, ""));
    let text = format!(
        "func.func @main({}) -> {result} {{\n  %0 = \"stablehlo.{head}\"({}) {attributes} : ({}) -> {result}\n  return %0 : {result}\n}}",
        params.join(", "),
        names.join(", "),
        operands.join(", ")
    );
    let module = jarrah_hlo_format::assembly::parse("test", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    module.verify().expect_err(&text).message().to_owned()
}

#[test]
fn quantized_types_that_do_not_fit() {
    let q = |dims: &str, parameters: &str| format!("tensor<{dims}x!quant.uniform<{parameters}>>");
    let plain = q("2x3", "i8:f32, 0.5:1");
    let other = q("2x3", "i8:f32, 0.25:1");
    let rows = q("2x3", "i8:f32:0, {0.5:1, 0.25:2}");
    let columns = q("2x3", "i8:f32:1, {0.5:1, 0.25:2, 2.0:3}");
    let check = |op: &str, operands: &[&str], result: &str, message: &str| {
        let found = wrong(op, operands, result);
        assert!(found.contains(message), "{op}: {found}");
    };
    // Types by themselves.
    for (parameters, message) in [
        ("i8:f32, 1.0:300", "the zero point 300 is no i8"),
        ("i8:f16, 1.0e5:0", "out of the range of f16"),
        ("i8:f16, 4.0e-8:0", "out of the range of f16"),
    ] {
        let ty = q("2", parameters);
        check("add", &[&ty, &ty], &ty, message);
    }
    // Axes where there may be none.
    check("abs", &[&rows], &rows, "operand 0 is quantized along an axis");
    check(
        "slice {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 1>}",
        &[&rows],
        &rows,
        "along an axis",
    );
    // Sums.
    check("add", &[&plain, &plain], "tensor<2x3xf32>", "either all of operands and result are quantized");
    check("add", &[&plain, &q("2x3", "ui8:f32, 0.5:1")], &plain, "not stored as the same type");
    check("add", &[&plain, &q("2x3", "i8:bf16, 0.5:1")], &plain, "do not stand for reals of the same type");
    check("add", &[&rows, &columns], &rows, "not quantized along the same axis");
    check("add", &[&rows, &rows], &plain, "not quantized along the same axis");
    // What only moves elements.
    let turned = |parameters: &str| q("3x2", parameters);
    let transpose = "transpose {permutation = array<i64: 1, 0>}";
    check(transpose, &[&plain], &turned("i8:f32, 0.25:1"), "different scales or zero points");
    check(transpose, &[&rows], &turned("i8:f32:1, {0.5:1, 0.25:3}"), "different scales or zero points");
    check(
        transpose,
        &[&q("2x2", "i8:f32:0, {0.5:1, 0.25:2}")],
        &q("2x2", "i8:f32:0, {0.5:1, 0.25:2}"),
        "axis 0 is its axis 1",
    );
    check("reshape", &[&plain], &q("6", "i8:f32, 0.25:1"), "different scales or zero points");
    check("reshape", &[&rows], &q("3x2", "i8:f32:1, {0.5:1, 0.25:2}"), "as many elements must stand before");
    let broadcast = "broadcast_in_dim {broadcast_dimensions = array<i64: 0, 1>}";
    check(broadcast, &[&plain], &other, "different scales or zero points");
    check(
        broadcast,
        &[&q("2x2", "i8:f32:0, {0.5:1, 0.25:2}")],
        &q("2x2", "i8:f32:1, {0.5:1, 0.25:2}"),
        "the operand's axis 0 becomes axis 0",
    );
    check(
        broadcast,
        &[&q("1x3", "i8:f32:0, {0.5:1}")],
        &q("2x3", "i8:f32:0, {0.5:1, 0.5:2}"),
        "other scales or zero points",
    );
    // Products.
    let dot = "dot_general {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}";
    let left = q("2x3", "i8:f32, 0.5:1");
    let product = |right: &str, result: &str, message: &str| check(dot, &[&left, right], result, message);
    product("tensor<3x2xf32>", &q("2x2", "i32:f32, 0.5:0"), "the right operand must be quantized");
    product(&turned("i8:f32, 0.5:0"), "tensor<2x2xf32>", "must both be quantized, or neither");
    product(
        &turned("i4:f32, 0.5:0"),
        &q("2x2", "i32:f32, 0.5:0"),
        "the operands are not stored as the same type",
    );
    product(
        &turned("i8:f32, 0.5:0"),
        &q("2x2", "i32:bf16, 0.5:0"),
        "do not stand for reals of the same type",
    );
    product(&turned("i8:f32, 0.5:0"), &q("2x2", "i32:f32:1, {0.5, 0.5}"), "the right operand is not");
    product(&turned("i8:f32, 0.5:4"), &q("2x2", "i32:f32, 0.5:0"), "must be 0, not 4");
    product(
        &turned("i8:f32:0, {0.5, 0.5, 0.5}"),
        &q("2x2", "i32:f32, 0.5:0"),
        "along axis 0, which is contracted",
    );
    check(dot, &["tensor<2x3xf64>", &turned("i8:f32, 0.5:0")], "tensor<2x2xf64>", "must be of the reals");
    check("uniform_quantize", &["tensor<2x3xf64>"], &plain, "the result stands for f32, the operand for f64");
}
