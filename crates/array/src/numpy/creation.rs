//! Making arrays.

use std::ops::{Bound, Range, RangeBounds};

use jarrah_base::{DType, Error, Literal, Location, Result, Type};
use jarrah_hlo::ops::{Axes, BroadcastInDim};

use crate::array::Array;
use crate::device::default_device;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::numpy::{Stepped, positions, steps};
use crate::operators::IntoOperand;
use crate::trace::apply_one;

/// The numbers of [`Array::arange`]: how many from 0 on, a range, or a range with a step.
pub trait IntoArange {
    /// The first number, the end, and the step.
    fn into_arange(self) -> [Number; 3];
}

fn counted(start: impl Into<Number>, stop: impl Into<Number>, step: impl Into<Number>) -> [Number; 3] {
    [start.into(), stop.into(), step.into()]
}

macro_rules! arange_of {
    ($($t:ty, $zero:expr, $one:expr;)*) => {$(
        impl IntoArange for $t {
            fn into_arange(self) -> [Number; 3] {
                counted($zero, self, $one)
            }
        }
        impl IntoArange for Range<$t> {
            fn into_arange(self) -> [Number; 3] {
                counted(self.start, self.end, $one)
            }
        }
        impl IntoArange for Stepped<$t> {
            fn into_arange(self) -> [Number; 3] {
                counted(self.start.unwrap_or($zero), self.stop.unwrap_or($zero), self.step)
            }
        }
    )*};
}
arange_of! { i32, 0, 1; i64, 0, 1; isize, 0, 1; usize, 0, 1; f32, 0.0, 1.0; f64, 0.0, 1.0; }

/// Constants.
impl Array {
    /// `f32` zeros.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::zeros(&[2, 1]).to_string(), "f32[2,1]\n[[0.0],\n [0.0]]");
    /// ```
    #[track_caller]
    pub fn zeros(shape: &[usize]) -> Array {
        Array::full(shape, 0.0, DType::F32)
    }

    /// Zeros of a dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::zeros_in(&[2], DType::I32).to_string(), "i32[2] [0, 0]");
    /// ```
    #[track_caller]
    pub fn zeros_in(shape: &[usize], dtype: DType) -> Array {
        Array::full(shape, 0, dtype)
    }

    /// Ones of a dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::ones_in(&[2], DType::I32).to_string(), "i32[2] [1, 1]");
    /// ```
    #[track_caller]
    pub fn ones_in(shape: &[usize], dtype: DType) -> Array {
        Array::full(shape, 1, dtype)
    }

    /// `f32` ones.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::ones(&[2]).to_string(), "f32[2] [1.0, 1.0]");
    /// ```
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

    /// Zeros of a type: of its dtype and shape.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1u8, 2]);
    /// assert_eq!(Array::zeros_of(x.ty()).to_vec::<u8>()?, [0, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn zeros_of(ty: Type) -> Array {
        Array::filled(ty, Number::Integer(0).fit("zeros", ty.dtype()))
    }

    /// Zeros on the default device, in memory of their own that is taken now; of many, no page is touched before something is written there. A program that
    /// the array is donated to writes to this memory.
    ///
    /// # Errors
    /// The device is out of memory.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType, Type};
    /// assert_eq!(Array::reserve(Type::tensor(DType::F32, [2]))?.to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn reserve(ty: Type) -> Result<Array> {
        let device = default_device();
        Ok(Array::from_buffer(device.client().zeros(ty, device.id().into())?))
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
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2]).zeros_like().to_vec::<i32>()?, [0, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn zeros_like(&self) -> Array {
        Array::zeros_of(self.ty())
    }

    /// Ones of this array's type.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2]).ones_like().to_vec::<i32>()?, [1, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ones_like(&self) -> Array {
        self.full_like(1)
    }

    /// `value` everywhere, of this array's type, as in [`Array::full`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1i32, 2]).full_like(7).to_vec::<i32>()?, [7, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn full_like(&self, value: impl Into<Number>) -> Array {
        Array::filled(self.ty(), value.into().fit("full_like", self.dtype()))
    }
}

