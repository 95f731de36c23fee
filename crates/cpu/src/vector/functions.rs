//! Elementary functions beyond [`crate::math`], branch-free where loops over them should vectorise.
//!
//! Seldom-used `f32` functions compute in `f64` and round once, which makes them accurate; `f64` functions are the platform's.

use crate::math::{exp_f32, exp_f64, ln_f64};

const LN2_HI: f32 = 355.0 / 512.0;
const LN2_LO: f32 = -2.121_944_4e-4;
const ROUND_F32: f32 = 12_582_912.0;
const ROUND_F64: f64 = 6_755_399_441_055_744.0;

/// Σ cᵢ xⁱ, the highest coefficient first.
#[inline(always)]
fn horner<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    coefficients.into_iter().reduce(|p, c| p.mul_add(x, c)).unwrap_or(0.0)
}

/// tanh x = t / (t + 2) with t = e²ˣ - 1 from |x|, within 3 ULP.
#[inline(always)]
pub fn tanh_f32(x: f32) -> f32 {
    let a = x.abs();
    // A comparison, not `min`: NaN must pass through.
    let a = if a > 10.0 { 10.0 } else { a };
    let y = a + a;
    let shifted = y.mul_add(std::f32::consts::LOG2_E, ROUND_F32);
    let n = shifted - ROUND_F32;
    let r = (-n).mul_add(LN2_LO, (-n).mul_add(LN2_HI, y));
    let p = r.mul_add(1.0 / 5040.0, 1.0 / 720.0);
    let p = p.mul_add(r, 1.0 / 120.0);
    let p = p.mul_add(r, 1.0 / 24.0);
    let p = p.mul_add(r, 1.0 / 6.0);
    let p = p.mul_add(r, 0.5);
    let p = (r * r).mul_add(p, r);
    let scale = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    let t = scale.mul_add(p, scale - 1.0);
    (t / (t + 2.0)).copysign(x)
}

/// 1 / (1 + e⁻ˣ), from e^-|x| so that neither end overflows; within 3 ULP.
#[inline(always)]
pub fn logistic_f32(x: f32) -> f32 {
    let e = exp_f32(-x.abs());
    (if x >= 0.0 { 1.0 } else { e }) / (1.0 + e)
}

/// 1 / (1 + e⁻ˣ).
#[inline(always)]
pub fn logistic_f64(x: f64) -> f64 {
    let e = exp_f64(-x.abs());
    (if x >= 0.0 { 1.0 } else { e }) / (1.0 + e)
}

/// eˣ - 1 = 2ⁿ(eʳ - 1) + (2ⁿ - 1).
#[inline(always)]
pub fn expm1_f32(x: f32) -> f32 {
    let x = if x > 90.0 { 90.0 } else { x };
    let x = if x < -40.0 { -40.0 } else { x };
    let wide = f64::from(x);
    let shifted = wide.mul_add(std::f64::consts::LOG2_E, ROUND_F64);
    let n = shifted - ROUND_F64;
    let r = (-n).mul_add(std::f64::consts::LN_2, wide);
    let tail = horner(
        r,
        [1.0 / 362_880.0, 1.0 / 40_320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5],
    );
    let p = (r * r).mul_add(tail, r);
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    let y = scale.mul_add(p, scale - 1.0) as f32;
    if x == 0.0 { x } else { y }
}

/// ln(1 + x) = ln u + (x - (u - 1)) / u with u = 1 + x rounded.
#[inline(always)]
pub fn log1p_f32(x: f32) -> f32 {
    let wide = f64::from(x);
    let u = 1.0 + wide;
    let y = ln_f64(u) + (wide - (u - 1.0)) / u;
    let y = if u == 0.0 || u == f64::INFINITY { ln_f64(u) } else { y } as f32;
    if x == 0.0 { x } else { y }
}

/// π/2 minus its nearest `f64`.
pub(super) const FRAC_PI_2_LOW: f64 = 6.123_233_995_736_766e-17;

/// The series of (sin r - r) / r³ in r², the highest coefficient first.
pub(super) const SINE: [f64; 5] =
    [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0];

/// The series of (cos r - 1) / r² in r², the highest coefficient first.
pub(super) const COSINE: [f64; 6] =
    [1.0 / 479_001_600.0, -1.0 / 3_628_800.0, 1.0 / 40_320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5];

/// (sin x, cos x) in `f64` for |x| ≤ 2³⁰: x = n π/2 + r, Taylor series in r.
#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64) {
    let shifted = x.mul_add(std::f64::consts::FRAC_2_PI, ROUND_F64);
    let n = shifted - ROUND_F64;
    let r = (-n).mul_add(FRAC_PI_2_LOW, (-n).mul_add(std::f64::consts::FRAC_PI_2, x));
    let z = r * r;
    let s = horner(z, SINE);
    let s = (r * z).mul_add(s, r);
    let c = horner(z, COSINE);
    let c = z.mul_add(c, 1.0);
    let quadrant = shifted.to_bits();
    let (a, b) = if quadrant & 1 == 0 { (s, c) } else { (c, s) };
    (
        f64::from_bits(a.to_bits() ^ ((quadrant & 2) << 62)),
        f64::from_bits(b.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 62)),
    )
}

