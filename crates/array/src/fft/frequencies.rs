use jarrah_base::DType;

use crate::array::Array;
use crate::numpy::{IntoAxes, resolve_all};

/// The frequencies of the elements of a transform of `n` samples that are `spacing` apart, in cycles per unit of the spacing:
/// `[0, 1, .., -2, -1] / (n spacing)`, `f32`.
///
/// ```
/// use jarrah_array::fft;
/// assert_eq!(fft::fftfreq(4, 0.5).to_vec::<f32>()?, [0.0, 0.5, -1.0, -0.5]);
/// assert_eq!(fft::rfftfreq(4, 0.5).to_vec::<f32>()?, [0.0, 0.5, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fftfreq(n: usize, spacing: f64) -> Array {
    fftfreq_in(n, spacing, DType::F32)
}

/// As [`fftfreq`], of a float type.
///
/// ```
/// use jarrah_array::{DType, fft};
/// assert_eq!(fft::fftfreq_in(4, 0.5, DType::F64).to_vec::<f64>()?, [0.0, 0.5, -1.0, -0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fftfreq_in(n: usize, spacing: f64, dtype: DType) -> Array {
    let half = n.div_ceil(2) as i64;
    let place = Array::arange(n);
    let wrapped = (place + (n as i64 - half)) % n.max(1) as i64 - (n as i64 - half);
    wrapped.astype(dtype) / (n as f64 * spacing)
}

/// The frequencies of the elements that [`rfft`](super::rfft) keeps: `[0, 1, .., n / 2] / (n spacing)`, `f32`.
///
/// ```
/// use jarrah_array::fft;
/// assert_eq!(fft::rfftfreq(5, 1.0).to_vec::<f32>()?, [0.0, 0.2, 0.4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rfftfreq(n: usize, spacing: f64) -> Array {
    rfftfreq_in(n, spacing, DType::F32)
}

/// As [`rfftfreq`], of a float type.
///
/// ```
/// use jarrah_array::{DType, fft};
/// assert_eq!(fft::rfftfreq_in(4, 0.5, DType::F64).to_vec::<f64>()?, [0.0, 0.5, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rfftfreq_in(n: usize, spacing: f64, dtype: DType) -> Array {
    Array::arange(n / 2 + 1).astype(dtype) / (n as f64 * spacing)
}

/// `x` turned along axes, so that the frequency 0 moves from the first to the middle position.
///
/// ```
/// use jarrah_array::{Array, fft};
/// let x = Array::arange(5);
/// assert_eq!(fft::fftshift(&x, 0).to_vec::<i32>()?, [3, 4, 0, 1, 2]);
/// assert_eq!(fft::ifftshift(&fft::fftshift(&x, 0), 0).to_vec::<i32>()?, [0, 1, 2, 3, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fftshift(x: &Array, axes: impl IntoAxes) -> Array {
    turned("fftshift", x, axes, |n| n / 2)
}

/// The inverse of [`fftshift`].
///
/// ```
/// use jarrah_array::{Array, fft};
/// assert_eq!(fft::ifftshift(&Array::arange(5), 0).to_vec::<i32>()?, [2, 3, 4, 0, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ifftshift(x: &Array, axes: impl IntoAxes) -> Array {
    turned("ifftshift", x, axes, |n| n.div_ceil(2))
}

/// `x` rolled by `shift(n)` along axes of `n` elements.
#[track_caller]
fn turned(op: &str, x: &Array, axes: impl IntoAxes, shift: fn(usize) -> usize) -> Array {
    let mut x = x.clone();
    for axis in resolve_all(op, &x, axes) {
        x = x.roll(shift(x.shape()[axis]) as isize, axis as isize);
    }
    x
}
