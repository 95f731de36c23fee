//! Shapes: axes moved, added, removed; arrays joined and cut.

use std::ops::{Bound, RangeBounds};

use jarrah_base::{DType, Dims, Error, Location, elements};
use jarrah_hlo::ops::*;

use crate::along::along;
use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::numpy::{IntoAxes, Side, resolve, resolve_all, resolve_each};
use crate::operators::{broadcast_shapes, inexact_type, promote_types};
use crate::shape::IntoShape;
use crate::trace::apply_one;

/// Dtypes and shapes.
impl Array {
    /// The numbers converted to another dtype. Floats lose their fraction as integers; complex numbers lose their imaginary
    /// parts, except as truth values, which say whether a number is not 0.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// let x = Array::from_slice(&[1.7f32, -1.7, 0.0]);
    /// assert_eq!(x.astype(DType::I32).to_vec::<i32>()?, [1, -1, 0]);
    /// assert_eq!(x.astype(DType::Bool).to_vec::<bool>()?, [true, true, false]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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

    /// The array with integers and truth values converted to floats, `f64` for integers of 64 bits, else `f32`; other dtypes are
    /// unchanged.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::from_slice(&[1i64, 2]).inexact().dtype(), DType::F64);
    /// assert_eq!(Array::from_slice(&[1u8, 2]).inexact().dtype(), DType::F32);
    /// ```
    #[track_caller]
    pub fn inexact(&self) -> Array {
        self.astype(inexact_type(self.dtype()))
    }

    /// The elements in row-major order with another shape, written as `&[2, -1]`, `&[n, 3]`, `(n, -1)`, that of an array, or `()`
    /// for a scalar; one extent may be -1, which is computed from the others.
    ///
    /// # Errors
    ///
    /// A program error unless the extents multiply to the number of elements, or one is -1 and the others divide it.
    ///
    /// ```
    /// # use jarrah_array::{Array, along};
    /// let x = Array::zeros(&[4, 6]);
    /// assert_eq!(x.reshape(&[2, -1]).shape(), [2, 12]);
    /// assert_eq!(Array::zeros(&[24]).reshape(&x.shape()).shape(), [4, 6]);
    /// let rows = x.shape()[0];
    /// assert_eq!(x.reshape(&[rows * 2, 3]).shape(), [8, 3]);
    /// assert_eq!(x.reshape((rows, -1, 2)).shape(), [4, 3, 2]);
    /// assert_eq!(x.sum(along(..).keepdims()).reshape(()).rank(), 0);
    /// ```
    #[track_caller]
    pub fn reshape(&self, shape: impl IntoShape) -> Array {
        self.reshaped_to(&shape.into_extents())
    }

    #[track_caller]
    fn reshaped_to(&self, shape: &[isize]) -> Array {
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
        apply_one(Reshape { dims: dims.into_iter().collect() }, &[self])
    }

    /// The elements in row-major order with the extents `shape`, whose product is the number of elements.
    #[track_caller]
    pub(crate) fn reshaped(&self, shape: &[usize]) -> Array {
        if *self.shape() == *shape {
            return self.clone();
        }
        apply_one(Reshape { dims: shape.iter().copied().collect() }, &[self])
    }

    /// The elements in row-major order as a vector.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::eye(2).ravel().to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn ravel(&self) -> Array {
        self.reshaped(&[self.size()])
    }

    /// The bits read as another dtype of equal size; another size is a program error.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::scalar(1.0).bitcast(DType::U32).item::<u32>()?, 0x3f80_0000);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn bitcast(&self, dtype: DType) -> Array {
        apply_one(BitcastConvert { to: dtype }, &[self])
    }

    /// The array broadcast to `shape`, aligned at the last axis; a shape that it does not broadcast to is a program error.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 2]);
    /// assert_eq!(x.broadcast_to(&[3, 2]).to_vec::<i32>()?, [1, 2, 1, 2, 1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn broadcast_to(&self, shape: &[usize]) -> Array {
        if self.shape() == shape {
            return self.clone();
        }
        if broadcast_shapes(&self.shape(), shape).as_deref() != Some(shape) {
            let error = Error::program(format!("{} does not broadcast to {shape:?}", self.ty()));
            fail(with_context(error.op("broadcast_to").help("align shapes from the last axis: each extent is equal or one, and new axes come first").at(Location::caller())));
        }
        let lead = shape.len() - self.rank();
        let axes: Vec<usize> = (lead..shape.len()).collect();
        lax::broadcast_in_dim(self, shape, &axes)
    }
}

