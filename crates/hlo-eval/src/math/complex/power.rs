use std::f64::consts::PI;

use jarrah_base::c128;

use super::arithmetic::{abs, div, shift, square};
use super::exact::{dot, sum, two_product};
use super::logarithm::ln;
use super::{rotate, rotate_back};

/// The root with a real part that is not negative; the branch cut is the negative real axis.
pub fn sqrt(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if y.is_infinite() {
        return c128::new(f64::INFINITY, y);
    }
    if x == 0.0 && y == 0.0 {
        return c128::new(0.0, y);
    }
    if x.is_infinite() {
        let other = if y.is_nan() { y } else { 0f64.copysign(y) };
        return match () {
            () if x > 0.0 => c128::new(x, other),
            () if y.is_nan() => c128::new(y, f64::INFINITY),
            () => c128::new(0.0, f64::INFINITY.copysign(y)),
        };
    }
    if x.is_nan() || y.is_nan() {
        return c128::new(f64::NAN, f64::NAN);
    }
    // Powers of four keep squares away from both ends of the range.
    let size = x.abs().max(y.abs());
    let (up, down) = match () {
        () if size > 1e300 => (0.0625, 4.0),
        () if size < 1e-290 => (2f64.powi(108), 2f64.powi(-54)),
        () => (1.0, 1.0),
    };
    let (x, y) = (x * up, y * up);
    let root = ((x.abs() + x.hypot(y)) / 2.0).sqrt();
    let other = y.abs() / (root + root);
    let (re, im) = if x >= 0.0 { (root, other) } else { (other, root) };
    c128::new(re * down, (im * down).copysign(y))
}

/// `1 / sqrt(z)`.
pub fn rsqrt(z: c128) -> c128 {
    div(c128::new(1.0, 0.0), sqrt(z))
}

/// The cube root whose argument is a third of that of `z`.
pub fn cbrt(z: c128) -> c128 {
    let (size, angle) = (abs(z).cbrt(), z.im.atan2(z.re) / 3.0);
    c128::new(size * angle.cos(), size * angle.sin())
}

/// `x^y = |x|^c e^(-d arg x) cis(d ln|x| + c arg x)` for `y = c + id`; 1 for `0^0`.
pub fn pow(x: c128, y: c128) -> c128 {
    let zero = c128::new(0.0, 0.0);
    if y == zero {
        return c128::new(1.0, 0.0);
    }
    if x == zero && y.re > 0.0 && y.im == 0.0 {
        return zero;
    }
    let (size, angle) = (abs(x), x.im.atan2(x.re));
    let log = ln(x).re;
    let (mut factor, mut turn) = (size.powf(y.re), y.re * angle);
    if y.im != 0.0 {
        factor *= (-y.im * angle).exp();
        turn += y.im * log;
    }
    c128::new(factor * turn.cos(), factor * turn.sin())
}

/// `-i ln((x + iy) / sqrt(x^2 + y^2))`.
///
/// As `x^2 + y^2 = (x + iy)(x - iy)`, with `p = Re(x conj y)` and `q = Im(x conj y)` its parts are
/// `atan2(2p, |x|^2 - |y|^2) / 2`, up to half turns, and `-ln(|x + iy|^2 / |x - iy|^2) / 4`, where the difference of
/// these squares is `4q`: neither part cancels.
pub fn atan2(y: c128, x: c128) -> c128 {
    let size = x.re.abs().max(x.im.abs()).max(y.re.abs()).max(y.im.abs());
    let n = if size > 0.0 && size.is_finite() { -libm::ilogb(size) } else { 0 };
    let (x, y) = (shift(x, n), shift(y, n));
    let radius = sqrt(square(x) + square(y));
    let near = rotate_back(ln(div(x + rotate(y), radius)));
    if !(near.re.is_finite() && near.im.is_finite()) {
        return near;
    }
    let squares = [(x.re, x.re), (x.im, x.im), (y.re, -y.re), (y.im, -y.im)].map(|(a, b)| two_product(a, b));
    let [(a, da), (b, db), (c, dc), (d, dd)] = squares;
    let difference = sum([da, db, dc, dd, a, b, c, d]);
    let angle = 0.5 * (2.0 * dot(x.re, y.re, x.im, y.im)).atan2(difference);
    let re = angle + PI * ((near.re - angle) / PI).round();
    let quadrupled = 4.0 * dot(x.im, y.re, -x.re, y.im);
    // The larger square comes above, where the logarithm is of more than one.
    let smaller = x - rotate(y) * quadrupled.signum();
    let im = -0.25 * (quadrupled.abs() / smaller.norm_sqr()).ln_1p().copysign(quadrupled);
    c128::new(re, im)
}
