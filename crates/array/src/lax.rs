//! The ops without broadcasting and promotion: operands whose types an op does not take are a program error.

mod ciphers;
mod collectives;
pub mod linalg;
mod loops;
mod reflections;
mod slicing;
mod windows;

use jarrah_base::{DType, Dims, ElementKind, Error, Location, Type};
use jarrah_hlo::ops::*;

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::trace::{apply, apply_one};

pub use crate::implicit::{SolverMap, custom_linear_solve, custom_linear_solve_with, custom_root};
pub use ciphers::{philox2x32, philox4x32, threefry2x32, threefry4x32};
pub use collectives::{
    AxisNames, all_gather, axis_index, axis_size, pmax, pmean, pmin, ppermute, pshuffle, psum, psum_scatter,
    pswapaxes,
};
pub use jarrah_hlo::ops::{FftKind, Gather, RngAlgorithm, Scatter, Update};
pub(crate) use loops::prefixes_in_order;
pub use loops::{associative_scan, fori_loop, map};
pub use slicing::{
    dynamic_index_in_dim, dynamic_slice_in_dim, dynamic_update_index_in_dim, dynamic_update_slice_in_dim,
    gather, scatter,
};
pub use windows::{
    ConvDimensions, ConvOptions, Monoid, Padding, WindowOptions, conv_general_dilated,
    conv_general_dilated_patches, conv_transpose, reduce_window,
};

/// The results of any op on arrays, for ops that have no function here.
///
/// ```
/// use jarrah_array::{Array, lax};
/// use jarrah_hlo::ops::{Elementwise, ElementwiseKind};
/// let negate = Elementwise { kind: ElementwiseKind::Negate };
/// let y = lax::apply_op(negate, &[&Array::from_slice(&[1i32, -2])]);
/// assert_eq!(y[0].to_vec::<i32>()?, [-1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn apply_op(op: impl Into<jarrah_hlo::Op>, operands: &[&Array]) -> Vec<Array> {
    apply(op, operands)
}

/// `x` with the axis `from` moved to the position `to`; the other axes keep their order.
///
/// ```
/// use jarrah_array::{Array, lax};
/// assert_eq!(lax::move_axis(&Array::zeros(&[2, 3, 4]), 0, 2).shape(), [3, 4, 2]);
/// ```
#[track_caller]
pub fn move_axis(x: &Array, from: usize, to: usize) -> Array {
    let mut order: Vec<usize> = (0..x.rank()).filter(|&a| a != from).collect();
    order.insert(to.min(order.len()), from);
    transpose(x, &order)
}

/// `x` with its axes permuted: axis `i` of the result is axis `permutation[i]` of `x`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::arange(6).reshape(&[2, 3]);
/// assert_eq!(lax::transpose(&x, &[1, 0]).to_vec::<i32>()?, [0, 3, 1, 4, 2, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn transpose(x: &Array, permutation: &[usize]) -> Array {
    if permutation.len() == x.rank() && permutation.iter().enumerate().all(|(i, &p)| i == p) {
        return x.clone();
    }
    apply_one(TransposeAxes { permutation: Axes::from_slice(permutation) }, &[x])
}

/// `x` broadcast: its axis `i`, of the extent there or of extent one, becomes the axis `axes[i]` of an array of `shape`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[1i32, 2]);
/// assert_eq!(lax::broadcast_in_dim(&x, &[2, 3], &[0]).to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
/// assert_eq!(lax::broadcast_in_dim(&x, &[3, 2], &[1]).to_vec::<i32>()?, [1, 2, 1, 2, 1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn broadcast_in_dim(x: &Array, shape: &[usize], axes: &[usize]) -> Array {
    apply_one(BroadcastInDim { dims: Dims::from_slice(shape), axes: Axes::from_slice(axes) }, &[x])
}

/// A sum of products, as `stablehlo.dot_general`; `contract` and `batch` are axes of `(lhs, rhs)` in pairs.
///
/// The result has the batch axes first, then the other axes of `lhs`, then those of `rhs`. Both sides have one dtype, which the
/// result has too.
///
/// ```
/// use jarrah_array::{Array, lax};
/// // The product of each row of x with the same row of y.
/// let x = Array::arange(4).reshape(&[2, 2]);
/// let y = Array::from_slice(&[1i32, 10, 100, 1000]).reshape(&[2, 2]);
/// assert_eq!(lax::dot_general(&x, &y, (&[1], &[1]), (&[0], &[0])).to_vec::<i32>()?, [10, 3200]);
/// // All rows with all rows.
/// assert_eq!(lax::dot_general(&x, &y, (&[1], &[1]), (&[], &[])).shape(), [2, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dot_general(
    lhs: &Array,
    rhs: &Array,
    contract: (&[usize], &[usize]),
    batch: (&[usize], &[usize]),
) -> Array {
    dot_general_as(lhs, rhs, contract, batch, lhs.dtype())
}

