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