/// Axes.
impl Array {
    /// The axes permuted: axis `i` of the result is axis `order[i]`; negative ones count from the end.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::zeros(&[2, 3, 4]).transpose(&[-1, 0, 1]).shape(), [4, 2, 3]);
    /// ```
    #[track_caller]
    pub fn transpose(&self, order: &[isize]) -> Array {
        let order = resolve_each("transpose", self, order);
        lax::transpose(self, &order)
    }

    /// The last two axes exchanged: the transposed matrices.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(6).reshape(&[2, 3]).t().to_vec::<i32>()?, [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn t(&self) -> Array {
        self.swapaxes(-1, -2)
    }

    /// Two axes exchanged.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::zeros(&[2, 3, 4]).swapaxes(0, -1).shape(), [4, 3, 2]);
    /// ```
    #[track_caller]
    pub fn swapaxes(&self, a: isize, b: isize) -> Array {
        let (a, b) = (resolve("swapaxes", self, a, self.rank()), resolve("swapaxes", self, b, self.rank()));
        let mut order: Vec<usize> = (0..self.rank()).collect();
        order.swap(a, b);
        lax::transpose(self, &order)
    }

    /// Axes moved from `source` to `destination`; the others keep their order.
    ///
    /// # Errors
    ///
    /// A program error unless there are as many destinations as sources, each once.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::zeros(&[2, 3, 4]);
    /// assert_eq!(x.moveaxis(0, -1).shape(), [3, 4, 2]);
    /// assert_eq!(x.moveaxis([0, 1], [1, 0]).shape(), [3, 2, 4]);
    /// ```
    #[track_caller]
    pub fn moveaxis(&self, source: impl IntoAxes, destination: impl IntoAxes) -> Array {
        let source = resolve_each("moveaxis", self, &source.into_axes());
        let destination = resolve_each("moveaxis", self, &destination.into_axes());
        let twice = |axes: &[usize]| (1..axes.len()).any(|i| axes[..i].contains(&axes[i]));
        if source.len() != destination.len() || twice(&source) || twice(&destination) {
            let error =
                Error::program(format!("axes {source:?} of {} cannot move to {destination:?}", self.ty()));
            let help = "name as many destinations as sources, each once";
            fail(with_context(error.op("moveaxis").at(Location::caller()).help(help)));
        }
        let mut rest = (0..self.rank()).filter(|axis| !source.contains(axis));
        let order: Vec<usize> = (0..self.rank())
            .filter_map(|at| match destination.iter().position(|&d| d == at) {
                Some(i) => Some(source[i]),
                None => rest.next(),
            })
            .collect();
        lax::transpose(self, &order)
    }

    /// New axes of extent one at these positions of the result.
    ///
    /// # Errors
    ///
    /// A program error if a position is named twice.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::zeros(&[3]).expand_dims([0, -1]).shape(), [1, 3, 1]);
    /// ```
    #[track_caller]
    pub fn expand_dims(&self, axes: impl IntoAxes) -> Array {
        let axes = axes.into_axes();
        let rank = self.rank() + axes.len();
        let mut added = vec![false; rank];
        for axis in axes {
            let axis = resolve("expand_dims", self, axis, rank);
            if std::mem::replace(&mut added[axis], true) {
                let error = Error::program(format!("axis {axis} of the result is named twice"));
                fail(with_context(error.op("expand_dims").at(Location::caller())));
            }
        }
        let mut extents = self.shape().into_iter();
        let shape: Vec<usize> =
            added.iter().map(|&new| if new { 1 } else { extents.next().unwrap_or(1) }).collect();
        self.reshaped(&shape)
    }

    /// The array without these axes, which must have extent one; another extent is a program error.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::zeros(&[1, 3, 1]);
    /// assert_eq!(x.squeeze(0).shape(), [3, 1]);
    /// assert_eq!(x.squeeze([0, -1]).shape(), [3]);
    /// ```
    #[track_caller]
    pub fn squeeze(&self, axes: impl IntoAxes) -> Array {
        let axes = resolve_all("squeeze", self, axes);
        let shape = self.shape();
        if let Some(axis) = axes.iter().find(|&&axis| shape[axis] != 1) {
            let error = Error::program(format!("axis {axis} of {} is not of extent one", self.ty()));
            fail(with_context(
                error
                    .op("squeeze")
                    .help("squeeze takes away axes of extent one; index takes one position along an axis")
                    .at(Location::caller()),
            ));
        }
        let kept: Vec<usize> =
            (0..shape.len()).filter(|axis| !axes.contains(axis)).map(|axis| shape[axis]).collect();
        self.reshaped(&kept)
    }

    /// A vector at least: a scalar gets an axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::scalar(7).atleast_1d().shape(), [1]);
    /// ```
    #[track_caller]
    pub fn atleast_1d(&self) -> Array {
        if self.rank() == 0 { self.reshaped(&[1]) } else { self.clone() }
    }

    /// A matrix at least: a vector becomes a row.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(3).atleast_2d().shape(), [1, 3]);
    /// ```
    #[track_caller]
    pub fn atleast_2d(&self) -> Array {
        if self.rank() < 2 { self.atleast_1d().expand_dims(0) } else { self.clone() }
    }

    /// The array with at least three axes: a vector becomes the second axis, a matrix the first two.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(3).atleast_3d().shape(), [1, 3, 1]);
    /// assert_eq!(Array::eye(2).atleast_3d().shape(), [2, 2, 1]);
    /// ```
    #[track_caller]
    pub fn atleast_3d(&self) -> Array {
        if self.rank() < 3 { self.atleast_2d().expand_dims(-1) } else { self.clone() }
    }

    /// The elements in opposite order along axes.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// assert_eq!(x.flip(1).to_vec::<i32>()?, [1, 0, 3, 2]);
    /// assert_eq!(x.flip([0, 1]).to_vec::<i32>()?, [3, 2, 1, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn flip(&self, axes: impl IntoAxes) -> Array {
        lax::reverse(self, &resolve_all("flip", self, axes))
    }

    /// The elements shifted by `shift` places along an axis; elements shifted beyond the end reappear at the beginning.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(4).roll(1, 0).to_vec::<i32>()?, [3, 0, 1, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn roll(&self, shift: isize, axis: isize) -> Array {
        let at = resolve("roll", self, axis, self.rank());
        let extent = self.shape()[at];
        let first = shift.rem_euclid(extent.max(1) as isize) as usize;
        if first == 0 {
            return self.clone();
        }
        let (a, b) = (self.slice(axis, extent - first..), self.slice(axis, ..extent - first));
        concatenate(&[&a, &b], axis)
    }

    /// The plane of two axes turned `times` times by a right angle, from the first axis towards the second.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(4).reshape(&[2, 2]);
    /// assert_eq!(x.to_string(), "i32[2,2]\n[[0, 1],\n [2, 3]]");
    /// assert_eq!(x.rot90(1, [0, 1]).to_string(), "i32[2,2]\n[[1, 3],\n [0, 2]]");
    /// ```
    #[track_caller]
    pub fn rot90(&self, times: isize, axes: [isize; 2]) -> Array {
        let [a, b] = axes;
        match times.rem_euclid(4) {
            0 => self.clone(),
            1 => self.flip(b).swapaxes(a, b),
            2 => self.flip([a, b]),
            _ => self.swapaxes(a, b).flip(b),
        }
    }

    /// The array `repeats[i]` times along axis `i`; the list and the shape are aligned at the last axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 2]);
    /// assert_eq!(x.tile(&[2]).to_vec::<i32>()?, [1, 2, 1, 2]);
    /// assert_eq!(x.tile(&[3, 1]).shape(), [3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn tile(&self, repeats: &[usize]) -> Array {
        let rank = self.rank().max(repeats.len());
        let shape = self.shape();
        let extent = |i: usize| (i + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
        let times = |i: usize| (i + repeats.len()).checked_sub(rank).map_or(1, |at| repeats[at]);
        let wide: Vec<usize> = (0..rank).flat_map(|i| [times(i), extent(i)]).collect();
        let single: Vec<usize> = (0..rank).flat_map(|i| [1, extent(i)]).collect();
        let tiled: Vec<usize> = (0..rank).map(|i| times(i) * extent(i)).collect();
        self.reshaped(&single).broadcast_to(&wide).reshaped(&tiled)
    }

    /// Each element `repeats` times in a row along an axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(2).repeat(2, 0).to_vec::<i32>()?, [0, 0, 1, 1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn repeat(&self, repeats: usize, axis: isize) -> Array {
        let at = resolve("repeat", self, axis, self.rank());
        let mut shape = self.shape().to_vec();
        shape.insert(at + 1, repeats);
        let wide = self.expand_dims(at as isize + 1).broadcast_to(&shape);
        shape.remove(at + 1);
        shape[at] *= repeats;
        wide.reshaped(&shape)
    }

    /// Element `i` along an axis repeated `repeats[i]` times in a row. The result has `total` elements along the axis: if the
    /// repeats give fewer, the last element is repeated further; if they give more, the rest is cut off.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, repeats) = (Array::from_slice(&[7i32, 8]), Array::from_slice(&[1i32, 2]));
    /// assert_eq!(x.repeat_each(&repeats, 3, 0).to_vec::<i32>()?, [7, 8, 8]);
    /// assert_eq!(x.repeat_each(&repeats, 4, 0).to_vec::<i32>()?, [7, 8, 8, 8]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn repeat_each(&self, repeats: &Array, total: usize, axis: isize) -> Array {
        let ends = repeats.cumsum(0);
        let last = self.shape()[resolve("repeat_each", self, axis, self.rank())].saturating_sub(1);
        // An element of the result comes from the first source element whose repeats end after its index.
        let source = ends.searchsorted(Array::arange(total).astype(ends.dtype()), Side::Right);
        self.take(&source.clip(0, last), axis)
    }

    /// The elements in row-major order, repeated or cut, with another shape.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(3);
    /// assert_eq!(x.resize(&[2, 2]).to_vec::<i32>()?, [0, 1, 2, 0]);
    /// assert_eq!(x.resize(&[2]).to_vec::<i32>()?, [0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn resize(&self, shape: &[usize]) -> Array {
        let count: usize = shape.iter().product();
        if self.size() == 0 {
            return Array::full(shape, 0, self.dtype());
        }
        let times = count.div_ceil(self.size());
        self.ravel().tile(&[times]).slice(0, ..count).reshaped(shape)
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
        let mut starts: Dims = shape.iter().map(|_| 0).collect();
        let mut limits = Dims::from_slice(&shape);
        (starts[axis], limits[axis]) = (start, limit);
        let strides = shape.iter().map(|_| 1).collect();
        apply_one(Slice { starts, limits, strides }, &[self])
    }
}

