//! The NumPy-like functions, which broadcast, promote and take negative axes.

use std::ops::{Bound, RangeBounds};

use jarrah_base::{DType, Dim, Error, Literal, Location, Type, elements};
use jarrah_hlo::ops::*;

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::operators::{broadcast_shapes, inexact_type, promote_types};
use crate::shape::IntoShape;
use crate::trace::apply_one;

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
fn resolve_each(op: &str, x: &Array, axes: &[isize]) -> Vec<usize> {
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
fn positions(op: &str, shape: &[usize], axis: usize) -> Array {
    check_positions(op, shape, axis);
    lax::iota(DType::I32, shape, axis)
}

/// Making arrays.
impl Array {
    /// `f32` zeros.
    #[track_caller]
    pub fn zeros(shape: &[usize]) -> Array {
        Array::full(shape, 0.0, DType::F32)
    }

    /// `f32` ones.
    #[track_caller]
    pub fn ones(shape: &[usize]) -> Array {
        Array::full(shape, 1.0, DType::F32)
    }

    /// `value` everywhere, as `dtype`: rounded if that is a float type, without its fraction if that is an integer type.
    /// A number that is out of an integer type's range is a program error.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::full(&[2], (1i64 << 53) + 1, DType::I64).to_vec::<i64>()?, [9_007_199_254_740_993; 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn full(shape: &[usize], value: impl Into<Number>, dtype: DType) -> Array {
        let value = value.into().fit("full", dtype);
        Array::filled(Type::tensor(dtype, shape.iter().copied()), value)
    }

    /// Zeros of a type.
    #[track_caller]
    pub fn zeros_of(ty: Type) -> Array {
        Array::filled(ty, Number::Integer(0).fit("zeros", ty.dtype()))
    }

    #[track_caller]
    fn filled(ty: Type, scalar: Literal) -> Array {
        let scalar = Array::constant(scalar);
        if ty.rank() == 0 {
            return scalar;
        }
        apply_one(BroadcastInDim { dims: ty.dims(), axes: Axes::new() }, &[&scalar])
    }

    /// Zeros of this array's type.
    #[track_caller]
    pub fn zeros_like(&self) -> Array {
        Array::zeros_of(self.ty())
    }

    /// Ones of this array's type.
    #[track_caller]
    pub fn ones_like(&self) -> Array {
        Array::filled(self.ty(), Number::Integer(1).fit("ones", self.dtype()))
    }

    /// `0, 1, ..., n - 1` as `i32`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(3).to_vec::<i32>()?, [0, 1, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn arange(n: usize) -> Array {
        positions("arange", &[n], 0)
    }

    /// A one where the last axis of the result equals the index, elsewhere zero, in `dtype`; only zeros for an index out
    /// of range.
    #[track_caller]
    pub fn one_hot(&self, classes: usize, dtype: DType) -> Array {
        let index = lax::wide_index(self, classes).expand_dims(-1);
        let mut shape = self.shape().to_vec();
        shape.push(classes);
        let position = lax::iota(index.dtype(), &shape, shape.len() - 1);
        index.eq(position).astype(dtype)
    }
}

/// Dtypes and shapes.
impl Array {
    /// The same numbers in another dtype. Complex numbers lose their imaginary parts, except as truth values: these are
    /// whether a number is not 0.
    #[track_caller]
    pub fn astype(&self, dtype: DType) -> Array {
        if self.dtype() == dtype {
            self.clone()
        } else if self.dtype().is_complex() && dtype == DType::Bool {
            self.ne(0)
        } else {
            apply_one(Convert { to: dtype }, &[self])
        }
    }

    /// Integers and truth values as floats, others as they are.
    #[track_caller]
    pub(crate) fn inexact(&self) -> Array {
        self.astype(inexact_type(self.dtype()))
    }

    /// The elements in row-major order with another shape, of `isize` or that of an array; one extent may be -1, which is
    /// computed from the others.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::zeros(&[4, 6]);
    /// assert_eq!(x.reshape(&[2, -1]).shape(), [2, 12]);
    /// assert_eq!(Array::zeros(&[24]).reshape(&x.shape()).shape(), [4, 6]);
    /// ```
    #[track_caller]
    pub fn reshape(&self, shape: impl IntoShape) -> Array {
        let shape = shape.into_extents();
        let known: Vec<usize> = shape.iter().filter_map(|&d| usize::try_from(d).ok()).collect();
        let open = shape.len() - known.len();
        let size = self.size();
        let fill = elements(&known).ok().and_then(|known| size.checked_div(known)).unwrap_or(0);
        let dims: Vec<usize> = shape.iter().map(|&d| usize::try_from(d).unwrap_or(fill)).collect();
        if open > 1 || elements(&dims).ok() != Some(size) {
            let error =
                Error::program(format!("{} cannot be reshaped to {shape:?}", self.ty())).op("reshape");
            let error = match open {
                0 => error.help(format!("it has {size} elements; one extent may be -1")),
                1 => error.help(format!("it has {size} elements, which the other extents do not divide")),
                _ => error.help("one extent may be -1"),
            };
            let error = error.at(Location::caller());
            fail(with_context(match self.source().location {
                Some(made) => error.label(made, "the array was made"),
                None => error,
            }));
        }
        if dims == self.shape() {
            return self.clone();
        }
        apply_one(Reshape { dims: dims.into_iter().map(Dim::new).collect() }, &[self])
    }

