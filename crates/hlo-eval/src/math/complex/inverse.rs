//! Inverse functions after Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using
//! exception handling", in the first quadrant, from where signs carry them to the others.

use std::f64::consts::{FRAC_PI_2, LN_2, PI};

use jarrah_base::c128;

use super::{rotate, rotate_back};

/// For `x, y >= 0`: the real parts of the arcsine and of the arccosine, and the size of their imaginary part.
fn kernel(x: f64, y: f64) -> (f64, f64, f64) {
    let (above, below) = (x + 1.0, x - 1.0);
    if y == 0.0 && x <= 1.0 {
        return (x.asin(), x.acos(), 0.0);
    }
    // Between these the squares and fourth powers that follow neither overflow nor lose bits.
    let (tiny, huge) = (f64::MIN_POSITIVE.sqrt() * 4.0, f64::MAX.sqrt() / 8.0);
    if x < huge && y > tiny && y < huge {
        return within(x, y);
    }
    if y <= f64::EPSILON * below.abs() {
        if x < 1.0 {
            return (x.asin(), x.acos(), y / (above * -below).sqrt());
        }
        let size = if x < huge { (below + (below * above).sqrt()).ln_1p() } else { LN_2 + x.ln() };
        let complement = if x < huge { y / (below * above).sqrt() } else { y / x };
        return (FRAC_PI_2 - complement, complement, size);
    }
    if y <= tiny {
        let root = y.sqrt();
        return (FRAC_PI_2 - root, root, root);
    }
    if f64::EPSILON * y - 1.0 >= x {
        return (x / y, FRAC_PI_2, LN_2 + y.ln());
    }
    let ratio = x / y;
    (ratio.atan(), (y / x).atan(), LN_2 + y.ln() + 0.5 * (ratio * ratio).ln_1p())
}

fn within(x: f64, y: f64) -> (f64, f64, f64) {
    let (r, s) = ((x + 1.0).hypot(y), (x - 1.0).hypot(y));
    let a = 0.5 * (r + s);
    let b = x / a;
    // `s - |x - 1|` and `r - (x + 1)`, each as `y^2` over the sum.
    let (outer, inner) = (r + (x + 1.0), s + (x - 1.0).abs());
    let (asin, acos) = if b <= 0.6417 {
        (b.asin(), b.acos())
    } else if x <= 1.0 {
        let root = (0.5 * (a + x) * (y * y / outer + inner)).sqrt();
        ((x / root).atan(), (root / x).atan())
    } else {
        let root = y * (0.5 * ((a + x) / outer + (a + x) / inner)).sqrt();
        ((x / root).atan(), (root / x).atan())
    };
    let size = if a <= 1.5 {
        let excess = 0.5 * (y * y / outer + if x < 1.0 { y * y / inner } else { inner });
        (excess + (excess * (a + 1.0)).sqrt()).ln_1p()
    } else {
        (a + (a * a - 1.0).sqrt()).ln()
    };
    (asin, acos, size)
}

/// Real parts of the arcsine and the arccosine and the size of the imaginary part, where a part is infinite or NaN.
fn at_infinity(x: f64, y: f64) -> (f64, f64, f64) {
    let (wide, high) = (x.is_infinite(), y.is_infinite());
    match () {
        () if wide && high => (PI / 4.0, PI / 4.0, f64::INFINITY),
        () if wide && y.is_nan() => (f64::NAN, f64::NAN, f64::INFINITY),
        () if wide => (FRAC_PI_2, 0.0, f64::INFINITY),
        () if high && x.is_nan() => (f64::NAN, f64::NAN, f64::INFINITY),
        () if high => (0.0, FRAC_PI_2, f64::INFINITY),
        () if x == 0.0 => (0.0, FRAC_PI_2, f64::NAN),
        () => (f64::NAN, f64::NAN, f64::NAN),
    }
}

fn parts(z: c128) -> (f64, f64, f64) {
    let (x, y) = (z.re.abs(), z.im.abs());
    if x.is_finite() && y.is_finite() { kernel(x, y) } else { at_infinity(x, y) }
}

/// The inverse sine.
pub fn asin(z: c128) -> c128 {
    let (asin, _, size) = parts(z);
    c128::new(asin.copysign(z.re), size.copysign(z.im))
}

/// The inverse cosine.
pub fn acos(z: c128) -> c128 {
    let (_, acos, size) = parts(z);
    let re = if z.re < 0.0 { PI - acos } else { acos };
    c128::new(re, size.copysign(-z.im))
}

/// `asinh z = -i asin(iz)`.
pub fn asinh(z: c128) -> c128 {
    rotate_back(asin(rotate(z)))
}

/// `acosh z = +-i acos z`, with a real part that is not negative.
pub fn acosh(z: c128) -> c128 {
    let acos = acos(z);
    c128::new(acos.im.abs(), acos.re.copysign(z.im))
}

/// The inverse hyperbolic tangent:
/// `ln(1 + 4x / ((1-x)^2 + y^2)) / 4 + i atan2(2y, (1-x)(1+x) - y^2) / 2`.
pub fn atanh(z: c128) -> c128 {
    let (x, y) = (z.re.abs(), z.im.abs());
    let signed = |re: f64, im: f64| c128::new(re.copysign(z.re), im.copysign(z.im));
    if x.is_infinite() || y.is_infinite() {
        return match () {
            () if x.is_nan() || !y.is_nan() => signed(0.0, FRAC_PI_2),
            () => c128::new(0f64.copysign(z.re), f64::NAN),
        };
    }
    if x.is_nan() || y.is_nan() {
        return c128::new(if x == 0.0 { z.re } else { f64::NAN }, f64::NAN);
    }
    let (rest, distance) = (1.0 - x, (1.0 - x).hypot(y));
    let re = if x == 1.0 && y == 0.0 {
        f64::INFINITY
    } else if distance > 1e150 {
        // `x / |z|^2`
        let (x, y) = (x / 4.0, y / 4.0);
        let size = x.hypot(y);
        x / size / size / 4.0
    } else if distance < 1e-150 {
        0.5 * (LN_2 - distance.ln())
    } else {
        0.25 * (4.0 * x / distance / distance).ln_1p()
    };
    let im = if distance > 1e150 { FRAC_PI_2 } else { 0.5 * (2.0 * y).atan2(rest * (1.0 + x) - y * y) };
    signed(re, im)
}

/// `atan z = -i atanh(iz)`.
pub fn atan(z: c128) -> c128 {
    rotate_back(atanh(rotate(z)))
}
