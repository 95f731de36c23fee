use jarrah_base::{DType, Literal, bf16};
use jarrah_hlo::ops::{BitcastConvert, Convert};

use super::{f32s, i32s, run};

#[test]
fn floats_to_integers_truncate_and_saturate() {
    let x = f32s(&[6], &[1.9, -1.9, 1e10, -1e10, f32::NAN, f32::INFINITY]);
    let to = |to| run(Convert { to }, std::slice::from_ref(&x));
    assert_eq!(to(DType::I32), i32s(&[6], &[1, -1, i32::MAX, i32::MIN, 0, i32::MAX]));
    assert_eq!(to(DType::U8), Literal::from_slice(&[6], &[1u8, 0, 255, 0, 0, 255]).unwrap());
}

#[test]
fn truth_values() {
    let x = f32s(&[4], &[0.0, -0.0, 0.1, f32::NAN]);
    let truth = Literal::from_bools(&[4], &[false, false, true, true]).unwrap();
    assert_eq!(run(Convert { to: DType::Bool }, &[x]), truth);
    assert_eq!(run(Convert { to: DType::F32 }, &[truth]), f32s(&[4], &[0.0, 0.0, 1.0, 1.0]));
    let wide = Literal::from_slice(&[1], &[256i64]).unwrap();
    assert_eq!(run(Convert { to: DType::Bool }, &[wide]).bytes(), [1]);
}

#[test]
fn integers_wrap_and_round_once() {
    let x = i32s(&[2], &[300, -1]);
    assert_eq!(run(Convert { to: DType::U8 }, &[x]), Literal::from_slice(&[2], &[44u8, 255]).unwrap());
    // Rounding to f64 first would give a tie.
    let x = Literal::from_slice(&[1], &[(1i64 << 62) + (1 << 38) + 1]).unwrap();
    let expected = 2f32.powi(62) + 2f32.powi(39);
    assert_eq!(run(Convert { to: DType::F32 }, &[x]), f32s(&[1], &[expected]));
}

#[test]
fn floats_to_narrower_floats() {
    let x = f32s(&[3], &[1.003_906_3, 1.011_718_8, f32::MAX]);
    let y = run(Convert { to: DType::BF16 }, &[x]);
    assert_eq!(y.to_f64_vec(), [1.0, 1.015_625, f64::INFINITY]);
}

#[test]
fn bits_are_reread() {
    let x = f32s(&[1], &[1.0]);
    assert_eq!(run(BitcastConvert { to: DType::I32 }, &[x]), i32s(&[1], &[0x3F80_0000]));
    let half = Literal::from_slice(&[1], &[bf16::from_f32(1.0)]).unwrap();
    assert_eq!(run(BitcastConvert { to: DType::U16 }, &[half]).get_i128(0), 0x3F80);
}
