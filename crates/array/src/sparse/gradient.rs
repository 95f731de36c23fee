use super::Bcoo;
use crate::array::Array;
use crate::autodiff;
use crate::function::Function;

/// The gradient of a function of a sparse array by its elements, at their positions: see [`crate::grad`].
#[track_caller]
pub fn grad(f: impl Function<Bcoo, Output = Array>) -> impl Fn(&Bcoo) -> Bcoo {
    let gradient = autodiff::grad(f);
    move |m| m.with_data(gradient(m).data())
}

/// The value of a function of a sparse array and its gradient: see [`grad`].
#[track_caller]
pub fn value_and_grad(f: impl Function<Bcoo, Output = Array>) -> impl Fn(&Bcoo) -> (Array, Bcoo) {
    let both = autodiff::value_and_grad(f);
    move |m| {
        let (value, gradient) = both(m);
        (value, m.with_data(gradient.data()))
    }
}
