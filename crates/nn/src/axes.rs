//! The axes and dtypes of the arguments of layers.

use jarrah_array::{Array, DType, Error, fail, promote_types};

use crate::Variable;

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

/// Both arrays converted to their common dtype.
#[track_caller]
pub(crate) fn promoted(x: &Array, y: &Array) -> (Array, Array) {
    let dtype = promote_types(x.dtype(), y.dtype());
    (x.astype(dtype), y.astype(dtype))
}

/// `x` in the dtype in which its statistics are computed: `f64` if `x` is `f64`, else `f32`.
#[track_caller]
pub(crate) fn wide(x: &Array) -> Array {
    x.astype(if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 })
}

/// A normalized `x` times the scale and plus the bias, as `spread` lays them along it, in the dtype that `x` and they have together.
#[track_caller]
pub(crate) fn scaled(
    x: &Array,
    mut normalized: Array,
    [scale, bias]: [Option<&Variable>; 2],
    spread: impl Fn(Array) -> Array,
) -> Array {
    let mut dtype = x.dtype();
    if let Some(scale) = scale {
        dtype = promote_types(dtype, scale.dtype());
        normalized *= spread(scale.get());
    }
    if let Some(bias) = bias {
        dtype = promote_types(dtype, bias.dtype());
        normalized += spread(bias.get());
    }
    normalized.astype(dtype)
}
