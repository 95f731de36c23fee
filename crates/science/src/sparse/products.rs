use jarrah_array::library::with_context;
use jarrah_array::{Array, TakeMode, fail, ops, where_};
use jarrah_base::{Error, Location};

use super::Bcoo;

impl Bcoo {
    /// The product of this matrix and a vector or matrix, dense: `y[i..] = sum_k m[i, k] x[k..]`.
    ///
    /// # Errors
    ///
    /// A program error unless this is a matrix with two sparse axes and `x` a vector or matrix with as many rows as it has columns.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let m = Bcoo::from_dense(&Array::new(&[0i32, 2, 3, 0], &[2, 2]), 2);
    /// assert_eq!(m.matmul(&Array::from_slice(&[1i32, 10])).to_vec::<i32>()?, [20, 3]);
    /// assert_eq!(m.matmul(&Array::new(&[1i32, 2, 10, 20], &[2, 2])).to_vec::<i32>()?, [20, 40, 3, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn matmul(&self, x: &Array) -> Array {
        let fits = self.sparse_axes() == 2
            && self.shape().len() == 2
            && matches!(x.rank(), 1 | 2)
            && x.shape()[0] == self.shape()[1];
        if !fits {
            let error = format!("{:?}, sparse, does not multiply {}", self.shape(), x.ty());
            let help = "a matrix of two sparse axes multiplies vectors and matrices with as many rows as it has columns; use vmap for a batch";
            fail(with_context(Error::program(error).op("matmul").at(Location::caller()).help(help)));
        }
        let data = where_(&self.inside(), self.data(), 0);
        let data = if x.rank() == 2 { data.expand_dims(-1) } else { data };
        let taken = match x.shape()[0] {
            0 => Array::zeros_of(x.ty().with_dims([&[self.nse()], &x.shape()[1..]].concat())),
            _ => x.take_with(&self.along(1), 0, TakeMode::Clip),
        };
        ops::segment_sum(&(data * taken), &self.along(0), self.shape()[0])
    }

    /// The product of a vector or matrix and this matrix, dense: `y[.., j] = sum_k x[.., k] m[k, j]`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let m = Bcoo::from_dense(&Array::new(&[0.0f32, 2.0, 3.0, 0.0], &[2, 2]), 2);
    /// assert_eq!(m.rmatmul(&Array::from_slice(&[1.0f32, 10.0])).to_vec::<f32>()?, [30.0, 2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn rmatmul(&self, x: &Array) -> Array {
        match x.rank() {
            2 => self.t().matmul(&x.t()).t(),
            _ => self.t().matmul(x),
        }
    }
}

/// The elements of a product of dense matrices at the positions of `pattern`, without the others.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_science::sparse::{self, Bcoo};
/// let a = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
/// let squares = sparse::sampled_matmul(&a, &a, &Bcoo::eye(2, DType::F32));
/// assert_eq!(squares.data().to_vec::<f32>()?, [7.0, 22.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sampled_matmul(a: &Array, b: &Array, pattern: &Bcoo) -> Bcoo {
    let shape = pattern.shape();
    let fits = a.rank() == 2
        && b.rank() == 2
        && a.shape()[1] == b.shape()[0]
        && pattern.sparse_axes() == 2
        && shape == [a.shape()[0], b.shape()[1]];
    if !fits {
        let error = format!("{} times {} has no elements of {shape:?}", a.ty(), b.ty());
        fail(with_context(Error::program(error).op("sampled_matmul").at(Location::caller())));
    }
    let rows = a.take_with(&pattern.along(0), 0, TakeMode::Clip);
    let columns = b.t().take_with(&pattern.along(1), 0, TakeMode::Clip);
    let data = where_(&pattern.inside(), (rows * columns).sum(1), 0);
    Bcoo::new(&data, pattern.indices(), shape)
}
