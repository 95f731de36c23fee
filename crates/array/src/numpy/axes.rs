//! Axes by their numbers, and positions along them.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;

/// Axes as users write them: one or several, negative axes counted from the end.
pub trait IntoAxes {
    /// The axes.
    fn into_axes(self) -> Vec<isize>;
}
impl IntoAxes for isize {
    fn into_axes(self) -> Vec<isize> {
        vec![self]
    }
}
impl IntoAxes for i32 {
    fn into_axes(self) -> Vec<isize> {
        vec![self as isize]
    }
}
impl<const N: usize> IntoAxes for [isize; N] {
    fn into_axes(self) -> Vec<isize> {
        self.to_vec()
    }
}
impl IntoAxes for &[isize] {
    fn into_axes(self) -> Vec<isize> {
        self.to_vec()
    }
}

/// The axis of `x`, an array of `rank` axes, that `axis` is, counted from the end where it is negative.
///
/// # Errors
///
/// A program error of `op` if the array has no such axis.
///
/// ```
/// use jarrah_array::{Array, library};
/// assert_eq!(library::resolve("sum", &Array::zeros(&[2, 3]), -1, 2), 1);
/// ```
#[track_caller]
pub fn resolve(op: &str, x: &Array, axis: isize, rank: usize) -> usize {
    let resolved = if axis < 0 { axis + rank as isize } else { axis };
    if (0..rank as isize).contains(&resolved) {
        return resolved as usize;
    }
    let error =
        Error::program(format!("axis {axis} is out of range for {}", x.ty())).op(op).at(Location::caller());
    let error = error.help(format!("axes run from {} to {}", -(rank as isize), rank as isize - 1));
    fail(with_context(match x.source().location {
        Some(made) => error.label(made, "the array was made"),
        None => error,
    }))
}

// A loop, not a closure: the caller's line does not pass through closures.
#[track_caller]
pub(crate) fn resolve_each(op: &str, x: &Array, axes: &[isize]) -> Vec<usize> {
    let mut resolved = Vec::with_capacity(axes.len());
    for &axis in axes {
        resolved.push(resolve(op, x, axis, x.rank()));
    }
    resolved
}

/// The axes of `x` that these are, in increasing order.
///
/// # Errors
///
/// A program error of `op` if the array lacks one, or one is named twice.
///
/// ```
/// use jarrah_array::{Array, library};
/// assert_eq!(library::resolve_all("sum", &Array::zeros(&[2, 3]), [-1, 0]), [0, 1]);
/// ```
#[track_caller]
pub fn resolve_all(op: &str, x: &Array, axes: impl IntoAxes) -> Vec<usize> {
    let mut resolved = resolve_each(op, x, &axes.into_axes());
    resolved.sort_unstable();
    if let Some(twice) = resolved.windows(2).find(|w| w[0] == w[1]) {
        let error = Error::program(format!("axis {} of {} is named twice", twice[0], x.ty()));
        let error = error.help("name each axis once; negative ones count from the end");
        fail(with_context(error.op(op).at(Location::caller())));
    }
    resolved
}

/// Fails where the positions along `axis` do not fit `i32`.
#[track_caller]
pub(crate) fn check_positions(op: &str, shape: &[usize], axis: usize) {
    if shape[axis] > i32::MAX as usize {
        let error = Error::program(format!("{} positions do not fit i32", shape[axis]));
        fail(with_context(error.op(op).at(Location::caller())));
    }
}

/// `0, 1, 2, ...` along `axis` of an array of `shape`, as `i32`.
///
/// # Errors
///
/// A program error of `op` if these numbers do not fit `i32`.
///
/// ```
/// use jarrah_array::library;
/// assert_eq!(library::positions("sort", &[2, 3], 1).to_vec::<i32>()?, [0, 1, 2, 0, 1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn positions(op: &str, shape: &[usize], axis: usize) -> Array {
    check_positions(op, shape, axis);
    lax::iota(DType::I32, shape, axis)
}

/// The number of elements along `axes` of an array of `shape`.
pub(crate) fn elements_along(shape: &[usize], axes: &[usize]) -> usize {
    axes.iter().map(|&axis| shape[axis]).product()
}
