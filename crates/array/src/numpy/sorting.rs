//! Sorting, searching, and sets.

use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{Sort, SortOrder};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::numpy::{concatenate, positions, resolve};
use crate::operators::{IntoOperand, promote_types};
use crate::trace::apply;

/// An axis to sort along, in ascending order, or in descending order as [`Descending`].
pub trait IntoOrder {
    /// The axis, and whether the order is descending.
    fn into_order(self) -> (isize, bool);
}
impl IntoOrder for isize {
    fn into_order(self) -> (isize, bool) {
        (self, false)
    }
}
impl IntoOrder for i32 {
    fn into_order(self) -> (isize, bool) {
        (self as isize, false)
    }
}

/// An axis to sort along in descending order: NaN first.
#[derive(Clone, Copy, Debug)]
pub struct Descending(pub isize);

impl IntoOrder for Descending {
    fn into_order(self) -> (isize, bool) {
        (self.0, true)
    }
}

/// Which of the places where a number can be inserted into a sorted vector is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first: before all elements that are not less.
    Left,
    /// The last: after all elements that are not greater.
    Right,
}

/// The arrays permuted alike, so that the first is in order; equal elements keep theirs.
#[track_caller]
fn sorted(operands: &[&Array], axis: usize, descending: bool) -> Vec<Array> {
    let order = if descending { SortOrder::Descending { keys: 1 } } else { SortOrder::Ascending { keys: 1 } };
    apply(Sort { axis, stable: true, order }, operands)
}

