//! The NumPy-like functions, which broadcast, promote and take negative axes.

use std::ops::{Bound, RangeBounds};

use jarrah_base::{DType, Dim, Error, Literal, Location, Type};
use jarrah_hlo::ops::*;

use crate::array::Array;
use crate::custom::stop_gradient;
use crate::error::{fail, with_context};
use crate::lax;
pub use crate::operators::{Operand, broadcast_shapes, promote_types};
use crate::operators::{align, binary, compare};
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
fn resolve(op: &str, x: &Array, axis: isize, rank: usize) -> usize {
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
fn resolve_all(op: &str, x: &Array, axes: impl IntoAxes) -> Vec<usize> {
    let mut resolved = resolve_each(op, x, &axes.into_axes());
    resolved.sort_unstable();
    if resolved.windows(2).any(|w| w[0] == w[1]) {
        fail(with_context(Error::program("an axis is named twice").op(op).at(Location::caller())));
    }
    resolved
}

macro_rules! unary {
    ($($(#[doc = $doc:literal])* $name:ident $kind:ident),* $(,)?) => {
        impl Array {
            $(
                $(#[doc = $doc])*
                #[track_caller]
                pub fn $name(&self) -> Array {
                    apply_one(Elementwise { kind: ElementwiseKind::$kind }, &[&self.inexact(ElementwiseKind::$kind)])
                }
            )*
        }
    };
}
unary! {
    /// The absolute value.
    abs Abs,
    /// -1, 0 or 1.
    sign Sign,
    /// The largest integer that is not above the element.
    floor Floor,
    /// The smallest integer that is not below the element.
    ceil Ceil,
    /// The nearest integer, halves to even.
    round RoundNearestEven,
    /// `e^x`.
    exp Exponential,
    /// `e^x - 1`.
    expm1 ExponentialMinusOne,
    /// The natural logarithm.
    log Log,
    /// `ln(1 + x)`.
    log1p LogPlusOne,
    /// `1 / (1 + e^-x)`.
    sigmoid Logistic,
    /// The hyperbolic tangent.
    tanh Tanh,
    /// The square root.
    sqrt Sqrt,
    /// `1 / sqrt(x)`.
    rsqrt Rsqrt,
    /// The cube root.
    cbrt Cbrt,
    /// The sine, of radians.
    sin Sine,
    /// The cosine, of radians.
    cos Cosine,
    /// The tangent, of radians.
    tan Tan,
    /// The error function.
    erf Erf,
    /// The inverse of the error function.
    erf_inv ErfInv,
}

macro_rules! binaries {
    ($($(#[doc = $doc:literal])* $name:ident $kind:ident),* $(,)?) => {
        impl Array {
            $(
                $(#[doc = $doc])*
                #[track_caller]
                pub fn $name(&self, other: impl Into<Operand>) -> Array {
                    binary(ElementwiseKind::$kind, self, other)
                }
            )*
        }
    };
}
binaries! {
    /// The larger element of the two; NaN wins.
    maximum Maximum,
    /// The smaller element of the two; NaN wins.
    minimum Minimum,
    /// This array to the power `other`.
    pow Power,
    /// The angle of the point `(other, self)`, in radians.
    atan2 Atan2,
    /// Bits moved up.
    shift_left ShiftLeft,
    /// Bits moved down, zeros filling in.
    shift_right ShiftRightLogical,
}

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])* $name:ident $comparison:ident),* $(,)?) => {
        impl Array {
            $(
                $(#[doc = $doc])*
                #[track_caller]
                pub fn $name(&self, other: impl Into<Operand>) -> Array {
                    compare(Comparison::$comparison, self, other)
                }
            )*
        }
    };
}
comparisons! {
    /// Whether the elements are equal.
    equal Eq,
    /// Whether the elements differ.
    not_equal Ne,
    /// Whether this array's element is less.
    lt Lt,
    /// Whether this array's element is less or equal.
    le Le,
    /// Whether this array's element is greater.
    gt Gt,
    /// Whether this array's element is greater or equal.
    ge Ge,
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

    /// An array full of `value`, rounded to `dtype`.
    #[track_caller]
    pub fn full(shape: &[usize], value: f64, dtype: DType) -> Array {
        Array::full_of(Type::tensor(dtype, shape.iter().copied()), value)
    }

    /// Zeros of a type.
    #[track_caller]
    pub fn zeros_of(ty: Type) -> Array {
        Array::full_of(ty, 0.0)
    }

    #[track_caller]
    fn full_of(ty: Type, value: f64) -> Array {
        let scalar =
            Literal::full(Type::scalar(ty.dtype()), value).expect("invariant: a scalar has a known size");
        let scalar = Array::constant(scalar);
        if ty.rank() == 0 {
            return scalar;
        }
        apply_one(BroadcastInDim { dims: ty.dims().into(), axes: Axes::new() }, &[&scalar])
    }

    /// Zeros of this array's type.
    #[track_caller]
    pub fn zeros_like(&self) -> Array {
        Array::zeros_of(self.ty())
    }

    /// Ones of this array's type.
    #[track_caller]
    pub fn ones_like(&self) -> Array {
        Array::full_of(self.ty(), 1.0)
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
        lax::iota(DType::I32, &[n], 0)
    }

    /// A one where the last axis of the result equals the index, elsewhere zero, in `dtype`.
    #[track_caller]
    pub fn one_hot(&self, classes: usize, dtype: DType) -> Array {
        let mut shape = self.shape();
        shape.push(classes);
        let last = shape.len() - 1;
        let position = lax::iota(self.dtype(), &shape, last);
        self.expand_dims(-1).equal(position).astype(dtype)
    }
}

/// Dtypes and shapes.
impl Array {
    /// The elements converted to another dtype.
    #[track_caller]
    pub fn astype(&self, dtype: DType) -> Array {
        if self.dtype() == dtype { self.clone() } else { apply_one(Convert { to: dtype }, &[self]) }
    }

    /// An integer array as `f32` for a function of floats; others as they are.
    #[track_caller]
    fn inexact(&self, kind: ElementwiseKind) -> Array {
        if kind.accepts_dtype(self.dtype()) { self.clone() } else { self.astype(DType::F32) }
    }

    /// The elements in row-major order with another shape; one extent may be -1, which is computed from the others.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::zeros(&[4, 6]).reshape(&[2, -1]).shape(), [2, 12]);
    /// ```
    #[track_caller]
    pub fn reshape(&self, shape: &[isize]) -> Array {
        let known: isize = shape.iter().filter(|&&d| d >= 0).product();
        let open = shape.iter().filter(|&&d| d < 0).count();
        let size = self.size() as isize;
        let fill = if known == 0 { 0 } else { size / known };
        let dims: Vec<usize> = shape.iter().map(|&d| if d < 0 { fill } else { d } as usize).collect();
        if open > 1 || dims.iter().product::<usize>() as isize != size {
            let error =
                Error::program(format!("{} cannot be reshaped to {shape:?}", self.ty())).op("reshape");
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
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s + 1,
            Bound::Unbounded => 0,
        };
        let limit = match range.end_bound() {
            Bound::Included(&l) => l + 1,
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

    /// The slices along `axis` at integer positions; negative ones count from the end, others are moved into range.
    #[track_caller]
    pub fn take(&self, indices: &Array, axis: isize) -> Array {
        let axis = resolve("take", self, axis, self.rank());
        lax::take(self, &self.wrap(indices, axis), axis)
    }

    /// The elements along `axis` at integer positions; the other axes of `indices` are those of this array.
    #[track_caller]
    pub fn take_along_axis(&self, indices: &Array, axis: isize) -> Array {
        let axis = resolve("take_along_axis", self, axis, self.rank());
        lax::take_along_axis(self, &self.wrap(indices, axis), axis)
    }

    #[track_caller]
    fn wrap(&self, indices: &Array, axis: usize) -> Array {
        if indices.dtype().kind() != jarrah_base::ElementKind::Signed {
            return indices.clone();
        }
        where_(&indices.lt(0), indices + self.shape()[axis] as i64, indices)
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
        let positions = lax::iota(DType::I32, &self.shape(), axis);
        lax::sort(&[self, &positions], axis).swap_remove(1)
    }

    /// The same bits as another dtype of equal size.
    #[track_caller]
    pub fn bitcast(&self, dtype: DType) -> Array {
        apply_one(BitcastConvert { to: dtype }, &[self])
    }
}

/// Reductions.
impl Array {
    #[track_caller]
    fn reduce(&self, op: &str, reducer: Reducer, axes: impl IntoAxes) -> Array {
        let axes = resolve_all(op, self, axes);
        if axes.is_empty() {
            return self.clone();
        }
        apply_one(Reduce { reducer, axes: axes.into() }, &[self])
    }

    fn all_axes(&self) -> Vec<isize> {
        (0..self.rank() as isize).collect()
    }

    /// `reduced` with axes of extent one where `axes` of this array were.
    #[track_caller]
    fn kept(&self, reduced: &Array, axes: impl IntoAxes) -> Array {
        let axes = resolve_all("keepdims", self, axes);
        let shape: Vec<isize> = self
            .shape()
            .into_iter()
            .enumerate()
            .map(|(i, d)| if axes.contains(&i) { 1 } else { d as isize })
            .collect();
        reduced.reshape(&shape)
    }

    /// The sum along axes; truth values are counted.
    #[track_caller]
    pub fn sum(&self, axes: impl IntoAxes) -> Array {
        let x = if self.dtype() == DType::Bool { self.astype(DType::I32) } else { self.clone() };
        x.reduce("sum", Reducer::Add, axes)
    }

    /// The sum of all elements.
    #[track_caller]
    pub fn sum_all(&self) -> Array {
        self.sum(&self.all_axes()[..])
    }

    /// The mean along axes.
    #[track_caller]
    pub fn mean(&self, axes: impl IntoAxes) -> Array {
        let axes = axes.into_axes();
        let x = self.inexact(ElementwiseKind::Exponential);
        let count: usize = resolve_all("mean", self, &axes[..]).iter().map(|&a| self.shape()[a]).product();
        x.sum(&axes[..]) / count as f64
    }

    /// The mean of all elements.
    #[track_caller]
    pub fn mean_all(&self) -> Array {
        self.mean(&self.all_axes()[..])
    }

    /// The variance along axes, `mean((x - mean(x))^2)`.
    #[track_caller]
    pub fn var(&self, axes: impl IntoAxes) -> Array {
        let axes = axes.into_axes();
        let centred = self - self.kept(&self.mean(&axes[..]), &axes[..]);
        (&centred * &centred).mean(&axes[..])
    }

    /// The largest along axes; NaN wins.
    #[track_caller]
    pub fn max(&self, axes: impl IntoAxes) -> Array {
        self.reduce("max", Reducer::Max, axes)
    }

    /// The smallest along axes; NaN wins.
    #[track_caller]
    pub fn min(&self, axes: impl IntoAxes) -> Array {
        self.reduce("min", Reducer::Min, axes)
    }

    /// The product along axes.
    #[track_caller]
    pub fn prod(&self, axes: impl IntoAxes) -> Array {
        self.reduce("prod", Reducer::Mul, axes)
    }

    /// Whether all hold along axes.
    #[track_caller]
    pub fn all(&self, axes: impl IntoAxes) -> Array {
        self.astype(DType::Bool).reduce("all", Reducer::And, axes)
    }

    /// Whether any holds along axes.
    #[track_caller]
    pub fn any(&self, axes: impl IntoAxes) -> Array {
        self.astype(DType::Bool).reduce("any", Reducer::Or, axes)
    }

    /// The position of the first largest along an axis, as `i32`.
    #[track_caller]
    pub fn argmax(&self, axis: isize) -> Array {
        self.reduce("argmax", Reducer::ArgMax(DType::I32), axis)
    }

    /// The position of the first smallest along an axis, as `i32`.
    #[track_caller]
    pub fn argmin(&self, axis: isize) -> Array {
        self.reduce("argmin", Reducer::ArgMin(DType::I32), axis)
    }

    /// `ln(sum(e^x))` along an axis, without overflow.
    #[track_caller]
    pub fn logsumexp(&self, axis: isize) -> Array {
        let max = stop_gradient(&self.max(axis));
        let finite = where_(&max.abs().lt(f64::INFINITY), &max, 0.0);
        let shifted = self - self.kept(&finite, axis);
        shifted.exp().sum(axis).log() + finite
    }

    /// `e^x / sum(e^x)` along an axis.
    #[track_caller]
    pub fn softmax(&self, axis: isize) -> Array {
        let max = stop_gradient(&self.kept(&self.max(axis), axis));
        let e = (self - max).exp();
        let total = self.kept(&e.sum(axis), axis);
        e / total
    }

    /// `x - ln(sum(e^x))` along an axis.
    #[track_caller]
    pub fn log_softmax(&self, axis: isize) -> Array {
        let max = stop_gradient(&self.kept(&self.max(axis), axis));
        let shifted = self - max;
        let total = self.kept(&shifted.exp().sum(axis), axis);
        shifted - total.log()
    }

    /// The sums of all elements up to each along an axis, as pairwise sums in `log2(n)` rounds.
    #[track_caller]
    pub fn cumsum(&self, axis: isize) -> Array {
        let at = resolve("cumsum", self, axis, self.rank());
        let extent = self.shape()[at];
        let zero = Array::zeros_of(Type::scalar(self.dtype()));
        let mut x = self.clone();
        let mut shift = 1;
        while shift < extent {
            let (mut low, mut high) = (vec![0; self.rank()], vec![0; self.rank()]);
            (low[at], high[at]) = (shift as i64, -(shift as i64));
            x = lax::pad(&x, &zero, &low, &high) + x;
            shift *= 2;
        }
        x
    }
}

/// Products and choices.
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

    /// Moved into the interval from `low` to `high`.
    #[track_caller]
    pub fn clip(&self, low: f64, high: f64) -> Array {
        self.maximum(low).minimum(high).astype(self.dtype())
    }

    /// `x * x`.
    #[track_caller]
    pub fn square(&self) -> Array {
        self * self
    }

    /// Where the numbers are neither infinite nor NaN.
    #[track_caller]
    pub fn is_finite(&self) -> Array {
        self.abs().lt(f64::INFINITY)
    }
}

/// `on_true` where the condition holds, elsewhere `on_false`; all three broadcast.
///
/// ```
/// use jarrah_array::{Array, where_};
/// let x = Array::from_slice(&[-1.0f32, 2.0]);
/// assert_eq!(where_(&x.lt(0.0), 0.0, &x).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn where_(condition: &Array, on_true: impl Into<Operand>, on_false: impl Into<Operand>) -> Array {
    let (a, b) = align("where", on_true.into(), on_false.into());
    let condition = condition.astype(DType::Bool);
    let Some(shape) = broadcast_shapes(&condition.shape(), &a.shape()) else {
        let error = Error::program(format!(
            "shapes do not broadcast: condition {}, values {}",
            condition.ty(),
            a.ty()
        ));
        fail(with_context(error.op("where").at(Location::caller())))
    };
    let operands = [condition.broadcast_to(&shape), a.broadcast_to(&shape), b.broadcast_to(&shape)];
    apply_one(Select, &[&operands[0], &operands[1], &operands[2]])
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
    let mut expanded = Vec::with_capacity(arrays.len());
    for array in arrays {
        expanded.push(array.expand_dims(axis));
    }
    concatenate(&expanded.iter().collect::<Vec<_>>(), axis)
}
