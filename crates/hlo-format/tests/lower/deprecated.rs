//! Ops that others express: broadcasting ones of CHLO, sums of products by labels, and so on.

use jarrah_base::{DType, Literal, Type};

use super::{f32s, i32s, run};

#[test]
fn broadcasting_ops_of_chlo() {
    let text = "
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %z: tensor<2x1xf32>) -> (tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>) {
  %0 = chlo.broadcast_subtract %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = chlo.broadcast_compare %x, %z {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  %2 = chlo.broadcast_add %y, %z : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>
}";
    let x = f32s(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let results = run(text, &[x, f32s(&[3], &[1.0, 1.0, 2.0]), f32s(&[2, 1], &[2.0, 5.0])]);
    assert_eq!(results[0], f32s(&[2, 3], &[0.0, 1.0, 1.0, 3.0, 4.0, 4.0]));
    assert_eq!(results[1], Literal::from_bools(&[2, 3], &[true, false, false, true, false, false]).unwrap());
    assert_eq!(results[2], f32s(&[2, 3], &[3.0, 3.0, 4.0, 6.0, 6.0, 7.0]));
}

#[test]
fn broadcast_dimensions_place_the_axes_of_the_smaller_operand() {
    let text = "
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2xi32>) -> tensor<2x3xi32> {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}";
    let results = run(text, &[i32s(&[2, 3], &[0, 1, 2, 3, 4, 5]), i32s(&[2], &[10, 20])]);
    assert_eq!(results, [i32s(&[2, 3], &[10, 11, 12, 23, 24, 25])]);
}

#[test]
fn axes_that_change_places_on_the_way() {
    let text = "
func.func @main(%x: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}";
    let results = run(text, &[i32s(&[2, 3], &[0, 1, 2, 3, 4, 5])]);
    assert_eq!(results, [i32s(&[3, 2], &[0, 3, 1, 4, 2, 5])]);
}

#[test]
fn sums_of_products_by_labels() {
    let text = r#"
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<3x2x2xf32>, tensor<f32>, tensor<2xf32>) {
  %0 = stablehlo.einsum %x, %y, config = "ab,ab->a" : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  %1 = stablehlo.einsum %x, %y, config = "ab,cb->bca" : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2x2xf32>
  %2 = "stablehlo.unary_einsum"(%s) {einsum_config = "aa->"} : (tensor<2x2xf32>) -> tensor<f32>
  %3 = "stablehlo.unary_einsum"(%s) {einsum_config = "ab->b"} : (tensor<2x2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<3x2x2xf32>, tensor<f32>, tensor<2xf32>
}"#;
    let x = f32s(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let y = f32s(&[2, 3], &[1.0, 0.0, 2.0, 1.0, 1.0, 0.0]);
    let results = run(text, &[x, y, f32s(&[2, 2], &[1.0, 2.0, 3.0, 5.0])]);
    assert_eq!(results[0], f32s(&[2], &[7.0, 9.0]));
    let product = [1.0, 4.0, 1.0, 4.0, 0.0, 0.0, 2.0, 5.0, 6.0, 12.0, 0.0, 0.0];
    assert_eq!(results[1], f32s(&[3, 2, 2], &product));
    assert_eq!(results[2], f32s(&[], &[6.0]));
    assert_eq!(results[3], f32s(&[2], &[4.0, 7.0]));
}

#[test]
fn slices_by_position_are_clamped() {
    let text = r#"
func.func @main(%x: tensor<2x4xi32>, %i: tensor<2x3xi32>, %j: tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2x2xi32>) {
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x4xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = "stablehlo.torch_index_select"(%x, %j) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<2x2xi32>
}"#;
    let x = i32s(&[2, 4], &[0, 1, 2, 3, 10, 11, 12, 13]);
    let results = run(text, &[x, i32s(&[2, 3], &[3, 0, 9, 1, 1, -5]), i32s(&[2], &[2, 0])]);
    assert_eq!(results[0], i32s(&[2, 3], &[3, 0, 3, 11, 11, 10]));
    assert_eq!(results[1], i32s(&[2, 2], &[2, 0, 12, 10]));
}

#[test]
fn what_is_finite_infinite_or_neither() {
    let text = "
func.func @main(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  %1 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  %2 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}";
    let x = f32s(&[4], &[1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
    let wanted = [[true, false, false, false], [false, true, true, false], [false, false, true, false]];
    assert_eq!(run(text, &[x]), wanted.map(|w| Literal::from_bools(&[4], &w).unwrap()));

    // The largest numbers of types without infinities, which stand for what is larger.
    for (name, dtype, largest) in [
        ("f4E2M1FN", DType::F4E2M1FN, 6.0),
        ("f6E3M2FN", DType::F6E3M2FN, 28.0),
        ("f8E4M3FN", DType::F8E4M3FN, 448.0),
    ] {
        let x = Literal::from_f64s(Type::tensor(dtype, [4]), &[1.0, largest, -largest, 0.0]).unwrap();
        let wanted = [[true; 4], [false; 4], [false; 4]];
        let found = run(&text.replace("4xf32", &format!("4x{name}")), &[x]);
        assert_eq!(found, wanted.map(|w| Literal::from_bools(&[4], &w).unwrap()), "{name}");
    }
}

#[test]
fn normalization_by_given_statistics_and_by_its_own() {
    let text = r#"
func.func @main(%x: tensor<2x2xf32>, %scale: tensor<2xf32>, %offset: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %1 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %0#1, %0#2) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0#0, %0#1, %1 : tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>
}"#;
    let arguments =
        [f32s(&[2, 2], &[1.0, 10.0, 3.0, 14.0]), f32s(&[2], &[1.0, 2.0]), f32s(&[2], &[0.0, 1.0])];
    let results = run(text, &arguments);
    let normalized = f32s(&[2, 2], &[-1.0, -1.0, 1.0, 3.0]);
    assert_eq!(results, [normalized.clone(), f32s(&[2], &[2.0, 12.0]), normalized]);
}

#[test]
fn products_of_groups_of_rows() {
    let text = r#"
func.func @main(%x: tensor<3x1xf32>, %w: tensor<2x1x1xf32>, %sizes: tensor<2xi32>) -> tensor<3x1xf32> {
  %0 = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<3x1xf32>, tensor<2x1x1xf32>, tensor<2xi32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}"#;
    let arguments = [f32s(&[3, 1], &[1.0, 2.0, 3.0]), f32s(&[2, 1, 1], &[10.0, 100.0]), i32s(&[2], &[1, 2])];
    assert_eq!(run(text, &arguments), [f32s(&[3, 1], &[10.0, 200.0, 300.0])]);
}
