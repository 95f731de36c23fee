use jarrah_array::{Array, Function};

use super::Bcoo;

/// The gradient of a function of a sparse array by its elements, at their positions: see [`jarrah_array::grad`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::sparse::{self, Bcoo};
/// let m = Bcoo::from_dense(&Array::new(&[0.0f32, 2.0, 3.0, 0.0], &[2, 2]), 2);
/// let gradient = sparse::grad(|m: &Bcoo| m.data().square().sum(..))(&m);
/// assert_eq!(gradient.to_dense().to_vec::<f32>()?, [0.0, 4.0, 6.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn grad(f: impl Function<Bcoo, Output = Array>) -> impl Fn(&Bcoo) -> Bcoo {
    let gradient = jarrah_array::grad(f);
    move |m| m.with_data(gradient(m).data())
}

/// The value of a function of a sparse array and its gradient: see [`grad`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::sparse::{self, Bcoo};
/// let m = Bcoo::from_dense(&Array::from_slice(&[0.0f32, 2.0, 3.0]), 2);
/// let (value, gradient) = sparse::value_and_grad(|m: &Bcoo| m.data().square().sum(..))(&m);
/// assert_eq!(value.item::<f32>()?, 13.0);
/// assert_eq!(gradient.data().to_vec::<f32>()?, [4.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn value_and_grad(f: impl Function<Bcoo, Output = Array>) -> impl Fn(&Bcoo) -> (Array, Bcoo) {
    let both = jarrah_array::value_and_grad(f);
    move |m| {
        let (value, gradient) = both(m);
        (value, m.with_data(gradient.data()))
    }
}
