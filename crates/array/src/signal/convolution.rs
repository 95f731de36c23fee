use jarrah_base::{Error, Location};
use jarrah_hlo::ops::Convolution;

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::fft;
use crate::lax;
use crate::numpy::{IntoAxes, resolve_all};
use crate::operators::promote_types;
use crate::trace::apply_one;

/// Which part of a convolution is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// All of it: `m + n - 1` elements along an axis of `m` and `n`.
    Full,
    /// The middle, of the extents of the first array.
    Same,
    /// Where the smaller array lies inside of the larger: `max(m, n) - min(m, n) + 1` elements.
    Valid,
}

/// The elements `start..start + count` of a full convolution along an axis.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    count: usize,
}

impl Part {
    /// Of axes of `m` and `n` elements; `late` says which of the two middles of an odd remainder is taken.
    fn of(mode: Mode, m: usize, n: usize, late: bool) -> Part {
        match mode {
            Mode::Full => Part { start: 0, count: m + n - 1 },
            Mode::Same => Part { start: if late { n / 2 } else { (n - 1) / 2 }, count: m },
            Mode::Valid => Part { start: m.min(n) - 1, count: m.max(n) - m.min(n) + 1 },
        }
    }
}

/// Two arrays as they are convolved: of one inexact dtype and of the same rank, with elements.
#[track_caller]
fn operands(op: &str, x: &Array, y: &Array, axes: &[usize], mode: Mode) -> (Array, Array) {
    let (s, t) = (x.shape(), y.shape());
    let message = if s.len() != t.len() {
        Some("their ranks differ")
    } else if x.size() == 0 || y.size() == 0 {
        Some("one of them has no element")
    } else if mode == Mode::Valid
        && !axes.iter().all(|&a| s[a] >= t[a])
        && !axes.iter().all(|&a| s[a] <= t[a])
    {
        Some("neither contains the other")
    } else {
        None
    };
    if let Some(message) = message {
        let error = Error::program(format!("{} and {} cannot be convolved: {message}", x.ty(), y.ty()));
        fail(with_context(error.op(op).help("pad one of them, or use Mode::Full").at(Location::caller())));
    }
    let dtype = promote_types(x.dtype(), y.dtype());
    (x.astype(dtype).inexact(), y.astype(dtype).inexact())
}

/// Parts of the sums of products `z_k = sum over j of x_(k - j) y_j` along all axes.
#[track_caller]
fn direct(x: &Array, y: &Array, parts: &[Part]) -> Array {
    let rank = x.rank();
    if rank == 0 {
        return x * y;
    }
    let (s, t) = (x.shape(), y.shape());
    let mut conv = Convolution::new(rank, x.dtype());
    for (axis, part) in parts.iter().enumerate() {
        conv.reversed[axis] = true;
        conv.low[axis] = t[axis] as i64 - 1 - part.start as i64;
        conv.high[axis] = (part.start + part.count) as i64 - s[axis] as i64;
    }
    // One example of one feature.
    let (image, kernel) = (x.expand_dims(-1).expand_dims(0), y.expand_dims(-1).expand_dims(-1));
    apply_one(conv, &[&image, &kernel]).squeeze(-1).squeeze(0)
}

#[track_caller]
fn all_parts(op: &str, x: &Array, y: &Array, mode: Mode, late: bool) -> (Array, Array, Vec<Part>) {
    let axes: Vec<usize> = (0..x.rank()).collect();
    let (x, y) = operands(op, x, y, &axes, mode);
    let parts = axes.iter().map(|&a| Part::of(mode, x.shape()[a], y.shape()[a], late)).collect();
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
/// use jarrah_array::{Array, signal};
/// let (x, y) = (Array::ones(&[3, 4]), Array::ones(&[2, 2]));
/// assert_eq!(signal::convolve(&x, &y, signal::Mode::Full).shape(), [4, 5]);
/// assert_eq!(signal::convolve(&x, &y, signal::Mode::Same).shape(), [3, 4]);
/// ```
#[track_caller]
pub fn convolve(x: &Array, y: &Array, mode: Mode) -> Array {
    let (x, y, parts) = all_parts("convolve", x, y, mode, false);
    direct(&x, &y, &parts)
}

/// As [`convolve`], of matrices.
///
/// # Errors
///
/// A program error unless both are matrices, and as [`convolve`].
///
/// ```
/// use jarrah_array::signal::{self, Mode};
/// use jarrah_array::Array;
/// let (x, y) = (Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]), Array::ones(&[1, 2]));
/// assert_eq!(signal::convolve2d(&x, &y, Mode::Full).to_vec::<f32>()?, [1.0, 3.0, 2.0, 3.0, 7.0, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn convolve2d(x: &Array, y: &Array, mode: Mode) -> Array {
    check_matrices("convolve2d", x, y);
    let (x, y, parts) = all_parts("convolve2d", x, y, mode, false);
    direct(&x, &y, &parts)
}

