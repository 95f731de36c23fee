//! The functions of NumPy, which broadcast, promote and take negative axes.
//!
//! What is a function of an array is a method of [`Array`]; functions of several arrays, and of none, stand here. Axes that an
//! array does not have, and shapes that do not broadcast, are a program error in all of them.

mod at;
mod creation;
mod cumulative;
mod index;
mod integers;
mod manipulation;
mod mapping;
mod npy;
mod polynomials;
mod products;
mod selection;
mod sorting;
mod statistics;
mod step;
mod ufunc;
mod windows;

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;

pub use at::At;
pub use creation::{
    Indexing, IntoArange, diag_indices, fromfunction, ix_, meshgrid, tril_indices, triu_indices,
};
pub use index::{Ellipsis, Index, IntoIndices, NewAxis};
pub use integers::BitOrder;
pub use manipulation::{
    IntoParts, PadMode, block, broadcast_arrays, column_stack, concatenate, dstack, hstack, stack, vstack,
};
pub use mapping::{Finfo, finfo, result_type, vectorize};
pub use npy::{load, loadz, save, savez, savez_compressed};
pub use products::{einsum, einsum_path, tensordot};
pub use selection::{Ends, can_cast, mask_indices};
pub use sorting::{Descending, IntoOrder, Side, Unique, lexsort, ravel_multi_index, unravel_index};
pub use statistics::Quantile;
pub use step::{StepBy, Stepped, steps};
pub use ufunc::Ufunc;
pub use windows::{bartlett, blackman, hamming, hanning, kaiser};

pub use crate::elementwise::{choose, select};

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

#[track_caller]
pub(crate) fn resolve(op: &str, x: &Array, axis: isize, rank: usize) -> usize {
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

#[track_caller]
pub(crate) fn resolve_all(op: &str, x: &Array, axes: impl IntoAxes) -> Vec<usize> {
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

/// `0, 1, 2, ...` along `axis`, as `i32`.
#[track_caller]
pub(crate) fn positions(op: &str, shape: &[usize], axis: usize) -> Array {
    check_positions(op, shape, axis);
    lax::iota(DType::I32, shape, axis)
}

/// The number of elements along `axes` of an array of `shape`.
pub(crate) fn elements_along(shape: &[usize], axes: &[usize]) -> usize {
    axes.iter().map(|&axis| shape[axis]).product()
}