/// Where an array is cut: into a number of equal parts, or before positions.
pub trait IntoParts {
    /// The positions at which an axis of `extent` elements is cut; `None` if it cannot be cut into equal parts.
    fn into_cuts(self, extent: usize) -> Option<Vec<usize>>;
}
macro_rules! equal_parts {
    ($($t:ty)*) => {$(
        impl IntoParts for $t {
            fn into_cuts(self, extent: usize) -> Option<Vec<usize>> {
                let parts = usize::try_from(self).ok().filter(|&parts| parts > 0 && extent.is_multiple_of(parts))?;
                Some((1..parts).map(|i| i * (extent / parts)).collect())
            }
        }
    )*};
}
equal_parts! { usize i32 }
impl IntoParts for &[usize] {
    fn into_cuts(self, extent: usize) -> Option<Vec<usize>> {
        Some(self.iter().map(|&at| at.min(extent)).collect())
    }
}
impl<const N: usize> IntoParts for [usize; N] {
    fn into_cuts(self, extent: usize) -> Option<Vec<usize>> {
        self.as_slice().into_cuts(extent)
    }
}

/// Cutting.
impl Array {
    /// The array cut along an axis: into a number of parts of equal extent, or before positions.
    ///
    /// # Errors
    ///
    /// A program error if the axis does not split into so many equal parts.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(6);
    /// assert_eq!(x.split(2, 0)[1].to_vec::<i32>()?, [3, 4, 5]);
    /// assert_eq!(x.split([1, 4], 0)[1].to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn split(&self, parts: impl IntoParts, axis: isize) -> Vec<Array> {
        let at = resolve("split", self, axis, self.rank());
        let Some(cuts) = parts.into_cuts(self.shape()[at]) else {
            let error =
                Error::program(format!("axis {at} of {} does not split into so many equal parts", self.ty()));
            let help = "array_split makes parts that differ by one";
            fail(with_context(error.op("split").at(Location::caller()).help(help)));
        };
        self.cut(&cuts, at)
    }

    /// The array cut along an axis into parts whose extents differ by at most one, the longer ones first.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let parts = Array::arange(5).array_split(2, 0);
    /// assert_eq!(parts[0].to_vec::<i32>()?, [0, 1, 2]);
    /// assert_eq!(parts[1].to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn array_split(&self, parts: usize, axis: isize) -> Vec<Array> {
        let at = resolve("array_split", self, axis, self.rank());
        let extent = self.shape()[at];
        let (each, longer) = (extent / parts.max(1), extent % parts.max(1));
        let cuts: Vec<usize> = (1..parts).map(|i| i * each + i.min(longer)).collect();
        self.cut(&cuts, at)
    }

    #[track_caller]
    fn cut(&self, cuts: &[usize], axis: usize) -> Vec<Array> {
        let extent = self.shape()[axis];
        let mut parts = Vec::with_capacity(cuts.len() + 1);
        let mut start = 0;
        for &cut in cuts.iter().chain([&extent]) {
            parts.push(self.slice(axis as isize, start.min(cut)..cut));
            start = cut;
        }
        parts
    }

    /// The slices along an axis, each without that axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let columns = Array::arange(4).reshape(&[2, 2]).unstack(1);
    /// assert_eq!(columns[0].to_vec::<i32>()?, [0, 2]);
    /// assert_eq!(columns[1].to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn unstack(&self, axis: isize) -> Vec<Array> {
        let at = resolve("unstack", self, axis, self.rank());
        let mut slices = Vec::with_capacity(self.shape()[at]);
        for i in 0..self.shape()[at] {
            slices.push(self.slice(at as isize, i..=i).squeeze(at as isize));
        }
        slices
    }

    /// The array without the slices at `positions` along an axis; negative positions count from the end.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::arange(5).delete(&[0, -2], 0).to_vec::<i32>()?, [1, 2, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn delete(&self, positions: &[isize], axis: isize) -> Array {
        let at = resolve("delete", self, axis, self.rank());
        let extent = self.shape()[at] as isize;
        let gone: Vec<isize> = positions.iter().map(|&p| if p < 0 { p + extent } else { p }).collect();
        let kept: Vec<i32> = (0..extent).filter(|p| !gone.contains(p)).map(|p| p as i32).collect();
        self.take(&Array::from_slice(&kept), axis)
    }

    /// The array with `values` before `position` along an axis; a negative position counts from the end. The values are one slice
    /// without the axis, or several with it, and broadcast along the other axes.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, values) = (Array::arange(3), Array::from_slice(&[8i32, 9]));
    /// assert_eq!(x.insert(1, &values, 0).to_vec::<i32>()?, [0, 8, 9, 1, 2]);
    /// assert_eq!(Array::eye(2).insert(2, &Array::scalar(5.0), 1).index(0).to_vec::<f32>()?, [1.0, 0.0, 5.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn insert(&self, position: isize, values: &Array, axis: isize) -> Array {
        let at = resolve("insert", self, axis, self.rank());
        let extent = self.shape()[at];
        let place = (if position < 0 { position + extent as isize } else { position })
            .clamp(0, extent as isize) as usize;
        let mut shape = self.shape().to_vec();
        shape[at] = if values.rank() == self.rank() { values.shape()[at] } else { 1 };
        let values = values.astype(self.dtype()).broadcast_to(&shape);
        concatenate(&[&self.slice(axis, ..place), &values, &self.slice(axis, place..)], axis)
    }

    /// This array, then `other`, along an axis.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (x, y) = (Array::zeros(&[2, 1]), Array::ones(&[2, 2]));
    /// assert_eq!(x.append(&y, 1).to_vec::<f32>()?, [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn append(&self, other: &Array, axis: isize) -> Array {
        concatenate(&[self, other], axis)
    }
}

