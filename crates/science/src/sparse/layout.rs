use std::ops::{Bound, RangeBounds};

use jarrah_array::library::{positions, resolve, with_context};
use jarrah_array::numpy::{concatenate, lexsort, stack};
use jarrah_array::{Array, fail, ops, where_};
use jarrah_base::{DType, Error, Location};

use super::Bcoo;

impl Bcoo {
    /// A dense array of this one's type, for messages.
    fn model(&self) -> Array {
        Array::abstracted(self.data().ty().with_dims(self.shape().to_vec()))
    }

    /// The axes in another order; sparse axes stay before dense axes.
    ///
    /// # Errors
    ///
    /// A program error if `order` is not a permutation of the axes or mixes sparse and dense axes.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Bcoo::from_dense(&Array::arange(24).reshape(&[2, 3, 4]), 24);
    /// let y = x.transpose(&[2, 0, 1]);
    /// assert_eq!(y.shape(), [4, 2, 3]);
    /// assert_eq!(y.to_dense().index((3, 1, 0)).item::<i32>()?, 15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn transpose(&self, order: &[isize]) -> Bcoo {
        let (model, sparse) = (self.model(), self.sparse_axes());
        let mut axes = Vec::with_capacity(order.len());
        for &axis in order {
            axes.push(resolve("transpose", &model, axis, model.rank()));
        }
        let mut sorted = axes.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..model.rank()) || axes[..sparse].iter().any(|axis| *axis >= sparse) {
            let error = Error::program(format!("{order:?} is no order of the axes of {}", model.ty()));
            let help = format!("name each axis once, the {sparse} sparse axes first");
            fail(with_context(error.op("transpose").at(Location::caller()).help(help)));
        }
        let columns: Vec<i32> = axes[..sparse].iter().map(|axis| *axis as i32).collect();
        let indices = self.indices().take(&Array::from_slice(&columns), 1);
        let mut moved = vec![0];
        moved.extend(axes[sparse..].iter().map(|axis| (axis - sparse + 1) as isize));
        let shape: Vec<usize> = axes.iter().map(|axis| self.shape()[*axis]).collect();
        Bcoo::new(&self.data().transpose(&moved), &indices, &shape)
    }

    /// The transposed matrix; other than two axes, both sparse or both dense, are a program error.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let m = Bcoo::from_dense(&Array::new(&[0i32, 2, 3, 0, 0, 0], &[2, 3]), 2);
    /// assert_eq!(m.t().to_dense().to_string(), "i32[3,2]\n[[0, 0],\n [2, 0],\n [3, 0]]");
    /// ```
    #[track_caller]
    pub fn t(&self) -> Bcoo {
        self.transpose(&[1, 0])
    }

    /// The elements in a range of an axis.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Bcoo::from_dense(&Array::from_slice(&[0.0f32, 2.0, 0.0, 4.0]), 2);
    /// assert_eq!(x.slice(0, 2..).to_dense().to_vec::<f32>()?, [0.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn slice(&self, axis: isize, range: impl RangeBounds<usize>) -> Bcoo {
        let axis = resolve("slice", &self.model(), axis, self.shape().len());
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before + 1,
            Bound::Unbounded => 0,
        };
        let stop = match range.end_bound() {
            Bound::Included(last) => last + 1,
            Bound::Excluded(stop) => *stop,
            Bound::Unbounded => self.shape()[axis],
        };
        if start > stop || stop > self.shape()[axis] {
            let error =
                Error::program(format!("{start}..{stop} is no range of axis {axis} of {:?}", self.shape()));
            fail(with_context(error.op("slice").at(Location::caller())));
        }
        let (sparse, mut shape) = (self.sparse_axes(), self.shape().to_vec());
        shape[axis] = stop - start;
        if axis >= sparse {
            let data = self.data().slice((axis - sparse + 1) as isize, start..stop);
            return Bcoo::new(&data, self.indices(), &shape);
        }
        let along = self.along(axis);
        let inside = along.ge(start) & along.lt(stop);
        let along = where_(&inside, along - start, stop - start);
        let mut columns = Vec::with_capacity(sparse);
        for other in 0..sparse {
            columns.push(if other == axis { along.clone() } else { self.along(other) });
        }
        let columns: Vec<&Array> = columns.iter().collect();
        Bcoo::new(self.data(), &stack(&columns, -1), &shape)
    }

    /// The elements in row-major order in an array of another shape; of an array without dense axes.
    ///
    /// # Errors
    ///
    /// A program error if the number of elements differs, an extent is beyond `i32`, or there are dense axes.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let m = Bcoo::from_dense(&Array::from_slice(&[0i32, 2, 3, 0]), 2).reshape(&[2, 2]);
    /// assert_eq!(m.indices().to_string(), "i32[2,2]\n[[0, 1],\n [1, 0]]");
    /// ```
    #[track_caller]
    pub fn reshape(&self, shape: &[usize]) -> Bcoo {
        let (before, after): (usize, usize) = (self.shape().iter().product(), shape.iter().product());
        if before != after || !self.dense_shape().is_empty() {
            let error = Error::program(format!("{:?} does not reshape to {shape:?}", self.shape()));
            let help = "the number of elements stays, and dense axes cannot be reshaped";
            fail(with_context(error.op("reshape").at(Location::caller()).help(help)));
        }
        let mut rest = self.linear();
        let inside = rest.lt(before);
        let mut columns = Vec::with_capacity(shape.len());
        for &extent in shape.iter().rev() {
            let along = (&rest % extent.max(1)).astype(DType::I32);
            columns.push(where_(&inside, along, extent));
            rest = rest.floor_divide(extent.max(1));
        }
        columns.reverse();
        let columns: Vec<&Array> = columns.iter().collect();
        Bcoo::new(self.data(), &stack(&columns, -1), shape)
    }

    /// Where each element comes when positions are sorted: row-major, elements outside last.
    #[track_caller]
    fn order(&self) -> Array {
        let mut keys = Vec::with_capacity(self.sparse_axes() + 1);
        for axis in (0..self.sparse_axes()).rev() {
            keys.push(self.along(axis));
        }
        keys.push((!self.inside()).reshape(&[-1]).astype(DType::I32));
        let keys: Vec<&Array> = keys.iter().collect();
        lexsort(&keys)
    }

    /// This array with its positions in row-major order, those out of range last.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Bcoo::new(&Array::from_slice(&[1i32, 2, 3]), &Array::new(&[9i32, 1, 0], &[3, 1]), &[4]);
    /// let sorted = x.sort_indices();
    /// assert_eq!(sorted.indices().to_vec::<i32>()?, [0, 1, 9]);
    /// assert_eq!(sorted.data().to_vec::<i32>()?, [3, 2, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn sort_indices(&self) -> Bcoo {
        let order = self.order();
        Bcoo::new(&self.data().take(&order, 0), &self.indices().take(&order, 0), self.shape())
    }

    /// This array with each position once, in row-major order: the first `nse` of them.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Bcoo::from_dense(&Array::from_slice(&[0.0f32, 2.0, 4.0]), 2);
    /// let twice = (&x + &x).sum_duplicates(2);
    /// assert_eq!(twice.data().to_vec::<f32>()?, [4.0, 8.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn sum_duplicates(&self, nse: usize) -> Bcoo {
        let sorted = self.sort_indices();
        let inside = sorted.inside().reshape(&[-1]);
        let mut first = inside.clone();
        let n = sorted.nse();
        if n > 1 {
            let rows = sorted.indices();
            let same = rows.slice(0, 1..).eq(rows.slice(0, ..n - 1)).all(1);
            let start = Array::full(&[1], true, DType::Bool);
            first = inside.clone() & concatenate(&[&start, &!same], 0);
        }
        let group = where_(&inside, first.astype(DType::I32).cumsum(0) - 1, nse);
        let data = ops::segment_sum(sorted.data(), &group, nse);
        let extents: Vec<i32> = self.sparse_shape().iter().map(|extent| *extent as i32).collect();
        let outside = Array::from_slice(&extents).broadcast_to(&[nse, extents.len()]);
        let heads = where_(&first, &group, nse);
        let rows = where_(&first.expand_dims(-1), sorted.indices(), 0);
        let rows = ops::segment_sum(&rows, &heads, nse);
        let filled = positions("sparse", &[nse], 0).lt(first.count_nonzero(..));
        Bcoo::new(&data, &where_(&filled.expand_dims(-1), rows, outside), self.shape())
    }
}
