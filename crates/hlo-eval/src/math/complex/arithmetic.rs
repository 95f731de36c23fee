use jarrah_base::c128;

use super::exact::dot;

/// The exponent that brings the larger part near one; 0 where there is none.
fn scale(z: c128) -> i32 {
    let size = z.re.abs().max(z.im.abs());
    if size == 0.0 || !size.is_finite() { 0 } else { libm::ilogb(size) }
}

/// `z 2^n`, rounded once.
pub fn shift(z: c128, n: i32) -> c128 {
    c128::new(libm::ldexp(z.re, n), libm::ldexp(z.im, n))
}

/// `|z|`.
pub fn abs(z: c128) -> f64 {
    z.re.hypot(z.im)
}

/// `z / |z|`, and 0 for 0; NaN where a part is.
pub fn sign(z: c128) -> c128 {
    if z.re.is_nan() || z.im.is_nan() {
        return c128::new(f64::NAN, f64::NAN);
    }
    if z.re == 0.0 && z.im == 0.0 {
        return c128::new(0.0, 0.0);
    }
    let z = shift(z, -scale(z));
    z / abs(z)
}

/// `(a + ib)^2 = (a - b)(a + b) + 2iab`.
pub fn square(z: c128) -> c128 {
    let re = if z.re.abs() == z.im.abs() && z.re.is_finite() { 0.0 } else { (z.re - z.im) * (z.re + z.im) };
    let product = z.re * z.im;
    c128::new(re, product + product)
}

/// `x / y`, without overflow on the way.
pub fn div(x: c128, y: c128) -> c128 {
    let (a, b) = (scale(x), scale(y));
    let (u, v) = (shift(x, -a), shift(y, -b));
    let size = v.re * v.re + v.im * v.im;
    let re = dot(u.re, v.re, u.im, v.im) / size;
    let im = dot(u.im, v.re, -u.re, v.im) / size;
    let quotient = shift(c128::new(re, im), a - b);
    if !(quotient.re.is_nan() && quotient.im.is_nan()) {
        return quotient;
    }
    let infinite = |z: c128| z.re.is_infinite() || z.im.is_infinite();
    let boxed = |t: f64| if t.is_infinite() { 1f64.copysign(t) } else { 0f64.copysign(t) };
    if size == 0.0 && !(x.re.is_nan() && x.im.is_nan()) {
        let infinity = f64::INFINITY.copysign(y.re);
        c128::new(infinity * x.re, infinity * x.im)
    } else if infinite(x) && y.re.is_finite() && y.im.is_finite() {
        let (s, t) = (boxed(x.re), boxed(x.im));
        c128::new(f64::INFINITY * (s * y.re + t * y.im), f64::INFINITY * (t * y.re - s * y.im))
    } else if infinite(y) && x.re.is_finite() && x.im.is_finite() {
        let (s, t) = (boxed(y.re), boxed(y.im));
        c128::new(0.0 * (x.re * s + x.im * t), 0.0 * (x.im * s - x.re * t))
    } else {
        quotient
    }
}
