use jarrah_array::library::{positions, with_context};
use jarrah_array::numpy::{Side, stack};
use jarrah_array::{Array, fail, ops};
use jarrah_base::{DType, Error, Location};
use jarrah_tree::Tree;

use super::Bcoo;

/// A sparse matrix by compressed rows: row `i` has the elements `starts[i]..starts[i + 1]`, each with its column.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::sparse::Bcsr;
/// let m = Bcsr::from_dense(&Array::new(&[0i32, 2, 0, 3, 4, 0], &[2, 3]), 3);
/// assert_eq!(m.data().to_vec::<i32>()?, [2, 3, 4]);
/// assert_eq!(m.columns().to_vec::<i32>()?, [1, 0, 1]);
/// assert_eq!(m.starts().to_vec::<i32>()?, [0, 1, 3]);
/// assert_eq!((m.shape(), m.nse()), ([2, 3], 3));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Bcsr {
    data: Array,
    columns: Array,
    starts: Array,
    #[tree(static)]
    shape: [usize; 2],
}

impl Bcsr {
    /// The matrix with these elements, columns and starts of rows.
    ///
    /// # Errors
    ///
    /// A program error unless `data` and `columns` are vectors of one length and `starts` has one element more than there are rows.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let (columns, starts) = (Array::from_slice(&[1i32, 0]), Array::from_slice(&[0i32, 1, 1, 2]));
    /// let m = Bcsr::new(&Array::from_slice(&[5i32, 7]), &columns, &starts, [3, 2]);
    /// assert_eq!(m.to_dense().to_vec::<i32>()?, [0, 5, 0, 0, 7, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(data: &Array, columns: &Array, starts: &Array, shape: [usize; 2]) -> Bcsr {
        let fits = data.rank() == 1
            && columns.shape() == data.shape()
            && starts.shape() == [shape[0] + 1]
            && columns.dtype().is_integer()
            && starts.dtype().is_integer();
        if !fits {
            let (data, columns, starts) = (data.ty(), columns.ty(), starts.ty());
            let error =
                format!("data {data}, columns {columns} and starts {starts} are no matrix of {shape:?}");
            fail(with_context(Error::program(error).op("sparse").at(Location::caller())));
        }
        let (columns, starts) = (columns.astype(DType::I32), starts.astype(DType::I32));
        Bcsr { data: data.clone(), columns, starts, shape }
    }

    /// The first `nse` elements of a matrix that are not zero, row by row.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let m = Bcsr::from_dense(&Array::new(&[0.0f32, 2.0, 3.0, 0.0], &[2, 2]), 2);
    /// assert_eq!(m.starts().to_vec::<i32>()?, [0, 1, 2]);
    /// assert_eq!(m.matmul(&Array::from_slice(&[1.0f32, 10.0])).to_vec::<f32>()?, [20.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense(x: &Array, nse: usize) -> Bcsr {
        Bcsr::compress(&Bcoo::from_dense(x, nse))
    }

    /// The matrix whose elements are those of a matrix by coordinates.
    ///
    /// # Errors
    ///
    /// A program error unless it is a matrix of two sparse axes.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::{Bcoo, Bcsr};
    /// let places = Array::new(&[1i32, 0, 0, 1], &[2, 2]);
    /// let m = Bcsr::from_bcoo(&Bcoo::new(&Array::from_slice(&[3i32, 2]), &places, &[2, 2]));
    /// assert_eq!(m.data().to_vec::<i32>()?, [2, 3]);
    /// assert_eq!(m.starts().to_vec::<i32>()?, [0, 1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_bcoo(m: &Bcoo) -> Bcsr {
        Bcsr::compress(&m.sort_indices())
    }

    /// A sorted matrix.
    #[track_caller]
    fn compress(m: &Bcoo) -> Bcsr {
        let &[rows, columns] = m.shape() else {
            let error = Error::program(format!("{:?} is no matrix", m.shape()));
            fail(with_context(error.op("sparse").at(Location::caller())))
        };
        if m.sparse_axes() != 2 {
            let error = Error::program("a matrix of compressed rows has two sparse axes");
            fail(with_context(error.op("sparse").at(Location::caller())));
        }
        let inside = m.inside();
        let row = jarrah_array::where_(&inside, m.along(0), rows);
        let starts = row.searchsorted(positions("sparse", &[rows + 1], 0), Side::Left);
        Bcsr::new(m.data(), &m.along(1), &starts, [rows, columns])
    }

    /// The elements.
    pub fn data(&self) -> &Array {
        &self.data
    }

    /// The columns of the elements.
    pub fn columns(&self) -> &Array {
        &self.columns
    }

    /// Where each row starts, and at last where the last one ends.
    pub fn starts(&self) -> &Array {
        &self.starts
    }

    /// The extents of the matrix.
    pub fn shape(&self) -> [usize; 2] {
        self.shape
    }

    /// The number of specified elements.
    pub fn nse(&self) -> usize {
        self.data.size()
    }

    /// The row of each element: how many rows have ended before it. Elements after the last row are outside.
    #[track_caller]
    fn rows(&self) -> Array {
        let ends = self.starts.slice(0, 1..);
        let ended = ops::segment_sum(&Array::full(&[self.shape[0]], 1, DType::I32), &ends, self.nse());
        ended.cumsum(0)
    }

    /// This matrix by coordinates.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let m = Bcsr::from_dense(&Array::new(&[0i32, 2, 3, 4], &[2, 2]), 3).to_bcoo();
    /// assert_eq!(m.indices().to_string(), "i32[3,2]\n[[0, 1],\n [1, 0],\n [1, 1]]");
    /// ```
    #[track_caller]
    pub fn to_bcoo(&self) -> Bcoo {
        Bcoo::new(&self.data, &stack(&[&self.rows(), &self.columns], -1), &self.shape)
    }

    /// The matrix with its zeros.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let m = Bcsr::from_dense(&Array::new(&[0i32, 2, 3, 4], &[2, 2]), 2);
    /// // The third element found no place.
    /// assert_eq!(m.to_dense().to_vec::<i32>()?, [0, 2, 3, 0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self) -> Array {
        self.to_bcoo().to_dense()
    }

    /// The product of this matrix and a vector or matrix: see [`Bcoo::matmul`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let m = Bcsr::from_dense(&Array::new(&[0i32, 2, 3, 0], &[2, 2]), 2);
    /// assert_eq!(m.matmul(&Array::from_slice(&[1i32, 10])).to_vec::<i32>()?, [20, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn matmul(&self, x: &Array) -> Array {
        self.to_bcoo().matmul(x)
    }

    /// The product of a vector or matrix and this matrix: see [`Bcoo::rmatmul`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcsr;
    /// let m = Bcsr::from_dense(&Array::new(&[0i32, 2, 3, 0], &[2, 2]), 2);
    /// assert_eq!(m.rmatmul(&Array::from_slice(&[1i32, 10])).to_vec::<i32>()?, [30, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn rmatmul(&self, x: &Array) -> Array {
        self.to_bcoo().rmatmul(x)
    }
}