/// The elements that [`Array::pad`] puts around an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PadMode {
    /// A number.
    Constant(Number),
    /// The element at the edge.
    Edge,
    /// The elements mirrored at the edge, without repeating the element at the edge.
    Reflect,
    /// The elements mirrored at the edge, with the element at the edge repeated.
    Symmetric,
    /// The elements from the opposite end of the axis, as if the array were repeated.
    Wrap,
    /// Numbers that change linearly from the element at the edge to this number at the outer end.
    LinearRamp(f64),
    /// The largest along the axis.
    Maximum,
    /// The smallest along the axis.
    Minimum,
    /// The mean along the axis.
    Mean,
    /// The median along the axis.
    Median,
}

impl Array {
    /// The array with `widths[i]` more elements before and after those along axis `i`; one pair counts for all axes.
    ///
    /// # Errors
    ///
    /// A program error unless there is a pair for each axis or one for all; for an axis without elements,
    /// except with [`PadMode::Constant`].
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::PadMode};
    /// let x = Array::arange(1..4);
    /// assert_eq!(x.pad(&[(1, 2)], PadMode::Constant(0.into())).to_vec::<i32>()?, [0, 1, 2, 3, 0, 0]);
    /// assert_eq!(x.pad(&[(2, 1)], PadMode::Reflect).to_vec::<i32>()?, [3, 2, 1, 2, 3, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn pad(&self, widths: &[(usize, usize)], mode: PadMode) -> Array {
        let widths: Vec<(usize, usize)> = match widths {
            [one] => vec![*one; self.rank()],
            many if many.len() == self.rank() => many.to_vec(),
            many => {
                let error =
                    Error::program(format!("{} pairs of widths are given for {}", many.len(), self.ty()));
                fail(with_context(
                    error.op("pad").at(Location::caller()).help("give one for each axis, or one for all"),
                ))
            }
        };
        if let PadMode::Constant(number) = mode {
            let value = Array::constant(number.fit("pad", self.dtype()));
            let low: Vec<i64> = widths.iter().map(|w| w.0 as i64).collect();
            let high: Vec<i64> = widths.iter().map(|w| w.1 as i64).collect();
            return lax::pad(self, &value, &low, &high);
        }
        let mut x = self.clone();
        for (axis, &(low, high)) in widths.iter().enumerate() {
            if (low, high) != (0, 0) {
                x.check_elements("pad", &[axis]);
                x = x.pad_axis(axis, low, high, mode);
            }
        }
        x
    }

    #[track_caller]
    fn pad_axis(&self, axis: usize, low: usize, high: usize, mode: PadMode) -> Array {
        let extent = self.shape()[axis] as i64;
        let at = axis as isize;
        let source: fn(i64, i64) -> i64 = match mode {
            PadMode::Edge => |i, n| i.clamp(0, n - 1),
            PadMode::Wrap => |i, n| i.rem_euclid(n),
            PadMode::Reflect => |i, n| {
                let period = (2 * n - 2).max(1);
                let i = i.rem_euclid(period);
                i.min(period - i).min(n - 1)
            },
            PadMode::Symmetric => |i, n| {
                let i = i.rem_euclid(2 * n);
                i.min(2 * n - 1 - i)
            },
            PadMode::LinearRamp(end) => return self.pad_ramp(axis, low, high, end),
            PadMode::Maximum => return self.pad_with(axis, low, high, &self.max(along(at).keepdims())),
            PadMode::Minimum => return self.pad_with(axis, low, high, &self.min(along(at).keepdims())),
            PadMode::Mean => {
                return self.pad_with(
                    axis,
                    low,
                    high,
                    &self.mean(along(at).keepdims()).rounded_to(self.dtype()),
                );
            }
            PadMode::Median => {
                return self.pad_with(
                    axis,
                    low,
                    high,
                    &self.median(along(at).keepdims()).rounded_to(self.dtype()),
                );
            }
            PadMode::Constant(_) => |i, _| i,
        };
        let places: Vec<i32> =
            (-(low as i64)..extent + high as i64).map(|i| source(i, extent) as i32).collect();
        lax::take(self, &Array::from_slice(&places), axis)
    }

    /// In `dtype`, to the nearest if that is an integer type.
    #[track_caller]
    fn rounded_to(&self, dtype: DType) -> Array {
        if dtype.is_integer() { self.round().astype(dtype) } else { self.astype(dtype) }
    }

    /// The array with copies of `slice` along an axis: `low` before it and `high` after it.
    #[track_caller]
    fn pad_with(&self, axis: usize, low: usize, high: usize, slice: &Array) -> Array {
        let wide = |n: usize| {
            let mut shape = self.shape().to_vec();
            shape[axis] = n;
            shape
        };
        concatenate(&[&slice.broadcast_to(&wide(low)), self, &slice.broadcast_to(&wide(high))], axis as isize)
    }

    #[track_caller]
    fn pad_ramp(&self, axis: usize, low: usize, high: usize, end: f64) -> Array {
        let at = axis as isize;
        let side = |edge: Array, n: usize| {
            // From the end to one step before the edge.
            let mut shape = vec![1; self.rank()];
            shape[axis] = n;
            let share = lax::iota(inexact_type(self.dtype()), &shape, axis) / n.max(1) as f64;
            let ramp = (1.0 - &share) * end + share * edge.inexact();
            if self.dtype().is_integer() {
                ramp.trunc().astype(self.dtype())
            } else {
                ramp.astype(self.dtype())
            }
        };
        let before = side(self.slice(at, ..1), low);
        let after = side(self.slice(at, self.shape()[axis] - 1..), high).flip(at);
        concatenate(&[&before, self, &after], at)
    }
}

