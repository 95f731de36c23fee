//! Functions of two numbers, element by element and along axes.

use jarrah_base::{Error, Location};

use crate::array::Array;
use crate::control::scan;
use crate::error::{fail, with_context};
use crate::number::Number;
use crate::numpy::{concatenate, resolve};

/// A function of two arrays, element by element, as NumPy's universal functions are.
///
/// ```
/// use jarrah_array::{Array, numpy::Ufunc};
/// let hypotenuse = Ufunc::new(|x: &Array, y: &Array| (x * x + y * y).sqrt());
/// let x = Array::from_slice(&[3.0f32, 4.0, 12.0]);
/// assert_eq!(hypotenuse.reduce(&x, 0).item::<f32>()?, 13.0);
/// assert_eq!(hypotenuse.accumulate(&x, 0).to_vec::<f32>()?, [3.0, 5.0, 13.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ufunc<F> {
    f: F,
    identity: Option<Number>,
}

impl<F: Fn(&Array, &Array) -> Array> Ufunc<F> {
    /// The function `f` of two arrays of one shape, which it must treat element by element and keep the dtype of.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let shifted = Ufunc::new(|x: &Array, y: &Array| x * 10 + y);
    /// assert_eq!(shifted.reduce(&Array::from_slice(&[1i32, 2, 3]), 0).item::<i32>()?, 123);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn new(f: F) -> Self {
        Ufunc { f, identity: None }
    }

    /// The function with an identity, the number that leaves every other one unchanged: [`Ufunc::reduce`] then starts from it,
    /// and returns it for no elements.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let product = Ufunc::new(|x: &Array, y: &Array| x * y).identity(1);
    /// assert_eq!(product.reduce(&Array::zeros(&[0, 2]), 0).to_vec::<f32>()?, [1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn identity(mut self, identity: impl Into<Number>) -> Self {
        self.identity = Some(identity.into());
        self
    }

    /// The function of two arrays that broadcast to one shape.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let shifted = Ufunc::new(|x: &Array, y: &Array| x * 10 + y);
    /// assert_eq!(shifted.call(&Array::scalar(4), &Array::arange(3)).to_vec::<i32>()?, [40, 41, 42]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, x: &Array, y: &Array) -> Array {
        let both = crate::numpy::broadcast_arrays(&[x, y]);
        (self.f)(&both[0], &both[1])
    }

    /// The function of each element of `x` and each of `y`: the axes of `x` come first.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let shifted = Ufunc::new(|x: &Array, y: &Array| x * 10 + y);
    /// let table = shifted.outer(&Array::arange(2), &Array::arange(3));
    /// assert_eq!(table.to_string(), "i32[2,3]\n[[ 0,  1,  2],\n [10, 11, 12]]");
    /// ```
    #[track_caller]
    pub fn outer(&self, x: &Array, y: &Array) -> Array {
        let ones = vec![1; y.rank()];
        self.call(&x.reshaped(&[&x.shape()[..], &ones].concat()), y)
    }

    /// The first value along an axis, and the others.
    #[track_caller]
    fn start(&self, op: &str, x: &Array, axis: isize) -> (Array, Array) {
        let axis = resolve(op, x, axis, x.rank());
        let x = x.moveaxis(axis as isize, 0);
        match &self.identity {
            Some(identity) => (Array::full(&x.shape()[1..], *identity, x.dtype()), x),
            None if x.shape()[0] > 0 => (x.index(0), x.slice(0, 1..)),
            None => {
                let error = Error::program(format!("{} has no elements along axis {axis}", x.ty()));
                let help = "give the function an identity";
                fail(with_context(error.op(op).at(Location::caller()).help(help)))
            }
        }
    }

    /// The function of the first two elements along an axis, of that and the third, and so on.
    ///
    /// # Errors
    ///
    /// A program error if there is no element and the function has no identity.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let shifted = Ufunc::new(|x: &Array, y: &Array| x * 10 + y);
    /// let x = Array::from_slice(&[1i32, 2, 3, 4]).reshape(&[2, 2]);
    /// assert_eq!(shifted.reduce(&x, 1).to_vec::<i32>()?, [12, 34]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn reduce(&self, x: &Array, axis: isize) -> Array {
        let (first, rest) = self.start("reduce", x, axis);
        scan(|a: &Array, b: &Array| ((self.f)(a, b), ()), &first, &rest).0
    }

    /// All partial results of [`Ufunc::reduce`].
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let shifted = Ufunc::new(|x: &Array, y: &Array| x * 10 + y);
    /// assert_eq!(shifted.accumulate(&Array::from_slice(&[1i32, 2, 3]), 0).to_vec::<i32>()?, [1, 12, 123]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn accumulate(&self, x: &Array, axis: isize) -> Array {
        let axis = resolve("accumulate", x, axis, x.rank()) as isize;
        if x.shape()[axis as usize] == 0 {
            return x.clone();
        }
        let x = x.moveaxis(axis, 0);
        let step = |a: &Array, b: &Array| {
            let next = (self.f)(a, b);
            (next.clone(), next)
        };
        let (_, rest) = scan(step, &x.index(0), &x.slice(0, 1..));
        concatenate(&[&x.slice(0, ..1), &rest], 0).moveaxis(0, axis)
    }

    /// `x` with `f(x[i], y[k])` at the positions `i = indices[k]` along the first axis, one after another.
    ///
    /// ```
    /// # use jarrah_array::{Array, numpy::Ufunc};
    /// let shifted = Ufunc::new(|x: &Array, y: &Array| x * 10 + y);
    /// let at = Array::from_slice(&[0i32, 2, 0]);
    /// let y = shifted.at(&Array::zeros(&[3]), &at, &Array::from_slice(&[1.0f32, 2.0, 3.0]));
    /// assert_eq!(y.to_vec::<f32>()?, [13.0, 0.0, 2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, x: &Array, indices: &Array, y: &Array) -> Array {
        let slices = [&indices.shape()[..], &x.shape()[1..]].concat();
        let step = |x: &Array, (i, y): &(Array, Array)| (x.at(i).set((self.f)(&x.index(i), y)), ());
        scan(step, x, &(indices.clone(), y.broadcast_to(&slices))).0
    }
}
