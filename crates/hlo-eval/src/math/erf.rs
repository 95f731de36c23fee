use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use libm::{erf, erfc};

use crate::running::Running;

/// The inverse of the error function; infinite at -1 and 1, NaN beyond.
pub fn erf_inv(y: f64) -> f64 {
    let size = y.abs();
    if y == 0.0 || y.is_nan() {
        return y;
    }
    if size >= 1.0 {
        return if size == 1.0 { f64::INFINITY.copysign(y) } else { f64::NAN };
    }
    if size < 1e-9 {
        return y / FRAC_2_SQRT_PI;
    }
    // Winitzki's approximation, good to three digits, and Halley's iteration from there.
    let log = (-size * size).ln_1p();
    let half = 2.0 / (PI * 0.147) + log / 2.0;
    let mut x = ((half * half - log / 0.147).sqrt() - half).sqrt();
    for _ in 0..4 {
        let error = if size < 0.5 { erf(x) - size } else { (1.0 - size) - erfc(x) };
        let step = error / (FRAC_2_SQRT_PI * (-x * x).exp());
        x -= step / (1.0 + x * step);
    }
    x.copysign(y)
}

/// `e^(x^2)`, of which the exponent is exact in two parts.
fn exp_of_square(x: f64) -> f64 {
    if x.abs() > 30.0 {
        return f64::INFINITY;
    }
    let leading = f64::from_bits(x.to_bits() & !0x7ff_ffff);
    (leading * leading).exp() * ((x - leading) * (x + leading)).exp()
}

/// The `n`-th derivative of `e^(x^2) erfc(x)` for natural `n`, else NaN.
///
/// Source: NIST Digital Library of Mathematical Functions, 7.18: it is `(-2)^n n! e^(x^2) i^n erfc(x)`.
pub fn erfcx_slope(n: f64, x: f64) -> f64 {
    if x.is_nan() || !(n >= 0.0 && n.floor() == n && n.is_finite()) {
        return f64::NAN;
    }
    if x >= 0.0 {
        return match n {
            0.0 => erfcx(x),
            _ if x == f64::INFINITY => 0.0,
            _ => integral(n, x),
        };
    }
    // Both terms of each step have one sign: `y' = 2 x y - 2/sqrt(pi)`, and so on.
    let (mut before, mut last) = (1.0 / PI.sqrt(), exp_of_square(x) * erfc(x));
    for k in 0..n as u32 {
        let next = if k == 0 { 2.0 * (x * last - before) } else { 2.0 * (x * last + f64::from(k) * before) };
        (before, last) = (last, next);
    }
    last
}

/// `e^(x^2) erfc(x)` for `x >= 0`: a continued fraction beyond 4.
fn erfcx(x: f64) -> f64 {
    if x <= 4.0 {
        return exp_of_square(x) * erfc(x);
    }
    let fraction = (1..=40).rev().fold(x, |fraction, term| x + f64::from(term) * 0.5 / fraction);
    0.5 * FRAC_2_SQRT_PI / fraction
}

/// `(-1)^n 2^(n + 1) / sqrt(pi)` times the integral of `u^n e^(-u^2 - 2 x u)` over positive `u`, all of whose terms are positive.
///
/// Source: Takahasi and Mori, Double exponential formulas for numerical integration (1974): `u` is a multiple of `e^(t - e^-t)`.
fn integral(n: f64, x: f64) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    let scale = (n + 1.0) / (x + (x * x + n + 1.0).sqrt());
    let term = |i: i32| {
        let t = f64::from(i) * STEP;
        let decay = (-t).exp();
        let u = scale * (t - decay).exp();
        u.powf(n) * (-u * (u + 2.0 * x)).exp() * u * (1.0 + decay)
    };
    let sum = (-60..=68).map(term).fold(Running::from(0.0), Running::plus).value();
    let size = sum * STEP * FRAC_2_SQRT_PI * 2f64.powf(n);
    if n % 2.0 == 1.0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_inverts() {
        for x in [1e-10, 0.01, 0.3, 0.47, 0.6, 1.0, 1.7, 2.4, 3.0, 4.0] {
            let y = erf(x);
            // The inverse amplifies the rounding of `y` by its slope.
            let slope = (x * x).exp() / FRAC_2_SQRT_PI;
            let found = erf_inv(y);
            assert!((found - x).abs() <= 4e-15 * x + slope * 2.3e-16, "erf_inv(erf({x})) = {found}");
            assert_eq!(erf_inv(-y), -found);
        }
        assert_eq!(erf_inv(1.0), f64::INFINITY);
        assert_eq!(erf_inv(-1.0), f64::NEG_INFINITY);
        assert!(erf_inv(1.5).is_nan());
    }
}
