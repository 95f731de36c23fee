use jarrah_hlo::ops::ElementwiseKind;

use super::unary;
use crate::array::Array;

/// The modified Bessel function of the first kind and order 0.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i0(&Array::scalar(0.0f32)).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i0(x: &Array) -> Array {
    let x = &x.inexact();
    x.abs().exp() * i0e(x)
}

/// [`i0`] times `e^-|x|`, without overflow.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i0e(&Array::scalar(0.0f32)).item::<f32>()?, 1.0);
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
/// assert_eq!(special::i1(&Array::scalar(0.0f32)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i1(x: &Array) -> Array {
    let x = &x.inexact();
    x.abs().exp() * i1e(x)
}

/// [`i1`] times `e^-|x|`, without overflow.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::i1e(&Array::scalar(0.0f32)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn i1e(x: &Array) -> Array {
    unary(ElementwiseKind::BesselI1e, x)
}
