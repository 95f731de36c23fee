//! Places of a [`Ref`]: windows at positions that are computed at run time, ranges, positions, masks.

use jarrah_base::{DType, Error, Location, Type};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::kernel::body;
use crate::kernel::view::{View, spread};
use crate::lax;
use crate::mutable::Ref;
use crate::numpy::{At, Index};
use crate::operators::{IntoOperand, Operand};
use crate::trace::acting;
use crate::tuples::for_tuples;

/// Neighbouring elements along an axis, a fixed number of them, from a position that may be an array; made by [`ds`].
#[derive(Clone, Debug)]
pub struct KernelWindow {
    pub(crate) start: Operand,
    pub(super) size: usize,
    pub(super) step: usize,
}

/// The first position of a block and the number of its elements; made by [`bounds`].
#[derive(Clone, Debug)]
pub struct Bounds {
    pub(crate) start: Operand,
    pub(crate) size: Operand,
}

/// The `size` elements along an axis from `start` on, a number or an integer scalar.
///
/// Under a [`mask`](RefAt::mask) a window may extend beyond the array. Without a mask, a window that begins at a position given
/// by an array is moved inside; one that begins at a Rust number outside is a program error.
///
/// ```
/// use jarrah_array::kernel::ds;
/// use jarrah_array::{Array, Ref};
/// let (cell, at) = (Ref::new(&Array::arange(6)), Array::scalar(2));
/// assert_eq!(cell.at(ds(&at, 3)).get().to_vec::<i32>()?, [2, 3, 4]);
/// cell.at(ds(&at, 2)).set(9);
/// assert_eq!(cell.get().to_vec::<i32>()?, [0, 1, 9, 9, 4, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.ds`.
pub fn ds(start: impl IntoOperand, size: usize) -> KernelWindow {
    KernelWindow { start: start.into_operand(), size, step: 1 }
}

impl KernelWindow {
    /// The window with its elements `step` apart.
    ///
    /// # Errors
    /// A program error if `step` is 0.
    ///
    /// ```
    /// use jarrah_array::kernel::ds;
    /// use jarrah_array::{Array, Ref};
    /// let (cell, at) = (Ref::new(&Array::arange(6)), Array::scalar(1));
    /// assert_eq!(cell.at(ds(&at, 3).step(2)).get().to_vec::<i32>()?, [1, 3, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn step(mut self, step: usize) -> Self {
        if step == 0 {
            let error =
                Error::program("the elements of a window are 0 apart").op("ds").at(Location::caller());
            fail(with_context(error.help("give a step of 1 or more; broadcast_to repeats an element")));
        }
        self.step = step;
        self
    }

    /// The number of elements from the first to the last.
    pub(super) fn span(&self) -> usize {
        self.size.saturating_sub(1) * self.step + usize::from(self.size > 0)
    }
}

/// `size` elements from `start` on, numbers or integer scalars: the value of an index map for a
/// [`BlockDim::Bounded`](super::BlockDim::Bounded) axis.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::kernel::{Block, BlockDim, bounds, kernel};
/// // Rows of lengths 1 and 3, one after the other.
/// let (starts, x) = (Array::from_slice(&[0i32, 1, 4]), Array::arange(4) + 1);
/// let sums = kernel(|[_, x, y]| y.addupdate(x.get().sum(..)))
///     .grid(&[2])
///     .prefetch(1)
///     .input(Block::found([BlockDim::Bounded(4)], |[i], [starts]| {
///         let (from, to) = (starts.index(&i), starts.index(i + 1));
///         (bounds(&from, to - &from),)
///     }))
///     .output(x.ty().with_dims([2]), Block::new([BlockDim::Squeezed], |[i]| [i]));
/// assert_eq!(sums.call_one(&[&starts, &x]).to_vec::<i32>()?, [1, 9]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.BoundedSlice`.
pub fn bounds(start: impl IntoOperand, size: impl IntoOperand) -> Bounds {
    Bounds { start: start.into_operand(), size: size.into_operand() }
}

/// An index of a [`Ref`] along an axis: an [`Index`], as arrays take it, or a [`KernelWindow`].
#[derive(Clone, Debug)]
pub enum RefIndex {
    /// A position, a range, positions, new axes.
    Index(Index),
    /// Neighbours from a position on.
    Window(KernelWindow),
}

impl<T: Into<Index>> From<T> for RefIndex {
    fn from(index: T) -> Self {
        RefIndex::Index(index.into())
    }
}
impl From<KernelWindow> for RefIndex {
    fn from(window: KernelWindow) -> Self {
        RefIndex::Window(window)
    }
}