/// The arrays concatenated along an axis, in their common dtype.
///
/// # Errors
///
/// A program error if there is no array, or the extents of other axes differ.
///
/// ```
/// use jarrah_array::{Array, concatenate};
/// let (x, y) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[0.5f32]));
/// assert_eq!(concatenate(&[&x, &y], 0).to_vec::<f32>()?, [1.0, 2.0, 0.5]);
/// assert_eq!(concatenate(&[&Array::zeros(&[2, 3]), &Array::zeros(&[2, 1])], -1).shape(), [2, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn concatenate(arrays: &[&Array], axis: isize) -> Array {
    let Some(first) = arrays.first() else {
        let error = Error::program("there is nothing to concatenate").op("concatenate");
        fail(error.at(Location::caller()).help("give at least one array"))
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

/// The arrays stacked along a new axis; its position is counted in the result.
///
/// # Errors
///
/// A program error if there is no array, or their shapes differ.
///
/// ```
/// use jarrah_array::{Array, stack};
/// let (x, y) = (Array::from_slice(&[1i32, 2]), Array::from_slice(&[3i32, 4]));
/// assert_eq!(stack(&[&x, &y], 0).to_vec::<i32>()?, [1, 2, 3, 4]);
/// assert_eq!(stack(&[&x, &y], -1).to_vec::<i32>()?, [1, 3, 2, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn stack(arrays: &[&Array], axis: isize) -> Array {
    if arrays.is_empty() {
        let error = Error::program("there is nothing to stack").op("stack");
        fail(error.at(Location::caller()).help("give at least one array"));
    }
    if let Some((i, other)) = arrays.iter().enumerate().find(|(_, a)| a.shape() != arrays[0].shape()) {
        let (first, other) = (arrays[0].ty(), other.ty());
        let error = Error::program(format!("shapes differ: array 0 is {first}, array {i} is {other}"));
        fail(with_context(
            error
                .op("stack")
                .help(
                    "broadcast the arrays to one shape first; concatenate joins along an axis that is there",
                )
                .at(Location::caller()),
        ));
    }
    let mut expanded = Vec::with_capacity(arrays.len());
    for array in arrays {
        expanded.push(array.expand_dims(axis));
    }
    concatenate(&expanded.iter().collect::<Vec<_>>(), axis)
}

