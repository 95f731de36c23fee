use std::ops::{Add, Mul, Neg, Sub};

use jarrah_array::library::{resolve_all, with_context};
use jarrah_array::numpy::{IntoAxes, concatenate};
use jarrah_array::{Array, IntoOperand, Operand, TakeMode, fail, promote_types};
use jarrah_base::{DType, Error, Location};

use super::Bcoo;

impl Bcoo {
    /// The elements of a dense array, broadcast to this one's shape, at the positions of this array.
    #[track_caller]
    pub(super) fn beside(&self, x: &Array) -> Array {
        let (rank, sparse) = (self.shape().len(), self.sparse_axes());
        let mut shape = x.shape().to_vec();
        let fits = shape.len() <= rank
            && (shape.iter().rev().zip(self.shape().iter().rev())).all(|(a, b)| *a == 1 || a == b);
        if !fits {
            let error = Error::program(format!("{} does not broadcast to {:?}", x.ty(), self.shape()));
            fail(with_context(error.op("sparse").at(Location::caller())));
        }
        let mut padded = vec![1; rank - shape.len()];
        padded.append(&mut shape);
        let (along, dense) = padded.split_at(sparse);
        let count = along.iter().product();
        let slices = x.reshape(&[&[count], dense].concat());
        if count == 0 {
            return Array::zeros_of(slices.ty().with_dims([&[self.nse()], dense].concat()));
        }
        // Axes of extent one have stride zero.
        let mut at = Array::full(&[self.nse()], 0, DType::I32);
        for (axis, &extent) in along.iter().enumerate().filter(|(_, extent)| **extent > 1) {
            at = at * extent + self.along(axis).clip(0, extent - 1);
        }
        slices.take_with(&at, 0, TakeMode::Clip)
    }

    /// The sums along axes, a sparse array without these axes.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Bcoo::from_dense(&Array::new(&[0.0f32, 2.0, 3.0, 4.0], &[2, 2]), 3);
    /// assert_eq!(x.sum(0).to_dense().to_vec::<f32>()?, [3.0, 6.0]);
    /// assert_eq!(x.sum([0, 1]).to_dense().item::<f32>()?, 9.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn sum(&self, axes: impl IntoAxes) -> Bcoo {
        let model = Array::abstracted(self.data().ty().with_dims(self.shape().to_vec()));
        let summed = resolve_all("sum", &model, axes);
        let sparse = self.sparse_axes();
        let keeps = |axis: &usize| !summed.contains(axis);
        let shape: Vec<usize> =
            (0..self.shape().len()).filter(keeps).map(|axis| self.shape()[axis]).collect();
        let kept: Vec<usize> = (0..sparse).filter(keeps).collect();
        // An element that is outside along an axis that goes would come inside.
        let data = jarrah_array::where_(&self.inside(), self.data(), 0);
        let dense: Vec<isize> =
            summed.iter().filter(|axis| **axis >= sparse).map(|axis| (axis - sparse + 1) as isize).collect();
        let data = if dense.is_empty() { data } else { data.sum(&dense[..]) };
        let mut columns = Vec::with_capacity(kept.len());
        for axis in &kept {
            columns.push(self.along(*axis).expand_dims(-1));
        }
        let columns: Vec<&Array> = columns.iter().collect();
        let none = || Array::zeros_of(self.indices().ty().with_dims([self.nse(), 0]));
        let indices = if columns.is_empty() { none() } else { concatenate(&columns, 1) };
        Bcoo::new(&data, &indices, &shape)
    }

    /// The array with other elements at the same positions.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Bcoo::from_dense(&Array::from_slice(&[0.0f32, 2.0, 0.0, 4.0]), 2);
    /// let roots = x.with_data(&x.data().sqrt());
    /// assert_eq!(roots.to_dense().round_to(4).to_vec::<f32>()?, [0.0, 1.4142, 0.0, 2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn with_data(&self, data: &Array) -> Bcoo {
        Bcoo::new(data, self.indices(), self.shape())
    }
}

impl<T: IntoOperand> Mul<T> for &Bcoo {
    type Output = Bcoo;

    /// The product with a number or, element by element, with an array that broadcasts to this one's shape.
    #[track_caller]
    fn mul(self, other: T) -> Bcoo {
        match other.into_operand() {
            Operand::Array(x) => self.with_data(&(self.data() * self.beside(&x))),
            Operand::Number(x) => self.with_data(&(self.data() * x)),
        }
    }
}

impl Add for &Bcoo {
    type Output = Bcoo;

    /// The sum: the elements of both, which [`Bcoo::sum_duplicates`] makes fewer.
    #[track_caller]
    fn add(self, other: &Bcoo) -> Bcoo {
        if self.shape() != other.shape() || self.sparse_axes() != other.sparse_axes() {
            let (a, b) = (self.shape(), other.shape());
            let error = format!(
                "{a:?} with {} sparse axes and {b:?} with {}",
                self.sparse_axes(),
                other.sparse_axes()
            );
            let help = "sparse arrays of one shape with the same sparse axes can be added";
            fail(with_context(Error::program(error).op("sparse").at(Location::caller()).help(help)));
        }
        let dtype = promote_types(self.dtype(), other.dtype());
        let data = concatenate(&[&self.data().astype(dtype), &other.data().astype(dtype)], 0);
        Bcoo::new(&data, &concatenate(&[self.indices(), other.indices()], 0), self.shape())
    }
}

impl Neg for &Bcoo {
    type Output = Bcoo;

    #[track_caller]
    fn neg(self) -> Bcoo {
        self.with_data(&-self.data())
    }
}

impl Sub for &Bcoo {
    type Output = Bcoo;

    #[track_caller]
    fn sub(self, other: &Bcoo) -> Bcoo {
        self + &-other
    }
}
