//! Functions of complex numbers with double parts.
//!
//! Each part is good to a few units in the last place, also where it is small beside the other. Infinities, NaN and the
//! signs of zeros are as in annex G of the C standard, but for an exponential at an infinite angle, which is NaN.

mod arithmetic;
mod exact;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod power;

pub use arithmetic::{abs, div, sign, square};
pub use exponential::{exp, exp_m1, logistic};
pub use hyperbolic::{cos, cosh, sin, sinh, tan, tanh};
pub use inverse::{acos, acosh, asin, asinh, atan, atanh};
pub use logarithm::{ln, ln_1p};
pub use power::{atan2, cbrt, pow, rsqrt, sqrt};

use jarrah_base::c128;

/// `i z`.
fn rotate(z: c128) -> c128 {
    c128::new(-z.im, z.re)
}

/// `-i z`.
fn rotate_back(z: c128) -> c128 {
    c128::new(z.im, -z.re)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;

    /// Equal with the signs of zeros; NaN equals NaN.
    fn is(found: c128, re: f64, im: f64) {
        let same = |a: f64, b: f64| a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits();
        assert!(same(found.re, re) && same(found.im, im), "{found:?} is not ({re}, {im})");
    }

    fn c(re: f64, im: f64) -> c128 {
        c128::new(re, im)
    }

    #[test]
    fn branch_cuts_belong_to_signs_of_zero() {
        is(sqrt(c(-4.0, 0.0)), 0.0, 2.0);
        is(sqrt(c(-4.0, -0.0)), 0.0, -2.0);
        is(ln(c(-1.0, 0.0)), 0.0, PI);
        is(ln(c(-1.0, -0.0)), 0.0, -PI);
        is(acos(c(-1.0, 0.0)), PI, -0.0);
        is(asin(c(2.0, -0.0)), FRAC_PI_2, -(2.0 + 3f64.sqrt()).ln());
        assert_eq!(atanh(c(3.0, 0.0)).im, FRAC_PI_2);
        assert_eq!(atanh(c(3.0, -0.0)).im, -FRAC_PI_2);
    }

    #[test]
    fn infinities() {
        is(exp(c(-INF, 1.0)), 0.0, 0.0);
        is(exp(c(INF, 0.0)), INF, 0.0);
        is(exp(c(INF, INF)), NAN, NAN);
        is(ln(c(0.0, 0.0)), -INF, 0.0);
        is(ln(c(-INF, INF)), INF, 0.75 * PI);
        is(cosh(c(-INF, 0.0)), INF, -0.0);
        is(sinh(c(-INF, 0.0)), -INF, 0.0);
        is(cosh(c(0.0, -1.0)), 1f64.cos(), -0.0);
        is(sqrt(c(NAN, -INF)), INF, -INF);
        is(sqrt(c(-INF, 1.0)), 0.0, INF);
        is(tanh(c(-INF, 2.0)), -1.0, 4.0 * 2f64.sin() * 2f64.cos() * 0.0);
        is(asin(c(INF, 1.0)), FRAC_PI_2, INF);
        is(acos(c(-INF, 1.0)), PI, -INF);
        is(atanh(c(1.0, 0.0)), INF, 0.0);
        is(div(c(1.0, 0.0), c(0.0, 0.0)), INF, NAN);
        is(div(c(1.0, 1.0), c(INF, 0.0)), 0.0, 0.0);
        is(sign(c(0.0, NAN)), NAN, NAN);
    }

    #[test]
    fn nothing_overflows_on_the_way() {
        let big = f64::MAX;
        is(div(c(big, big), c(big, big)), 1.0, 0.0);
        assert!((sign(c(big, big)).re - 0.5f64.sqrt()).abs() < 2e-16);
        assert!((abs(c(3e200, 4e200)) / 5e200 - 1.0).abs() < 4e-16);
        assert!((exp(c(710.0, 1.5)).re.ln() - (710.0 + 1.5f64.cos().ln())).abs() < 1e-12);
        assert!(cosh(c(-710.4, 1.5)).re.is_finite() && sinh(c(-710.4, 1.5)).re < 0.0);
        assert!((sqrt(c(big, big)).re / big.sqrt() - 1.098_684_113_467_81).abs() < 1e-14);
        is(square(c(big, big)), 0.0, INF);
    }

    #[test]
    fn powers() {
        is(pow(c(0.0, 0.0), c(0.0, 0.0)), 1.0, 0.0);
        is(pow(c(0.0, 0.0), c(2.0, 0.0)), 0.0, 0.0);
        let root = pow(c(-8.0, 0.0), c(1.0 / 3.0, 0.0)) - cbrt(c(-8.0, 0.0));
        assert!(abs(root) < 1e-14);
        assert!(abs(atan2(c(1.0, 0.0), c(-1.0, 0.0)) - c(0.75 * PI, 0.0)) < 1e-14);
    }
}
