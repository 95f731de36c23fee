//! Functions of `f64` that the standard library lacks.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// The error function, `2/sqrt(pi) * integral of e^(-t^2) from 0 to x`.
pub fn erf(x: f64) -> f64 {
    if x.is_nan() || x == 0.0 {
        return x;
    }
    let size = x.abs();
    let value = if size < 2.5 { erf_series(size) } else { 1.0 - erfc_fraction(size) };
    value.copysign(x)
}

/// `1 - erf(x)` for positive `x`, without cancellation.
fn erfc(x: f64) -> f64 {
    if x < 1.5 { 1.0 - erf_series(x) } else { erfc_fraction(x) }
}

/// `2/sqrt(pi) e^(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...)`: all terms are positive.
fn erf_series(x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (x, x, 1.0);
    while term > sum * 1e-18 {
        k += 2.0;
        term *= 2.0 * x * x / k;
        sum += term;
    }
    FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// `erfc(x) = e^(-x^2)/sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / ...)))`, for `x` not small.
fn erfc_fraction(x: f64) -> f64 {
    if x > 28.0 {
        return 0.0;
    }
    let mut tail = x;
    for k in (1..200).rev() {
        tail = x + f64::from(k) / 2.0 / tail;
    }
    (-x * x).exp() / (PI.sqrt() * tail)
}

/// The inverse of the error function; infinite at -1 and 1, NaN beyond.
pub fn erf_inv(y: f64) -> f64 {
    let size = y.abs();
    if y == 0.0 || y.is_nan() {
        return y;
    }
    if size >= 1.0 {
        return if size == 1.0 { f64::INFINITY.copysign(y) } else { f64::NAN };
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

/// `1 / (1 + e^-x)`.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 4e-15 * b.abs(), "{a:e} is not {b:e}");
    }

    /// Values of Abramowitz and Stegun, table 7.1, extended to double precision.
    #[test]
    fn erf_has_the_published_values() {
        close(erf(0.1), 0.112_462_916_018_284_89);
        close(erf(0.5), 0.520_499_877_813_046_5);
        close(erf(1.0), 0.842_700_792_949_714_9);
        close(erf(2.0), 0.995_322_265_018_952_7);
        close(erf(-3.0), -0.999_977_909_503_001_4);
        close(erfc(3.0), 2.209_049_699_858_544e-5);
        close(erfc(2.0), 4.677_734_981_047_266e-3);
        assert_eq!(erf(40.0), 1.0);
        assert!(erf(f64::NAN).is_nan() && erf(-0.0).is_sign_negative());
    }

    #[test]
    fn series_and_fraction_meet() {
        close(erf_series(2.5), 1.0 - erfc_fraction(2.5));
    }

    #[test]
    fn erf_inv_inverts() {
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
