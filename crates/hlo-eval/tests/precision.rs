use jarrah_base::{Literal, bf16, f16};
use jarrah_hlo::ops::ReducePrecision;

use super::{f32s, run};

fn op(exponent_bits: u32, mantissa_bits: u32) -> ReducePrecision {
    ReducePrecision { exponent_bits, mantissa_bits }
}

#[test]
fn floats_become_those_of_a_narrower_format() {
    let x: Vec<f32> = (0..4000).map(|i| f32::from_bits(i * 1_073_741 + 17)).filter(|x| !x.is_nan()).collect();
    let x: Vec<f32> = x.iter().flat_map(|&x| [x, -x]).collect();
    let ours = run(op(5, 10), &[f32s(&[x.len()], &x)]);
    for (&x, ours) in x.iter().zip(ours.as_slice::<f32>().unwrap()) {
        let half = f16::from_f32(x);
        // Subnormal halves are no numbers of the reduced format.
        let normal = half.to_f32().abs() >= f16::MIN_POSITIVE.to_f32();
        let expected = if normal { half.to_f32() } else { 0.0f32.copysign(x) };
        assert_eq!(ours.to_bits(), expected.to_bits(), "{x:e} became {ours:e}");
    }
    let ours = run(op(8, 7), &[f32s(&[x.len()], &x)]);
    for (&x, ours) in x.iter().zip(ours.as_slice::<f32>().unwrap()) {
        assert_eq!(ours.to_bits(), bf16::from_f32(x).to_f32().to_bits(), "{x:e} became {ours:e}");
    }
}

#[test]
fn what_fits_stays_and_what_does_not_leaves() {
    let x = f32s(&[4], &[1.5, -1e-40, f32::INFINITY, f32::MAX]);
    assert_eq!(run(op(11, 52), std::slice::from_ref(&x)), x);
    // Ties go to the even bit pattern, which without a mantissa is an even exponent; a carry may overflow.
    let x = f32s(&[4], &[1.5, 2.5, 3.0, 65504.0]);
    assert_eq!(run(op(5, 0), &[x]), f32s(&[4], &[2.0, 2.0, 2.0, f32::INFINITY]));
    let nan = f32s(&[1], &[-f32::NAN]);
    assert!(run(op(5, 1), std::slice::from_ref(&nan)).get_f64(0).is_nan());
    assert_eq!(run(op(5, 0), &[nan]), f32s(&[1], &[f32::NEG_INFINITY]));
    let x = Literal::from_slice(&[2], &[0.1f64, 1e300]).unwrap();
    let single = Literal::from_slice(&[2], &[f64::from(0.1f32), f64::INFINITY]).unwrap();
    assert_eq!(run(op(8, 23), &[x]), single);
    let x = Literal::from_slice(&[1], &[bf16::from_f32(1.0390625)]).unwrap();
    assert_eq!(run(op(8, 4), &[x]), Literal::from_slice(&[1], &[bf16::from_f32(1.0625)]).unwrap());
}
