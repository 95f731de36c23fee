//! Arithmetic of sizes and positions.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::kernel::checked;

/// The number of blocks of `b` elements that `a` elements fill.
///
/// ```
/// use jarrah_array::kernel::cdiv;
/// assert_eq!((cdiv(8, 4), cdiv(9, 4)), (2, 3));
/// ```
///
/// Source: `jax.experimental.pallas.cdiv`.
#[track_caller]
pub fn cdiv(a: usize, b: usize) -> usize {
    if b == 0 {
        let error = Error::program("blocks of no elements hold none").op("cdiv").at(Location::caller());
        fail(with_context(error.help("give blocks of at least one element")));
    }
    a.div_ceil(b)
}

/// An integer array as `i32`; values outside of its range become the nearest bound.
#[track_caller]
pub(crate) fn narrow(x: &Array) -> Array {
    let near = match x.dtype() {
        DType::U32 | DType::U64 => x.minimum(i32::MAX),
        DType::I64 => x.clip(i32::MIN, i32::MAX),
        _ => x.clone(),
    };
    near.astype(DType::I32)
}

/// The least power of two that is not less than `n`.
///
/// ```
/// use jarrah_array::kernel::next_power_of_2;
/// assert_eq!((next_power_of_2(5), next_power_of_2(8)), (8, 8));
/// ```
///
/// Source: `jax.experimental.pallas.next_power_of_2`.
pub fn next_power_of_2(n: usize) -> usize {
    n.next_power_of_two()
}

/// The least multiple of `unit` that is not less than `n`.
///
/// ```
/// use jarrah_array::kernel::align_to;
/// assert_eq!((align_to(5, 4), align_to(8, 4)), (8, 8));
/// ```
///
/// Source: `jax.experimental.pallas.align_to`.
#[track_caller]
pub fn align_to(n: usize, unit: usize) -> usize {
    cdiv(n, unit) * unit
}

/// The distance in memory between neighbours along each axis of a row-major array, in elements.
///
/// ```
/// use jarrah_array::kernel::strides_from_shape;
/// assert_eq!(strides_from_shape(&[2, 3, 4]), [12, 4, 1]);
/// ```
///
/// Source: `jax.experimental.pallas.strides_from_shape`.
pub fn strides_from_shape(shape: &[usize]) -> Vec<usize> {
    (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect()
}

/// `x`, a position that is declared to be a multiple of `n`; checked mode verifies it.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::kernel::multiple_of;
/// assert_eq!(multiple_of(&Array::scalar(8), 4).item::<i32>()?, 8);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.multiple_of`.
#[track_caller]
pub fn multiple_of(x: &Array, n: usize) -> Array {
    if n == 0 || !x.dtype().is_integer() {
        let error = Error::program(format!("{} is no multiple of {n}", x.ty()));
        fail(with_context(
            error.op("multiple_of").at(Location::caller()).help("give an integer and a positive number"),
        ));
    }
    let rest = x.astype(DType::I64) % n as i64;
    checked::check(&rest.eq(0), &format!("{{}} is no multiple of {n}"), x);
    x.clone()
}
