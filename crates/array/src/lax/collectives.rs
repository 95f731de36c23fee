//! Functions of a whole batch, for the function that is mapped over it: the axis has a name that
//! [`crate::VmapOptions::axis_name`] gave it.

use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{AxisGroups, AxisIndex, Collective, CollectiveKind, NamedAxis, Reducer};
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::numpy::resolve;
use crate::trace::{acting, apply_one, named_axes};

/// The names of one or several axes: `"batch"`, `["data", "model"]`. Several axes count as one long axis, in which the last of
/// them varies fastest.
pub trait AxisNames {
    /// The names, outermost first.
    fn axis_names(&self) -> Vec<&str>;
}

impl AxisNames for &str {
    fn axis_names(&self) -> Vec<&str> {
        vec![self]
    }
}

impl<const N: usize> AxisNames for [&str; N] {
    fn axis_names(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl AxisNames for &[&str] {
    fn axis_names(&self) -> Vec<&str> {
        self.to_vec()
    }
}

/// The axes of these names, outermost first.
#[track_caller]
fn axes_of(op: &str, names: impl AxisNames) -> Vec<NamedAxis> {
    let at = Location::caller();
    let around = named_axes();
    let mut axes = Vec::new();
    for name in names.axis_names() {
        match around.iter().rev().find(|axis| *axis.name == *name) {
            Some(axis) => axes.push(axis.clone()),
            None => {
                let known: Vec<String> = around.iter().map(|axis| format!("\"{}\"", axis.name)).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let error = Error::program(format!("no axis is named \"{name}\" here, known are: {known}"));
                let help = "shard_map names the axes of its mesh; \
                            vmap_with(f, VmapOptions::default().axis_name(..)) that of a batch";
                fail(with_context(error.op(op).at(at).help(help)));
            }
        }
    }
    axes
}

/// The tree with `f` applied to each array.
#[track_caller]
fn each<T: Tree<Array>>(x: &T, mut f: impl FnMut(&Array) -> Array) -> T {
    let _line = acting(Location::caller());
    let arrays: Vec<Array> = x.leaves().into_iter().map(&mut f).collect();
    x.with_leaves(arrays).expect("invariant: a leaf for each leaf")
}

/// The exchange among all elements of the batch.
#[track_caller]
fn exchanged(kind: CollectiveKind, x: &Array, axes: &[NamedAxis]) -> Array {
    apply_one(Collective { kind, over: AxisGroups::axes(axes.to_vec()) }, &[x])
}

/// The operands of all elements combined.
#[track_caller]
fn combined(reducer: Reducer, x: &Array, axes: &[NamedAxis]) -> Array {
    exchanged(CollectiveKind::AllReduce(reducer), x, axes)
}

/// The position of this element along the named axis, an `i32`.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let f = |x: &Array| x * lax::axis_index("i").astype(x.dtype());
/// let y = vmap_with(f, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[5.0f32, 6.0, 7.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 6.0, 14.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics if no map around names the axis; so do all functions of this kind.
#[track_caller]
pub fn axis_index(axis: impl AxisNames) -> Array {
    let mut index: Option<Array> = None;
    for axis in axes_of("axis_index", axis) {
        let size = axis.size as i64;
        let along = apply_one(AxisIndex { axis }, &[]);
        index = Some(match index {
            Some(index) => index * size + along,
            None => along,
        });
    }
    index.unwrap_or_else(|| Array::scalar(0i32))
}

/// The extent of the named axis: how many elements are mapped.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let mean = |x: &Array| lax::psum(x, "i") / lax::axis_size("i") as f32;
/// let y = vmap_with(mean, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn axis_size(axis: impl AxisNames) -> usize {
    axes_of("axis_size", axis).iter().map(|axis| axis.size).product()
}

/// The arrays of all elements along a new first axis: `y[j, ..] = x_j[..]`, the same at every element.
///
/// JAX's `axis=k` is `.moveaxis(0, k)` of the result, its `tiled=True` a reshape.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let f = |x: &Array| lax::all_gather(x, "i").max(0);
/// let y = vmap_with(f, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[5.0f32, 7.0, 6.0]));
/// assert_eq!(y.to_vec::<f32>()?, [7.0, 7.0, 7.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn all_gather<T: Tree<Array>>(x: &T, axis: impl AxisNames) -> T {
    let axes = axes_of("all_gather", axis);
    each(x, |x| exchanged(CollectiveKind::AllGather, x, &axes))
}

/// The sum over all elements of the batch: `sum_j x_j`. Truth values are counted, as `i32`.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let share = |x: &Array| x / lax::psum(x, "i");
/// let y = vmap_with(share, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.25, 0.75]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn psum<T: Tree<Array>>(x: &T, axis: impl AxisNames) -> T {
    let axes = axes_of("psum", axis);
    each(x, |x| {
        let dtype = if x.dtype() == DType::Bool { DType::I32 } else { x.dtype() };
        combined(Reducer::Add, &x.astype(dtype), &axes)
    })
}

/// The mean over all elements of the batch, `sum_j x_j / n`: see [`psum`].
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let f = |x: &Array| lax::pmean(x, "i");
/// let y = vmap_with(f, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pmean<T: Tree<Array>>(x: &T, axis: impl AxisNames) -> T {
    let axes = axes_of("pmean", axis);
    let count: usize = axes.iter().map(|axis| axis.size).product();
    each(x, |x| {
        let x = if x.dtype().is_float() || x.dtype().is_complex() { x.clone() } else { x.astype(DType::F32) };
        combined(Reducer::Add, &x, &axes) / count as f64
    })
}