/// Sequences.
impl Array {
    /// Numbers from a start to before an end: `i32` for integers, `f32` for floats.
    ///
    /// # Errors
    ///
    /// A program error if the step is 0, or the count is not finite.
    ///
    /// ```
    /// # use jarrah_array::{Array, StepBy, numpy::steps};
    /// assert_eq!(Array::arange(3).to_vec::<i32>()?, [0, 1, 2]);
    /// assert_eq!(Array::arange(steps(7, 0, -3)).to_vec::<i32>()?, [7, 4, 1]);
    /// assert_eq!(Array::arange((0.0..1.0).step(0.5)).to_vec::<f32>()?, [0.0, 0.5]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn arange(numbers: impl IntoArange) -> Array {
        let at = Location::caller();
        let wrong = |what: String| Error::program(what).op("arange").at(at);
        match numbers.into_arange() {
            [_, _, Number::Integer(0)] => fail(with_context(wrong("the step is 0".to_owned()))),
            [Number::Integer(start), Number::Integer(stop), Number::Integer(step)] => {
                let count = (stop - start + step - step.signum()) / step;
                let x = positions("arange", &[count.max(0) as usize], 0);
                let x = if step == 1 {
                    x
                } else {
                    x * Array::constant(Number::Integer(step).fit("arange", DType::I32))
                };
                if start == 0 {
                    x
                } else {
                    x + Array::constant(Number::Integer(start).fit("arange", DType::I32))
                }
            }
            numbers => {
                let [start, stop, step] = numbers.map(Number::float);
                let count = ((stop - start) / step).ceil();
                if !count.is_finite() {
                    fail(with_context(wrong(format!("from {start} to {stop} by {step} is no finite count"))));
                }
                lax::iota(DType::F32, &[count.max(0.0) as usize], 0) * step + start
            }
        }
    }

    /// `count` numbers, evenly spaced over a range, as `f32`; `a..=b` ends with `b`, `a..b` one step before.
    ///
    /// # Errors
    ///
    /// A program error if the range lacks an end.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::linspace(0.0..=1.0, 5).to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// assert_eq!(Array::linspace(0.0..1.0, 4).to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn linspace(range: impl RangeBounds<f64>, count: usize) -> Array {
        let (start, stop, closed) = ends("linspace", &range);
        Array::spaced(
            [start, stop].map(|x| Number::Float(x).fit("linspace", DType::F32)).map(Array::constant),
            count,
            closed,
        )
    }

    /// `count` numbers on the line between two scalars.
    #[track_caller]
    pub(crate) fn spaced([start, stop]: [Array; 2], count: usize, closed: bool) -> Array {
        let steps = if closed { count.saturating_sub(1) } else { count }.max(1);
        let position = lax::iota(start.dtype(), &[count], 0);
        let share = &position / steps as f64;
        let x = (1.0 - &share) * &start + share * &stop;
        if closed && count > 1 { where_(&position.eq(steps), &stop, x) } else { x }
    }

    /// `count` powers of `base`, as `f32`; the exponents are those of [`Array::linspace`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::logspace(0.0..=3.0, 4, 2.0).to_vec::<f32>()?;
    /// assert!(x.iter().zip([1.0, 2.0, 4.0, 8.0]).all(|(a, b)| (a - b).abs() < 1e-5));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn logspace(exponents: impl RangeBounds<f64>, count: usize, base: f64) -> Array {
        Array::scalar(base as f32).pow(Array::linspace(exponents, count))
    }

    /// `count` numbers over a range with a constant ratio between neighbours; both ends are positive or both negative.
    ///
    /// # Errors
    ///
    /// A program error if the ends have not one sign, or one is missing.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::geomspace(1.0..=8.0, 4).to_vec::<f32>()?;
    /// assert!(x.iter().zip([1.0, 2.0, 4.0, 8.0]).all(|(a, b)| (a - b).abs() < 1e-5));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn geomspace(range: impl RangeBounds<f64>, count: usize) -> Array {
        let (start, stop, closed) = ends("geomspace", &range);
        if start * stop <= 0.0 {
            let error = Error::program(format!("{start} and {stop} are not on one side of 0"));
            fail(with_context(error.op("geomspace").at(Location::caller())));
        }
        let (low, high) = (start.abs().ln(), stop.abs().ln());
        let logs =
            if closed { Array::linspace(low..=high, count) } else { Array::linspace(low..high, count) };
        logs.exp() * start.signum()
    }
}

/// The two ends of a range of floats, and whether the upper end is included.
#[track_caller]
fn ends(op: &str, range: &impl RangeBounds<f64>) -> (f64, f64, bool) {
    match (range.start_bound(), range.end_bound()) {
        (Bound::Included(&a), Bound::Included(&b)) => (a, b, true),
        (Bound::Included(&a), Bound::Excluded(&b)) => (a, b, false),
        _ => {
            let error = Error::program("the range needs two ends").op(op).at(Location::caller());
            fail(with_context(error.help("write a..b or a..=b")))
        }
    }
}