/// Sorting.
impl Array {
    /// The elements sorted along an axis; NaN is the largest.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Descending};
    /// let x = Array::from_slice(&[3i32, 1, 2]);
    /// assert_eq!(x.sort(0).to_vec::<i32>()?, [1, 2, 3]);
    /// assert_eq!(x.sort(Descending(0)).to_vec::<i32>()?, [3, 2, 1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn sort(&self, order: impl IntoOrder) -> Array {
        let (axis, descending) = order.into_order();
        let axis = resolve("sort", self, axis, self.rank());
        sorted(&[self], axis, descending).swap_remove(0)
    }

    /// The positions that sort the elements along an axis, as `i32`; equal elements keep their order.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 1, 2]).argsort(0).to_vec::<i32>()?, [1, 2, 0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn argsort(&self, order: impl IntoOrder) -> Array {
        let (axis, descending) = order.into_order();
        let axis = resolve("argsort", self, axis, self.rank());
        let positions = positions("argsort", &self.shape(), axis);
        sorted(&[self, &positions], axis, descending).swap_remove(1)
    }

    /// The elements along an axis, partly sorted: the element at `at` is the one that sorting puts there, no element before it is
    /// greater and no element after it is less. A position out of range is a program error.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[5i32, 1, 4, 2]).partition(1, 0);
    /// assert_eq!(x.index(1).item::<i32>()?, 2);
    /// assert!(x.slice(0, ..1).lt(2).all(..).item::<bool>()? && x.slice(0, 2..).gt(2).all(..).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn partition(&self, at: isize, axis: isize) -> Array {
        self.check_position("partition", at, axis);
        self.sort(axis)
    }

    /// The positions that [`Array::partition`] takes the elements from, as `i32`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[5i32, 1, 4, 2]);
    /// assert_eq!(x.argpartition(1, 0).index(1).item::<i32>()?, 3);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn argpartition(&self, at: isize, axis: isize) -> Array {
        self.check_position("argpartition", at, axis);
        self.argsort(axis)
    }

    #[track_caller]
    fn check_position(&self, op: &str, at: isize, axis: isize) {
        let axis = resolve(op, self, axis, self.rank());
        let extent = self.shape()[axis] as isize;
        if !(-extent..extent).contains(&at) {
            let error =
                Error::program(format!("position {at} is out of range for axis {axis} of {}", self.ty()));
            fail(with_context(
                error
                    .op(op)
                    .help("positions along an axis run from minus its extent to its extent less one")
                    .at(Location::caller()),
            ));
        }
    }

    /// Where each of `values` fits into this sorted vector, as `i32`, found by halving.
    ///
    /// # Errors
    ///
    /// A program error if this is not a vector.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Side};
    /// let x = Array::from_slice(&[1i32, 3, 3, 5]);
    /// let at = x.searchsorted(&Array::from_slice(&[3i32, 6]), Side::Left);
    /// assert_eq!(at.to_vec::<i32>()?, [1, 4]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn searchsorted(&self, values: impl IntoOperand, side: Side) -> Array {
        let values = values.into_operand().beside(self);
        if self.rank() != 1 {
            let error = Error::program(format!("a sorted vector is needed, this is {}", self.ty()));
            fail(with_context(
                error
                    .op("searchsorted")
                    .help("ravel and sort the array, or map over its rows with vmap")
                    .at(Location::caller()),
            ));
        }
        let dtype = promote_types(self.dtype(), values.dtype());
        let (x, values) = (self.astype(dtype), values.astype(dtype));
        let extent = self.size();
        let mut low = Array::full(&values.shape(), 0, DType::I32);
        if extent == 0 {
            return low;
        }
        let mut high = Array::full(&values.shape(), extent, DType::I32);
        for _ in 0..=extent.ilog2() {
            let middle = (&low + &high).shift_right(1);
            let there = lax::take(&x, &middle, 0);
            let (before, open) = (there.before(&values, side), low.lt(&high));
            (low, high) =
                (where_(&(&before & &open), &middle + 1, &low), where_(&(!before & open), &middle, &high));
        }
        low
    }

    /// Whether this sorts before `value`, or, to the right side, not after it; NaN is the largest.
    #[track_caller]
    fn before(&self, value: &Array, side: Side) -> Array {
        match (side, self.dtype().is_differentiable()) {
            (Side::Left, false) => self.lt(value),
            (Side::Right, false) => self.le(value),
            (Side::Left, true) => self.lt(value) | (!self.isnan() & value.isnan()),
            (Side::Right, true) => self.le(value) | value.isnan(),
        }
    }

    /// The number of the bin that each element is in, as `i32`: bin `i` lies between `edges[i - 1]` and `edges[i]`, which ascend
    /// or descend. With [`Side::Right`] an element on an edge belongs to the bin above it.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Side};
    /// let (x, edges) = (Array::from_slice(&[-1i32, 0, 7, 99]), Array::from_slice(&[0i32, 10]));
    /// assert_eq!(x.digitize(&edges, Side::Right).to_vec::<i32>()?, [0, 1, 1, 2]);
    /// assert_eq!(x.digitize(&edges, Side::Left).to_vec::<i32>()?, [0, 0, 1, 2]);
    /// assert_eq!(x.digitize(&edges.flip(0), Side::Right).to_vec::<i32>()?, [2, 1, 1, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn digitize(&self, edges: &Array, side: Side) -> Array {
        let up = edges.searchsorted(self, side);
        if edges.size() < 2 {
            return up;
        }
        let down = edges.size() as i64 - edges.flip(0).searchsorted(self, side);
        where_(&edges.index(-1).ge(edges.index(0)), up, down)
    }

    /// Whether each element occurs in `others`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4);
    /// assert_eq!(x.isin(&Array::from_slice(&[3i32, 1, 9])).to_vec::<bool>()?, [false, true, false, true]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn isin(&self, others: &Array) -> Array {
        if others.size() == 0 {
            return Array::full(&self.shape(), false, DType::Bool);
        }
        self.expand_dims(-1).eq(others.ravel()).any(-1)
    }
}