/// As [`dot_general`], with results of dtype `out`. Floats of 16 bits and less are summed in `f32` and rounded to `out` once;
/// integers are exact, as far as `out` can represent them.
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// let x = Array::full(&[1000], 100, DType::I8);
/// assert_eq!(lax::dot_general_as(&x, &x, (&[0], &[0]), (&[], &[]), DType::I32).item::<i32>()?, 10_000_000);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `preferred_element_type` of `jax.lax.dot_general`.
#[track_caller]
pub fn dot_general_as(
    lhs: &Array,
    rhs: &Array,
    contract: (&[usize], &[usize]),
    batch: (&[usize], &[usize]),
    out: DType,
) -> Array {
    let dot = DotGeneral {
        lhs_batch: Axes::from_slice(batch.0),
        rhs_batch: Axes::from_slice(batch.1),
        lhs_contract: Axes::from_slice(contract.0),
        rhs_contract: Axes::from_slice(contract.1),
        out,
    };
    apply_one(dot, &[lhs, rhs])
}

/// The block of `x` with extents `sizes` that starts at `starts`, one integer scalar per axis. Starts are clamped so
/// that the block lies inside.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::arange(5);
/// let block = |start: i32| lax::dynamic_slice(&x, &[Array::scalar(start)], &[2]).to_vec::<i32>();
/// assert_eq!(block(1)?, [1, 2]);
/// assert_eq!(block(9)?, [3, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_slice(x: &Array, starts: &[Array], sizes: &[usize]) -> Array {
    let operands: Vec<&Array> = std::iter::once(x).chain(starts).collect();
    apply_one(DynamicSlice { sizes: Dims::from_slice(sizes) }, &operands)
}

/// `x` with the block that starts at `starts`, one integer scalar per axis, replaced by `update`. Starts are clamped so that
/// the block lies inside.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, start) = (Array::arange(5), Array::scalar(9));
/// let y = lax::dynamic_update_slice(&x, &Array::from_slice(&[7i32, 8]), &[start]);
/// assert_eq!(y.to_vec::<i32>()?, [0, 1, 2, 7, 8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_update_slice(x: &Array, update: &Array, starts: &[Array]) -> Array {
    let operands: Vec<&Array> = [x, update].into_iter().chain(starts).collect();
    apply_one(DynamicUpdateSlice, &operands)
}

/// `x` with `value`, a scalar of its dtype, around it: `low[i]` elements before and `high[i]` after axis `i`; negative numbers
/// remove.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, zero) = (Array::from_slice(&[1i32, 2, 3]), Array::scalar(0));
/// assert_eq!(lax::pad(&x, &zero, &[2], &[-1]).to_vec::<i32>()?, [0, 0, 1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pad(x: &Array, value: &Array, low: &[i64], high: &[i64]) -> Array {
    pad_interior(x, value, low, high, &vec![0; low.len()])
}

/// As [`pad`], with `interior[i]` more elements between neighbours along axis `i`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, zero) = (Array::from_slice(&[1i32, 2, 3]), Array::scalar(0));
/// assert_eq!(lax::pad_interior(&x, &zero, &[0], &[1], &[1]).to_vec::<i32>()?, [1, 0, 2, 0, 3, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pad_interior(x: &Array, value: &Array, low: &[i64], high: &[i64], interior: &[usize]) -> Array {
    apply_one(Pad { low: low.into(), high: high.into(), interior: interior.into() }, &[x, value])
}

/// The elements of `x` from `starts` to before `limits`, every `strides[i]`th along axis `i`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let odd = lax::slice(&Array::arange(6), &[1], &[6], &[2]);
/// assert_eq!(odd.to_vec::<i32>()?, [1, 3, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn slice(x: &Array, starts: &[usize], limits: &[usize], strides: &[usize]) -> Array {
    apply_one(Slice { starts: starts.into(), limits: limits.into(), strides: strides.into() }, &[x])
}

/// `x` reversed along `axes`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::arange(4).reshape(&[2, 2]);
/// assert_eq!(lax::reverse(&x, &[1]).to_vec::<i32>()?, [1, 0, 3, 2]);
/// assert_eq!(lax::reverse(&x, &[0, 1]).to_vec::<i32>()?, [3, 2, 1, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn reverse(x: &Array, axes: &[usize]) -> Array {
    apply_one(Reverse { axes: Axes::from_slice(axes) }, &[x])
}

/// `on_true` where `condition` is true, elsewhere `on_false`; all shapes are equal. [`crate::where_`] broadcasts.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let condition = Array::from_slice(&[true, false]);
/// let (x, y) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[10i32, 20]));
/// assert_eq!(lax::select(&condition, &x, &y).to_vec::<i32>()?, [1, 20]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn select(condition: &Array, on_true: &Array, on_false: &Array) -> Array {
    apply_one(Select, &[condition, on_true, on_false])
}

/// `x` clamped to the interval from `low` to `high`, of its dtype and each a scalar or of its shape: `min(max(x, low), high)`.
/// [`Array::clip`] broadcasts.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (low, high) = (Array::from_slice(&[1i32, 1, 4]), Array::from_slice(&[3i32, 3, 9]));
/// assert_eq!(lax::clamp(&low, &Array::arange(3), &high).to_vec::<i32>()?, [1, 1, 4]);
/// assert_eq!(lax::clamp(&Array::scalar(1), &Array::arange(3), &high).to_vec::<i32>()?, [1, 1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn clamp(low: &Array, x: &Array, high: &Array) -> Array {
    let spread =
        |bound: &Array| if bound.rank() == 0 { bound.broadcast_to(&x.shape()) } else { bound.clone() };
    apply_one(Clamp, &[&spread(low), x, &spread(high)])
}

