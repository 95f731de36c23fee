use jarrah_base::c128;

use super::exponential::exp_times;
use super::{rotate, rotate_back};

/// `t cosh x`.
fn times_cosh(x: f64, t: f64) -> f64 {
    if x.abs() > 40.0 { exp_times(x.abs(), t / 2.0) } else { x.cosh() * t }
}

/// `t sinh x`.
fn times_sinh(x: f64, t: f64) -> f64 {
    if x.abs() <= 40.0 {
        return x.sinh() * t;
    }
    exp_times(x.abs(), t.abs() / 2.0).copysign(x.signum() * t.signum())
}

/// `sinh x cos y + i cosh x sin y`.
pub fn sinh(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if !y.is_finite() {
        return match () {
            () if x == 0.0 => c128::new(x, f64::NAN),
            () if x.is_infinite() => c128::new(x, f64::NAN),
            () => c128::new(f64::NAN, f64::NAN),
        };
    }
    if x.is_nan() {
        return c128::new(x, if y == 0.0 { y } else { x });
    }
    c128::new(times_sinh(x, y.cos()), times_cosh(x, y.sin()))
}

/// `cosh x cos y + i sinh x sin y`.
pub fn cosh(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if !y.is_finite() {
        return match () {
            () if x == 0.0 => c128::new(f64::NAN, 0.0),
            () if x.is_infinite() => c128::new(f64::INFINITY, f64::NAN),
            () => c128::new(f64::NAN, f64::NAN),
        };
    }
    if x.is_nan() {
        return c128::new(x, if y == 0.0 { y } else { x });
    }
    c128::new(times_cosh(x, y.cos()), times_sinh(x, y.sin()))
}

/// `sin z = -i sinh(iz)`.
pub fn sin(z: c128) -> c128 {
    rotate_back(sinh(rotate(z)))
}

/// `cos z = cosh(iz)`.
pub fn cos(z: c128) -> c128 {
    cosh(rotate(z))
}

/// The hyperbolic tangent, after Kahan, "Branch cuts for complex elementary functions".
pub fn tanh(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if x.is_nan() {
        return c128::new(x, if y == 0.0 { y } else { x });
    }
    if !y.is_finite() {
        return match () {
            () if x.is_infinite() => c128::new(1f64.copysign(x), 0.0),
            () if x == 0.0 => c128::new(x, f64::NAN),
            () => c128::new(f64::NAN, f64::NAN),
        };
    }
    if x.abs() > 22.0 {
        let im = 4.0 * y.sin() * y.cos() * (-2.0 * x.abs()).exp();
        return c128::new(1f64.copysign(x), im);
    }
    let (t, s) = (y.tan(), x.sinh());
    let (beta, rho) = (1.0 + t * t, (1.0 + s * s).sqrt());
    let divisor = 1.0 + beta * s * s;
    c128::new(beta * rho * s / divisor, t / divisor)
}

/// `tan z = -i tanh(iz)`.
pub fn tan(z: c128) -> c128 {
    rotate_back(tanh(rotate(z)))
}
