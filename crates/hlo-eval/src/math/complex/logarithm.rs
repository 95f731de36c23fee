use jarrah_base::c128;

use super::exact::{sum, two_product, two_sum};

/// `ln |x + iy|`.
fn ln_abs(x: f64, y: f64) -> f64 {
    let (large, small) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if large.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if large == 0.0 {
        return f64::NEG_INFINITY;
    }
    if large > 0.5 && large < 2.0 {
        // `ln(x^2 + y^2) / 2`, whose argument may be close to one.
        let (a, da) = two_product(large, large);
        let (b, db) = two_product(small, small);
        let excess = sum([db, da, b, a, -1.0]);
        return 0.5 * excess.ln_1p();
    }
    let ratio = small / large;
    large.ln() + 0.5 * (ratio * ratio).ln_1p()
}

/// `ln |z| + i arg z`.
pub fn ln(z: c128) -> c128 {
    c128::new(ln_abs(z.re, z.im), z.im.atan2(z.re))
}

/// `ln(1 + z)`, accurate near zero.
pub fn ln_1p(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    let (near, rest) = two_sum(1.0, x);
    let im = y.atan2(near);
    if !(x.abs() < 1e100 && y.abs() < 1e100) {
        return c128::new(ln_abs(near, y), im);
    }
    // `|1 + z|^2 - 1 = x^2 + 2x + y^2`
    let (a, da) = two_product(x, x);
    let (b, db) = two_product(y, y);
    let excess = sum([db, da, b, a, 2.0 * x]);
    let re = if excess > -0.5 && excess < 4.0 {
        0.5 * excess.ln_1p()
    } else if y == 0.0 && near == 0.0 {
        f64::NEG_INFINITY
    } else {
        ln_abs(near + rest, y)
    };
    c128::new(re, im)
}