/// A list of indices for a [`Ref`]: one [`RefIndex`], or a tuple or vector of them.
pub trait IntoRefIndices {
    /// The indices, for the first axis first.
    fn into_ref_indices(self) -> Vec<RefIndex>;
}

impl<T: Into<RefIndex>> IntoRefIndices for T {
    fn into_ref_indices(self) -> Vec<RefIndex> {
        vec![self.into()]
    }
}
impl<T: Into<RefIndex>> IntoRefIndices for Vec<T> {
    fn into_ref_indices(self) -> Vec<RefIndex> {
        self.into_iter().map(Into::into).collect()
    }
}
for_tuples! { IntoRefIndices, into_ref_indices, RefIndex }

/// The places of a [`Ref`] at some indices, which can be read and written; made by [`Ref::at`].
#[derive(Clone)]
pub struct RefAt {
    cell: Ref,
    /// The views, each applied to the result of the one before.
    views: Vec<View>,
    mask: Option<Array>,
    other: Option<Operand>,
}

impl Ref {
    /// The places at `indices`, to read or to write. Indices are positions and ranges as [`Array::at`] takes them, integer
    /// scalars, and windows, [`ds`].
    ///
    /// ```
    /// use jarrah_array::kernel::ds;
    /// use jarrah_array::{Array, Ref};
    /// let (cell, i) = (Ref::new(&Array::zeros(&[3, 4])), Array::scalar(1));
    /// cell.at((&i, 1..3)).set(5.0);
    /// cell.at((ds(&i, 2), 0)).add(1.0);
    /// assert_eq!(cell.get().to_vec::<f32>()?, [0.0, 0.0, 0.0, 0.0, 1.0, 5.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, indices: impl IntoRefIndices) -> RefAt {
        let view = View::new(&Array::abstracted(self.ty()), indices.into_ref_indices());
        RefAt { cell: self.clone(), views: vec![view], mask: None, other: None }
    }
}

