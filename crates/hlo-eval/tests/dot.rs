use jarrah_base::{DType, Literal, bf16};
use jarrah_hlo::ops::DotGeneral;
use smallvec::smallvec;

use super::{f32s, i32s, run};

#[test]
fn matrices() {
    let op = DotGeneral::matmul(0, DType::I32);
    let product = run(op, &[i32s(&[2, 3], &[1, 2, 3, 4, 5, 6]), i32s(&[3, 2], &[7, 8, 9, 10, 11, 12])]);
    assert_eq!(product, i32s(&[2, 2], &[58, 64, 139, 154]));
}

#[test]
fn axes_in_any_place() {
    let op = DotGeneral {
        lhs_batch: smallvec![1],
        rhs_batch: smallvec![2],
        lhs_contract: smallvec![0],
        rhs_contract: smallvec![1],
        out: DType::I32,
    };
    // out[b, m, n] = sum over k of lhs[k, b, m] * rhs[n, k, b]
    let lhs = i32s(&[2, 2, 1], &[1, 2, 3, 4]);
    let rhs = i32s(&[2, 2, 2], &[1, 10, 2, 20, 3, 30, 4, 40]);
    assert_eq!(run(op, &[lhs, rhs]), i32s(&[2, 1, 2], &[7, 15, 100, 220]));
}

#[test]
fn sums_are_one_chain_of_fused_multiply_adds() {
    let x = [1.0f32 + f32::EPSILON, 3.0, 1e-8, 7.0];
    let y = [1.0f32 + f32::EPSILON, 1e-7, 2.0, -1.0];
    let expected = x.iter().zip(&y).fold(0.0f32, |sum, (&x, &y)| x.mul_add(y, sum));
    let op = DotGeneral::matmul(0, DType::F32);
    let dot = run(op, &[f32s(&[1, 4], &x), f32s(&[4, 1], &y)]);
    assert_eq!(dot.as_slice::<f32>().unwrap(), [expected]);
}

#[test]
fn halves_are_summed_in_single_precision() {
    // 256 + 1 is no bf16, but 256 + 1 + 1 is.
    let x = [256.0, 1.0, 1.0].map(bf16::from_f32);
    let ones = [bf16::from_f32(1.0); 3];
    let (x, ones) = (Literal::from_slice(&[1, 3], &x).unwrap(), Literal::from_slice(&[3, 1], &ones).unwrap());
    let narrow = run(DotGeneral::matmul(0, DType::BF16), &[x.clone(), ones.clone()]);
    assert_eq!(narrow.to_f64_vec(), [258.0]);
    let wide = run(DotGeneral::matmul(0, DType::F32), &[x, ones]);
    assert_eq!(wide, f32s(&[1, 1], &[258.0]));
}

#[test]
fn an_empty_sum_is_zero() {
    let product = run(DotGeneral::matmul(0, DType::F32), &[f32s(&[2, 0], &[]), f32s(&[0, 1], &[])]);
    assert_eq!(product, f32s(&[2, 1], &[0.0, 0.0]));
}