/// `0, 1, 2, ...` along `axis` of an array of `shape`.
///
/// ```
/// use jarrah_array::{DType, lax};
/// assert_eq!(lax::iota(DType::I32, &[2, 3], 1).to_vec::<i32>()?, [0, 1, 2, 0, 1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn iota(dtype: DType, shape: &[usize], axis: usize) -> Array {
    apply_one(Iota { ty: Type::tensor(dtype, shape.iter().copied()), axis }, &[])
}

/// The arrays permuted alike along `axis`, so that the first is in ascending order; stable.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (keys, values) = (Array::from_slice(&[3i32, 1, 2]), Array::from_slice(&[30.0f32, 10.0, 20.0]));
/// let sorted = lax::sort(&[&keys, &values], 0);
/// assert_eq!(sorted[0].to_vec::<i32>()?, [1, 2, 3]);
/// assert_eq!(sorted[1].to_vec::<f32>()?, [10.0, 20.0, 30.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sort(operands: &[&Array], axis: usize) -> Vec<Array> {
    apply(Sort { axis, stable: true, order: SortOrder::Ascending { keys: 1 } }, operands)
}

/// The product `(lhs * lhs_scale) . (rhs * rhs_scale)` of tensors whose elements share scales in blocks, in `f32`, given as `out`.
///
/// Along the axes in `contract` a scale has an extent that divides the one of its operand, along others the same; operands may
/// be of narrow floats, as MXFP8 and NVFP4 have it. Axes are those of [`dot_general`].
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// let x = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[1, 4]);
/// let scale = Array::new(&[1.0f32, 10.0], &[1, 2]);
/// let ones = Array::ones(&[4, 1]);
/// let y = lax::scaled_dot(&x, &ones, Some(&scale), None, (&[1], &[0]), (&[], &[]), DType::F32);
/// assert_eq!(y.to_vec::<f32>()?, [73.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.lax.scaled_dot`.
#[track_caller]
pub fn scaled_dot(
    lhs: &Array,
    rhs: &Array,
    lhs_scale: Option<&Array>,
    rhs_scale: Option<&Array>,
    contract: (&[usize], &[usize]),
    batch: (&[usize], &[usize]),
    out: DType,
) -> Array {
    let lhs = scaled(lhs, lhs_scale, contract.0);
    let rhs = scaled(rhs, rhs_scale, contract.1);
    dot_general(&lhs, &rhs, contract, batch).astype(out)
}

/// `x` in `f32`, each block times its scale.
#[track_caller]
fn scaled(x: &Array, scale: Option<&Array>, contract: &[usize]) -> Array {
    let wide = x.astype(DType::F32);
    let Some(scale) = scale else { return wide };
    let mut all = scale.astype(DType::F32);
    for axis in 0..x.rank() {
        let (extent, blocks) = (x.shape()[axis], scale.shape().get(axis).copied().unwrap_or(0));
        let fits =
            extent == blocks || contract.contains(&axis) && blocks > 0 && extent.is_multiple_of(blocks);
        if !fits || scale.rank() != x.rank() {
            let error =
                Error::program(format!("the scale {} does not fit the operand {}", scale.ty(), x.ty()));
            let help = "a scale has the operand's extents, divided by the size of a block where the product contracts";
            fail(error.op("scaled_dot").at(Location::caller()).help(help));
        }
        if extent > blocks {
            all = all.repeat(extent / blocks, axis as isize);
        }
    }
    wide * all
}

/// Applies the function in `platforms` for the platform of the default device, or else `default`, to `args`.
///
/// The choice is made when the function is traced; an exported program contains the function for the platform on which it was
/// traced.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::scalar(2.0);
/// let y = lax::platform_dependent(&x, |x: &Array| x * 0.0, &[("cpu", &|x: &Array| x * 2.0)]);
/// assert_eq!(y.item::<f32>()?, 4.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn platform_dependent<A, R>(
    args: &A,
    default: impl Fn(&A) -> R,
    platforms: &[(&str, &dyn Fn(&A) -> R)],
) -> R {
    let here = crate::default_backend();
    match platforms.iter().find(|(name, _)| *name == here) {
        Some((_, f)) => f(args),
        None => default(args),
    }
}

/// The complex numbers with these parts, two arrays of one type, `f32` or `f64`.
///
/// ```
/// use jarrah_array::{Array, c64, lax};
/// let z = lax::complex(&Array::scalar(1.0), &Array::scalar(2.0));
/// assert_eq!(z.item::<c64>()?, c64::new(1.0, 2.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn complex(real: &Array, imaginary: &Array) -> Array {
    apply_one(Complex, &[real, imaginary])
}

/// The remainder of division rounded towards zero, with the sign of `x`, of arrays of one type; `%` rounds down.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, y) = (Array::from_slice(&[-5i32]), Array::from_slice(&[3i32]));
/// assert_eq!((lax::rem(&x, &y).to_vec::<i32>()?, (x % y).to_vec::<i32>()?), (vec![-2], vec![1]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rem(x: &Array, y: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::Remainder }, &[x, y])
}

