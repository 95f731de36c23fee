use crate::along::Along;
use crate::array::Array;
use crate::custom::stop_gradient;
use crate::elementwise::where_;
use crate::numpy::elements_along;

/// The logarithm of the magnitude of `sum(w e^x)` along axes, and the sign of the sum.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let (x, w) = (Array::from_slice(&[500.0f32, 500.0]), Array::from_slice(&[1.0f32, -2.0]));
/// let (size, sign) = nn::logsumexp_weighted(&x, &w, 0);
/// assert_eq!((size.item::<f32>()?, sign.item::<f32>()?), (500.0, -1.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn logsumexp_weighted(x: &Array, weights: &Array, along: impl Into<Along>) -> (Array, Array) {
    let along = along.into();
    let weights = weights.inexact();
    // The weights' shape and dtype, and nothing that weighs nothing: it may be infinite.
    let x = where_(&weights.ne(0), x.inexact(), f64::NEG_INFINITY);
    let axes = along.resolve("logsumexp", &x, &[]);
    let peak = x.finite_peak(&along, &axes);
    let sum = ((&x - &peak).exp() * weights).sum(along);
    let sign = stop_gradient(&sum.sign());
    let size = if sum.dtype().is_complex() { sum.abs() } else { &sum * &sign };
    (size.log() + peak.reshape(&size.shape()), sign)
}

/// The logarithm of the mean of `e^x` along axes, `ln(sum(e^x) / n)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::logmeanexp(&Array::from_slice(&[500.0f32, 500.0]), 0).item::<f32>()?, 500.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn logmeanexp(x: &Array, along: impl Into<Along>) -> Array {
    let along = along.into();
    let count = elements_along(&x.shape(), &along.resolve("logmeanexp", x, &[]));
    x.logsumexp(along) - (count as f64).ln()
}

/// `(x - mean) / sqrt(variance + epsilon)` along axes, with the mean and the variance of the elements there; the usual
/// `epsilon` is 1e-5. Floats narrower than `f32` are added in `f32`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::standardize(&Array::from_slice(&[1.0f32, 3.0]), -1, 0.0);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn standardize(x: &Array, along: impl Into<Along>, epsilon: f64) -> Array {
    let (x, along) = (x.inexact(), along.into().keepdims());
    standardize_with(&x, &x.mean(along.clone()), &x.var(along), epsilon)
}

/// `(x - mean) / sqrt(variance + epsilon)` with a mean and a variance that broadcast against `x`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::standardize_with(&Array::ones(&[2]), &Array::scalar(3.0), &Array::scalar(4.0), 0.0);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn standardize_with(x: &Array, mean: &Array, variance: &Array, epsilon: f64) -> Array {
    (x - mean) * (variance + epsilon).rsqrt()
}
