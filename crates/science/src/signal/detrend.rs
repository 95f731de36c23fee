use jarrah_array::library::{resolve, with_context};
use jarrah_array::{Array, concatenate, fail, lax};
use jarrah_base::{Error, Location};

/// The trend that is subtracted from a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detrend {
    /// Nothing.
    None,
    /// The mean.
    Constant,
    /// The straight line of least squares.
    Linear,
}

/// `x` without its trend along an axis.
///
/// ```
/// use jarrah_science::signal::{Detrend, detrend};
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1.0f32, 3.0, 5.0, 7.0]);
/// assert_eq!(detrend(&x, Detrend::Constant, -1).to_vec::<f32>()?, [-3.0, -1.0, 1.0, 3.0]);
/// assert_eq!(detrend(&x, Detrend::Linear, -1).to_vec::<f32>()?, [0.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn detrend(x: &Array, trend: Detrend, axis: isize) -> Array {
    detrend_pieces(x, trend, axis, &[])
}

/// As [`detrend`], of each of the pieces that begin at the positions `breaks`.
///
/// # Errors
///
/// A program error if a position is beyond the end of the axis.
///
/// ```
/// use jarrah_science::signal::{Detrend, detrend_pieces};
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1.0f32, 3.0, 10.0, 20.0, 30.0]);
/// let flat = detrend_pieces(&x, Detrend::Constant, 0, &[2]);
/// assert_eq!(flat.to_vec::<f32>()?, [-1.0, 1.0, -10.0, 0.0, 10.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn detrend_pieces(x: &Array, trend: Detrend, axis: isize, breaks: &[usize]) -> Array {
    let at = resolve("detrend", x, axis, x.rank());
    let n = x.shape()[at];
    if let Some(beyond) = breaks.iter().find(|&&b| b > n) {
        let error = Error::program(format!("position {beyond} is beyond axis {at} of {}", x.ty()));
        fail(with_context(error.op("detrend").at(Location::caller())));
    }
    let mut cuts = [breaks, &[0, n]].concat();
    cuts.sort_unstable();
    cuts.dedup();
    let x = lax::move_axis(&x.inexact(), at, x.rank() - 1);
    let mut pieces = Vec::with_capacity(cuts.len());
    for ends in cuts.windows(2) {
        pieces.push(flattened(&x.slice(-1, ends[0]..ends[1]), trend));
    }
    let flat = if pieces.is_empty() { x } else { concatenate(&pieces.iter().collect::<Vec<_>>(), -1) };
    lax::move_axis(&flat, flat.rank() - 1, at)
}

/// `x` without its trend along the last axis.
#[track_caller]
fn flattened(x: &Array, trend: Detrend) -> Array {
    if trend == Detrend::None {
        return x.clone();
    }
    let level = x - x.mean(-1).expand_dims(-1);
    let n = x.shape()[x.rank() - 1];
    if trend == Detrend::Constant || n < 2 {
        return level;
    }
    // Times 1 - n, 3 - n, .., n - 1 are orthogonal to constants, and their squares add up to n (n^2 - 1) / 3.
    let count = n as f64;
    let times = lax::iota(x.dtype().real(), &[n], 0) * 2.0 - (count - 1.0);
    let squares = count * (count * count - 1.0) / 3.0;
    let slope = (&level * &times).sum(-1).expand_dims(-1) / squares;
    level - slope * times
}