/// The largest over all elements of the batch, `max_j x_j`: see [`psum`].
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let scaled = |x: &Array| x / lax::pmax(x, "i");
/// let y = vmap_with(scaled, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[1.0f32, 4.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.25, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pmax<T: Tree<Array>>(x: &T, axis: impl AxisNames) -> T {
    let axes = axes_of("pmax", axis);
    each(x, |x| combined(Reducer::Max, x, &axes))
}

/// The smallest over all elements of the batch, `min_j x_j`: see [`psum`].
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let above = |x: &Array| x - lax::pmin(x, "i");
/// let y = vmap_with(above, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[1.0f32, 4.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pmin<T: Tree<Array>>(x: &T, axis: impl AxisNames) -> T {
    let axes = axes_of("pmin", axis);
    each(x, |x| combined(Reducer::Min, x, &axes))
}

/// At position `i` the sum over all elements of their slices `i` along the first axis: `y_i = sum_j x_j[i, ..]`.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let x = Array::new(&[1.0f32, 2.0, 10.0, 20.0], &[2, 2]);
/// let y = vmap_with(|x: &Array| lax::psum_scatter(x, "i"), VmapOptions::default().axis_name("i"))(&x);
/// assert_eq!(y.to_vec::<f32>()?, [11.0, 22.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn psum_scatter<T: Tree<Array>>(x: &T, axis: &str) -> T {
    let axes = axes_of("psum_scatter", axis);
    each(x, |x| exchanged(CollectiveKind::ReduceScatter(Reducer::Add), x, &axes))
}

/// Sends `x` between positions of the axis: `y_to = x_from` for each pair `(from, to)`; positions that receive nothing get zeros.
///
/// # Errors
///
/// A program error if a position occurs twice as a source or as a target, or is not on the axis.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let shift = |x: &Array| lax::ppermute(x, "i", &[(0, 1), (1, 2)]);
/// let y = vmap_with(shift, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[5.0f32, 6.0, 7.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 5.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ppermute<T: Tree<Array>>(x: &T, axis: &str, pairs: &[(usize, usize)]) -> T {
    let at = Location::caller();
    let axis = axes_of("ppermute", axis).swap_remove(0);
    let mut sources = vec![None; axis.size];
    let mut sent = vec![false; axis.size];
    for &(from, to) in pairs {
        let wrong = if from.max(to) >= axis.size {
            let error = format!("the pair ({from}, {to}) leaves the axis \"{}\" of {}", axis.name, axis.size);
            Some((error, format!("its positions run from 0 to {}", axis.size - 1)))
        } else if std::mem::replace(&mut sent[from], true) || sources[to].is_some() {
            let error = format!("the pair ({from}, {to}) repeats a source or a target");
            Some((error, "name each source and each target once".to_owned()))
        } else {
            None
        };
        if let Some((error, help)) = wrong {
            fail(with_context(Error::program(error).op("ppermute").help(help).at(at)));
        }
        sources[to] = Some(from as u32);
    }
    let kind = CollectiveKind::Permute(sources.into());
    each(x, |x| exchanged(kind.clone(), x, std::slice::from_ref(&axis)))
}

/// [`ppermute`] by a permutation: `y_i = x_{permutation[i]}`.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let rotated = |x: &Array| lax::pshuffle(x, "i", &[1, 2, 0]);
/// let y = vmap_with(rotated, VmapOptions::default().axis_name("i"))(&Array::from_slice(&[5.0f32, 6.0, 7.0]));
/// assert_eq!(y.to_vec::<f32>()?, [6.0, 7.0, 5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pshuffle<T: Tree<Array>>(x: &T, axis: &str, permutation: &[usize]) -> T {
    let pairs: Vec<(usize, usize)> =
        permutation.iter().copied().enumerate().map(|(to, from)| (from, to)).collect();
    ppermute(x, axis, &pairs)
}

/// Exchanges the named axis with axis `dim` of the arrays, which has its extent: `y_i[.., j, ..] = x_j[.., i, ..]`.
///
/// # Errors
///
/// A program error if the extents differ.
///
/// ```
/// use jarrah_array::{Array, VmapOptions, lax, vmap_with};
/// let x = Array::arange(4).reshape(&[2, 2]);
/// let swapped = vmap_with(|x: &Array| lax::pswapaxes(x, "i", 0), VmapOptions::default().axis_name("i"))(&x);
/// assert_eq!(swapped.to_vec::<i32>()?, [0, 2, 1, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pswapaxes<T: Tree<Array>>(x: &T, axis: &str, dim: isize) -> T {
    let at = Location::caller();
    let named = axes_of("pswapaxes", axis).swap_remove(0);
    let mut arrays = Vec::new();
    for x in x.leaves() {
        let dim = resolve("pswapaxes", x, dim, x.rank());
        if x.shape()[dim] != named.size {
            let (ty, size) = (x.ty(), named.size);
            let error = format!("axis {dim} of {ty} must have the {size} elements of the axis \"{axis}\"");
            fail(with_context(Error::program(error).op("pswapaxes").at(at)));
        }
        let slices = x.moveaxis(dim as isize, 0);
        let received = exchanged(CollectiveKind::AllToAll, &slices, std::slice::from_ref(&named));
        arrays.push(received.moveaxis(0, dim as isize));
    }
    x.with_leaves(arrays).expect("invariant: a leaf for each leaf")
}
