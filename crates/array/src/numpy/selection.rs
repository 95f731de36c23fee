//! Parts of arrays selected by conditions, and positions by pattern.

use jarrah_base::{DType, Error, Literal, Location, Type};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::numpy::{Side, stack, tril_indices, triu_indices};
use crate::operators::broadcast_shapes;
use crate::take::TakeMode;

/// Which ends [`Array::trim_zeros`] trims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// The first elements.
    Front,
    /// The last elements.
    Back,
    /// The first and the last elements.
    Both,
}

impl Array {
    /// The slices along an axis where a vector of truth values is true; slices beyond its end are left out. As [`Array::nonzero`]
    /// inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 2, 3]);
    /// assert_eq!(x.compress(&Array::from_slice(&[true, false, true]), 0).to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn compress(&self, condition: &Array, axis: isize) -> Array {
        self.take(&condition.flatnonzero(), axis)
    }

    /// The elements in row-major order where a condition of as many elements is true. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// assert_eq!(x.extract(&x.gt(1)).to_vec::<i32>()?, [2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn extract(&self, condition: &Array) -> Array {
        self.ravel().compress(condition, 0)
    }

    /// The array with the elements where a mask of its shape is true replaced by `values` in row-major order; `values` are
    /// repeated as needed.
    ///
    /// # Errors
    ///
    /// A program error if the mask has another number of elements than the array, or there is no value.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 2, 3, 4]);
    /// let placed = x.place(&x.gt(1), &Array::from_slice(&[10i32, 20]));
    /// assert_eq!(placed.to_vec::<i32>()?, [1, 10, 20, 10]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn place(&self, mask: &Array, values: &Array) -> Array {
        if mask.size() != self.size() || values.size() == 0 {
            let error = format!("mask {} and values {} do not fit {}", mask.ty(), values.ty(), self.ty());
            fail(with_context(Error::program(error).op("place").at(Location::caller())));
        }
        let mask = mask.ne(0).ravel();
        let nth = mask.astype(DType::I32).cumsum(0) - 1;
        let taken = values.ravel().take_with(&nth, 0, TakeMode::Wrap).astype(self.dtype());
        where_(&mask, taken, self.ravel()).reshaped(&self.shape())
    }

    /// A vector without its first or last zeros. As [`Array::nonzero`] inside of `jit`.
    ///
    /// # Errors
    ///
    /// A program error unless this is a vector.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ends};
    /// let x = Array::from_slice(&[0i32, 2, 0, 3, 0]);
    /// assert_eq!(x.trim_zeros(Ends::Both).to_vec::<i32>()?, [2, 0, 3]);
    /// assert_eq!(x.trim_zeros(Ends::Back).to_vec::<i32>()?, [0, 2, 0, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn trim_zeros(&self, ends: Ends) -> Array {
        if self.rank() != 1 {
            let error = Error::program(format!("{} is not a vector", self.ty()));
            fail(with_context(error.op("trim_zeros").at(Location::caller())));
        }
        let some = self.ne(0).astype(DType::I32);
        let (before, after) = (some.cummax(0), some.flip(0).cummax(0).flip(0));
        self.extract(&match ends {
            Ends::Front => before,
            Ends::Back => after,
            Ends::Both => before * after,
        })
    }

    /// The elements as complex numbers, along the last axis by real parts, equal ones by imaginary parts.
    ///
    /// ```
    /// # use jarrah_array::{Array, c64};
    /// let x = Array::from_slice(&[c64::new(2.0, 1.0), c64::new(1.0, 5.0), c64::new(2.0, -1.0)]);
    /// let sorted = [c64::new(1.0, 5.0), c64::new(2.0, -1.0), c64::new(2.0, 1.0)];
    /// assert_eq!(x.sort_complex().to_vec::<c64>()?, sorted);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn sort_complex(&self) -> Array {
        let sorted = self.sort(-1);
        let wide = matches!(self.dtype(), DType::F64 | DType::I64 | DType::U64 | DType::C128);
        sorted.astype(if wide { DType::C128 } else { DType::C64 })
    }

    /// Whether two arrays broadcast to one shape and are equal.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert!(Array::from_slice(&[2i32, 2]).array_equiv(&Array::scalar(2)).item::<bool>()?);
    /// assert!(!Array::from_slice(&[2i32, 2]).array_equiv(&Array::from_slice(&[2i32; 3])).item::<bool>()?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn array_equiv(&self, other: &Array) -> Array {
        match broadcast_shapes(&self.shape(), &other.shape()) {
            Some(_) => self.eq(other).all(..),
            None => Array::scalar(false),
        }
    }

    /// `f` over each of the axes in turn; an axis that `f` removes is put back with extent one.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(8).reshape(&[2, 2, 2]);
    /// let sums = x.apply_over_axes(|x: &Array, axis| x.sum(axis), &[0, 2]);
    /// assert_eq!((sums.shape().to_vec(), sums.to_vec::<i64>()?), (vec![1, 2, 1], vec![10, 18]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn apply_over_axes(&self, f: impl Fn(&Array, isize) -> Array, axes: &[isize]) -> Array {
        let mut x = self.clone();
        for &axis in axes {
            let next = f(&x, axis);
            x = if next.rank() + 1 == x.rank() { next.expand_dims(axis) } else { next };
        }
        x
    }

    /// The positions of this matrix on and below a diagonal, along both axes, as [`crate::numpy::tril_indices`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// let [i, j] = x.tril_indices_from(0);
    /// assert_eq!(x.index((&i, &j)).to_vec::<i32>()?, [0, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn tril_indices_from(&self, offset: isize) -> [Array; 2] {
        let [rows, columns] = self.matrix("tril_indices_from");
        tril_indices(rows, columns, offset)
    }

    /// The positions of this matrix on and above a diagonal, along both axes, as [`crate::numpy::triu_indices`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// let [i, j] = x.triu_indices_from(1);
    /// assert_eq!(x.index((&i, &j)).to_vec::<i32>()?, [1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn triu_indices_from(&self, offset: isize) -> [Array; 2] {
        let [rows, columns] = self.matrix("triu_indices_from");
        triu_indices(rows, columns, offset)
    }

    #[track_caller]
    fn matrix(&self, op: &str) -> [usize; 2] {
        match self.shape()[..] {
            [rows, columns] => [rows, columns],
            _ => {
                let error = Error::program(format!("{} is not a matrix", self.ty()));
                fail(with_context(error.op(op).at(Location::caller())))
            }
        }
    }

    /// How many rows `[n, d]` are in each box of a grid of `d` axes, as floats: along axis `i` between neighbouring `edges[i]`, which
    /// ascend; the last box has its upper edge too. Rows outside are left out.
    ///
    /// # Errors
    ///
    /// A program error unless there is a column for each of `edges`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let rows = Array::new(&[0.5f32, 0.5, 1.5, 0.5, 2.0, 1.0], &[3, 2]);
    /// let edges = [Array::from_slice(&[0.0f32, 1.0, 2.0]), Array::from_slice(&[0.0f32, 1.0])];
    /// assert_eq!(rows.histogramdd(&edges).to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn histogramdd(&self, edges: &[Array]) -> Array {
        if self.rank() != 2 || self.shape()[1] != edges.len() {
            let error = Error::program(format!("{} are no rows of {} numbers", self.ty(), edges.len()));
            fail(with_context(error.op("histogramdd").at(Location::caller())));
        }
        let x = self.inexact();
        let mut bins = Vec::with_capacity(edges.len());
        let mut flat = Array::full(&[x.shape()[0]], 0, DType::I32);
        let mut inside = Array::full(&[x.shape()[0]], true, DType::Bool);
        for (axis, edges) in edges.iter().enumerate() {
            let (column, count) = (x.index((.., axis)), edges.size().saturating_sub(1));
            let bin = edges.searchsorted(&column, Side::Right) - 1;
            let bin = where_(&column.eq(edges.index(-1)), count as i64 - 1, bin);
            inside = inside & bin.ge(0) & bin.lt(count);
            flat = flat * count + bin;
            bins.push(count);
        }
        let total: usize = bins.iter().product();
        let ones = Array::full(&[x.shape()[0]], 1, x.dtype());
        crate::ops::segment_sum(&ones, &where_(&inside, flat, total), total).reshaped(&bins)
    }

    /// [`Array::histogramdd`] of pairs: this vector's elements along the first axis, `y`'s along the second.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[0.5f32, 1.5, 1.5]), Array::from_slice(&[0.5f32, 0.5, 1.5]));
    /// let edges = Array::from_slice(&[0.0f32, 1.0, 2.0]);
    /// assert_eq!(x.histogram2d(&y, &[edges.clone(), edges]).to_vec::<f32>()?, [1.0, 0.0, 1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn histogram2d(&self, y: &Array, edges: &[Array; 2]) -> Array {
        stack(&[self, y], 1).histogramdd(edges)
    }

    /// The vector of a dtype whose elements have these bytes, in this machine's byte order.
    ///
    /// # Errors
    ///
    /// A program error if the bytes are not a whole number of elements.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::frombuffer(&1.5f32.to_ne_bytes(), DType::F32).to_vec::<f32>()?, [1.5]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn frombuffer(bytes: &[u8], dtype: DType) -> Array {
        let size = dtype.bits().div_ceil(8) as usize;
        let literal = Literal::from_bytes(Type::tensor(dtype, [bytes.len() / size]), bytes);
        match literal {
            Ok(literal) if bytes.len().is_multiple_of(size) => Array::from_literal(literal),
            _ => {
                let error = Error::program(format!("{} bytes are no elements of {dtype}", bytes.len()));
                fail(with_context(error.op("frombuffer").at(Location::caller())))
            }
        }
    }
}