/// The arrays broadcast to one shape; arrays that do not broadcast are a program error.
///
/// ```
/// use jarrah_array::{Array, numpy::broadcast_arrays};
/// let both = broadcast_arrays(&[&Array::arange(3), &Array::arange(2).reshape(&[2, 1])]);
/// assert_eq!(both[0].to_vec::<i32>()?, [0, 1, 2, 0, 1, 2]);
/// assert_eq!(both[1].to_vec::<i32>()?, [0, 0, 0, 1, 1, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn broadcast_arrays(arrays: &[&Array]) -> Vec<Array> {
    let mut shape: Vec<usize> = Vec::new();
    for array in arrays {
        shape = match broadcast_shapes(&shape, &array.shape()) {
            Some(shape) => shape,
            None => {
                let error = Error::program(format!("{} does not broadcast with {shape:?}", array.ty()));
                fail(with_context(error.op("broadcast_arrays").at(Location::caller())))
            }
        };
    }
    let mut wide = Vec::with_capacity(arrays.len());
    for array in arrays {
        wide.push(array.broadcast_to(&shape));
    }
    wide
}

/// The arrays one after another along the first axis, vectors and scalars as rows.
///
/// ```
/// use jarrah_array::{Array, numpy::vstack};
/// let y = vstack(&[&Array::arange(2), &Array::arange(4).reshape(&[2, 2])]);
/// assert_eq!(y.to_string(), "i32[3,2]\n[[0, 1],\n [0, 1],\n [2, 3]]");
/// ```
#[track_caller]
pub fn vstack(arrays: &[&Array]) -> Array {
    join(arrays, Array::atleast_2d, 0)
}