impl RefAt {
    /// The places at further indices among these places.
    ///
    /// ```
    /// use jarrah_array::kernel::ds;
    /// use jarrah_array::{Array, Ref};
    /// let (cell, i) = (Ref::new(&Array::arange(6)), Array::scalar(2));
    /// cell.at(ds(&i, 4)).at(1..3).add(10);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [0, 1, 2, 13, 14, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn at(mut self, indices: impl IntoRefIndices) -> RefAt {
        let _line = acting(Location::caller());
        self.views.push(View::new(&self.shape(), indices.into_ref_indices()));
        self
    }

    /// An array of the shape and dtype of the elements, without data.
    #[track_caller]
    fn shape(&self) -> Array {
        crate::eval_shape(|(): &()| self.seen(&Array::zeros_of(self.cell.ty()), false), &())
    }

    /// The type of the elements.
    #[track_caller]
    pub(super) fn ty(&self) -> Type {
        let _line = acting(Location::caller());
        self.shape().ty()
    }

    /// Restricts the places to those where `mask`, truth values that broadcast to the shape of the places, is true. Windows are
    /// not moved then: elements outside of the array are not read and not stored.
    ///
    /// ```
    /// use jarrah_array::kernel::ds;
    /// use jarrah_array::{Array, Ref};
    /// let (cell, i) = (Ref::new(&Array::arange(4)), Array::scalar(2));
    /// let mask = Array::from_slice(&[true, true, false]);
    /// assert_eq!(cell.at(ds(&i, 3)).mask(&mask).other(7).get().to_vec::<i32>()?, [2, 3, 7]);
    /// cell.at(ds(&i, 3)).mask(&Array::scalar(true)).set(9);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [0, 1, 9, 9]);
    /// let all = Array::scalar(true);
    /// assert_eq!(cell.at(ds(-1, 3)).mask(&all).get().to_vec::<i32>()?, [0, 0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: the `mask` of `pallas.load` and `pallas.store`.
    #[track_caller]
    pub fn mask(mut self, mask: &Array) -> RefAt {
        self.mask = Some(mask.astype(DType::Bool));
        self
    }

    /// The value that is read where the mask is false; zeros, if none is given.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(3));
    /// let odd = Array::from_slice(&[false, true, false]);
    /// assert_eq!(cell.at(..).mask(&odd).other(-1).get().to_vec::<i32>()?, [-1, 1, -1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn other(mut self, other: impl IntoOperand) -> RefAt {
        self.other = Some(other.into_operand());
        self
    }

    /// The elements.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(6).reshape(&[2, 3]));
    /// assert_eq!(cell.at((-1, ..2)).get().to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn get(&self) -> Array {
        let _line = acting(Location::caller());
        let x = self.cell.peek();
        self.check(&x);
        // Elements outside of the array that a masked window reads count as written.
        let written = |written: &Array| !self.seen(&!written, self.mask.is_some());
        self.cell.check_written(written, self.mask.as_ref());
        self.chosen(&x)
    }

    /// Replaces the elements by `values`, which broadcast to their shape and are converted to their dtype.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::zeros(&[3]));
    /// cell.at(1..).set(Array::from_slice(&[4.0f32, 5.0]));
    /// assert_eq!(cell.get().to_vec::<f32>()?, [0.0, 4.0, 5.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn set(&self, values: impl IntoOperand) {
        let _line = acting(Location::caller());
        let x = self.cell.peek();
        self.check(&x);
        let values = self.values(&x, values.into_operand());
        self.cell.put(self.stored(&x, &values));
        self.cell.mark_written(|written| self.stored(written, &Array::full(&[], true, DType::Bool)));
    }

    /// Replaces the elements by `values`, and returns the old elements.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(3));
    /// assert_eq!(cell.at(0).swap(8).item::<i32>()?, 0);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [8, 1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn swap(&self, values: impl IntoOperand) -> Array {
        let old = self.get();
        self.set(values);
        old
    }

    /// Replaces the elements that equal `expected` by `values`, and returns all old elements.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::from_slice(&[0i32, 3, 0]));
    /// assert_eq!(cell.at(..).compare_and_swap(0, 7).to_vec::<i32>()?, [0, 3, 0]);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [7, 3, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn compare_and_swap(&self, expected: impl IntoOperand, values: impl IntoOperand) -> Array {
        let _line = acting(Location::caller());
        let old = self.get();
        let new = match values.into_operand() {
            Operand::Array(new) => new.astype(old.dtype()),
            Operand::Number(number) => Array::constant(number.fit("compare_and_swap", old.dtype())),
        };
        self.set(where_(&old.eq(expected), new, &old));
        old
    }

    /// Replaces each element by `f(element, value)`. A position that is named twice is combined only once.
    #[track_caller]
    fn combine(&self, values: Operand, f: impl Fn(&Array, &Array) -> Array) {
        let _line = acting(Location::caller());
        let old = self.get();
        let values = match values {
            Operand::Array(values) => values.astype(old.dtype()),
            Operand::Number(number) => Array::constant(number.fit("at", old.dtype())),
        };
        self.set(f(&old, &values));
    }

    /// As [`RefAt::combine`], but a position that is named several times is combined with all its values: `at` writes them.
    #[track_caller]
    fn accumulate(
        &self,
        values: impl IntoOperand,
        at: impl FnOnce(At<'_>, Array) -> Array,
        f: impl Fn(&Array, &Array) -> Array,
    ) {
        let _line = acting(Location::caller());
        if !self.gathers() {
            return self.combine(values.into_operand(), f);
        }
        let x = self.cell.peek();
        self.check(&x);
        self.cell.check_written(|written| self.seen(written, false), self.mask.as_ref());
        let values = self.values(&x, values.into_operand());
        self.cell.put(match (&self.views[..], &self.mask) {
            ([view], None) => view.write(&x, |places| at(places, values)),
            _ => self.numbered(&x, &values, at),
        });
    }

    /// Whether positions in arrays are among the indices, of which one may be named twice.
    fn gathers(&self) -> bool {
        self.views.iter().any(View::gathers)
    }

    /// `x` flattened and updated by `f`, which gets the flat indices of the places. Places where the mask is false get an index
    /// outside, which is dropped: so if a position is named twice and masked out once, the value of the other is stored.
    #[track_caller]
    fn numbered(&self, x: &Array, values: &Array, f: impl FnOnce(At<'_>, Array) -> Array) -> Array {
        let size = x.size();
        if size == 0 {
            return x.clone();
        }
        let dtype = if size >= i32::MAX as usize { DType::I64 } else { DType::I32 };
        // From one on: zeros stand outside.
        let mut numbers = (lax::iota(dtype, &[size], 0) + 1).reshape(&x.shape()[..]);
        for view in &self.views {
            numbers = view.numbered(&numbers, self.mask.is_some());
        }
        let shape = numbers.shape();
        let mut here = numbers.gt(0);
        if let Some(mask) = &self.mask {
            here &= spread("mask", mask, &shape);
        }
        let places = where_(&here, numbers - 1, size).astype(dtype);
        f(x.reshape(&[size]).at(&places), spread("set", values, &shape)).reshape(&x.shape()[..])
    }

    /// Adds `values` to the elements.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let (cell, at) = (Ref::new(&Array::zeros(&[3])), Array::from_slice(&[2i32, 2, 0]));
    /// cell.at(&at).add(1.0);
    /// cell.at(1..).add(0.5);
    /// assert_eq!(cell.get().to_vec::<f32>()?, [1.0, 0.5, 2.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn add(&self, values: impl IntoOperand) {
        self.accumulate(values, |at, values| at.add(values), |old, new| old + new);
    }

    /// Multiplies the elements by `values`.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(3));
    /// cell.at(1..).multiply(5);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [0, 5, 10]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn multiply(&self, values: impl IntoOperand) {
        self.accumulate(values, |at, values| at.multiply(values), |old, new| old * new);
    }

    /// Replaces the elements by the larger of them and of `values`.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(3));
    /// cell.at(..).max(1);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [1, 1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn max(&self, values: impl IntoOperand) {
        self.accumulate(values, |at, values| at.max(values), |old, new| old.maximum(new));
    }

    /// Replaces the elements by the smaller of them and of `values`.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(3));
    /// cell.at(..).min(1);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [0, 1, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn min(&self, values: impl IntoOperand) {
        self.accumulate(values, |at, values| at.min(values), |old, new| old.minimum(new));
    }

    /// Replaces the elements, integers or truth values, by the bits that they share with `values`.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::from_slice(&[6i32, 5]));
    /// cell.at(..).and(3);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [2, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn and(&self, values: impl IntoOperand) {
        self.combine(values.into_operand(), |old, new| old & new);
    }

    /// Replaces the elements, integers or truth values, by the bits that they or `values` have.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::from_slice(&[6i32, 4]));
    /// cell.at(..).or(3);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [7, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn or(&self, values: impl IntoOperand) {
        self.combine(values.into_operand(), |old, new| old | new);
    }

    /// Replaces the elements, integers or truth values, by the bits in which they and `values` differ.
    ///
    /// ```
    /// use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::from_slice(&[6i32, 4]));
    /// cell.at(..).xor(3);
    /// assert_eq!(cell.get().to_vec::<i32>()?, [5, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn xor(&self, values: impl IntoOperand) {
        self.combine(values.into_operand(), |old, new| old ^ new);
    }

    /// The elements of `x` at the places.
    #[track_caller]
    fn seen(&self, x: &Array, exact: bool) -> Array {
        let mut seen = x.clone();
        for view in &self.views {
            seen = view.read(&seen, exact);
        }
        seen
    }

    /// The elements of `x` at the places, with the `other` value where the mask is false.
    #[track_caller]
    fn chosen(&self, x: &Array) -> Array {
        let seen = self.seen(x, self.mask.is_some());
        let Some(mask) = &self.mask else { return seen };
        let other = match &self.other {
            None => seen.zeros_like(),
            Some(Operand::Array(other)) => other.astype(seen.dtype()),
            Some(Operand::Number(number)) => Array::constant(number.fit("other", seen.dtype())),
        };
        let mask = spread("mask", mask, &seen.shape());
        where_(&mask, seen, other)
    }

    /// `x` with `values` stored at the places.
    #[track_caller]
    fn stored(&self, x: &Array, values: &Array) -> Array {
        #[track_caller]
        fn write(views: &[View], x: &Array, values: &Array, mask: Option<&Array>) -> Array {
            let [view, rest @ ..] = views else { return values.clone() };
            if !rest.is_empty() {
                let inner = write(rest, &view.read(x, mask.is_some()), values, mask);
                return match mask {
                    Some(_) => view.write_masked(x, &inner, &Array::full(&[], true, DType::Bool)),
                    None => view.write(x, |at| at.set(inner)),
                };
            }
            match mask {
                Some(mask) => {
                    let shape =
                        crate::eval_shape(|(): &()| view.read(&Array::zeros_of(x.ty()), false), &()).shape();
                    view.write_masked(x, &spread("set", values, &shape), &spread("mask", mask, &shape))
                }
                None => view.write(x, |at| at.set(values)),
            }
        }
        if self.gathers() && (self.mask.is_some() || self.views.len() > 1) {
            return self.numbered(x, values, |at, values| at.set(values));
        }
        write(&self.views, x, values, self.mask.as_ref())
    }

    /// The values to write, in the dtype of `x`.
    #[track_caller]
    fn values(&self, x: &Array, values: Operand) -> Array {
        match values {
            Operand::Array(values) => values.astype(x.dtype()),
            Operand::Number(number) => Array::constant(number.fit("set", x.dtype())),
        }
    }

    /// In a checked kernel, records checks that the places lie in `x`, unless a mask selects the places that count.
    #[track_caller]
    fn check(&self, x: &Array) {
        if self.mask.is_some() {
            return;
        }
        self.views.iter().for_each(View::check_numbers);
        if body::is_checked() {
            let mut seen = x.clone();
            for view in &self.views {
                view.check(&seen);
                seen = view.read(&seen, false);
            }
        }
    }
}
