use std::sync::Arc;

use jarrah_base::{DType, Type};
use jarrah_hlo::Builder;
use jarrah_hlo::ops::{Comparison, ElementwiseKind, Sort, SortOrder};

use super::{f32s, i32s, run, run_all};

fn by(axis: usize, order: SortOrder) -> Sort {
    Sort { axis, stable: true, order }
}

#[test]
fn axes() {
    let x = || i32s(&[2, 3], &[3, 1, 2, 0, 9, 5]);
    assert_eq!(run(by(1, SortOrder::Ascending { keys: 1 }), &[x()]), i32s(&[2, 3], &[1, 2, 3, 0, 5, 9]));
    assert_eq!(run(by(0, SortOrder::Descending { keys: 1 }), &[x()]), i32s(&[2, 3], &[3, 9, 5, 0, 1, 2]));
}

#[test]
fn nan_is_last_and_zeros_are_equal() {
    let x = f32s(&[5], &[f32::NAN, 0.0, -1.0, -0.0, f32::INFINITY]);
    let places = i32s(&[5], &[0, 1, 2, 3, 4]);
    let sorted = run_all(by(0, SortOrder::Ascending { keys: 1 }), &[x.clone(), places.clone()]);
    assert_eq!(sorted[1], i32s(&[5], &[2, 1, 3, 4, 0]));
    let sorted = run_all(by(0, SortOrder::Descending { keys: 1 }), &[x, places]);
    assert_eq!(sorted[1], i32s(&[5], &[0, 4, 1, 3, 2]));
}

#[test]
fn several_keys() {
    let (first, second) = (i32s(&[4], &[1, 0, 1, 0]), f32s(&[4], &[4.0, 3.0, 2.0, 1.0]));
    let sorted = run_all(by(0, SortOrder::Ascending { keys: 2 }), &[first, second]);
    assert_eq!(sorted, [i32s(&[4], &[0, 0, 1, 1]), f32s(&[4], &[1.0, 3.0, 2.0, 4.0])]);
}

#[test]
fn a_program_orders() {
    // By absolute value; equal ones keep their order.
    let scalar = Type::scalar(DType::I32);
    let mut b = Builder::new("nearer");
    let (x, y) = (b.param(scalar, ""), b.param(scalar, ""));
    let x = b.unary(ElementwiseKind::Abs, x).unwrap();
    let y = b.unary(ElementwiseKind::Abs, y).unwrap();
    let nearer = b.compare(Comparison::Lt, x, y).unwrap();
    let order = SortOrder::General(Arc::new(b.finish(&[nearer]).unwrap()));
    assert_eq!(run(by(0, order), &[i32s(&[5], &[-3, 2, -2, 3, 0])]), i32s(&[5], &[0, 2, -2, -3, 3]));
}

#[test]
fn an_order_that_contradicts_itself_ends() {
    let scalar = Type::scalar(DType::I32);
    let mut b = Builder::new("always");
    let (x, _) = (b.param(scalar, ""), b.param(scalar, ""));
    let always = b.compare(Comparison::Eq, x, x).unwrap();
    let order = SortOrder::General(Arc::new(b.finish(&[always]).unwrap()));
    let values: Vec<i32> = (0..64).collect();
    let mut found = run(by(0, order), &[i32s(&[64], &values)]).as_slice::<i32>().unwrap().to_vec();
    found.sort_unstable();
    assert_eq!(found, values);
}