/// `indices` into an axis of `extent` elements as `i32`, or as `i64` if `i32` cannot represent all of them and the extent.
/// Indices that are no integers are a program error.
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// assert_eq!(lax::wide_index(&Array::from_slice(&[3u8]), 300).dtype(), DType::I32);
/// assert_eq!(lax::wide_index(&Array::from_slice(&[3u32]), 300).dtype(), DType::I64);
/// ```
#[track_caller]
pub fn wide_index(indices: &Array, extent: usize) -> Array {
    match indices.dtype() {
        // Clipping an index to `i64::MAX` changes nothing, as no axis is that long.
        DType::U64 => indices.minimum(i64::MAX).astype(DType::I64),
        DType::I64 | DType::U32 => indices.astype(DType::I64),
        dtype if !dtype.is_integer() => {
            let error = Error::program(format!("indices must be integers, they are {}", indices.ty()));
            fail(error.op("index").at(Location::caller()).help("convert them with astype"))
        }
        _ if extent > i32::MAX as usize => indices.astype(DType::I64),
        _ => indices.astype(DType::I32),
    }
}

/// [`wide_index`] with negative indices counted from the end of the axis.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let places = lax::normalize_index(&Array::from_slice(&[3i8, -1]), 300);
/// assert_eq!(places.to_vec::<i32>()?, [3, 299]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn normalize_index(indices: &Array, extent: usize) -> Array {
    let wide = wide_index(indices, extent);
    if indices.dtype().kind() == ElementKind::Unsigned {
        return wide;
    }
    where_(&wide.lt(0), &wide + extent as i64, &wide)
}

/// The slices `x[indices[i..]]` along `axis`, which is replaced by the axes of `indices`. Indices out of range are moved to the
/// nearest.
///
/// # Errors
///
/// A program error if `x` has no such axis.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[10i32, 11, 12]);
/// let indices = Array::from_slice(&[2i32, 0, 7, -1]).reshape(&[2, 2]);
/// assert_eq!(lax::take(&x, &indices, 0).to_string(), "i32[2,2]\n[[12, 10],\n [12, 10]]");
/// ```
#[track_caller]
pub fn take(x: &Array, indices: &Array, axis: usize) -> Array {
    let rank = x.rank();
    let mut sizes: Dims = x.shape().into_iter().collect();
    if axis >= rank {
        fail(Error::program(format!("{} has no axis {axis}", x.ty())).op("take").at(Location::caller()));
    }
    if sizes[axis] == 0 && indices.size() == 0 {
        let shape = [&x.shape()[..axis], &indices.shape()[..], &x.shape()[axis + 1..]].concat();
        return Array::full(&shape, 0, x.dtype());
    }
    sizes[axis] = 1;
    let inner = indices.rank();
    let gather = Gather {
        offset_axes: (0..rank - 1).map(|a| if a < axis { a } else { a + inner }).collect(),
        collapsed_axes: Axes::from_slice(&[axis]),
        operand_batch_axes: Axes::new(),
        indices_batch_axes: Axes::new(),
        index_map: Axes::from_slice(&[axis]),
        index_vector_axis: inner,
        sizes,
        sorted: false,
    };
    apply_one(gather, &[x, indices])
}

/// `x[.., indices[..], ..]` along `axis`; `indices` has the shape of `x` except along that axis. Indices out of range are moved
/// to the nearest.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[1i32, 2, 3, 4]).reshape(&[2, 2]);
/// let last_first = Array::from_slice(&[1i32, 0]).reshape(&[2, 1]);
/// assert_eq!(lax::take_along_axis(&x, &last_first, 1).to_vec::<i32>()?, [2, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn take_along_axis(x: &Array, indices: &Array, axis: usize) -> Array {
    let rank = x.rank();
    let batch: Axes = (0..rank).filter(|&a| a != axis).collect();
    let gather = Gather {
        offset_axes: Axes::new(),
        collapsed_axes: Axes::from_slice(&[axis]),
        operand_batch_axes: batch.clone(),
        indices_batch_axes: batch,
        index_map: Axes::from_slice(&[axis]),
        index_vector_axis: rank,
        // The slices are empty if another axis has extent 0.
        sizes: x
            .shape()
            .iter()
            .enumerate()
            .map(|(a, &extent)| if a == axis { 1 } else { extent.min(1) })
            .collect(),
        sorted: false,
    };
    apply_one(gather, &[x, indices])
}

/// `x` with `updates` added to its slices along the first axis at `indices`, a vector. Indices out of range are dropped; for an
/// index that occurs twice both updates are added.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[100i32, 200]);
/// let indices = Array::from_slice(&[1i32, 1, 5]);
/// let y = lax::scatter_add(&x, &indices, &Array::from_slice(&[1i32, 2, 4]));
/// assert_eq!(y.to_vec::<i32>()?, [100, 203]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scatter_add(x: &Array, indices: &Array, updates: &Array) -> Array {
    let scatter = Scatter {
        window_axes: (1..x.rank()).collect(),
        inserted_axes: Axes::from_slice(&[0]),
        operand_batch_axes: Axes::new(),
        indices_batch_axes: Axes::new(),
        index_map: Axes::from_slice(&[0]),
        index_vector_axis: indices.rank(),
        sorted: false,
        unique: false,
        update: Update::Reduce(Reducer::Add),
    };
    apply_one(scatter, &[x, indices, updates])
}

