//! A reference among several, chosen when the program runs, and rounding by random bits.

use jarrah_base::{DType, Error, Location, Type};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, fail_at, with_context};
use crate::kernel::{RefAt, when};
use crate::operators::IntoOperand;
use crate::trace::acting;

/// One of several places of [`Ref`](crate::Ref)s, chosen by a number at run time; made by [`select_ref`].
pub struct Selected {
    which: Array,
    places: Vec<RefAt>,
}

/// The place number `which`, an integer scalar, among several of one shape and dtype. A number out of range selects the nearest.
///
/// # Errors
/// A program error if there is no place, places are of several types, or `which` is not one integer.
///
/// ```
/// use jarrah_array::kernel::select_ref;
/// use jarrah_array::{Array, Ref};
/// let (x, y) = (Ref::new(&Array::arange(3)), Ref::new(&(Array::arange(3) * 10)));
/// let chosen = select_ref(&Array::scalar(1), [x.at(..2), y.at(1..)]);
/// assert_eq!(chosen.get().to_vec::<i32>()?, [10, 20]);
/// chosen.set(7);
/// assert_eq!((x.get().to_vec::<i32>()?, y.get().to_vec::<i32>()?), (vec![0, 1, 2], vec![0, 7, 7]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.select_ref`.
#[track_caller]
pub fn select_ref(which: &Array, places: impl IntoIterator<Item = RefAt>) -> Selected {
    let places: Vec<RefAt> = places.into_iter().collect();
    let at = Location::caller();
    let wrong = |error: String, help: &str| -> ! {
        fail_at(at, with_context(Error::program(error).op("select_ref").at(at).help(help)))
    };
    if places.is_empty() {
        wrong("there is no place to select".to_owned(), "give the places to choose from");
    }
    if which.rank() != 0 || !which.dtype().is_integer() {
        wrong(
            format!("the place is chosen by {}, it must be one integer", which.ty()),
            "take one with index",
        );
    }
    let types: Vec<Type> = places.iter().map(RefAt::ty).collect();
    if let Some(other) = types.iter().find(|ty| **ty != types[0]) {
        wrong(
            format!("the places hold {} and {other}", types[0]),
            "give places of one shape and dtype: at(..) takes a part of a Ref",
        );
    }
    Selected { which: which.clip(0, places.len() as i64 - 1), places }
}

impl Selected {
    /// Reads the elements of the selected place.
    ///
    /// ```
    /// # use jarrah_array::kernel::select_ref;
    /// # use jarrah_array::{Array, Ref};
    /// let (x, y) = (Ref::new(&Array::arange(2)), Ref::new(&(Array::arange(2) + 5)));
    /// assert_eq!(select_ref(&Array::scalar(0), [x.at(..), y.at(..)]).get().to_vec::<i32>()?, [0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn get(&self) -> Array {
        let _line = acting(Location::caller());
        let mut chosen = self.places[0].get();
        for (i, place) in self.places.iter().enumerate().skip(1) {
            chosen = where_(&self.which.eq(i as i64), place.get(), &chosen);
        }
        chosen
    }

    /// Replaces the elements of the selected place by `values`.
    ///
    /// ```
    /// # use jarrah_array::kernel::select_ref;
    /// # use jarrah_array::{Array, Ref};
    /// let (x, y) = (Ref::new(&Array::arange(2)), Ref::new(&(Array::arange(2) + 5)));
    /// select_ref(&Array::scalar(0), [x.at(..), y.at(..)]).set(3);
    /// assert_eq!((x.get().to_vec::<i32>()?, y.get().to_vec::<i32>()?), (vec![3, 3], vec![5, 6]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn set(&self, values: impl IntoOperand) {
        let _line = acting(Location::caller());
        let values = values.into_operand();
        for (i, place) in self.places.iter().enumerate() {
            when(self.which.eq(i as i64), || place.set(values.clone()));
        }
    }
}

/// `x`, an `f32`, as one of the two nearest `bf16`: the larger in magnitude with the probability that makes `x` the mean, by
/// `bits`, a random `u32` for each element. Infinities and NaNs stay.
///
/// # Errors
/// A program error if `x` is no `f32`, or `bits` are no `u32` of its shape.
///
/// ```
/// use jarrah_array::kernel::stochastic_round;
/// use jarrah_array::{Array, DType};
/// // A quarter of the way from 1 to the next bf16.
/// let x = Array::full(&[4], 1.0 + 1.0 / 512.0, DType::F32);
/// let bits = (Array::arange(4) * 0x4000).astype(DType::U32);
/// let y = stochastic_round(&x, &bits).astype(DType::F32);
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 1.0, 1.0, 1.0078125]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.tpu.stochastic_round`.
#[track_caller]
pub fn stochastic_round(x: &Array, bits: &Array) -> Array {
    if x.dtype() != DType::F32 || bits.ty() != x.ty().with_dtype(DType::U32) {
        let error = Error::program(format!("{} is rounded by bits that are {}", x.ty(), bits.ty()));
        let help = "give an f32 array, and an array of u32 of its shape";
        fail(with_context(error.op("stochastic_round").at(Location::caller()).help(help)));
    }
    // A bf16 is the upper half of an f32: adding random bits to the lower half rounds the upper half away from zero with the
    // right probability.
    let sum = x.bitcast(DType::U32) + (bits & 0xffff);
    let rounded = (sum & 0xffff_0000u32).bitcast(DType::F32);
    where_(&x.abs().lt(f32::INFINITY), rounded, x).astype(DType::BF16)
}
