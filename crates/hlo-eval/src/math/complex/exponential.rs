use jarrah_base::c128;

use super::arithmetic::div;

/// `factor e^x`, where `e^x` may overflow though the product does not; zero stays zero.
pub fn exp_times(x: f64, factor: f64) -> f64 {
    if factor == 0.0 && !x.is_nan() {
        return factor;
    }
    if x > 700.0 && x.is_finite() {
        let half = (x / 2.0).exp();
        return half * factor * half;
    }
    x.exp() * factor
}

/// `e^z = e^x (cos y + i sin y)`.
pub fn exp(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return c128::new(x.exp(), y);
    }
    c128::new(exp_times(x, y.cos()), exp_times(x, y.sin()))
}

/// `e^z - 1 = (e^x - 1) cos y - 2 sin^2(y/2) + i e^x sin y`.
pub fn exp_m1(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if x > 40.0 || !x.is_finite() || !y.is_finite() {
        let e = exp(z);
        return c128::new(e.re - 1.0, e.im);
    }
    let half = (y / 2.0).sin();
    let (left, right) = (x.exp_m1() * y.cos(), 2.0 * half * half);
    let im = if y == 0.0 { y } else { x.exp() * y.sin() };
    c128::new(left - right, im)
}

/// `1 / (1 + e^-z)`.
pub fn logistic(z: c128) -> c128 {
    let one = c128::new(1.0, 0.0);
    if z.re > 1.0 {
        return div(one, one + exp(-z));
    }
    if z.re < -1.0 {
        let e = exp(z);
        return div(e, one + e);
    }
    // `e^(z/2) / (2 cosh(z/2))`: the poles are zeros of a cosine.
    let half = z / 2.0;
    let cosh = c128::new(half.re.cosh() * half.im.cos(), half.re.sinh() * half.im.sin());
    div(exp(half), cosh + cosh)
}