/// Matrices.
impl Array {
    /// The identity matrix with `n` rows, as `f32`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::eye(2).to_string(), "f32[2,2]\n[[1.0, 0.0],\n [0.0, 1.0]]");
    /// ```
    #[track_caller]
    pub fn eye(n: usize) -> Array {
        Array::eye_in(n, n, 0, DType::F32)
    }

    /// A matrix with ones on its `offset`-th diagonal, positive ones above the main one; elsewhere zeros.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::eye_in(2, 3, 1, DType::I32).to_vec::<i32>()?, [0, 1, 0, 0, 0, 1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn eye_in(rows: usize, columns: usize, offset: isize, dtype: DType) -> Array {
        let (row, column) = grid(rows, columns);
        (row + offset as i64).eq(column).astype(dtype)
    }

    /// A matrix with ones on its `offset`-th diagonal and below, as `f32`; elsewhere zeros.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::tri(2, 3, 0).to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    /// assert_eq!(Array::tri(2, 3, 1).to_vec::<f32>()?, [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn tri(rows: usize, columns: usize, offset: isize) -> Array {
        triangle(rows, columns, offset).astype(DType::F32)
    }

    /// The matrices of the last two axes on their `offset`-th diagonal and below; zeros above.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(1..5).reshape(&[2, 2]).tril(0).to_vec::<i32>()?, [1, 0, 3, 4]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn tril(&self, offset: isize) -> Array {
        let [rows, columns] = self.matrix_extents("tril");
        where_(&triangle(rows, columns, offset), self, self.zeros_like())
    }

    /// The matrices of the last two axes on their `offset`-th diagonal and above; zeros below.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(1..5).reshape(&[2, 2]).triu(0).to_vec::<i32>()?, [1, 2, 0, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn triu(&self, offset: isize) -> Array {
        let [rows, columns] = self.matrix_extents("triu");
        where_(&triangle(rows, columns, offset - 1), self.zeros_like(), self)
    }

    /// The extents of the last two axes.
    #[track_caller]
    pub(crate) fn matrix_extents(&self, op: &str) -> [usize; 2] {
        match self.shape()[..] {
            [.., rows, columns] => [rows, columns],
            _ => {
                let error =
                    Error::program(format!("a matrix is needed, {} has fewer than two axes", self.ty()));
                fail(with_context(error.op(op).at(Location::caller())))
            }
        }
    }

    /// A matrix with this vector on its `offset`-th diagonal, or the `offset`-th diagonal of this matrix.
    ///
    /// # Errors
    ///
    /// A program error for an array with other than one or two axes.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let d = Array::arange(1..3).diag(0);
    /// assert_eq!(d.to_vec::<i32>()?, [1, 0, 0, 2]);
    /// assert_eq!(d.diag(0).to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn diag(&self, offset: isize) -> Array {
        match self.rank() {
            1 => self.diagflat(offset),
            2 => self.diagonal(offset, 0, 1),
            _ => {
                let error = Error::program(format!("a vector or a matrix is needed, this is {}", self.ty()));
                fail(with_context(
                    error
                        .op("diag")
                        .help("diagonal takes that of two axes of an array")
                        .at(Location::caller()),
                ))
            }
        }
    }

    /// A matrix with the elements in row-major order on its `offset`-th diagonal; elsewhere zeros.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(1..3).diagflat(0).to_vec::<i32>()?, [1, 0, 0, 2]);
    /// assert_eq!(Array::arange(1..3).diagflat(-1).to_vec::<i32>()?, [0, 0, 0, 1, 0, 0, 0, 2, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn diagflat(&self, offset: isize) -> Array {
        let x = self.ravel();
        let n = x.size() + offset.unsigned_abs();
        let before = offset.min(0).unsigned_abs() as i64;
        let zero = Array::constant(Number::Integer(0).fit("diagflat", self.dtype()));
        // A row of each column's element, cut by the diagonal.
        let row = lax::pad(&x, &zero, &[offset.max(0) as i64], &[before]);
        let (i, j) = grid(n, n);
        where_(&(i + offset as i64).eq(j), row.broadcast_to(&[n, n]), &zero)
    }

    /// The `offset`-th diagonals of the matrices of two axes, as the last axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(6).reshape(&[2, 3]).diagonal(1, 0, 1).to_vec::<i32>()?, [1, 5]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn diagonal(&self, offset: isize, axis1: isize, axis2: isize) -> Array {
        let x = self.moveaxis([axis1, axis2], [-2, -1]);
        let [rows, columns] = x.matrix_extents("diagonal");
        let (below, right) = (offset.min(0).unsigned_abs(), offset.max(0) as usize);
        let length = rows.saturating_sub(below).min(columns.saturating_sub(right));
        let lead = x.rank() - 2;
        // In row-major order the elements of a diagonal are `columns + 1` apart.
        let mut shape: Vec<isize> = x.shape()[..lead].iter().map(|&d| d as isize).collect();
        if length == 0 {
            let dims: Vec<usize> = x.shape()[..lead].iter().copied().chain([0]).collect();
            return Array::full(&dims, 0, self.dtype());
        }
        shape.push((rows * columns) as isize);
        let flat = x.reshape(&shape[..]);
        let first = below * columns + right;
        let mut starts = vec![0; lead + 1];
        let mut limits = flat.shape().to_vec();
        let mut strides = vec![1; lead + 1];
        (starts[lead], limits[lead], strides[lead]) =
            (first, first + (length - 1) * (columns + 1) + 1, columns + 1);
        lax::slice(&flat, &starts, &limits, &strides)
    }

    /// The sum of the `offset`-th diagonals of the matrices of two axes, in the dtype of [`Array::sum`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// assert_eq!(x.trace(0, 0, 1).item::<i64>()?, 3);
    /// assert_eq!(x.trace(1, 0, 1).item::<i64>()?, 1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn trace(&self, offset: isize, axis1: isize, axis2: isize) -> Array {
        self.diagonal(offset, axis1, axis2).sum(-1)
    }

    /// The powers of each element of a vector as a row, the highest first: the Vandermonde matrix with `columns` columns.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[2i32, 3]).vander(3).to_vec::<i32>()?, [4, 2, 1, 9, 3, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn vander(&self, columns: usize) -> Array {
        let exponents = Array::arange(steps(columns as i64 - 1, -1, -1));
        let powers = self.expand_dims(-1).pow(exponents);
        if self.dtype() == DType::Bool { powers } else { powers.astype(self.dtype()) }
    }

    /// This array with `value` on the main diagonal of its matrices.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// assert_eq!(x.fill_diagonal(9).to_vec::<i32>()?, [9, 1, 2, 9]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn fill_diagonal(&self, value: impl IntoOperand) -> Array {
        let [rows, columns] = self.matrix_extents("fill_diagonal");
        where_(&Array::eye_in(rows, columns, 0, DType::Bool), value, self).astype(self.dtype())
    }
}