/// The `k` largest along the last axis, the largest first, and their positions, as `i32`; of equal ones the first.
///
/// # Errors
///
/// A program error if the last axis has fewer than `k` elements.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (values, at) = lax::top_k(&Array::from_slice(&[3i32, 7, 5]), 2);
/// assert_eq!((values.to_vec::<i32>()?, at.to_vec::<i32>()?), (vec![7, 5], vec![1, 2]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn top_k(x: &Array, k: usize) -> (Array, Array) {
    if x.shape().last().is_none_or(|&extent| extent < k) {
        let error = Error::program(format!("the last axis of {} has fewer than {k} elements", x.ty()));
        fail(error.op("top_k").at(Location::caller()).help("take at most as many as the last axis has"));
    }
    let order = x.argsort(crate::numpy::Descending(-1)).slice(-1, ..k);
    (take_along_axis(x, &order, x.rank() - 1), order)
}

/// The arrays permuted alike along `axis` into the ascending order of the first `keys` of them, the first before the others; stable.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (year, month) = (Array::from_slice(&[2i32, 1, 2]), Array::from_slice(&[7i32, 9, 3]));
/// let sorted = lax::sort_keys(&[&year, &month], 0, 2);
/// assert_eq!(sorted[0].to_vec::<i32>()?, [1, 2, 2]);
/// assert_eq!(sorted[1].to_vec::<i32>()?, [9, 3, 7]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sort_keys(operands: &[&Array], axis: usize, keys: usize) -> Vec<Array> {
    apply(Sort { axis, stable: true, order: SortOrder::Ascending { keys } }, operands)
}

/// `x` rounded to a float with so many bits of exponent and mantissa, halves to even, kept in its own dtype.
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// let x = Array::from_slice(&[1.01f32, 1e30]);
/// let bf16 = x.astype(DType::BF16).astype(DType::F32);
/// assert_eq!(lax::reduce_precision(&x, 8, 7).to_vec::<f32>()?, bf16.to_vec::<f32>()?);
/// assert_eq!(lax::reduce_precision(&x, 5, 10).index(1).item::<f32>()?, f32::INFINITY);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn reduce_precision(x: &Array, exponent_bits: u32, mantissa_bits: u32) -> Array {
    apply_one(ReducePrecision { exponent_bits, mantissa_bits }, &[x])
}

/// How many of the bits of an integer before its first one are zeros: all of 0.
///
/// ```
/// use jarrah_array::{Array, lax};
/// assert_eq!(lax::clz(&Array::from_slice(&[16u8, 0])).to_vec::<u8>()?, [3, 8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn clz(x: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::CountLeadingZeros }, &[x])
}

/// The number of one bits of an integer; for a negative integer, of its two's complement.
///
/// ```
/// use jarrah_array::{Array, lax};
/// assert_eq!(lax::population_count(&Array::from_slice(&[7i32, -1])).to_vec::<i32>()?, [3, 32]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn population_count(x: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::Popcnt }, &[x])
}

/// The logarithm of the magnitude of the gamma function, `ln |gamma(x)|`; above 0, `gamma(x)` is the integral of
/// `t^(x - 1) e^-t` from 0 to infinity.
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// // gamma(5) is 4!.
/// let y = lax::lgamma(&Array::scalar_in(5.0, DType::F64)).item::<f64>()?;
/// assert!((y - 24f64.ln()).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lgamma(x: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::Lgamma }, &[x])
}

/// The derivative of [`lgamma`]: `digamma(x + 1) = digamma(x) + 1 / x`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let y = lax::digamma(&Array::from_slice(&[2.0f64, 3.0])).to_vec::<f64>()?;
/// assert!((y[1] - y[0] - 0.5).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn digamma(x: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::Digamma }, &[x])
}

/// The high half of the bits of the product of two integers.
///
/// ```
/// use jarrah_array::{Array, lax};
/// // 200 * 200 = 156 * 256 + 64.
/// assert_eq!(lax::mulhi(&Array::scalar(200u8), &Array::scalar(200u8)).item::<u8>()?, 156);
/// assert_eq!(lax::mulhi(&Array::scalar(-1), &Array::scalar(1)).item::<i32>()?, -1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn mulhi(x: &Array, y: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::Mulhi }, &[x, y])
}

/// The nearest integer, with halves rounded away from 0; [`Array::round`] rounds halves to even.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[0.5f32, -2.5, 1.4]);
/// assert_eq!(lax::round_away(&x).to_vec::<f32>()?, [1.0, -3.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn round_away(x: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::RoundNearestAfz }, &[x])
}

