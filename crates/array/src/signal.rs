//! Convolutions of vectors, as NumPy has them, and what those along several axes are made of: `jarrah-science` has these.

use std::ops::Range;

use jarrah_base::{Error, Location};
use jarrah_hlo::ops::Convolution;

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
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

impl Mode {
    /// The elements of a full convolution along an axis of `m` and `n` elements that are returned; `late` says which of the two
    /// middles of an odd remainder is taken.
    ///
    /// ```
    /// use jarrah_array::signal::Mode;
    /// assert_eq!(Mode::Full.part(5, 2, false), 0..6);
    /// assert_eq!(Mode::Same.part(5, 2, false), 0..5);
    /// assert_eq!(Mode::Same.part(5, 2, true), 1..6);
    /// assert_eq!(Mode::Valid.part(5, 2, false), 1..5);
    /// ```
    pub fn part(self, m: usize, n: usize, late: bool) -> Range<usize> {
        let (start, count) = match self {
            Mode::Full => (0, m + n - 1),
            Mode::Same => (if late { n / 2 } else { (n - 1) / 2 }, m),
            Mode::Valid => (m.min(n) - 1, m.max(n) - m.min(n) + 1),
        };
        start..start + count
    }
}

/// Two arrays as they are convolved along `axes`: of one inexact dtype.
///
/// # Errors
///
/// A program error of `op` if their ranks differ, one has no element, or neither contains the other in the mode [`Mode::Valid`].
///
/// ```
/// use jarrah_array::signal::{self, Mode};
/// use jarrah_array::{Array, DType};
/// let (x, y) = signal::operands("convolve", &Array::ones(&[3]), &Array::from_slice(&[1i32, 2]), &[0], Mode::Full);
/// assert_eq!((x.dtype(), y.dtype()), (DType::F32, DType::F32));
/// ```
#[track_caller]
pub fn operands(op: &str, x: &Array, y: &Array, axes: &[usize], mode: Mode) -> (Array, Array) {
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

/// Parts of the sums of products `z_k = sum over j of x_(k - j) y_j` along all axes of two arrays of one inexact dtype and rank: the
/// elements `parts[a]` along axis `a`.
///
/// ```
/// use jarrah_array::{Array, signal};
/// let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[1.0f32, 10.0]));
/// assert_eq!(signal::convolution(&x, &y, &[1..3]).to_vec::<f32>()?, [12.0, 23.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn convolution(x: &Array, y: &Array, parts: &[Range<usize>]) -> Array {
    let rank = x.rank();
    if rank == 0 {
        return x * y;
    }
    let (s, t) = (x.shape(), y.shape());
    let mut conv = Convolution::new(rank, x.dtype());
    for (axis, part) in parts.iter().enumerate() {
        conv.reversed[axis] = true;
        conv.low[axis] = t[axis] as i64 - 1 - part.start as i64;
        conv.high[axis] = part.end as i64 - s[axis] as i64;
    }
    // One example of one feature.
    let (image, kernel) = (x.expand_dims(-1).expand_dims(0), y.expand_dims(-1).expand_dims(-1));
    apply_one(conv, &[&image, &kernel]).squeeze(-1).squeeze(0)
}

impl Array {
    /// The convolution of two vectors; the part [`Mode::Same`] has the length of the longer one.
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
        let part = mode.part(m.max(n), m.min(n), false);
        convolution(&x, &y, &[part])
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
        let part = mode.part(m.max(n), m.min(n), shorter);
        convolution(&x, &lax::reverse(&y.conj(), &[0]), &[part])
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