/// The number of the row, as a column, and of the column, as a row.
#[track_caller]
fn grid(rows: usize, columns: usize) -> (Array, Array) {
    let row = positions("eye", &[rows, 1], 0);
    (row, positions("eye", &[1, columns], 1))
}

/// Where the column is not to the right of the `offset`-th diagonal.
#[track_caller]
fn triangle(rows: usize, columns: usize, offset: isize) -> Array {
    let (row, column) = grid(rows, columns);
    (row + offset as i64).ge(column)
}

/// Grids.
impl Array {
    /// A one where the last axis of the result equals the index, elsewhere zero, in `dtype`; only zeros for an index out
    /// of range. Indices that are no integers are a program error.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let x = Array::from_slice(&[1i32, 0, 5]).one_hot(2, DType::F32);
    /// assert_eq!(x.to_vec::<f32>()?, [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn one_hot(&self, classes: usize, dtype: DType) -> Array {
        if !self.dtype().is_integer() {
            let error = Error::program(format!("the classes must be integers, they are {}", self.ty()));
            fail(with_context(error.op("one_hot").at(Location::caller()).help("convert them with astype")));
        }
        let index = lax::wide_index(self, classes).expand_dims(-1);
        let mut shape = self.shape().to_vec();
        shape.push(classes);
        let position = lax::iota(index.dtype(), &shape, shape.len() - 1);
        index.eq(position).astype(dtype)
    }

    /// The position along each axis of an array of `shape`, as `i32`, the axes' arrays along a new first one.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let grid = Array::indices(&[2, 2]);
    /// assert_eq!(grid.index(0).to_vec::<i32>()?, [0, 0, 1, 1]);
    /// assert_eq!(grid.index(1).to_vec::<i32>()?, [0, 1, 0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn indices(shape: &[usize]) -> Array {
        fromfunction(|along| crate::stack(&along.iter().collect::<Vec<_>>(), 0), shape)
    }
}