    /// The axes permuted: axis `i` of the result is axis `order[i]`.
    #[track_caller]
    pub fn transpose(&self, order: &[isize]) -> Array {
        let order = resolve_each("transpose", self, order);
        lax::transpose(self, &order)
    }

    /// The last two axes exchanged.
    #[track_caller]
    pub fn t(&self) -> Array {
        self.swap_axes(-1, -2)
    }

    /// Two axes exchanged.
    #[track_caller]
    pub fn swap_axes(&self, a: isize, b: isize) -> Array {
        let (a, b) = (resolve("swap_axes", self, a, self.rank()), resolve("swap_axes", self, b, self.rank()));
        let mut order: Vec<usize> = (0..self.rank()).collect();
        order.swap(a, b);
        lax::transpose(self, &order)
    }

    /// A new axis of extent one at the position `axis` of the result.
    #[track_caller]
    pub fn expand_dims(&self, axis: isize) -> Array {
        let axis = resolve("expand_dims", self, axis, self.rank() + 1);
        let mut shape: Vec<isize> = self.shape().into_iter().map(|d| d as isize).collect();
        shape.insert(axis, 1);
        self.reshape(&shape)
    }

    /// The array without this axis, which must have extent one.
    #[track_caller]
    pub fn squeeze(&self, axis: isize) -> Array {
        let axis = resolve("squeeze", self, axis, self.rank());
        let mut shape: Vec<isize> = self.shape().into_iter().map(|d| d as isize).collect();
        if shape.remove(axis) != 1 {
            let error = Error::program(format!("axis {axis} of {} is not of extent one", self.ty()));
            fail(with_context(error.op("squeeze").at(Location::caller())));
        }
        self.reshape(&shape)
    }

    /// The array broadcast to `shape`, aligned at the last axis.
    #[track_caller]
    pub fn broadcast_to(&self, shape: &[usize]) -> Array {
        if self.shape() == shape {
            return self.clone();
        }
        if broadcast_shapes(&self.shape(), shape).as_deref() != Some(shape) {
            let error = Error::program(format!("{} does not broadcast to {shape:?}", self.ty()));
            fail(with_context(error.op("broadcast_to").at(Location::caller())));
        }
        let lead = shape.len() - self.rank();
        let axes: Vec<usize> = (lead..shape.len()).collect();
        lax::broadcast_in_dim(self, shape, &axes)
    }

    /// The elements at a range of positions along an axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(5).slice(0, 1..3).to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn slice(&self, axis: isize, range: impl RangeBounds<usize>) -> Array {
        let axis = resolve("slice", self, axis, self.rank());
        let shape = self.shape();
        // An end at the largest position is out of range too, so nothing is lost where its successor does not exist.
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let limit = match range.end_bound() {
            Bound::Included(&l) => l.saturating_add(1),
            Bound::Excluded(&l) => l,
            Bound::Unbounded => shape[axis],
        };
        let mut starts: Sizes = shape.iter().map(|_| 0).collect();
        let mut limits = Sizes::from_slice(&shape);
        (starts[axis], limits[axis]) = (start, limit);
        let strides = shape.iter().map(|_| 1).collect();
        apply_one(Slice { starts, limits, strides }, &[self])
    }

    /// The slice at one position along an axis, which the result lacks; negative positions count from the end.
    #[track_caller]
    pub fn index(&self, axis: isize, position: isize) -> Array {
        let at = resolve("index", self, axis, self.rank());
        let extent = self.shape()[at];
        let place = if position < 0 { position + extent as isize } else { position };
        if !(0..extent as isize).contains(&place) {
            let error =
                Error::program(format!("position {position} is out of range for axis {at} of {}", self.ty()));
            fail(with_context(error.op("index").at(Location::caller())));
        }
        self.slice(at as isize, place as usize..place as usize + 1).squeeze(at as isize)
    }

    /// The array cut along an axis into `parts` parts of equal extent.
    #[track_caller]
    pub fn split(&self, parts: usize, axis: isize) -> Vec<Array> {
        let at = resolve("split", self, axis, self.rank());
        let extent = self.shape()[at];
        if parts == 0 || !extent.is_multiple_of(parts) {
            let error =
                Error::program(format!("axis {at} of {} does not split into {parts} equal parts", self.ty()));
            fail(with_context(error.op("split").at(Location::caller())));
        }
        let size = extent / parts;
        let mut slices = Vec::with_capacity(parts);
        for i in 0..parts {
            slices.push(self.slice(at as isize, i * size..(i + 1) * size));
        }
        slices
    }

    /// The elements in opposite order along an axis.
    #[track_caller]
    pub fn flip(&self, axis: isize) -> Array {
        let axis = resolve("flip", self, axis, self.rank());
        apply_one(Reverse { axes: Axes::from_slice(&[axis]) }, &[self])
    }

    /// The elements sorted in ascending order along an axis; NaN last.
    #[track_caller]
    pub fn sort(&self, axis: isize) -> Array {
        let axis = resolve("sort", self, axis, self.rank());
        lax::sort(&[self], axis).swap_remove(0)
    }

    /// The positions that sort the elements along an axis, as `i32`.
    #[track_caller]
    pub fn argsort(&self, axis: isize) -> Array {
        let axis = resolve("argsort", self, axis, self.rank());
        let positions = positions("argsort", &self.shape(), axis);
        lax::sort(&[self, &positions], axis).swap_remove(1)
    }

    /// The same bits as another dtype of equal size.
    #[track_caller]
    pub fn bitcast(&self, dtype: DType) -> Array {
        apply_one(BitcastConvert { to: dtype }, &[self])
    }
}