/// The correlation of two arrays of equal rank along all axes: the convolution of `x` with the conjugate of `y` in opposite
/// order.
///
/// ```
/// use jarrah_array::{Array, signal};
/// let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[1.0f32, 10.0]));
/// assert_eq!(signal::correlate(&x, &y, signal::Mode::Valid).to_vec::<f32>()?, [21.0, 32.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn correlate(x: &Array, y: &Array, mode: Mode) -> Array {
    let (x, y, parts) = all_parts("correlate", x, y, mode, false);
    direct(&x, &turned(&y), &parts)
}

/// As [`correlate`], of matrices, with the later of the two middles in the mode [`Mode::Same`] where extents of `y` are even.
///
/// # Errors
///
/// A program error unless both are matrices, and as [`convolve`].
///
/// ```
/// use jarrah_array::signal::{self, Mode};
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
    direct(&x, &turned(&y), &parts)
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
/// use jarrah_array::signal::{self, Mode};
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
/// use jarrah_array::{Array, signal};
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
        let part = Part::of(mode, m, n, false);
        (starts[axis], limits[axis]) = (part.start, part.start + part.count);
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

/// What NumPy has beside SciPy.
impl Array {
    /// The convolution of two vectors; unlike that of [`convolve`], the part [`Mode::Same`] has the length of the longer one.
    ///
    /// ```
    /// use jarrah_array::{Array, signal::Mode};
    /// let (x, y) = (Array::from_slice(&[1.0f32, 2.0]), Array::from_slice(&[0.0f32, 1.0, 0.5]));
    /// assert_eq!(x.convolve(&y, Mode::Same).to_vec::<f32>()?, [0.0, 1.0, 2.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn convolve(&self, other: &Array, mode: Mode) -> Array {
        let (x, y, _) = vectors("convolve", self, other);
        let (m, n) = (x.size(), y.size());
        let part = Part::of(mode, m.max(n), m.min(n), false);
        direct(&x, &y, &[part])
    }

    /// The correlation of two vectors, `z_k = sum over j of x_(k + j) conj(y_j)`.
    ///
    /// ```
    /// use jarrah_array::{Array, signal::Mode};
    /// let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[0.0f32, 1.0]));
    /// assert_eq!(x.correlate(&y, Mode::Valid).to_vec::<f32>()?, [2.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn correlate(&self, other: &Array, mode: Mode) -> Array {
        let (x, y, shorter) = vectors("correlate", self, other);
        let (m, n) = (x.size(), y.size());
        let part = Part::of(mode, m.max(n), m.min(n), shorter);
        direct(&x, &turned(&y), &[part])
    }
}

/// Two vectors to convolve, and whether the first is the shorter one.
#[track_caller]
fn vectors(op: &str, x: &Array, y: &Array) -> (Array, Array, bool) {
    if x.rank() != 1 || y.rank() != 1 {
        let error = Error::program(format!("{} and {} are not both vectors", x.ty(), y.ty()));
        fail(with_context(error.op(op).at(Location::caller()).help("signal::convolve takes more axes")));
    }
    let (x, y) = operands(op, x, y, &[0], Mode::Full);
    let shorter = x.size() < y.size();
    (x, y, shorter)
}
