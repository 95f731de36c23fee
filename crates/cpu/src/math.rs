//! Branch-free elementary functions, the same bits in scalar code and in vectorised loops.
//!
//! Each is a straight line of correctly rounded operations (`mul_add` included), so a loop over them inside a
//! `#[target_feature]` function vectorises and every lane gives what the scalar call gives.

macro_rules! horner {
    ($t:ty, $x:expr, $first:expr $(, $rest:expr)*) => {{
        let p: $t = $first;
        $(let p = p.mul_add($x, $rest);)*
        p
    }};
}

/// eˣ for `f32`, within 1 ULP; overflow gives infinity, underflow is gradual, NaN stays NaN.
///
/// x = n ln 2 + r with |r| ≤ ln 2 / 2; eʳ by its series to r⁷, then times 2ⁿ in two exact-until-the-last steps.
#[inline(always)]
pub fn exp_f32(x: f32) -> f32 {
    const LN2_HI: f32 = f32::from_bits(0x3f31_8000);
    const LN2_LO: f32 = -2.121_944_4e-4;
    const ROUND: f32 = 12_582_912.0;
    // Comparisons, not `max`/`min`: NaN must pass through.
    let x = if x < -104.0 { -104.0 } else { x };
    let x = if x > 89.0 { 89.0 } else { x };
    let t = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = t - ROUND;
    let r = (-n).mul_add(LN2_HI, x);
    let r = (-n).mul_add(LN2_LO, r);
    let p = horner!(f32, r, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0);
    let n = t.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
    let half = n >> 1;
    let low = f32::from_bits((half.wrapping_add(127) as u32) << 23);
    let high = f32::from_bits((n.wrapping_sub(half).wrapping_add(127) as u32) << 23);
    p * low * high
}

/// eˣ for `f64`, within 1 ULP; overflow gives infinity, underflow is gradual, NaN stays NaN.
///
/// x = n ln 2 + r with |r| ≤ ln 2 / 2; eʳ by its series to r¹³, then times 2ⁿ in two exact-until-the-last steps.
#[inline(always)]
pub fn exp_f64(x: f64) -> f64 {
    const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LO: f64 = 1.908_214_929_270_587_7e-10;
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let x = if x < -746.0 { -746.0 } else { x };
    let x = if x > 710.0 { 710.0 } else { x };
    let t = x.mul_add(std::f64::consts::LOG2_E, ROUND);
    let n = t - ROUND;
    let r = (-n).mul_add(LN2_HI, x);
    let r = (-n).mul_add(LN2_LO, r);
    let p = horner!(
        f64,
        r,
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0
    );
    let n = t.to_bits().wrapping_sub(ROUND.to_bits()) as i64;
    let half = n >> 1;
    let low = f64::from_bits((half.wrapping_add(1023) as u64) << 52);
    let high = f64::from_bits((n.wrapping_sub(half).wrapping_add(1023) as u64) << 52);
    p * low * high
}

/// The natural logarithm for `f32`, within 1 ULP; ln 0 = -∞, a negative argument gives NaN.
///
/// x = 2ᵏ(1+f) with 1+f in [√½, √2) and s = f/(2+f): ln(1+f) = f - s(f - 2 s² Σ s²ⁱ/(2i+3)).
#[inline(always)]
pub fn ln_f32(x: f32) -> f32 {
    const LN2_HI: f32 = f32::from_bits(0x3f31_8000);
    const LN2_LO: f32 = -2.121_944_4e-4;
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    let subnormal = x < f32::MIN_POSITIVE;
    let y = if subnormal { x * 8_388_608.0 } else { x };
    let bias = if subnormal { -23.0f32 } else { 0.0 };
    let shifted = y.to_bits().wrapping_sub(SQRT_HALF_BITS) as i32;
    let k = (shifted >> 23) as f32 + bias;
    let m = f32::from_bits(((shifted & 0x007f_ffff) as u32).wrapping_add(SQRT_HALF_BITS));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let series = horner!(f32, z, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 0.2, 1.0 / 3.0);
    let tail = (2.0 * z).mul_add(series, -f) * s;
    let ln = k.mul_add(LN2_HI, f + k.mul_add(LN2_LO, tail));
    let ln = if x == f32::INFINITY { x } else { ln };
    let ln = if x == 0.0 { f32::NEG_INFINITY } else { ln };
    if x >= 0.0 { ln } else { f32::NAN }
}

/// The natural logarithm for `f64`, within 1 ULP; ln 0 = -∞, a negative argument gives NaN.
///
/// Reduced as in [`ln_f32`]; the series goes to s²².
#[inline(always)]
pub fn ln_f64(x: f64) -> f64 {
    const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LO: f64 = 1.908_214_929_270_587_7e-10;
    const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
    let subnormal = x < f64::MIN_POSITIVE;
    let y = if subnormal { x * 4_503_599_627_370_496.0 } else { x };
    let bias = if subnormal { -52.0f64 } else { 0.0 };
    let shifted = y.to_bits().wrapping_sub(SQRT_HALF_BITS) as i64;
    let k = (shifted >> 52) as i32 as f64 + bias;
    let m = f64::from_bits(((shifted & 0x000f_ffff_ffff_ffff) as u64).wrapping_add(SQRT_HALF_BITS));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let series = horner!(
        f64,
        z,
        1.0 / 23.0,
        1.0 / 21.0,
        1.0 / 19.0,
        1.0 / 17.0,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        0.2,
        1.0 / 3.0
    );
    let tail = (2.0 * z).mul_add(series, -f) * s;
    let ln = k.mul_add(LN2_HI, f + k.mul_add(LN2_LO, tail));
    let ln = if x == f64::INFINITY { x } else { ln };
    let ln = if x == 0.0 { f64::NEG_INFINITY } else { ln };
    if x >= 0.0 { ln } else { f64::NAN }
}