/// Products.
impl Array {
    /// The matrix product; leading axes broadcast as in NumPy, vectors count as a row or a column.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (a, b) = (Array::zeros(&[8, 3, 4]), Array::zeros(&[4, 5]));
    /// assert_eq!(a.matmul(&b).shape(), [8, 3, 5]);
    /// ```
    #[track_caller]
    pub fn matmul(&self, other: &Array) -> Array {
        let dtype = promote_types(self.dtype(), other.dtype());
        let (a, b) = (self.astype(dtype), other.astype(dtype));
        if a.rank() == 0 || b.rank() == 0 {
            let error =
                Error::program(format!("a scalar has no axis to contract: lhs {}, rhs {}", a.ty(), b.ty()));
            fail(with_context(error.op("matmul").at(Location::caller()).help("multiply with *")));
        }
        let last = a.rank() - 1;
        if b.rank() <= 2 {
            let row = b.rank() - if b.rank() == 2 { 2 } else { 1 };
            return lax::dot_general(&a, &b, (&[last], &[row]), (&[], &[]));
        }
        if a.rank() == 1 {
            let product = a.expand_dims(0).matmul(&b);
            return product.squeeze(-2);
        }
        let (x, y) = (a.shape(), b.shape());
        let (lead_a, lead_b) = (&x[..x.len() - 2], &y[..y.len() - 2]);
        let Some(lead) = broadcast_shapes(lead_a, lead_b) else {
            let error =
                Error::program(format!("leading axes do not broadcast: lhs {}, rhs {}", a.ty(), b.ty()));
            fail(with_context(error.op("matmul").at(Location::caller())))
        };
        let extend = |x: &Array, s: &[usize]| {
            let shape: Vec<usize> = lead.iter().chain(&s[s.len() - 2..]).copied().collect();
            x.broadcast_to(&shape)
        };
        let (a, b) = (extend(&a, &x), extend(&b, &y));
        let batch: Vec<usize> = (0..lead.len()).collect();
        let n = lead.len();
        lax::dot_general(&a, &b, (&[n + 1], &[n]), (&batch, &batch))
    }
}

/// The arrays one after another along an axis.
#[track_caller]
pub fn concatenate(arrays: &[&Array], axis: isize) -> Array {
    let Some(first) = arrays.first() else {
        fail(Error::program("there is nothing to concatenate").op("concatenate").at(Location::caller()))
    };
    let axis = resolve("concatenate", first, axis, first.rank());
    if arrays.len() == 1 {
        return (*first).clone();
    }
    let dtype = arrays.iter().map(|a| a.dtype()).reduce(promote_types).unwrap_or(DType::F32);
    let mut converted = Vec::with_capacity(arrays.len());
    for array in arrays {
        converted.push(array.astype(dtype));
    }
    apply_one(Concatenate { axis }, &converted.iter().collect::<Vec<_>>())
}

/// The arrays along a new axis.
#[track_caller]
pub fn stack(arrays: &[&Array], axis: isize) -> Array {
    if let Some((i, other)) = arrays.iter().enumerate().find(|(_, a)| a.shape() != arrays[0].shape()) {
        let (first, other) = (arrays[0].ty(), other.ty());
        let error = Error::program(format!("shapes differ: array 0 is {first}, array {i} is {other}"));
        fail(with_context(error.op("stack").at(Location::caller())));
    }
    let mut expanded = Vec::with_capacity(arrays.len());
    for array in arrays {
        expanded.push(array.expand_dims(axis));
    }
    concatenate(&expanded.iter().collect::<Vec<_>>(), axis)
}