/// The arrays one after another along the second axis, vectors and scalars along the first.
///
/// ```
/// use jarrah_array::{Array, numpy::hstack};
/// assert_eq!(hstack(&[&Array::arange(2), &Array::scalar(7)]).to_vec::<i32>()?, [0, 1, 7]);
/// assert_eq!(hstack(&[&Array::eye(2), &Array::zeros(&[2, 3])]).shape(), [2, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hstack(arrays: &[&Array]) -> Array {
    let axis = if arrays.iter().all(|x| x.rank() <= 1) { 0 } else { 1 };
    join(arrays, Array::atleast_1d, axis)
}

/// The arrays one after another along the third axis, which vectors, as rows, and matrices get first.
///
/// ```
/// use jarrah_array::{Array, numpy::dstack};
/// let y = dstack(&[&Array::from_slice(&[1i32, 2]), &Array::from_slice(&[3i32, 4])]);
/// assert_eq!((y.shape().to_vec(), y.to_vec::<i32>()?), (vec![1, 2, 2], vec![1, 3, 2, 4]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dstack(arrays: &[&Array]) -> Array {
    join(arrays, Array::atleast_3d, 2)
}

/// The vectors, and the columns of matrices, as columns of a matrix.
///
/// ```
/// use jarrah_array::{Array, numpy::column_stack};
/// let y = column_stack(&[&Array::from_slice(&[7i32, 8]), &Array::arange(4).reshape(&[2, 2])]);
/// assert_eq!(y.to_string(), "i32[2,3]\n[[7, 0, 1],\n [8, 2, 3]]");
/// ```
#[track_caller]
pub fn column_stack(arrays: &[&Array]) -> Array {
    join(arrays, |x| if x.rank() < 2 { x.atleast_2d().t() } else { x.clone() }, 1)
}

#[track_caller]
fn join(arrays: &[&Array], shape: impl Fn(&Array) -> Array, axis: isize) -> Array {
    let mut shaped = Vec::with_capacity(arrays.len());
    for array in arrays {
        shaped.push(shape(array));
    }
    concatenate(&shaped.iter().collect::<Vec<_>>(), axis)
}

/// A matrix of blocks: those of a row stand side by side, the rows one below another.
///
/// ```
/// use jarrah_array::{Array, numpy::block};
/// let (a, b) = (Array::ones(&[2, 1]), Array::zeros(&[2, 2]));
/// assert_eq!(block(&[&[&a, &b]]).to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn block(rows: &[&[&Array]]) -> Array {
    let mut joined = Vec::with_capacity(rows.len());
    for row in rows {
        joined.push(join(row, Array::atleast_2d, 1));
    }
    concatenate(&joined.iter().collect::<Vec<_>>(), 0)
}
