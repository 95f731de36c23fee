//! Loops built from other loops.

use std::ops::Range;

use jarrah_base::{Error, Location};
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::control::{cond, scan, scan_from};
use crate::error::{fail, with_context};
use crate::export;
use crate::function::Leaves;
use crate::lax;
use crate::numpy::{concatenate, resolve};

/// `value = body(i, value)` for each `i` of a range, as `i32`.
///
/// If both bounds are known the number of steps is too, and the loop has a gradient.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let sum = lax::fori_loop(0..5, |i: &Array, sum: &Array| sum + i, &Array::scalar(0));
/// assert_eq!(sum.item::<i32>()?, 10);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fori_loop<C: Tree<Array>>(range: Range<i64>, body: impl Fn(&Array, &C) -> C, init: &C) -> C {
    let length = (range.end - range.start).max(0) as usize;
    let positions = Array::arange(range);
    let step = |c: &C, i: &Array| (body(i, c), ());
    let (last, ()) = scan_from("fori_loop", step, init, &positions, Some(length), false);
    last
}

/// `f` of each slice along the first axis, one after another, with the results stacked; [`crate::vmap`] computes them at once.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let rows = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]).reshape(&[2, 2]);
/// let sums = lax::map(|row: &Array| row.sum(..), &rows);
/// assert_eq!(sums.to_vec::<f32>()?, [3.0, 7.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn map<X: Tree<Array>, Y: Tree<Array>>(f: impl Fn(&X) -> Y, xs: &X) -> Y {
    scan_from("map", |(): &(), x: &X| ((), f(x)), &(), xs, None, false).1
}

/// The results of combining all slices up to each along an axis by an associative function of two trees, whose arrays have all
/// the slices that are combined at once along that axis; in about `2 log2(n)` rounds.
///
/// # Errors
///
/// A program error if the arrays differ in extent along the axis.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[1i32, 2, 3, 4]);
/// let products = lax::associative_scan(|a: &Array, b: &Array| a * b, &x, 0);
/// assert_eq!(products.to_vec::<i32>()?, [1, 2, 6, 24]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn associative_scan<T: Tree<Array>>(f: impl Fn(&T, &T) -> T, xs: &T, axis: isize) -> T {
    let leaves = Leaves::of(xs).arrays;
    let Some(first) = leaves.first() else { return xs.map_leaves(Array::clone) };
    let axes: Vec<usize> = leaves.iter().map(|x| resolve("associative_scan", x, axis, x.rank())).collect();
    let extent = first.shape()[axes[0]];
    for (x, &axis) in leaves.iter().zip(&axes) {
        if x.shape()[axis] != extent {
            let error = Error::program(format!("the arrays have {extent} and {} slices", x.shape()[axis]));
            fail(with_context(
                error
                    .op("associative_scan")
                    .help("combine arrays of one extent along the axis")
                    .at(Location::caller()),
            ));
        }
    }
    let combine = |a: &[Array], b: &[Array]| -> Vec<Array> {
        let tree = |x: &[Array]| xs.with_leaves(x.to_vec()).expect("invariant: one array per leaf");
        Leaves::of(&f(&tree(a), &tree(b))).arrays
    };
    let scanned = match export::sizes_vary() {
        true => prefixes_in_order(&combine, &leaves, &axes),
        false => prefixes(&combine, &leaves, &axes, extent),
    };
    xs.with_leaves(scanned).expect("invariant: one array per leaf")
}

/// [`associative_scan`] of flat lists of arrays: combines neighbours in pairs, scans the pairs recursively, and computes the
/// prefixes in between from these.
#[track_caller]
fn prefixes(
    combine: &dyn Fn(&[Array], &[Array]) -> Vec<Array>,
    xs: &[Array],
    axes: &[usize],
    extent: usize,
) -> Vec<Array> {
    if extent < 2 {
        return xs.to_vec();
    }
    let every_other = |xs: &[Array], from: usize, to: usize| -> Vec<Array> {
        let one = |(x, &axis): (&Array, &usize)| {
            let (mut starts, mut limits, mut strides) =
                (vec![0; x.rank()], x.shape().to_vec(), vec![1; x.rank()]);
            (starts[axis], limits[axis], strides[axis]) = (from, to, 2);
            lax::slice(x, &starts, &limits, &strides)
        };
        xs.iter().zip(axes).map(one).collect()
    };
    let cut = |xs: &[Array], from: usize, to: usize| -> Vec<Array> {
        xs.iter().zip(axes).map(|(x, &axis)| x.slice(axis as isize, from..to)).collect()
    };
    let pairs = extent / 2;
    let combined = combine(&every_other(xs, 0, 2 * pairs - 1), &every_other(xs, 1, 2 * pairs));
    let odd = prefixes(combine, &combined, axes, pairs);
    let evens = extent.div_ceil(2);
    let first = cut(xs, 0, 1);
    let even = if evens > 1 {
        let rest = combine(&cut(&odd, 0, evens - 1), &every_other(xs, 2, extent));
        (first.iter().zip(&rest).zip(axes))
            .map(|((a, b), &axis)| concatenate(&[a, b], axis as isize))
            .collect()
    } else {
        first
    };
    // Even and odd places in turn: side by side along a new axis, which is then merged.
    let interleave = |((even, odd), &axis): ((&Array, &Array), &usize)| {
        let at = axis as isize;
        let paired = crate::stack(&[&even.slice(at, ..pairs), odd], at + 1);
        let mut shape = even.shape().to_vec();
        shape[axis] = 2 * pairs;
        concatenate(&[&paired.reshaped(&shape), &even.slice(at, pairs..)], at)
    };
    even.iter().zip(&odd).zip(axes).map(interleave).collect()
}

/// Prefix combinations computed one slice after another, by a program that is the same for all extents of at least 1.
#[track_caller]
pub(crate) fn prefixes_in_order(
    combine: &dyn Fn(&[Array], &[Array]) -> Vec<Array>,
    xs: &[Array],
    axes: &[usize],
) -> Vec<Array> {
    let (mut first, mut slices) = (Vec::with_capacity(xs.len()), Vec::with_capacity(xs.len()));
    for (x, &axis) in xs.iter().zip(axes) {
        first.push(x.slice(axis as isize, ..1));
        slices.push(x.moveaxis(axis as isize, 0));
    }
    // The loop also runs for the first slice, without combining, so that it has a step if the extent is 1.
    let step = |(before, begun): &(Vec<Array>, Array), x: &Vec<Array>| {
        let next: Vec<Array> = x.iter().zip(axes).map(|(x, &axis)| x.expand_dims(axis as isize)).collect();
        let now = cond(begun, || combine(before, &next), || next.clone());
        let flat: Vec<Array> = now.iter().zip(axes).map(|(x, &axis)| x.squeeze(axis as isize)).collect();
        ((now, Array::scalar(true)), flat)
    };
    let (_, all) = scan(step, &(first, Array::scalar(false)), &slices);
    all.iter().zip(axes).map(|(x, &axis)| x.moveaxis(0, axis as isize)).collect()
}