/// The positions that sort by the last of `keys`, among equals by the one before it, and so on, along the last axis; as `i32`. No
/// key is a program error.
///
/// ```
/// use jarrah_array::{Array, numpy::lexsort};
/// let (month, year) = (Array::from_slice(&[7i32, 9, 3]), Array::from_slice(&[2i32, 1, 2]));
/// assert_eq!(lexsort(&[&month, &year]).to_vec::<i32>()?, [1, 2, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lexsort(keys: &[&Array]) -> Array {
    let Some(last) = keys.last() else {
        fail(with_context(Error::program("there is no key").op("lexsort").at(Location::caller())))
    };
    if last.rank() == 0 {
        return Array::full(&[], 0, DType::I32);
    }
    let axis = last.rank() - 1;
    let positions = positions("lexsort", &last.shape(), axis);
    let operands: Vec<&Array> = keys.iter().rev().copied().chain([&positions]).collect();
    let sort = Sort { axis, stable: true, order: SortOrder::Ascending { keys: keys.len() } };
    match apply(sort, &operands).pop() {
        Some(order) => order,
        None => fail(Error::internal("a sort has results").at(Location::caller())),
    }
}

/// Functions whose number of results depends on the data. On concrete arrays the number is computed; inside of `jit` and `vmap`
/// the caller has to give it.
impl Array {
    /// The positions of the elements that are not 0, an array for each axis, as `i32`, in row-major order.
    ///
    /// Inside of `jit` and `vmap`, where the elements are not known, this is a program error: use [`Array::nonzero_sized`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let [i, j] = &Array::eye(2).nonzero()[..] else { unreachable!() };
    /// assert_eq!((i.to_vec::<i32>()?, j.to_vec::<i32>()?), (vec![0, 1], vec![0, 1]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn nonzero(&self) -> Vec<Array> {
        let count = self.known_count("nonzero");
        self.nonzero_sized(count)
    }

    /// How many elements are not 0, which has to be known.
    #[track_caller]
    fn known_count(&self, op: &str) -> usize {
        match self.ne(0).sum(..).concrete() {
            Some(node) => match node.literal() {
                Ok(count) => count.get_f64(0) as usize,
                Err(error) => fail(error.op(op).at(Location::caller())),
            },
            None => {
                let error = Error::program(format!(
                    "how many elements of {} are not 0 is not known while tracing",
                    self.ty()
                ));
                let error = error.op(op).at(Location::caller());
                fail(with_context(error.help(format!("{op}_sized takes a number of results"))))
            }
        }
    }

    /// The positions of the first `size` elements that are not 0; zeros where there are fewer.
    ///
    /// ```
    /// # use jarrah_array::{Array, jit};
    /// let both = jit(|x: &Array| x.nonzero_sized(3));
    /// let at = both.call(Array::eye(2))?;
    /// assert_eq!(at[0].to_vec::<i32>()?, [0, 1, 0]);
    /// assert_eq!(at[1].to_vec::<i32>()?, [0, 1, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nonzero_sized(&self, size: usize) -> Vec<Array> {
        let flat = self.flatnonzero_sized(size);
        if self.rank() == 0 {
            return Vec::new();
        }
        crate::numpy::unravel_index(&flat, &self.shape())
    }

    /// The positions in row-major order of the elements that are not 0, as `i32`. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::eye(2).flatnonzero().to_vec::<i32>()?, [0, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn flatnonzero(&self) -> Array {
        let count = self.known_count("flatnonzero");
        self.flatnonzero_sized(count)
    }

    /// The positions in row-major order of the first `size` elements that are not 0; zeros where there are fewer.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[0i32, 5, 0, 6]);
    /// assert_eq!(x.flatnonzero_sized(1).to_vec::<i32>()?, [1]);
    /// assert_eq!(x.flatnonzero_sized(3).to_vec::<i32>()?, [1, 3, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn flatnonzero_sized(&self, size: usize) -> Array {
        let seen = self.ravel().ne(0).astype(DType::I32).cumsum(0).astype(DType::I32);
        let at = seen.searchsorted(Array::arange(size) + 1, Side::Left);
        where_(&at.lt(seen.size()), &at, 0)
    }

    /// The positions of the elements that are not 0, a row for each. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::eye(2).argwhere().to_string(), "i32[2,2]\n[[0, 0],\n [1, 1]]");
    /// ```
    #[track_caller]
    pub fn argwhere(&self) -> Array {
        let along = self.nonzero();
        if along.is_empty() {
            return Array::full(&[self.known_count("argwhere"), 0], 0, DType::I32);
        }
        crate::stack(&along.iter().collect::<Vec<_>>(), 1)
    }

    /// The different elements, sorted. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 1, 3]).unique().to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn unique(&self) -> Array {
        self.unique_all().values
    }

    /// The distinct elements, their positions and counts. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let unique = Array::from_slice(&[7i32, 5, 7]).unique_all();
    /// assert_eq!(unique.values.to_vec::<i32>()?, [5, 7]);
    /// assert_eq!(unique.indices.to_vec::<i32>()?, [1, 0]);
    /// assert_eq!(unique.inverse.to_vec::<i32>()?, [1, 0, 1]);
    /// assert_eq!(unique.counts.to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn unique_all(&self) -> Unique {
        let count = self.different().2.known_count("unique");
        self.unique_sized(count)
    }

    /// The positions that sort, the sorted elements, and where one differs from that before.
    #[track_caller]
    fn different(&self) -> (Array, Array, Array) {
        let x = self.ravel();
        let order = x.argsort(0);
        let sorted = lax::take(&x, &order, 0);
        if x.size() == 0 {
            return (order, sorted, Array::full(&[0], false, DType::Bool));
        }
        let (before, after) = (sorted.slice(0, ..x.size() - 1), sorted.slice(0, 1..));
        let mut differs = after.ne(&before);
        if x.dtype().is_differentiable() {
            differs &= !(after.isnan() & before.isnan());
        }
        let first = Array::full(&[1], true, DType::Bool);
        let differs = concatenate(&[&first, &differs], 0);
        (order, sorted, differs)
    }

    /// The first `size` distinct elements, their positions and counts; filled up with the smallest element if there are fewer.
    ///
    /// ```
    /// # use jarrah_array::{Array, jit};
    /// let values = jit(|x: &Array| x.unique_sized(3).values).call(Array::from_slice(&[7i32, 5, 7]))?;
    /// assert_eq!(values.to_vec::<i32>()?, [5, 7, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn unique_sized(&self, size: usize) -> Unique {
        let (order, sorted, differs) = self.different();
        let starts = differs.flatnonzero_sized(size);
        let total = differs.astype(DType::I32).sum(..).astype(DType::I32);
        let number = Array::arange(size);
        let ends = differs.flatnonzero_sized(size + 1).slice(0, 1..);
        let ends = where_(&(&number + 1).lt(&total), &ends, self.size());
        let there = number.lt(&total);
        let rank = differs.cumsum(0).astype(DType::I32) - 1;
        Unique {
            values: lax::take(&sorted, &starts, 0),
            indices: lax::take(&order, &starts, 0),
            inverse: Array::full(&[self.size()], 0, DType::I32).at(&order).set(&rank).reshaped(&self.shape()),
            counts: where_(&there, &ends - &starts, 0),
        }
    }

    /// How often each of `0, 1, ..., length - 1` is an element, as `i32`; other elements are not counted.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[0i32, 2, 2, 9]).bincount(3).to_vec::<i32>()?, [1, 0, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn bincount(&self, length: usize) -> Array {
        Array::full(&[length], 0, DType::I32).at(self.counted_places(length)).add(1)
    }

    /// The sum of the weights of the elements that are `0, 1, ..., length - 1`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, weights) = (Array::from_slice(&[1i32, 0, 1]), Array::from_slice(&[0.5f32, 2.0, 0.25]));
    /// assert_eq!(x.bincount_weighted(&weights, 3).to_vec::<f32>()?, [2.0, 0.75, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn bincount_weighted(&self, weights: &Array, length: usize) -> Array {
        let zeros = Array::full(&[length], 0, weights.dtype());
        zeros.at(self.counted_places(length)).add(weights.ravel())
    }

    /// The elements as positions of which negative ones are out of range.
    #[track_caller]
    fn counted_places(&self, length: usize) -> Array {
        let x = self.ravel();
        where_(&x.lt(0), length, lax::wide_index(&x, length)).astype(DType::I32)
    }

    /// The distinct elements that occur in either array, sorted. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[3i32, 1]), Array::from_slice(&[2i32, 3]));
    /// assert_eq!(x.union1d(&y).to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn union1d(&self, other: &Array) -> Array {
        concatenate(&[&self.ravel(), &other.ravel()], 0).unique()
    }

    /// The distinct elements that occur in both arrays, sorted. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[3i32, 1, 3]), Array::from_slice(&[2i32, 3]));
    /// assert_eq!(x.intersect1d(&y).to_vec::<i32>()?, [3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn intersect1d(&self, other: &Array) -> Array {
        let dtype = promote_types(self.dtype(), other.dtype());
        let x = self.astype(dtype).unique();
        x.index(x.isin(other))
    }

    /// The elements of this array that `other` does not have, sorted, each once. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[3i32, 1, 1]), Array::from_slice(&[2i32, 3]));
    /// assert_eq!(x.setdiff1d(&y).to_vec::<i32>()?, [1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn setdiff1d(&self, other: &Array) -> Array {
        let x = self.unique();
        x.index(!x.isin(other))
    }

    /// The elements that are in one only, sorted, each once. As [`Array::nonzero`] inside of `jit`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::from_slice(&[3i32, 1]), Array::from_slice(&[2i32, 3]));
    /// assert_eq!(x.setxor1d(&y).to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn setxor1d(&self, other: &Array) -> Array {
        concatenate(&[&self.setdiff1d(other), &other.setdiff1d(self)], 0).sort(0)
    }
}