/// The largest |x| for which the fixed π/2 of `sin_cos` reduces well.
pub const TRIG_LIMIT: f32 = 1_073_741_824.0;

/// sin x for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn sin_f32(x: f32) -> f32 {
    let y = sin_cos(f64::from(x)).0 as f32;
    if x == 0.0 { x } else { y }
}

/// cos x for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn cos_f32(x: f32) -> f32 {
    sin_cos(f64::from(x)).1 as f32
}

/// tan x for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn tan_f32(x: f32) -> f32 {
    let (s, c) = sin_cos(f64::from(x));
    let y = (s / c) as f32;
    if x == 0.0 { x } else { y }
}

/// xʸ for finite x > 0 and finite y: e^(y ln x) in `f64`.
#[inline(always)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    exp_f64(f64::from(y) * ln_f64(f64::from(x))) as f32
}

/// Coefficients of erf(4 x)/x in t, the highest first: see [`erf_f32`].
pub(super) const ERF: [f64; 19] = [
    9.735202183946971e-05,
    -0.00024670882339705724,
    0.0001583409806655434,
    -0.00032430259150224215,
    0.0014380183799211311,
    -0.00291183897528726,
    0.004746829273829676,
    -0.008382074166341312,
    0.014397568267778084,
    -0.02256359768830704,
    0.03304758577411028,
    -0.04574400173506091,
    0.059888935448479216,
    -0.07473053609802452,
    0.090208834048865,
    -0.10771028937936002,
    0.13167512178024993,
    -0.1765762358730846,
    0.35353099561883206,
];

/// erf x: x times a polynomial in t = x²/8 - 1 (a Chebyshev fit of erf(x)/x on |x| ≤ 4), ±1 beyond.
#[inline(always)]
pub fn erf_f32(x: f32) -> f32 {
    let a = x.abs();
    let a = f64::from(if a > 4.0 { 4.0 } else { a });
    let t = (a * a).mul_add(0.125, -1.0);
    let p = horner(t, ERF);
    let y = (a * p) as f32;
    (if a >= 4.0 { 1.0 } else { y }).copysign(x)
}

/// Coefficients of Giles' polynomial except for |x| near 1, the highest first.
pub(super) const ERF_INV_CENTRAL: [f64; 9] = [
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
];

/// Coefficients of Giles' polynomial for |x| near 1, the highest first.
pub(super) const ERF_INV_TAIL: [f64; 9] = [
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
];

/// The inverse of erf, by M. Giles, "Approximating the erfinv function" (GPU Computing Gems 2, 2011), as JAX uses
/// it; evaluated in `f64`.
#[inline(always)]
pub fn erf_inv_f32(x: f32) -> f32 {
    let y = erf_inv_giles(f64::from(x)) as f32;
    if x == 0.0 { x } else { y }
}

#[inline(always)]
fn erf_inv_giles(x: f64) -> f64 {
    let w = -ln_f64((1.0 - x) * (1.0 + x));
    let central = horner(w - 2.5, ERF_INV_CENTRAL);
    let tail = horner(w.sqrt() - 3.0, ERF_INV_TAIL);
    let y = x * if w < 5.0 { central } else { tail };
    if x.abs() == 1.0 { x * f64::INFINITY } else { y }
}

/// erf x, within 1 ULP.
pub fn erf_f64(x: f64) -> f64 {
    libm::erf(x)
}

/// The inverse of erf: Giles' value, then Halley steps on erf (on erfc near ±1): two, and eight where the value is rough.
pub fn erf_inv_f64(x: f64) -> f64 {
    let mut y = erf_inv_giles(x);
    if x == 0.0 || !y.is_finite() {
        return if x == 0.0 { x } else { y };
    }
    let steps = if y.abs() > 3.5 { 8 } else { 2 };
    for _ in 0..steps {
        let a = y.abs();
        let error = if a > 1.5 { (1.0 - x.abs()) - libm::erfc(a) } else { erf_f64(a) - x.abs() };
        let slope = std::f64::consts::FRAC_2_SQRT_PI * (-a * a).exp();
        let step = error / slope;
        y = (a - step / (1.0 + a * step)).copysign(x);
    }
    y
}

/// xⁿ of integers, wrapping; a negative exponent gives 0 unless x is ±1.
#[inline(always)]
pub fn int_pow<T>(x: T, n: i128, one: T, zero: T, minus_one: Option<T>, mul: impl Fn(T, T) -> T) -> T
where
    T: Copy + PartialEq,
{
    if n < 0 {
        let odd = n & 1 != 0;
        return match minus_one {
            _ if x == one => one,
            Some(m) if x == m => {
                if odd {
                    m
                } else {
                    one
                }
            }
            _ => zero,
        };
    }
    let (mut result, mut base, mut n) = (one, x, n as u128);
    while n != 0 {
        if n & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        n >>= 1;
    }
    result
}
