use jarrah_hlo::ops::{Reduce, Reducer};

use crate::array::Array;
use crate::custom::stop_gradient;
use crate::elementwise::where_;
use crate::numpy::{IntoAxes, resolve_all};
use crate::trace::apply_one;

/// `x` with axes of extent one in the place of `axes`.
#[track_caller]
fn keep(reduced: &Array, x: &Array, axes: &[usize]) -> Array {
    let mut shape = x.shape().to_vec();
    for &axis in axes {
        shape[axis] = 1;
    }
    reduced.reshape(&shape)
}

#[track_caller]
fn reduce(x: &Array, reducer: Reducer, axes: &[usize]) -> Array {
    if axes.is_empty() {
        return x.clone();
    }
    apply_one(Reduce { reducer, axes: axes.into() }, &[x])
}

/// The largest real part along `axes`, a constant to derivatives; 0 where it is not finite, as where there is no element.
#[track_caller]
fn peak(x: &Array, axes: &[usize]) -> Array {
    let peak = stop_gradient(&reduce(&x.real(), Reducer::Max, axes));
    where_(&peak.isfinite(), &peak, 0)
}

/// `x` where `mask` holds, elsewhere minus infinity, and nothing of its derivative there.
#[track_caller]
fn masked(x: &Array, mask: &Array) -> Array {
    where_(mask, x, f64::NEG_INFINITY)
}

/// `ln(sum(e^x))` along axes, without overflow; minus infinity of no elements.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let x = Array::from_slice(&[1000.0f64, 1000.0]);
/// assert_eq!(nn::logsumexp(&x, 0).item::<f64>()?, 1000.0 + 2f64.ln());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn logsumexp(x: &Array, axes: impl IntoAxes) -> Array {
    let x = &x.inexact();
    let axes = resolve_all("logsumexp", x, axes);
    let peak = peak(x, &axes);
    let scaled = (x - keep(&peak, x, &axes)).exp();
    reduce(&scaled, Reducer::Add, &axes).log() + peak
}

/// As [`logsumexp`], of the elements where `mask` holds.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let (x, mask) = (Array::from_slice(&[1.0f32, 5.0]), Array::from_slice(&[true, false]));
/// assert_eq!(nn::logsumexp_where(&x, 0, &mask).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn logsumexp_where(x: &Array, axes: impl IntoAxes, mask: &Array) -> Array {
    logsumexp(&masked(&x.inexact(), mask), axes)
}

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
pub fn logsumexp_weighted(x: &Array, weights: &Array, axes: impl IntoAxes) -> (Array, Array) {
    let weights = weights.inexact();
    // The weights' shape and dtype, and nothing that weighs nothing: it may be infinite.
    let x = where_(&weights.ne(0), x.inexact(), f64::NEG_INFINITY);
    let axes = resolve_all("logsumexp", &x, axes);
    let peak = peak(&x, &axes);
    let scaled = (&x - keep(&peak, &x, &axes)).exp() * weights;
    let sum = reduce(&scaled, Reducer::Add, &axes);
    let sign = stop_gradient(&sum.sign());
    let size = if sum.dtype().is_complex() { sum.abs() } else { &sum * &sign };
    (size.log() + peak, sign)
}

/// The logarithm of the mean of `e^x` along axes, `ln(sum(e^x) / n)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::logmeanexp(&Array::from_slice(&[500.0f32, 500.0]), 0).item::<f32>()?, 500.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn logmeanexp(x: &Array, axes: impl IntoAxes) -> Array {
    let axes = axes.into_axes();
    let mut count = 1.0;
    for axis in resolve_all("logmeanexp", x, &axes[..]) {
        count *= x.shape()[axis] as f64;
    }
    logsumexp(x, &axes[..]) - count.ln()
}

/// `e^x / sum(e^x)` along axes.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::softmax(&Array::from_slice(&[1000.0f32, 1000.0]), -1);
/// assert_eq!(y.to_vec::<f32>()?, [0.5, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn softmax(x: &Array, axes: impl IntoAxes) -> Array {
    let x = &x.inexact();
    let axes = resolve_all("softmax", x, axes);
    let e = (x - keep(&peak(x, &axes), x, &axes)).exp();
    let total = keep(&reduce(&e, Reducer::Add, &axes), &e, &axes);
    e / total
}

/// As [`softmax`], of the elements where `mask` holds; 0 elsewhere, also where the mask holds nowhere along the axes.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let mask = Array::from_slice(&[true, false, true]);
/// assert_eq!(nn::softmax_where(&Array::ones(&[3]), -1, &mask).to_vec::<f32>()?, [0.5, 0.0, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn softmax_where(x: &Array, axes: impl IntoAxes, mask: &Array) -> Array {
    let x = &masked(&x.inexact(), mask);
    let axes = resolve_all("softmax", x, axes);
    let e = (x - keep(&peak(x, &axes), x, &axes)).exp();
    let total = keep(&reduce(&e, Reducer::Add, &axes), &e, &axes);
    e / where_(&total.eq(0), 1, &total)
}

/// `x - ln(sum(e^x))` along axes.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::log_softmax(&Array::from_slice(&[0.0f32, 1000.0]), -1);
/// assert_eq!(y.to_vec::<f32>()?, [-1000.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn log_softmax(x: &Array, axes: impl IntoAxes) -> Array {
    let x = &x.inexact();
    let axes = resolve_all("log_softmax", x, axes);
    let shifted = x - keep(&peak(x, &axes), x, &axes);
    let total = reduce(&shifted.exp(), Reducer::Add, &axes);
    &shifted - keep(&total.log(), x, &axes)
}

/// As [`log_softmax`], of the elements where `mask` holds; minus infinity elsewhere.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let mask = Array::from_slice(&[false, true]);
/// let y = nn::log_softmax_where(&Array::ones(&[2]), -1, &mask);
/// assert_eq!(y.to_vec::<f32>()?, [f32::NEG_INFINITY, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn log_softmax_where(x: &Array, axes: impl IntoAxes, mask: &Array) -> Array {
    masked(&log_softmax(&masked(&x.inexact(), mask), axes), mask)
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
pub fn standardize(x: &Array, axes: impl IntoAxes, epsilon: f64) -> Array {
    let x = &x.inexact();
    let axes = resolve_all("standardize", x, axes);
    let count: f64 = axes.iter().map(|&axis| x.shape()[axis] as f64).product();
    let wide = x.astype(x.dtype().accumulator());
    let mean = keep(&(reduce(&wide, Reducer::Add, &axes) / count), &wide, &axes);
    // Two passes: the mean of the squares less the square of the mean cancels where the mean is far from zero.
    let centred = &wide - &mean;
    let variance = keep(&(reduce(&centred.square(), Reducer::Add, &axes) / count), &wide, &axes);
    standardize_with(x, &mean.astype(x.dtype()), &variance.astype(x.dtype()), epsilon)
}

/// `(x - mean) / sqrt(variance + epsilon)` with a mean and a variance that broadcast against `x`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::standardize_with(&Array::ones(&[2]), &Array::scalar(3.0f32), &Array::scalar(4.0f32), 0.0);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn standardize_with(x: &Array, mean: &Array, variance: &Array, epsilon: f64) -> Array {
    (x - mean) * (variance + epsilon).rsqrt()
}