/// The different elements of an array.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The elements, sorted.
    pub values: Array,
    /// The first position of each in row-major order, as `i32`.
    pub indices: Array,
    /// For each element of the array, the index of its value among the distinct values, as `i32`.
    pub inverse: Array,
    /// How often each of the values is there, as `i32`.
    pub counts: Array,
}

/// The positions along each axis of an array of `shape`, of positions in row-major order.
///
/// ```
/// use jarrah_array::{Array, numpy::unravel_index};
/// let at = unravel_index(&Array::from_slice(&[5i32]), &[2, 3]);
/// assert_eq!((at[0].item::<i32>()?, at[1].item::<i32>()?), (1, 2));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn unravel_index(flat: &Array, shape: &[usize]) -> Vec<Array> {
    let total: usize = shape.iter().product();
    let mut rest = lax::normalize_index(flat, total).clip(0, total.saturating_sub(1));
    let mut along = Vec::with_capacity(shape.len());
    for &extent in shape.iter().rev() {
        let extent = extent.max(1) as i64;
        along.push(&rest % extent);
        rest = rest.floor_divide(extent);
    }
    along.reverse();
    along
}

/// The positions in row-major order of positions along each axis of an array of `shape`, as they are clipped to it.
///
/// ```
/// use jarrah_array::{Array, numpy::ravel_multi_index};
/// let (i, j) = (Array::from_slice(&[0i32, 1]), Array::from_slice(&[2i32, 9]));
/// assert_eq!(ravel_multi_index(&[&i, &j], &[2, 3]).to_vec::<i32>()?, [2, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ravel_multi_index(along: &[&Array], shape: &[usize]) -> Array {
    let mut flat = Array::scalar(0i32);
    for (at, &extent) in along.iter().zip(shape) {
        flat = flat * extent as i64 + at.clip(0, extent.saturating_sub(1));
    }
    flat
}
