use jarrah_base::{DType, Element, Literal, Type, bf16};
use jarrah_hlo::ops::{Clamp, Compare, Comparison, Elementwise, ElementwiseKind as K, Select, Threefry2x32};

use jarrah_hlo_eval::evaluate;

use super::{f32s, i32s, program, run, run_all};

fn apply<T: Element>(kind: K, operands: &[&[T]]) -> Vec<T> {
    let operands: Vec<Literal> =
        operands.iter().map(|x| Literal::from_slice(&[x.len()], x).unwrap()).collect();
    run(Elementwise { kind }, &operands).as_slice::<T>().unwrap().to_vec()
}

#[test]
fn integers_wrap() {
    assert_eq!(apply(K::Add, &[&[127i8, -128], &[1, -1]]), [-128, 127]);
    assert_eq!(apply(K::Multiply, &[&[u64::MAX, 1 << 63], &[u64::MAX, 2]]), [1, 0]);
    assert_eq!(apply(K::Negate, &[&[i32::MIN, 5]]), [i32::MIN, -5]);
    assert_eq!(apply(K::Abs, &[&[i32::MIN, -5]]), [i32::MIN, 5]);
    assert_eq!(apply(K::Subtract, &[&[0u8], &[1]]), [255]);
}

#[test]
fn integer_division_has_no_hole() {
    assert_eq!(apply(K::Divide, &[&[7i32, -7, 7, i32::MIN], &[2, 2, 0, -1]]), [3, -3, -1, i32::MIN]);
    assert_eq!(apply(K::Remainder, &[&[7i32, -7, 7, i32::MIN], &[2, 2, 0, -1]]), [1, -1, 7, 0]);
    assert_eq!(apply(K::Divide, &[&[7u8], &[0]]), [255]);
    assert_eq!(apply(K::Remainder, &[&[7u8], &[0]]), [7]);
}

#[test]
fn integer_powers() {
    assert_eq!(
        apply(K::Power, &[&[2i32, -3, 0, 1, -1, -1, 5], &[10, 3, 0, -4, -3, -2, -1]]),
        [1024, -27, 1, 1, -1, 1, 0]
    );
    assert_eq!(apply(K::Power, &[&[3i32], &[40]]), [3i32.wrapping_pow(40)]);
}

#[test]
fn shifts_beyond_the_width() {
    assert_eq!(apply(K::ShiftLeft, &[&[1i32, 1, 1, 3], &[31, 32, -1, 1]]), [i32::MIN, 0, 0, 6]);
    assert_eq!(apply(K::ShiftRightLogical, &[&[-1i8, -1, 4], &[7, 8, 1]]), [1, 0, 2]);
    assert_eq!(apply(K::ShiftRightArithmetic, &[&[-8i8, -8, 8, 8], &[1, 9, 1, 100]]), [-4, -1, 4, 0]);
    assert_eq!(apply(K::ShiftRightArithmetic, &[&[0x80u8], &[1]]), [0xC0]);
}

#[test]
fn bits() {
    assert_eq!(apply(K::Not, &[&[0u8, 0xF0]]), [0xFF, 0x0F]);
    assert_eq!(apply(K::Popcnt, &[&[-1i16, 6]]), [16, 2]);
    assert_eq!(apply(K::CountLeadingZeros, &[&[0i32, 1, -1]]), [32, 31, 0]);
    assert_eq!(apply(K::Xor, &[&[6u32], &[3]]), [5]);
}

#[test]
fn truth_values() {
    let x = Literal::from_bools(&[4], &[false, false, true, true]).unwrap();
    let y = Literal::from_bools(&[4], &[false, true, false, true]).unwrap();
    let table = |kind| run(Elementwise { kind }, &[x.clone(), y.clone()]).bytes().to_vec();
    assert_eq!(table(K::Add), [0, 1, 1, 1]);
    assert_eq!(table(K::Multiply), [0, 0, 0, 1]);
    assert_eq!(table(K::Maximum), [0, 1, 1, 1]);
    assert_eq!(table(K::Minimum), [0, 0, 0, 1]);
    assert_eq!(table(K::Xor), [0, 1, 1, 0]);
    assert_eq!(run(Elementwise { kind: K::Not }, std::slice::from_ref(&x)).bytes(), [1, 1, 0, 0]);
}

#[test]
fn floats_are_rounded_once() {
    assert_eq!(apply(K::Add, &[&[1.0f32, f32::MAX], &[2f32.powi(-24), f32::MAX]]), [1.0, f32::INFINITY]);
    let third = apply(K::Divide, &[&[bf16::from_f32(1.0)], &[bf16::from_f32(3.0)]]);
    assert_eq!(third[0].to_f32(), 0.333_984_38);
    assert_eq!(apply(K::Exponential, &[&[1.0f32]]), [std::f32::consts::E]);
    assert_eq!(apply(K::Tanh, &[&[0.5f64]]), [0.5f64.tanh()]);
    assert_eq!(apply(K::Logistic, &[&[0.0f32, -200.0]]), [0.5, 0.0]);
    assert_eq!(apply(K::Rsqrt, &[&[4.0f32]]), [0.5]);
    assert_eq!(apply(K::Erf, &[&[0.5f32]]), [0.520_499_9]);
    assert_eq!(apply(K::Remainder, &[&[5.5f32, -5.5], &[2.0, 2.0]]), [1.5, -1.5]);
}