/// Bits moved down, with zeros from above; 0 where all bits go.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[-1i32, 16]);
/// assert_eq!(lax::shift_right_logical(&x, &Array::from_slice(&[28i32, 2])).to_vec::<i32>()?, [15, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn shift_right_logical(x: &Array, bits: &Array) -> Array {
    apply_one(Elementwise { kind: ElementwiseKind::ShiftRightLogical }, &[x, bits])
}

/// For each element that of case number `which`. All cases have one type, and `which` has their shape or is a scalar.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let which = Array::from_slice(&[true, false]);
/// let (x, y) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[10i32, 20]));
/// assert_eq!(lax::select_n(&which, &[&x, &y]).to_vec::<i32>()?, [10, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn select_n(which: &Array, cases: &[&Array]) -> Array {
    crate::numpy::choose(&which.astype(DType::I32), cases)
}

/// Random bits of a type from a state of `u64` words, as `stablehlo.rng_bit_generator`: `(next state, bits)`.
///
/// ```
/// use jarrah_array::{Array, DType, lax, lax::RngAlgorithm};
/// let state = Array::from_slice(&[42u64, 0]);
/// let draw = |state: &Array| lax::rng_bit_generator(RngAlgorithm::Threefry, state, &[4], DType::U32);
/// let (next, bits) = draw(&state);
/// assert_eq!(bits.to_vec::<u32>()?, draw(&state).1.to_vec::<u32>()?);
/// assert_ne!(bits.to_vec::<u32>()?, draw(&next).1.to_vec::<u32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rng_bit_generator(
    algorithm: RngAlgorithm,
    state: &Array,
    shape: &[usize],
    dtype: DType,
) -> (Array, Array) {
    let ty = Type::tensor(dtype, shape.iter().copied());
    let mut results = apply(RngBitGenerator { algorithm, ty }, &[state]).into_iter();
    match (results.next(), results.next()) {
        (Some(state), Some(bits)) => (state, bits),
        _ => fail(Error::internal("a generator has two results").at(Location::caller())),
    }
}

/// The unchanged arrays behind a barrier for the compiler: operations before it are not combined with operations after it.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::scalar(1e8f32);
/// // The sum is rounded, whatever the compiler knows of sums.
/// let sum = lax::optimization_barrier(&[&(&x + 1.0)]);
/// assert_eq!((&sum[0] - &x).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn optimization_barrier(arrays: &[&Array]) -> Vec<Array> {
    apply(OptimizationBarrier, arrays)
}

/// The elements of `x` along `axes` combined in its dtype, by `and`, `or` and `xor` bit by bit.
///
/// ```
/// use jarrah_array::{Array, lax, lax::Monoid};
/// let x = Array::from_slice(&[1i32, 3, 6, 8]).reshape(&[2, 2]);
/// assert_eq!(lax::reduce_monoid(&x, Monoid::Xor, &[1]).to_vec::<i32>()?, [2, 14]);
/// assert_eq!(lax::reduce_monoid(&x, Monoid::Add, &[0, 1]).item::<i32>()?, 18);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn reduce_monoid(x: &Array, monoid: Monoid, axes: &[usize]) -> Array {
    x.reduce(monoid.reducer(), axes)
}

/// The elements of `arrays` along `axes` combined by a function of two tuples of scalars, which is associative, from `init` on.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, zero) = (Array::arange(4), Array::scalar(0));
/// let sum = lax::reduce(&[&x], &[&zero], |a, b| vec![&a[0] + &b[0]], &[0]);
/// assert_eq!(sum[0].item::<i32>()?, 6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn reduce(
    arrays: &[&Array],
    init: &[&Array],
    f: impl Fn(&[Array], &[Array]) -> Vec<Array>,
    axes: &[usize],
) -> Vec<Array> {
    let scalars: Vec<Array> = init.iter().chain(init).map(|x| Array::abstracted(x.ty())).collect();
    let n = init.len();
    let body = crate::make_program(|both: &Vec<Array>| f(&both[..n], &both[n..]), &scalars);
    let operands: Vec<&Array> = arrays.iter().chain(init).copied().collect();
    apply(Reduce { reducer: Reducer::General(body.into()), axes: axes.into() }, &operands)
}

/// The discrete Fourier transform of the last axes of `x`, one for each of `lengths`, the extents that real numbers have there;
/// [`crate::fft`] has functions for axes and norms of choice.
///
/// ```
/// use jarrah_array::lax::{FftKind, fft};
/// use jarrah_array::Array;
/// assert_eq!(fft(&Array::ones(&[2, 4]), FftKind::Rfft, &[4]).shape(), [2, 3]);
/// ```
#[track_caller]
pub fn fft(x: &Array, kind: FftKind, lengths: &[usize]) -> Array {
    apply_one(Fft { kind, lengths: lengths.into() }, &[x])
}

/// The axes of a product of groups.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RaggedDotDimensionNumbers {
    /// The contracted axes of the left and of the right side; axes at the same index belong together.
    pub contract: (Vec<usize>, Vec<usize>),
    /// The batch axes of the left and of the right side; axes at the same index belong together.
    pub batch: (Vec<usize>, Vec<usize>),
    /// The axis of the left side that is cut into consecutive groups.
    pub ragged: usize,
    /// The axis of the right side with one slice for each group, where the ragged axis is neither contracted nor a batch axis.
    pub group: Option<usize>,
}

