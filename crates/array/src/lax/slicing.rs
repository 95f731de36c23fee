//! Slices along one axis, at positions that are numbers or arrays; gathers and scatters as they are.

use jarrah_hlo::ops::{Gather, Scatter};

use crate::array::Array;
use crate::lax::{dynamic_slice, dynamic_update_slice};
use crate::numpy::resolve;
use crate::trace::apply_one;

/// Start positions of a block that is whole but for one axis.
#[track_caller]
fn starts(x: &Array, start: &Array, axis: usize) -> Vec<Array> {
    let zero = start.zeros_like();
    (0..x.rank()).map(|a| if a == axis { start.clone() } else { zero.clone() }).collect()
}

/// The `size` slices along `axis` from `start` on, an integer scalar; negative ones count from the end. The block is moved to
/// lie inside.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = lax::dynamic_slice_in_dim(&Array::arange(5), &Array::scalar(3i32), 2, 0);
/// assert_eq!(x.to_vec::<i32>()?, [3, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_slice_in_dim(x: &Array, start: &Array, size: usize, axis: isize) -> Array {
    let axis = resolve("dynamic_slice_in_dim", x, axis, x.rank());
    let mut sizes = x.shape().to_vec();
    let start = super::normalize_index(start, sizes[axis]);
    sizes[axis] = size;
    dynamic_slice(x, &starts(x, &start, axis), &sizes)
}

/// The slice along `axis` at `index`, an integer scalar, without that axis.
#[track_caller]
pub fn dynamic_index_in_dim(x: &Array, index: &Array, axis: isize) -> Array {
    dynamic_slice_in_dim(x, index, 1, axis).squeeze(axis)
}

/// `x` with `update` in the place of the slices along `axis` from `start` on.
#[track_caller]
pub fn dynamic_update_slice_in_dim(x: &Array, update: &Array, start: &Array, axis: isize) -> Array {
    let axis = resolve("dynamic_update_slice_in_dim", x, axis, x.rank());
    let start = super::normalize_index(start, x.shape()[axis]);
    dynamic_update_slice(x, update, &starts(x, &start, axis))
}

/// `x` with `update`, which lacks `axis`, in the place of the slice at `index`.
#[track_caller]
pub fn dynamic_update_index_in_dim(x: &Array, update: &Array, index: &Array, axis: isize) -> Array {
    let at = resolve("dynamic_update_index_in_dim", x, axis, x.rank());
    dynamic_update_slice_in_dim(x, &update.expand_dims(at as isize), index, axis)
}

/// Slices of `x` at index vectors, as `stablehlo.gather`; `dimensions` say which axes are which.
#[track_caller]
pub fn gather(x: &Array, indices: &Array, dimensions: Gather) -> Array {
    apply_one(dimensions, &[x, indices])
}

/// `x` combined with `updates` at index vectors, as `stablehlo.scatter`; `dimensions` say which axes are which, and how.
#[track_caller]
pub fn scatter(x: &Array, indices: &Array, updates: &Array, dimensions: Scatter) -> Array {
    apply_one(dimensions, &[x, indices, updates])
}
