//! The steps, one family a file.

pub mod attention;
pub mod by_program;
pub mod contraction;
pub mod convolution;
pub mod copy;
pub mod custom_call;
pub mod dot;
pub mod dynamic;
pub mod gather;
pub mod kernel;
pub mod points;
pub mod prologue;
pub mod ragged;
pub mod reference;
pub mod scalar_loop;
pub mod scalars;
pub mod scatter;
pub mod sort;
pub mod window;

use jarrah_base::{DType, with_element};
use jarrah_execute::PlacedArray;

use crate::client::device::{Frame, FramePointers};
use crate::gemm::Shared;

/// The element strides of a dense tensor.
pub(super) fn row_major(dims: &[usize]) -> Vec<isize> {
    let mut strides = vec![1isize; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis] * dims[axis] as isize;
    }
    strides
}

/// The one stride of several axes merged in row-major order; `None` if they are not evenly spaced.
pub(super) fn merged_stride(dims: &[usize], strides: &[isize], axes: &[usize]) -> Option<isize> {
    let mut merged: Option<(isize, isize)> = None;
    for &axis in axes.iter().rev().filter(|&&a| dims[a] != 1) {
        let (extent, stride) = (dims[axis] as isize, strides[axis]);
        merged = match merged {
            None => Some((stride, stride * extent)),
            Some((first, next)) if stride == next => Some((first, next * extent)),
            Some(_) => return None,
        };
    }
    Some(merged.map_or(1, |(first, _)| first))
}

/// The offset of row-major position `index` of axes, by their extents and strides.
pub(super) fn offset(mut index: usize, axes: &[(usize, isize)]) -> isize {
    let mut at = 0;
    for &(extent, stride) in axes.iter().rev() {
        at += (index % extent) as isize * stride;
        index /= extent;
    }
    at
}

/// The arrays as pointers that tasks share.
pub(super) fn shared(frame: &Frame<'_>, arrays: &[PlacedArray]) -> Vec<Shared<u8>> {
    arrays.iter().map(|array| Shared(frame.at(array.loc))).collect()
}

/// The integer at element `index` of an array of `dtype`.
///
/// # Safety
/// The element is readable.
pub(super) unsafe fn integer(dtype: DType, ptr: *const u8, index: usize) -> i128 {
    with_element!(dtype, T => {
        // SAFETY: the caller's contract.
        let x: T = unsafe { ptr.cast::<T>().add(index).read_unaligned() };
        jarrah_base::Element::to_i128(x)
    })
}

/// The value of an integer scalar.
pub(super) fn scalar(frame: &Frame<'_>, array: &PlacedArray) -> i128 {
    // SAFETY: a step's operands are readable.
    unsafe { integer(array.ty.dtype(), frame.at(array.loc), 0) }
}