/// The rows and columns of the elements of a triangle, in row-major order, as `i32`: on the `offset`-th diagonal of a matrix
/// and below it.
///
/// ```
/// use jarrah_array::numpy;
/// let [i, j] = numpy::tril_indices(2, 2, 0);
/// assert_eq!((i.to_vec::<i32>()?, j.to_vec::<i32>()?), (vec![0, 1, 1], vec![0, 0, 1]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn tril_indices(rows: usize, columns: usize, offset: isize) -> [Array; 2] {
    places(rows, columns, |i, j| j as isize - i as isize <= offset)
}

/// The rows and columns of the elements of a triangle, in row-major order, as `i32`: on the `offset`-th diagonal of a matrix
/// and above it.
///
/// ```
/// use jarrah_array::numpy;
/// let [i, j] = numpy::triu_indices(2, 2, 0);
/// assert_eq!((i.to_vec::<i32>()?, j.to_vec::<i32>()?), (vec![0, 0, 1], vec![0, 1, 1]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn triu_indices(rows: usize, columns: usize, offset: isize) -> [Array; 2] {
    places(rows, columns, |i, j| j as isize - i as isize >= offset)
}

#[track_caller]
fn places(rows: usize, columns: usize, inside: impl Fn(usize, usize) -> bool) -> [Array; 2] {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let (i, j): (Vec<i32>, Vec<i32>) =
        all.filter(|&(i, j)| inside(i, j)).map(|(i, j)| (i as i32, j as i32)).unzip();
    [Array::from_slice(&i), Array::from_slice(&j)]
}

/// The position of each element of the main diagonal along `axes` axes of extent `n`, as `i32`.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let at = numpy::diag_indices(2, 2);
/// let x = Array::arange(4).reshape(&[2, 2]).at((&at[0], &at[1])).set(9);
/// assert_eq!(x.to_vec::<i32>()?, [9, 1, 2, 9]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn diag_indices(n: usize, axes: usize) -> Vec<Array> {
    vec![Array::arange(n); axes]
}

/// Along which axis of a grid the first of its vectors runs: the first, as in a matrix, or the second, as for the coordinates of
/// a plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indexing {
    /// The first vector runs along the first axis.
    Matrix,
    /// The first vector runs along the second axis, the second along the first.
    Plane,
}

/// The coordinates of a grid over vectors: an array for each, of the extents of all.
///
/// ```
/// use jarrah_array::{Array, numpy::{Indexing, meshgrid}};
/// let grid = meshgrid(&[&Array::arange(3), &Array::arange(2)], Indexing::Plane);
/// assert_eq!(grid[0].shape(), [2, 3]);
/// assert_eq!(grid[1].to_vec::<i32>()?, [0, 0, 0, 1, 1, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn meshgrid(vectors: &[&Array], indexing: Indexing) -> Vec<Array> {
    let mut shape: Vec<usize> = vectors.iter().map(|x| x.size()).collect();
    let swap = indexing == Indexing::Plane && shape.len() > 1;
    if swap {
        shape.swap(0, 1);
    }
    let mut grid = Vec::with_capacity(vectors.len());
    for (i, x) in vectors.iter().enumerate() {
        let axis = match i {
            0 | 1 if swap => 1 - i,
            _ => i,
        };
        grid.push(lax::broadcast_in_dim(&x.ravel(), &shape, &[axis]));
    }
    grid
}

/// The vectors as an open grid: each along an axis of its own, the others of extent one.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let open = numpy::ix_(&[&Array::from_slice(&[0i32, 2]), &Array::from_slice(&[1i32])]);
/// let x = Array::arange(9).reshape(&[3, 3]);
/// assert_eq!(x.index((&open[0], &open[1])).to_string(), "i32[2,1]\n[[1],\n [7]]");
/// ```
#[track_caller]
pub fn ix_(vectors: &[&Array]) -> Vec<Array> {
    let mut open = Vec::with_capacity(vectors.len());
    for (axis, x) in vectors.iter().enumerate() {
        let mut shape = vec![1; vectors.len()];
        shape[axis] = x.size() as isize;
        open.push(x.reshape(&shape[..]));
    }
    open
}

/// The result of `f` for the positions along each axis of an array of `shape`, as `i32`.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let products = numpy::fromfunction(|at: &[Array]| (&at[0] + 1) * (&at[1] + 1), &[2, 3]);
/// assert_eq!(products.to_vec::<i32>()?, [1, 2, 3, 2, 4, 6]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn fromfunction(f: impl Fn(&[Array]) -> Array, shape: &[usize]) -> Array {
    let mut along = Vec::with_capacity(shape.len());
    for axis in 0..shape.len() {
        along.push(positions("fromfunction", shape, axis));
    }
    f(&along)
}
