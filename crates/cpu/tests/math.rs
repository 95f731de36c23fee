use jarrah_cpu::math::{exp_f32, exp_f64, ln_f32, ln_f64};

fn ulp32(x: f32) -> f64 {
    let x = x.abs().max(f32::MIN_POSITIVE);
    f64::from(f32::from_bits(x.to_bits() + 1)) - f64::from(x)
}

#[test]
fn exp_f32_is_within_one_ulp() {
    let mut worst = 0.0f64;
    for i in 0..2_000_000 {
        let x = -104.0 + 192.7 * (i as f32 / 2e6);
        let exact = f64::from(x).exp();
        worst = worst.max((f64::from(exp_f32(x)) - exact).abs() / ulp32(exact as f32));
    }
    assert!(worst <= 1.0, "{worst} ULP");
    assert_eq!(exp_f32(f32::NEG_INFINITY).to_bits(), 0);
    assert_eq!(exp_f32(0.0), 1.0);
    assert_eq!(exp_f32(-0.0), 1.0);
    assert_eq!(exp_f32(100.0), f32::INFINITY);
    assert!(exp_f32(f32::NAN).is_nan());
}

#[test]
fn exp_f64_is_within_one_ulp() {
    for i in 0..200_000 {
        let x = -700.0 + 1400.0 * (f64::from(i) / 2e5);
        let exact = x.exp();
        let ulp = f64::from_bits(exact.to_bits() + 1) - exact;
        // The reference itself may be half a unit off, hence the 1.5.
        assert!((exp_f64(x) - exact).abs() <= 1.5 * ulp, "{x}");
    }
    assert_eq!(exp_f64(f64::NEG_INFINITY).to_bits(), 0);
    assert_eq!(exp_f64(1000.0), f64::INFINITY);
    assert!(exp_f64(f64::NAN).is_nan());
    assert_eq!(exp_f64(-740.0), (-740.0f64).exp());
}

#[test]
fn ln_f32_is_within_one_ulp() {
    let mut worst = 0.0f64;
    for bits in (1..0x7f80_0000u32).step_by(997).chain(0x3f7f_0000..0x3f81_0000) {
        let x = f32::from_bits(bits);
        let exact = f64::from(x).ln();
        worst = worst.max((f64::from(ln_f32(x)) - exact).abs() / ulp32(exact as f32));
    }
    assert!(worst <= 1.0, "{worst} ULP");
    assert_eq!(ln_f32(0.0), f32::NEG_INFINITY);
    assert_eq!(ln_f32(f32::INFINITY), f32::INFINITY);
    assert_eq!(ln_f32(1.0), 0.0);
    assert!(ln_f32(-1.0).is_nan() && ln_f32(f32::NAN).is_nan());
}

#[test]
fn ln_f64_is_within_one_ulp() {
    for i in 1..400_000u64 {
        let x = f64::from_bits(i * (0x7ff0_0000_0000_0000 / 400_000));
        let exact = x.ln();
        let ulp = f64::from_bits(exact.abs().to_bits() + 1) - exact.abs();
        assert!((ln_f64(x) - exact).abs() <= 1.5 * ulp, "{x}: {} {exact}", ln_f64(x));
    }
    assert_eq!(ln_f64(0.0), f64::NEG_INFINITY);
    assert_eq!(ln_f64(f64::INFINITY), f64::INFINITY);
    assert!(ln_f64(-1.0).is_nan() && ln_f64(f64::NAN).is_nan());
}
