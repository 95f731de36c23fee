use std::ops::Range;

use jarrah_array::library::{resolve_all, with_context};
use jarrah_array::numpy::IntoAxes;
use jarrah_array::signal::{Mode, convolution, operands};
use jarrah_array::{Array, fail, fft, lax};
use jarrah_base::{Error, Location};

#[track_caller]
fn all_parts(op: &str, x: &Array, y: &Array, mode: Mode, late: bool) -> (Array, Array, Vec<Range<usize>>) {
    let axes: Vec<usize> = (0..x.rank()).collect();
    let (x, y) = operands(op, x, y, &axes, mode);
    let parts = axes.iter().map(|&a| mode.part(x.shape()[a], y.shape()[a], late)).collect();
    (x, y, parts)
}

/// The convolution of two arrays of equal rank along all axes, `z_k = sum over j of x_(k - j) y_j`, computed as it stands:
/// [`fftconvolve`] takes less time for large arrays.
///
/// # Errors
///
/// A program error if the ranks differ, an array has no element, or neither contains the other in the mode [`Mode::Valid`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let (x, y) = (Array::ones(&[3, 4]), Array::ones(&[2, 2]));
/// assert_eq!(signal::convolve(&x, &y, signal::Mode::Full).shape(), [4, 5]);
/// assert_eq!(signal::convolve(&x, &y, signal::Mode::Same).shape(), [3, 4]);
/// ```
#[track_caller]
pub fn convolve(x: &Array, y: &Array, mode: Mode) -> Array {
    let (x, y, parts) = all_parts("convolve", x, y, mode, false);
    convolution(&x, &y, &parts)
}

/// As [`convolve`], of matrices.
///
/// # Errors
///
/// A program error unless both are matrices, and as [`convolve`].
///
/// ```
/// use jarrah_science::signal::{self, Mode};
/// use jarrah_array::Array;
/// let (x, y) = (Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]), Array::ones(&[1, 2]));
/// assert_eq!(signal::convolve2d(&x, &y, Mode::Full).to_vec::<f32>()?, [1.0, 3.0, 2.0, 3.0, 7.0, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn convolve2d(x: &Array, y: &Array, mode: Mode) -> Array {
    check_matrices("convolve2d", x, y);
    let (x, y, parts) = all_parts("convolve2d", x, y, mode, false);
    convolution(&x, &y, &parts)
}

/// The correlation of two arrays of equal rank along all axes: the convolution of `x` with the conjugate of `y` in opposite
/// order.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[1.0f32, 10.0]));
/// assert_eq!(signal::correlate(&x, &y, signal::Mode::Valid).to_vec::<f32>()?, [21.0, 32.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn correlate(x: &Array, y: &Array, mode: Mode) -> Array {
    let (x, y, parts) = all_parts("correlate", x, y, mode, false);
    convolution(&x, &turned(&y), &parts)
}

/// As [`correlate`], of matrices, with the later of the two middles in the mode [`Mode::Same`] where extents of `y` are even.
///
/// # Errors
///
/// A program error unless both are matrices, and as [`convolve`].
///
/// ```
/// use jarrah_science::signal::{self, Mode};
/// use jarrah_array::Array;
/// let x = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
/// let y = Array::new(&[1.0f32, 0.0, 0.0, 10.0], &[2, 2]);
/// assert_eq!(signal::correlate2d(&x, &y, Mode::Valid).to_vec::<f32>()?, [41.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn correlate2d(x: &Array, y: &Array, mode: Mode) -> Array {
    check_matrices("correlate2d", x, y);
    let (x, y, parts) = all_parts("correlate2d", x, y, mode, true);
    convolution(&x, &turned(&y), &parts)
}

/// The conjugate in opposite order along all axes.
#[track_caller]
fn turned(y: &Array) -> Array {
    let axes: Vec<usize> = (0..y.rank()).collect();
    lax::reverse(&y.conj(), &axes)
}

#[track_caller]
fn check_matrices(op: &str, x: &Array, y: &Array) {
    if x.rank() != 2 || y.rank() != 2 {
        let error = Error::program(format!("{} and {} are not both matrices", x.ty(), y.ty()));
        fail(with_context(error.op(op).at(Location::caller())));
    }
}

/// [`convolve`] by Fourier transforms, along all axes.
///
/// ```
/// use jarrah_science::signal::{self, Mode};
/// use jarrah_array::Array;
/// let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[1.0f32, 10.0]));
/// let z = signal::fftconvolve(&x, &y, Mode::Full);
/// assert_eq!(z.round_to(3).to_vec::<f32>()?, [1.0, 12.0, 23.0, 30.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fftconvolve(x: &Array, y: &Array, mode: Mode) -> Array {
    let axes: Vec<isize> = (0..x.rank() as isize).collect();
    fftconvolve_along(x, y, mode, &axes[..])
}

/// [`fftconvolve`] along some of the axes; the others have equal extents.
///
/// # Errors
///
/// A program error if the others differ, and as [`convolve`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::signal;
/// let (x, y) = (Array::ones(&[2, 8]), Array::ones(&[2, 3]));
/// assert_eq!(signal::fftconvolve_along(&x, &y, signal::Mode::Full, 1).shape(), [2, 10]);
/// ```
#[track_caller]
pub fn fftconvolve_along(x: &Array, y: &Array, mode: Mode, axes: impl IntoAxes) -> Array {
    let axes = resolve_all("fftconvolve", x, axes);
    let (x, y) = operands("fftconvolve", x, y, &axes, mode);
    if let Some(axis) = (0..x.rank()).find(|a| !axes.contains(a) && x.shape()[*a] != y.shape()[*a]) {
        let message = format!("extents of axis {axis} differ: {} and {}", x.ty(), y.ty());
        fail(with_context(Error::program(message).op("fftconvolve").at(Location::caller())));
    }
    let (mut starts, mut limits) = (vec![0; x.rank()], x.shape().to_vec());
    let mut lengths = Vec::with_capacity(axes.len());
    for &axis in &axes {
        let (m, n) = (x.shape()[axis], y.shape()[axis]);
        let part = mode.part(m, n, false);
        (starts[axis], limits[axis]) = (part.start, part.end);
        lengths.push(m + n - 1);
    }
    let signed: Vec<isize> = axes.iter().map(|&a| a as isize).collect();
    let over = fft::over(&signed[..]).lengths(lengths);
    let product = match x.dtype().is_complex() {
        true => over.ifft(&(over.fft(&x) * over.fft(&y))),
        false => over.irfft(&(over.rfft(&x) * over.rfft(&y))),
    };
    lax::slice(&product, &starts, &limits, &vec![1; x.rank()])
}
