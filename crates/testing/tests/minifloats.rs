//! Floats of at most 8 bits against ml_dtypes: every code's value, and the codes of what lies near a boundary.

use jarrah_base::{DType, Literal, Type};
use jarrah_testing::golden_tensors;

const SPECIALS: [f64; 21] = [
    0.0,
    1e-44,
    1e-40,
    5.877471754111438e-39,
    2.938735877055719e-39,
    1e300,
    1e39,
    1.4 * 1.7014118346046923e38,
    1.5 * 1.7014118346046923e38,
    1.6 * 1.7014118346046923e38,
    1.0,
    1.5,
    6.0,
    7.0,
    448.0,
    464.0,
    480.0,
    57344.0,
    61440.0,
    65536.0,
    f64::INFINITY,
];

#[test]
fn every_code_and_every_boundary() {
    let golden = golden_tensors("minifloats.safetensors").unwrap();
    let formats: Vec<DType> = DType::ALL.into_iter().filter(|d| d.is_float() && d.bits() <= 8).collect();
    assert_eq!(2 * formats.len(), golden.len());
    for dtype in formats {
        let codes: Vec<u8> = (0..=u8::MAX).take(1 << dtype.bits()).collect();
        let literal = Literal::from_bytes(Type::tensor(dtype, [codes.len()]), &codes).unwrap();
        let values = literal.to_f64_vec();
        let expected = golden[&format!("{dtype}/values")].to_f64_vec();
        for (code, (found, expected)) in values.iter().zip(&expected).enumerate() {
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{dtype} {code:#x} is {expected}, not {found}");
        }

        let mut finite: Vec<f64> = values.into_iter().filter(|v| v.is_finite() && *v >= 0.0).collect();
        finite.sort_by(f64::total_cmp);
        finite.dedup();
        // -0 and 0 are one value.
        finite.dedup_by(|a, b| a == b);
        let mut inputs = SPECIALS.to_vec();
        for pair in finite.windows(2) {
            let middle = ((pair[0] + pair[1]) / 2.0) as f32;
            if middle < f32::MIN_POSITIVE {
                continue;
            }
            inputs.extend([middle.next_down(), middle, middle.next_up()].map(f64::from));
        }
        inputs.extend(inputs.clone().iter().map(|x| -x));
        let expected = golden[&format!("{dtype}/codes")].bytes();
        assert_eq!(inputs.len(), expected.len(), "{dtype}");
        let code = |x: f64| Literal::full(Type::scalar(dtype), x).unwrap().bytes()[0];
        for (&x, &expected) in inputs.iter().zip(expected) {
            let found = code(x);
            assert_eq!(found, expected, "{x:e} as {dtype}: {found:#x}, not {expected:#x}");
        }
        // Doubles are rounded once: those next to a boundary go where the `f32` next to it goes.
        for near in inputs[SPECIALS.len()..inputs.len() / 2].chunks(3) {
            assert_eq!(code(near[1].next_down()), code(near[0]), "below {:e} as {dtype}", near[1]);
            assert_eq!(code(near[1].next_up()), code(near[2]), "above {:e} as {dtype}", near[1]);
        }
    }
}

#[test]
fn nan_has_the_code_of_its_format() {
    let code = |dtype, x: f64| Literal::full(Type::scalar(dtype), x).unwrap().bytes()[0];
    for dtype in DType::ALL.into_iter().filter(|d| d.is_float() && d.bits() <= 8) {
        let expected = match dtype {
            DType::F4E2M1FN => 0x8,
            DType::F6E2M3FN | DType::F6E3M2FN => 0x20,
            DType::F8E3M4 => 0x78,
            DType::F8E4M3 => 0x7c,
            DType::F8E4M3FN => 0x7f,
            DType::F8E5M2 => 0x7e,
            DType::F8E8M0FNU => 0xff,
            _ => 0x80,
        };
        assert_eq!(code(dtype, f64::NAN.copysign(1.0)), expected, "{dtype}");
        let value = Literal::full(Type::scalar(dtype), -f64::NAN).unwrap().get_f64(0);
        assert_eq!(value.is_nan(), dtype.bits() == 8, "{dtype}");
    }
}
