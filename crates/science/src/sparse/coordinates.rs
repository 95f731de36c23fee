use jarrah_array::library::{positions, with_context};
use jarrah_array::numpy::{stack, unravel_index};
use jarrah_array::{Array, TakeMode, fail, ops, where_};
use jarrah_base::{DType, ElementKind, Error, Location, Type};
use jarrah_tree::Tree;

/// A sparse array by coordinates: element `k` stands at `indices[k]`, and elements at one position add up.
///
/// The data are `[nse, dense axes..]`, the positions `i32[nse, sparse axes]`, the shape that of the sparse axes, then of the dense
/// axes. Negative positions count from the end. A position out of range in any axis holds nothing: [`Bcoo::from_dense`] fills up with
/// such positions.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_science::sparse::Bcoo;
/// let x = Bcoo::from_dense(&Array::new(&[0.0f32, 2.0, 3.0, 0.0], &[2, 2]), 2);
/// assert_eq!(x.data().to_vec::<f32>()?, [2.0, 3.0]);
/// assert_eq!(x.indices().to_string(), "i32[2,2]\n[[0, 1],\n [1, 0]]");
/// assert_eq!((x.shape(), x.dtype(), x.nse(), x.sparse_axes()), (&[2, 2][..], DType::F32, 2, 2));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Bcoo {
    data: Array,
    indices: Array,
    #[tree(static)]
    shape: Vec<usize>,
}

