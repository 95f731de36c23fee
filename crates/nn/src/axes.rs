//! Axes and dtypes of what layers get.

use jarrah_array::{Array, Error, fail, promote_types};

/// Axes of an array of `rank` axes, counted from the first.
#[track_caller]
pub(crate) fn resolved(op: &str, axes: &[isize], rank: usize) -> Vec<usize> {
    let mut resolved = Vec::with_capacity(axes.len());
    for &axis in axes {
        let at = if axis < 0 { axis + rank as isize } else { axis };
        if !(0..rank as isize).contains(&at) {
            let error = Error::program(format!("axis {axis} of an array of {rank} axes"));
            fail(error.op(op).help("give an argument of more axes, or another axis"));
        }
        resolved.push(at as usize);
    }
    resolved
}

/// Both in the dtype that they have together.
pub(crate) fn promoted(x: &Array, y: &Array) -> (Array, Array) {
    let dtype = promote_types(x.dtype(), y.dtype());
    (x.astype(dtype), y.astype(dtype))
}