#[test]
fn rounding_to_integers() {
    let x = [0.5f32, 1.5, -0.5, -2.5, 2.7];
    assert_eq!(apply(K::RoundNearestEven, &[&x]), [0.0, 2.0, -0.0, -2.0, 3.0]);
    assert_eq!(apply(K::RoundNearestAfz, &[&x]), [1.0, 2.0, -1.0, -3.0, 3.0]);
    assert_eq!(apply(K::Floor, &[&x]), [0.0, 1.0, -1.0, -3.0, 2.0]);
}

#[test]
fn signs_keep_zeros_and_nan() {
    let signs = apply(K::Sign, &[&[-0.0f32, 0.0, -3.0, f32::NAN]]);
    assert!(signs[0] == 0.0 && signs[0].is_sign_negative());
    assert!(signs[1] == 0.0 && signs[1].is_sign_positive());
    assert_eq!(signs[2], -1.0);
    assert!(signs[3].is_nan());
}

#[test]
fn nan_wins_extrema() {
    let max = apply(K::Maximum, &[&[f32::NAN, 1.0, 2.0], &[1.0, f32::NAN, 3.0]]);
    assert!(max[0].is_nan() && max[1].is_nan() && max[2] == 3.0);
}

#[test]
fn comparisons() {
    let (x, y) = (f32s(&[4], &[1.0, f32::NAN, -0.0, 2.0]), f32s(&[4], &[1.0, 1.0, 0.0, 1.0]));
    let test = |comparison, total_order| {
        run(Compare { comparison, total_order }, &[x.clone(), y.clone()]).bytes().to_vec()
    };
    assert_eq!(test(Comparison::Eq, false), [1, 0, 1, 0]);
    assert_eq!(test(Comparison::Ne, false), [0, 1, 0, 1]);
    assert_eq!(test(Comparison::Le, false), [1, 0, 1, 0]);
    assert_eq!(test(Comparison::Ge, false), [1, 0, 1, 1]);
    assert_eq!(test(Comparison::Lt, true), [0, 0, 1, 0]);
    assert_eq!(test(Comparison::Gt, true), [0, 1, 0, 1]);
    let large = Literal::from_slice(&[1], &[u64::MAX]).unwrap();
    let less = Literal::from_slice(&[1], &[u64::MAX - 1]).unwrap();
    let op = Compare { comparison: Comparison::Gt, total_order: false };
    assert_eq!(run(op, &[large, less]).bytes(), [1]);
}

#[test]
fn selection_and_clamping() {
    let p = Literal::from_bools(&[3], &[true, false, true]).unwrap();
    let chosen = run(Select, &[p, i32s(&[3], &[1, 2, 3]), i32s(&[3], &[4, 5, 6])]);
    assert_eq!(chosen, i32s(&[3], &[1, 5, 3]));
    let clamped = run(Clamp, &[i32s(&[3], &[0; 3]), i32s(&[3], &[-5, 1, 9]), i32s(&[3], &[4; 3])]);
    assert_eq!(clamped, i32s(&[3], &[0, 1, 4]));
    let x = f32s(&[1], &[f32::NAN]);
    assert!(run(Clamp, &[f32s(&[1], &[0.0]), x, f32s(&[1], &[1.0])]).get_f64(0).is_nan());
}

#[test]
fn random_bits() {
    let word = |x: u32| Literal::full(Type::tensor(DType::U32, [1]), f64::from(x)).unwrap();
    let bits = run_all(Threefry2x32, &[word(0), word(0), word(0), word(0)]);
    assert_eq!((bits[0].get_i128(0), bits[1].get_i128(0)), (0x6b20_0159, 0x99ba_4efe));
}

#[test]
fn functions_have_values_of_every_dtype_that_they_accept() {
    for &kind in K::ALL {
        for dtype in DType::ALL.into_iter().filter(|&dtype| kind.accepts_dtype(dtype)) {
            let operands = vec![Literal::zeros(Type::tensor(dtype, [2])).unwrap(); kind.arity()];
            let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
            let program = program(Elementwise { kind }, &types).unwrap();
            let result = evaluate(&program, &operands).unwrap_or_else(|e| panic!("{kind:?} of {dtype}: {e}"));
            assert_eq!(result[0].ty(), program.result_types()[0], "{kind:?} of {dtype}");
        }
    }
}