impl Bcoo {
    /// The sparse array with these data and positions; [`Bcoo::indices`] has the extent added to negative ones.
    ///
    /// # Errors
    ///
    /// A program error unless `indices` are integers `[nse, sparse axes]` and `data` are `[nse, dense axes..]` whose extents end
    /// `shape`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let twice = Bcoo::new(&Array::from_slice(&[1.0f32, 5.0]), &Array::new(&[2i32, 2], &[2, 1]), &[3]);
    /// assert_eq!(twice.to_dense().to_vec::<f32>()?, [0.0, 0.0, 6.0]);
    /// let last = Bcoo::new(&Array::from_slice(&[4.0f32]), &Array::new(&[-1i32], &[1, 1]), &[3]);
    /// assert_eq!(last.to_dense().to_vec::<f32>()?, [0.0, 0.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(data: &Array, indices: &Array, shape: &[usize]) -> Bcoo {
        let (values, places) = (data.shape(), indices.shape());
        let fits = indices.dtype().is_integer()
            && places.len() == 2
            && places[1] <= shape.len()
            && values.first() == places.first()
            && values[1..] == shape[places[1]..];
        if !fits {
            let error = format!("data {} and indices {} are no array of {shape:?}", data.ty(), indices.ty());
            let help =
                "indices are integers [nse, sparse axes], data [nse, dense axes..], the dense extents last";
            fail(with_context(Error::program(error).op("sparse").at(Location::caller()).help(help)));
        }
        Bcoo {
            data: data.clone(),
            indices: from_the_start(indices, &shape[..places[1]]),
            shape: shape.to_vec(),
        }
    }

    /// The first `nse` elements of an array that are not zero, in row-major order.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let x = Array::from_slice(&[0.0f32, 3.0, 0.0, 4.0]);
    /// let sparse = Bcoo::from_dense(&x, 3);
    /// assert_eq!(sparse.data().to_vec::<f32>()?, [3.0, 4.0, 0.0]);
    /// assert_eq!(sparse.indices().to_vec::<i32>()?, [1, 3, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense(x: &Array, nse: usize) -> Bcoo {
        Bcoo::from_dense_slices(x, nse, 0)
    }

    /// The first `nse` slices of an array over its last `dense_axes` axes that are not all zero: see [`Bcoo::from_dense`].
    ///
    /// # Errors
    ///
    /// A program error if the array has fewer axes.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let rows = Bcoo::from_dense_slices(&Array::new(&[0.0f32, 0.0, 3.0, 4.0, 0.0, 0.0], &[3, 2]), 1, 1);
    /// assert_eq!(rows.indices().to_vec::<i32>()?, [1]);
    /// assert_eq!(rows.data().to_vec::<f32>()?, [3.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense_slices(x: &Array, nse: usize, dense_axes: usize) -> Bcoo {
        let shape = x.shape();
        if dense_axes > shape.len() {
            let error = Error::program(format!("{} has no {dense_axes} axes", x.ty()));
            fail(with_context(error.op("sparse").at(Location::caller())));
        }
        let (sparse, dense) = shape.split_at(shape.len() - dense_axes);
        let count: usize = sparse.iter().product();
        let outside: Vec<i32> = sparse.iter().map(|&extent| extent as i32).collect();
        let outside = Array::from_slice(&outside).broadcast_to(&[nse, sparse.len()]);
        let data_type = Type::tensor(x.dtype(), [&[nse], dense].concat());
        if count == 0 || sparse.is_empty() && nse == 0 {
            return Bcoo { data: Array::zeros_of(data_type), indices: outside, shape: shape.to_vec() };
        }
        let slices = x.reshape(&[&[count], dense].concat());
        let axes: Vec<isize> = (1..=dense.len() as isize).collect();
        let some = slices.ne(0).any(&axes[..]);
        let at = some.flatnonzero_sized(nse);
        let filled = positions("sparse", &[nse], 0).lt(some.count_nonzero(..));
        let mut indices = outside.clone();
        if !sparse.is_empty() {
            let along = unravel_index(&at, sparse);
            let along: Vec<&Array> = along.iter().collect();
            indices = where_(&filled.expand_dims(-1), stack(&along, -1), outside);
        }
        let data = slices.take_with(&at, 0, TakeMode::Clip);
        let data = where_(&filled.expand_dims(&axes[..]), data, 0);
        Bcoo { data, indices, shape: shape.to_vec() }
    }

    /// The elements of an array at the positions of this sparse array. The array broadcasts to this one's shape, else it is a
    /// program error.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::sparse::Bcoo;
    /// let diagonal = Bcoo::eye(2, DType::F32).extract(&Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]));
    /// assert_eq!(diagonal.data().to_vec::<f32>()?, [1.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn extract(&self, x: &Array) -> Bcoo {
        let ones = Bcoo { data: self.data.ones_like().astype(x.dtype()), ..self.clone() };
        let inside = Bcoo { data: where_(&ones.inside(), &ones.data, 0), ..ones };
        &inside * x
    }

    /// The array without elements.
    ///
    /// ```
    /// use jarrah_array::DType;
    /// use jarrah_science::sparse::Bcoo;
    /// assert_eq!(Bcoo::empty(&[2, 3], DType::F32).nse(), 0);
    /// ```
    #[track_caller]
    pub fn empty(shape: &[usize], dtype: DType) -> Bcoo {
        let indices = Array::zeros_of(Type::tensor(DType::I32, [0, shape.len()]));
        Bcoo { data: Array::zeros_of(Type::tensor(dtype, [0])), indices, shape: shape.to_vec() }
    }

    /// The identity matrix.
    ///
    /// ```
    /// use jarrah_array::DType;
    /// use jarrah_science::sparse::Bcoo;
    /// let eye = Bcoo::eye(2, DType::I32);
    /// assert_eq!(eye.to_dense().to_vec::<i32>()?, [1, 0, 0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn eye(n: usize, dtype: DType) -> Bcoo {
        let along = positions("sparse", &[n], 0);
        Bcoo::new(&Array::full(&[n], 1, dtype), &stack(&[&along, &along], -1), &[n, n])
    }

    /// The elements.
    pub fn data(&self) -> &Array {
        &self.data
    }

    /// The positions of the elements.
    pub fn indices(&self) -> &Array {
        &self.indices
    }

    /// The extents of the array.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.data.dtype()
    }

    /// The number of specified elements, those at positions out of range among them.
    pub fn nse(&self) -> usize {
        self.indices.shape()[0]
    }

    /// The number of sparse axes.
    pub fn sparse_axes(&self) -> usize {
        self.indices.shape()[1]
    }

    /// The extents of the sparse axes.
    pub(super) fn sparse_shape(&self) -> &[usize] {
        &self.shape[..self.sparse_axes()]
    }

    /// The extents of the dense axes.
    pub(super) fn dense_shape(&self) -> &[usize] {
        &self.shape[self.sparse_axes()..]
    }

    /// The positions along a sparse axis.
    #[track_caller]
    pub(super) fn along(&self, axis: usize) -> Array {
        self.indices.index((.., axis))
    }

    /// Whether each element is at a position of the array, broadcast to the rank of the data.
    #[track_caller]
    pub(super) fn inside(&self) -> Array {
        let mut inside = Array::full(&[self.nse()], true, DType::Bool);
        for (axis, &extent) in self.sparse_shape().iter().enumerate() {
            let along = self.along(axis);
            inside = inside & along.ge(0) & along.lt(extent);
        }
        let axes: Vec<isize> = (1..=self.dense_shape().len() as isize).collect();
        inside.expand_dims(&axes[..])
    }

    /// The positions in row-major order of the sparse axes; their number, which is out of range, for elements that are outside.
    #[track_caller]
    pub(super) fn linear(&self) -> Array {
        let count: usize = self.sparse_shape().iter().product();
        let dtype = if i32::try_from(count).is_ok() { DType::I32 } else { DType::I64 };
        let mut linear = Array::full(&[self.nse()], 0, dtype);
        for (axis, &extent) in self.sparse_shape().iter().enumerate() {
            linear = linear * extent + self.along(axis).astype(dtype);
        }
        where_(&self.inside().reshape(&[-1]), linear, count)
    }

    /// The array with its zeros; elements at one position are added up.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::Bcoo;
    /// let places = Array::new(&[0i32, 2, 0], &[3, 1]);
    /// let x = Bcoo::new(&Array::from_slice(&[1.0f32, 2.0, 4.0]), &places, &[3]);
    /// assert_eq!(x.to_dense().to_vec::<f32>()?, [5.0, 0.0, 2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self) -> Array {
        let count = self.sparse_shape().iter().product();
        ops::segment_sum(&self.data, &self.linear(), count).reshape(&self.shape)
    }
}

/// Positions `[.., axes]` as they count from the start. Positions before the start become the extent, which is out of range too, so
/// that this changes nothing when it is done again.
#[track_caller]
fn from_the_start(indices: &Array, extents: &[usize]) -> Array {
    if indices.dtype().kind() == ElementKind::Unsigned {
        return indices.astype(DType::I32);
    }
    let extents: Vec<i32> = extents.iter().map(|&extent| extent as i32).collect();
    let (extents, indices) = (Array::from_slice(&extents), indices.astype(DType::I32));
    let counted = &indices + &extents;
    let counted = where_(&counted.ge(0), &counted, &extents);
    where_(&indices.ge(0), &indices, counted)
}
