use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use libm::{erf, erfc};

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
