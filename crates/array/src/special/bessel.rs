use jarrah_hlo::ops::{Elementwise, ElementwiseKind};

use super::unary;
use crate::array::Array;
use crate::trace::apply_one;

/// The modified Bessel function of the first kind and order 0.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i0(&Array::scalar(0.0)).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i0(x: &Array) -> Array {
    of_order(0, x)
}

/// [`i0`] times `e^-|x|`, without overflow.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i0e(&Array::scalar(0.0)).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i0e(x: &Array) -> Array {
    unary(ElementwiseKind::BesselI0e, x)
}

/// The modified Bessel function of the first kind and order 1.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i1(&Array::scalar(0.0)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i1(x: &Array) -> Array {
    of_order(1, x)
}

/// [`i1`] times `e^-|x|`, without overflow.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i1e(&Array::scalar(0.0)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i1e(x: &Array) -> Array {
    unary(ElementwiseKind::BesselI1e, x)
}

/// The function of order `n`.
#[track_caller]
fn of_order(n: i32, x: &Array) -> Array {
    let x = &x.inexact();
    let order = Array::full(&x.shape(), n, x.dtype());
    apply_one(Elementwise { kind: ElementwiseKind::BesselI }, &[&order, x])
}
