//! Slices along one axis at fixed or traced positions; gathers and scatters with explicit dimension numbers.

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
/// let x = lax::dynamic_slice_in_dim(&Array::arange(5), &Array::scalar(3), 2, 0);
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
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::arange(6).reshape(&[2, 3]);
/// assert_eq!(lax::dynamic_index_in_dim(&x, &Array::scalar(-1), 1).to_vec::<i32>()?, [2, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_index_in_dim(x: &Array, index: &Array, axis: isize) -> Array {
    dynamic_slice_in_dim(x, index, 1, axis).squeeze(axis)
}

/// `x` with `update` in place of the slices along `axis` from `start` on, an integer scalar; a negative `start` counts from the
/// end. The block is moved to lie inside.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, update) = (Array::arange(5), Array::from_slice(&[8i32, 9]));
/// let y = lax::dynamic_update_slice_in_dim(&x, &update, &Array::scalar(1), 0);
/// assert_eq!(y.to_vec::<i32>()?, [0, 8, 9, 3, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_update_slice_in_dim(x: &Array, update: &Array, start: &Array, axis: isize) -> Array {
    let axis = resolve("dynamic_update_slice_in_dim", x, axis, x.rank());
    let start = super::normalize_index(start, x.shape()[axis]);
    dynamic_update_slice(x, update, &starts(x, &start, axis))
}

/// `x` with `update`, which lacks `axis`, in place of the slice at `index`, an integer scalar.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, column) = (Array::arange(6).reshape(&[2, 3]), Array::from_slice(&[8i32, 9]));
/// let y = lax::dynamic_update_index_in_dim(&x, &column, &Array::scalar(0), 1);
/// assert_eq!(y.to_vec::<i32>()?, [8, 1, 2, 9, 4, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_update_index_in_dim(x: &Array, update: &Array, index: &Array, axis: isize) -> Array {
    let at = resolve("dynamic_update_index_in_dim", x, axis, x.rank());
    dynamic_update_slice_in_dim(x, &update.expand_dims(at as isize), index, axis)
}

/// Slices of `x` at index vectors, as `stablehlo.gather`; `dimensions` say which axes are which.
///
/// ```
/// use jarrah_array::{Array, lax};
/// // The elements at (0, 2) and (1, 0).
/// let x = Array::arange(6).reshape(&[2, 3]);
/// let at = Array::from_slice(&[0i32, 2, 1, 0]).reshape(&[2, 2]);
/// let elements = lax::Gather {
///     offset_axes: vec![].into(),
///     collapsed_axes: vec![0, 1].into(),
///     index_map: vec![0, 1].into(),
///     index_vector_axis: 1,
///     sizes: vec![1, 1].into(),
///     ..lax::Gather::rows(x.ty(), at.ty())?
/// };
/// assert_eq!(lax::gather(&x, &at, elements).to_vec::<i32>()?, [2, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn gather(x: &Array, indices: &Array, dimensions: Gather) -> Array {
    apply_one(dimensions, &[x, indices])
}

/// `x` combined with `updates` at index vectors, as `stablehlo.scatter`; `dimensions` say which axes are which, and how.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, at) = (Array::ones(&[3, 2]), Array::from_slice(&[2i32, 0]));
/// let rows = lax::Scatter::rows(x.ty(), at.ty(), lax::Update::Assign);
/// let y = lax::scatter(&x, &at, &Array::zeros(&[2, 2]), rows);
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scatter(x: &Array, indices: &Array, updates: &Array, dimensions: Scatter) -> Array {
    apply_one(dimensions, &[x, indices, updates])
}