/// The product of `lhs` and `rhs` with one axis of `lhs` cut into consecutive groups of `group_sizes`. What that axis is
/// decides, with batch axes `b..`, contracted axes `k..` and others `m..` and `n..`:
///
/// * one of `m..`: `[b.., m.., k..], [g, b.., k.., n..] -> [b.., m.., n..]`, each group times a slice of `rhs`; what lies behind
///   the last group is 0;
/// * contracted: `[b.., m.., k..], [b.., k.., n..] -> [g, b.., m.., n..]`, a product for each group;
/// * a batch axis: the groups change nothing.
///
/// `group_sizes` is `[g]`, or `[x.., g]` with the batch axes and the axes of the same kind as the ragged axis that come before
/// it.
///
/// ```
/// use jarrah_array::lax::{RaggedDotDimensionNumbers, ragged_dot_general};
/// use jarrah_array::Array;
/// // The gradient of `ragged_dot` by the matrices: rows of one group, contracted.
/// let (x, dy) = (Array::ones(&[3, 2]), Array::ones(&[3, 4]));
/// let dimensions = RaggedDotDimensionNumbers {
///     contract: (vec![0], vec![0]),
///     batch: (vec![], vec![]),
///     ragged: 0,
///     group: None,
/// };
/// let y = ragged_dot_general(&x, &dy, &Array::from_slice(&[2i32, 1]), &dimensions);
/// assert_eq!(y.shape(), [2, 2, 4]);
/// ```
#[track_caller]
pub fn ragged_dot_general(
    lhs: &Array,
    rhs: &Array,
    group_sizes: &Array,
    dimensions: &RaggedDotDimensionNumbers,
) -> Array {
    ragged_dot_general_as(lhs, rhs, group_sizes, dimensions, lhs.dtype())
}

/// As [`ragged_dot_general`], with results of dtype `out`. Floats of 16 bits are summed in `f32` and rounded to `out` once.
///
/// ```
/// use jarrah_array::lax::{RaggedDotDimensionNumbers, ragged_dot_general_as};
/// use jarrah_array::{Array, DType};
/// // 1 + 2^-9 is no number of `bf16`.
/// let (x, w) = (Array::ones(&[1, 2]), Array::new(&[1.0f32, 2f32.powi(-9)], &[1, 2, 1]));
/// let [x, w] = [x, w].map(|x| x.astype(DType::BF16));
/// let dimensions = RaggedDotDimensionNumbers {
///     contract: (vec![1], vec![1]),
///     batch: (vec![], vec![]),
///     ragged: 0,
///     group: Some(0),
/// };
/// let y = ragged_dot_general_as(&x, &w, &Array::from_slice(&[1i32]), &dimensions, DType::F32);
/// assert_eq!(y.to_vec::<f32>()?, [1.001953125]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `preferred_element_type` of `jax.lax.ragged_dot_general`.
#[track_caller]
pub fn ragged_dot_general_as(
    lhs: &Array,
    rhs: &Array,
    group_sizes: &Array,
    dimensions: &RaggedDotDimensionNumbers,
    out: DType,
) -> Array {
    let at = Location::caller();
    sizes_are_integers(at, group_sizes);
    if lhs.dtype().is_float() != out.is_float() {
        let error = Error::program(format!("lhs is {}, and the result {out}", lhs.ty()));
        fail(with_context(error.op("ragged_dot").at(at).help("products of floats are floats: use `astype`")));
    }
    if lhs.dtype() != rhs.dtype() {
        let error = Error::program(format!("dtypes differ: lhs {}, rhs {}", lhs.ty(), rhs.ty()));
        fail(with_context(error.op("ragged_dot").at(at).help("convert one of them with astype")));
    }
    let dot = DotGeneral {
        lhs_batch: Axes::from_slice(&dimensions.batch.0),
        rhs_batch: Axes::from_slice(&dimensions.batch.1),
        lhs_contract: Axes::from_slice(&dimensions.contract.0),
        rhs_contract: Axes::from_slice(&dimensions.contract.1),
        out,
    };
    let mut b = jarrah_hlo::Builder::new("ragged_dot");
    let operands = [lhs, rhs, group_sizes].map(|x| b.param(x.ty(), ""));
    let product =
        jarrah_hlo::ops::general_ragged_dot(&mut b, operands, &dot, dimensions.ragged, dimensions.group);
    let program = product.and_then(|y| b.finish(&[y]));
    let program = crate::function::or_fail(at, program.map_err(|error| error.op("ragged_dot")));
    let results = crate::function::call(at, program, &[lhs.clone(), rhs.clone(), group_sizes.clone()], &[]);
    match results.into_iter().next() {
        Some(product) => product,
        None => fail(Error::internal("a product has a result").at(at)),
    }
}

