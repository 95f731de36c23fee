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
    pub fn new(f: F) -> Self {
        Ufunc { f, identity: None }
    }

    /// The same function with the number that leaves every other as it is.
    pub fn identity(mut self, identity: impl Into<Number>) -> Self {
        self.identity = Some(identity.into());
        self
    }

    /// The function of two arrays that broadcast to one shape.
    #[track_caller]
    pub fn call(&self, x: &Array, y: &Array) -> Array {
        let both = crate::numpy::broadcast_arrays(&[x, y]);
        (self.f)(&both[0], &both[1])
    }

    /// The function of each element of `x` and each of `y`: the axes of `x` come first.
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
    #[track_caller]
    pub fn reduce(&self, x: &Array, axis: isize) -> Array {
        let (first, rest) = self.start("reduce", x, axis);
        scan(|a: &Array, b: &Array| ((self.f)(a, b), ()), &first, &rest).0
    }

    /// All partial results of [`Ufunc::reduce`].
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
    #[track_caller]
    pub fn at(&self, x: &Array, indices: &Array, y: &Array) -> Array {
        let slices = [&indices.shape()[..], &x.shape()[1..]].concat();
        let step = |x: &Array, (i, y): &(Array, Array)| (x.at(i).set((self.f)(&x.index(i), y)), ());
        scan(step, x, &(indices.clone(), y.broadcast_to(&slices))).0
    }
}
