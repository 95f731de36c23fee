use std::cmp::Ordering;

use jarrah_base::{Element, Error, Literal, Result, c128};
use jarrah_hlo::ops::ElementwiseKind;

/// Complex numbers of their parts.
pub fn complex(re: &Literal, im: &Literal) -> Result<Literal> {
    let dtype = re.dtype().complex().ok_or_else(|| Error::internal(format!("parts of {}", re.dtype())))?;
    let parts = re.to_f64_vec().into_iter().zip(im.to_f64_vec());
    let values: Vec<c128> = parts.map(|(re, im)| c128::new(re, im)).collect();
    Literal::from_c128s(re.ty().with_dtype(dtype), &values)
}

/// The real parts.
pub fn real(x: &Literal) -> Result<Literal> {
    Literal::from_f64s(x.ty().with_dtype(x.dtype().real()), &x.to_f64_vec())
}

/// The imaginary parts.
pub fn imag(x: &Literal) -> Result<Literal> {
    let parts: Vec<f64> = x.to_c128_vec().into_iter().map(|z| z.im).collect();
    Literal::from_f64s(x.ty().with_dtype(x.dtype().real()), &parts)
}

/// One function of complex numbers: how many operands it takes, and what it does. Where the result is real, so is its
/// value.
pub enum Complexes {
    Unary(fn(c128) -> c128),
    Binary(fn(c128, c128) -> c128),
}

/// The function of complex numbers; `None` where there is none.
pub fn function(kind: ElementwiseKind) -> Option<Complexes> {
    use Complexes::{Binary, Unary};
    use ElementwiseKind as K;
    Some(match kind {
        K::Abs => Unary(|z| c128::new(z.re.hypot(z.im), 0.0)),
        K::Negate => Unary(|z| -z),
        K::Sign => Unary(sign),
        K::Add => Binary(|z, w| z + w),
        K::Subtract => Binary(|z, w| z - w),
        K::Multiply => Binary(|z, w| z * w),
        K::Divide => Binary(divide),
        K::Maximum => Binary(|z, w| extreme(z, w, Ordering::Greater)),
        K::Minimum => Binary(|z, w| extreme(z, w, Ordering::Less)),
        _ => return None,
    })
}

/// `z / |z|`, and zero for zero.
fn sign(z: c128) -> c128 {
    let size = z.re.hypot(z.im);
    if size == 0.0 { z } else { c128::new(z.re / size, z.im / size) }
}

/// `z / w` by Smith's method: the larger part of `w` is divided out first, so that no square overflows.
fn divide(z: c128, w: c128) -> c128 {
    if w.re.abs() >= w.im.abs() {
        if w.re == 0.0 {
            return c128::new(z.re / w.re, z.im / w.re);
        }
        let ratio = w.im / w.re;
        let divisor = w.re + w.im * ratio;
        c128::new((z.re + z.im * ratio) / divisor, (z.im - z.re * ratio) / divisor)
    } else {
        let ratio = w.re / w.im;
        let divisor = w.re * ratio + w.im;
        c128::new((z.re * ratio + z.im) / divisor, (z.im * ratio - z.re) / divisor)
    }
}

/// The one that stands so to the other in the order of [`Element::order`]; what has a NaN wins.
fn extreme(z: c128, w: c128, wanted: Ordering) -> c128 {
    match z.order(w) {
        Some(order) => {
            if order == wanted {
                z
            } else {
                w
            }
        }
        None => {
            if z.is_nan() {
                z
            } else {
                w
            }
        }
    }
}