/// The products of groups of rows of `lhs: [m, k]` with a matrix each of `rhs: [g, k, n]`; group `i` has `group_sizes[i]` rows, and
/// rows behind the last group are 0. A negative size counts as 0, and where sizes are more rows than `m`, the last groups have those that are left.
///
/// ```
/// use jarrah_array::{Array, lax};
/// // Two experts that multiply by 1 and by 10; one row goes to the first, two to the second, one to none.
/// let (x, experts) = (Array::ones(&[4, 1]), Array::new(&[1.0f32, 10.0], &[2, 1, 1]));
/// let y = lax::ragged_dot(&x, &experts, &Array::from_slice(&[1i32, 2]));
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 10.0, 10.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ragged_dot(lhs: &Array, rhs: &Array, group_sizes: &Array) -> Array {
    ragged_dot_as(lhs, rhs, group_sizes, lhs.dtype())
}

/// As [`ragged_dot`], with results of dtype `out`. Floats of 16 bits are summed in `f32` and rounded to `out` once.
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// // 1 + 2^-9 is no number of `bf16`.
/// let (x, w) = (Array::ones(&[1, 2]), Array::new(&[1.0f32, 2f32.powi(-9)], &[1, 2, 1]));
/// let [x, w] = [x, w].map(|x| x.astype(DType::BF16));
/// let y = lax::ragged_dot_as(&x, &w, &Array::from_slice(&[1i32]), DType::F32);
/// assert_eq!(y.to_vec::<f32>()?, [1.001953125]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `preferred_element_type` of `jax.lax.ragged_dot`.
#[track_caller]
pub fn ragged_dot_as(lhs: &Array, rhs: &Array, group_sizes: &Array, out: DType) -> Array {
    let fits = match (&lhs.shape()[..], &rhs.shape()[..], &group_sizes.shape()[..]) {
        (&[_, k], &[groups, inner, _], &[sizes]) => k == inner && groups == sizes,
        _ => false,
    };
    if !fits {
        let (lhs, rhs, sizes) = (lhs.ty(), rhs.ty(), group_sizes.ty());
        let error = Error::program(format!("lhs {lhs}, rhs {rhs} and group_sizes {sizes} do not fit"));
        let help = "they are [m, k], [g, k, n] and [g]: rows, a stack with a matrix for each group, and how many rows it has";
        fail(with_context(error.op("ragged_dot").at(Location::caller()).help(help)));
    }
    let (contract, batch) = ((vec![1], vec![1]), (Vec::new(), Vec::new()));
    let dimensions = RaggedDotDimensionNumbers { contract, batch, ragged: 0, group: Some(0) };
    ragged_dot_general_as(lhs, rhs, group_sizes, &dimensions, out)
}

/// The products of groups of rows of `lhs: [m, k]` with a matrix each of `rhs: [g, k, n]`, of which neighbouring rows share scales, `[g, parts, n]`:
///
/// `y[m, n] = sum over parts p of scales[i, p, n] (sum over k in p of lhs[m, k] rhs[i, k, n])`
///
/// for the rows `m` of group `i`, of which there are `group_sizes[i]`; rows behind the last group are 0. A part has `k / parts` rows. Scales and
/// results have the dtype in which such products are summed, `f32` for floats of 16 bits.
///
/// # Errors
/// Operands that do not fit are program errors.
///
/// ```
/// use jarrah_array::{Array, lax};
/// // One group, whose matrix has two parts of two rows each, with the scales 1 and 10.
/// let (x, w, scales) = (Array::ones(&[1, 4]), Array::ones(&[1, 4, 1]), Array::new(&[1.0f32, 10.0], &[1, 2, 1]));
/// let y = lax::scaled_ragged_dot(&x, &w, &scales, &Array::from_slice(&[1i32]));
/// assert_eq!(y.to_vec::<f32>()?, [22.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scaled_ragged_dot(lhs: &Array, rhs: &Array, scales: &Array, group_sizes: &Array) -> Array {
    sizes_are_integers(Location::caller(), group_sizes);
    let product = RaggedDot { kind: RaggedKind::Rows(GroupMatrices::Plain), out: lhs.dtype().accumulator() };
    // The op itself takes negative sizes for none.
    let sizes = match group_sizes.dtype() {
        DType::I32 => group_sizes.clone(),
        _ => sizes_of_groups(group_sizes),
    };
    apply_one(product, &[lhs, rhs, &sizes, scales])
}

/// Sizes of groups of any integers as `i32`: no array has more rows than it counts in a group, so that larger sizes count as that, and negative
/// ones as 0.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let sizes = lax::sizes_of_groups(&Array::from_slice(&[-1i64, 3, 1 << 40]));
/// assert_eq!(sizes.to_vec::<i32>()?, [0, 3, i32::MAX]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sizes_of_groups(sizes: &Array) -> Array {
    let zero = Array::full(&[], 0, sizes.dtype());
    let sizes = sizes.maximum(&zero);
    let sizes = match sizes.dtype() {
        dtype if dtype.bits() >= 32 && dtype != DType::I32 => {
            sizes.minimum(Array::full(&[], i32::MAX, dtype))
        }
        _ => sizes,
    };
    sizes.astype(DType::I32)
}

fn sizes_are_integers(at: Location, group_sizes: &Array) {
    if !group_sizes.dtype().is_integer() {
        let error = Error::program(format!("group_sizes is {}, it must be integers", group_sizes.ty()));
        fail(with_context(error.op("ragged_dot").at(at).help("give the number of rows of each group")));
    }
}