/// The positions that `pattern` keeps of a square matrix of ones, `n` wide, along both axes: `mask_indices(3, |x| x.triu(1))`.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let [rows, columns] = numpy::mask_indices(3, |x: &Array| x.triu(1));
/// assert_eq!((rows.to_vec::<i32>()?, columns.to_vec::<i32>()?), (vec![0, 0, 1], vec![1, 2, 2]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn mask_indices(n: usize, pattern: impl Fn(&Array) -> Array) -> [Array; 2] {
    let kept = pattern(&Array::full(&[n, n], 1, DType::I32)).flatnonzero();
    [kept.floor_divide(n.max(1)), kept % n.max(1)]
}

/// Whether each value of one dtype is a value of another, as NumPy sees it: integers of 64 bits count as values of `f64`.
///
/// ```
/// use jarrah_array::{DType, numpy::can_cast};
/// assert!(can_cast(DType::U8, DType::I16) && can_cast(DType::I16, DType::F32));
/// assert!(!can_cast(DType::I32, DType::F32) && !can_cast(DType::F32, DType::I64));
/// ```
pub fn can_cast(from: DType, to: DType) -> bool {
    let signed = |dtype: DType| dtype.name().starts_with('i');
    if from == to || from == DType::Bool {
        return true;
    }
    if to == DType::Bool || from.is_complex() && !to.is_complex() {
        return false;
    }
    let (a, b) = (from.real(), to.real());
    match (a.is_float(), b.is_float()) {
        (true, false) => false,
        (true, true) => a == b || a.bits() < b.bits() && b.bits() > 16,
        (false, true) => a.bits() < b.bits() && a.bits() < 64 && b != DType::BF16 || b == DType::F64,
        (false, false) if signed(a) == signed(b) => a.bits() <= b.bits(),
        (false, false) => signed(b) && a.bits() < b.bits(),
    }
}
