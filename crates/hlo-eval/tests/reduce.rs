use jarrah_base::{DType, Literal, Type, bf16};
use jarrah_hlo::Builder;
use jarrah_hlo::ops::{Comparison, Reduce, Reducer};

use super::{f32s, i32_scalar, i32s, run, run_all};

fn by(reducer: Reducer, axes: &[usize]) -> Reduce {
    Reduce { reducer, axes: axes.into() }
}

#[test]
fn axes() {
    let x = || i32s(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    assert_eq!(run(by(Reducer::Add, &[1]), &[x()]), i32s(&[2], &[6, 15]));
    assert_eq!(run(by(Reducer::Add, &[0]), &[x()]), i32s(&[3], &[5, 7, 9]));
    assert_eq!(run(by(Reducer::Mul, &[0, 1]), &[x()]), i32_scalar(720));
    assert_eq!(run(by(Reducer::Max, &[1]), &[x()]), i32s(&[2], &[3, 6]));
    assert_eq!(run(by(Reducer::Xor, &[0, 1]), &[x()]), i32_scalar(7));
    let cube = i32s(&[2, 2, 2], &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(run(by(Reducer::Add, &[0, 2]), &[cube]), i32s(&[2], &[14, 22]));
}

#[test]
fn nothing_gives_the_identity() {
    let nothing = || i32s(&[0], &[]);
    assert_eq!(run(by(Reducer::Add, &[0]), &[nothing()]), i32_scalar(0));
    assert_eq!(run(by(Reducer::Mul, &[0]), &[nothing()]), i32_scalar(1));
    assert_eq!(run(by(Reducer::Max, &[0]), &[nothing()]), i32_scalar(i32::MIN));
    assert_eq!(run(by(Reducer::Min, &[0]), &[nothing()]), i32_scalar(i32::MAX));
    assert_eq!(run(by(Reducer::And, &[0]), &[nothing()]), i32_scalar(-1));
    assert_eq!(run(by(Reducer::Max, &[0]), &[f32s(&[0], &[])]), Literal::scalar(f32::NEG_INFINITY));
    let all = run(by(Reducer::And, &[0]), &[Literal::from_bools(&[0], &[]).unwrap()]);
    assert_eq!(all.bytes(), [1]);
    // The upper bits of narrow integers are zeros.
    let narrow = |reducer| run(by(reducer, &[0]), &[Literal::zeros(Type::tensor(DType::I4, [0])).unwrap()]);
    assert_eq!([Reducer::And, Reducer::Max].map(|reducer| narrow(reducer).bytes()[0]), [0xf, 0x8]);
}

#[test]
fn sums_follow_the_lanes() {
    let sum = |x: &[f64]| run(by(Reducer::Add, &[0]), &[Literal::from_slice(&[18], x).unwrap()]).get_f64(0);
    // Lane 0 holds 1e17 and 1, lane 1 holds -1e17: the 1 is lost before the lanes meet.
    let mut x = [0.0f64; 18];
    (x[0], x[1], x[16]) = (1e17, -1e17, 1.0);
    assert_eq!(sum(&x), 0.0);
    // In a lane of its own it survives until lanes 0 and 1 have cancelled: they meet last, lane 8 meets lane 0 first.
    (x[16], x[9]) = (0.0, 1.0);
    assert_eq!(sum(&x), 0.0);
    (x[9], x[2]) = (0.0, 64.0);
    assert_eq!(sum(&x), 64.0);
}

#[test]
fn single_precision_is_summed_in_double_precision() {
    let x: Vec<f32> = (0..10_000u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32 - 2e9) * 1e-6).collect();
    let exact: f64 = x.iter().map(|&x| f64::from(x)).sum();
    assert_eq!(run(by(Reducer::Add, &[0]), &[f32s(&[10_000], &x)]), Literal::scalar(exact as f32));
    // Neither runs over on the way.
    let x = f32s(&[4], &[3e38, 3e38, -3e38, -3e38]);
    assert_eq!(run(by(Reducer::Add, &[0]), &[x]), Literal::scalar(0.0f32));
    let x = f32s(&[4], &[3e38, 2.0, 0.25, 1.0]);
    assert_eq!(run(by(Reducer::Mul, &[0]), &[x]), Literal::scalar((f64::from(3e38f32) / 2.0) as f32));
}

#[test]
fn halves_are_summed_in_single_precision() {
    let x = vec![bf16::from_f32(1.0); 1000];
    let x = Literal::from_slice(&[1000], &x).unwrap();
    assert_eq!(run(by(Reducer::Add, &[0]), &[x]), Literal::scalar(bf16::from_f32(1000.0)));
}

#[test]
fn nan_wins() {
    let x = f32s(&[3], &[1.0, f32::NAN, 2.0]);
    assert!(run(by(Reducer::Max, &[0]), std::slice::from_ref(&x)).get_f64(0).is_nan());
    assert!(run(by(Reducer::Min, &[0]), &[x]).get_f64(0).is_nan());
}

#[test]
fn positions() {
    let x = f32s(&[2, 4], &[1.0, 3.0, 3.0, 2.0, 5.0, f32::NAN, 9.0, f32::NAN]);
    assert_eq!(run(by(Reducer::ArgMax(DType::I32), &[1]), std::slice::from_ref(&x)), i32s(&[2], &[1, 1]));
    assert_eq!(run(by(Reducer::ArgMin(DType::I32), &[1]), std::slice::from_ref(&x)), i32s(&[2], &[0, 1]));
    let columns = run(by(Reducer::ArgMax(DType::U8), &[0]), &[x]);
    assert_eq!(columns, Literal::from_slice(&[4], &[1u8, 1, 1, 1]).unwrap());
}

#[test]
fn a_program_reduces_several_operands() {
    // The largest value and its position.
    let (value, position) = (Type::scalar(DType::F32), Type::scalar(DType::I32));
    let mut b = Builder::new("argmax");
    let (v, p) = (b.param(value, ""), b.param(position, ""));
    let (x, i) = (b.param(value, ""), b.param(position, ""));
    let larger = b.compare(Comparison::Gt, x, v).unwrap();
    let v = b.select(larger, x, v).unwrap();
    let p = b.select(larger, i, p).unwrap();
    let body = std::sync::Arc::new(b.finish(&[v, p]).unwrap());
    let x = f32s(&[2, 3], &[1.0, 5.0, 2.0, 7.0, 0.0, 7.0]);
    let i = i32s(&[2, 3], &[0, 1, 2, 0, 1, 2]);
    let initial = [Literal::scalar(f32::NEG_INFINITY), i32_scalar(-1)];
    let [lowest, nowhere] = initial;
    let results = run_all(by(Reducer::General(body), &[1]), &[x, i, lowest, nowhere]);
    assert_eq!(results, [f32s(&[2], &[5.0, 7.0]), i32s(&[2], &[1, 0])]);
}
