use std::sync::{Arc, Mutex};

use jarrah_base::{Error, Location};
use jarrah_tree::Tree;

use crate::array::Array;
use crate::autodiff::{Pullback, forward};
use crate::error::fail_at;
use crate::function::Function;

/// The values of a forward pass that the backward pass needs: a tree that goes through compiled functions and loops.
///
/// Made by the first function of [`fwd_and_bwd`], for the second.
#[derive(Clone, Debug, Tree)]
#[tree(crate = jarrah_tree)]
pub struct Residuals {
    arrays: Vec<Array>,
    /// The number of the backward pass that they are for.
    #[tree(static)]
    pass: usize,
}

/// The forward and the backward pass of `f` as two functions: `forward(x)` returns the value and the residuals for `backward`,
/// and `backward(residuals, ct)` the cotangents of `x`.
///
/// As [`vjp`](crate::vjp), but the backward pass exists before the forward pass has run, so it can be compiled once and used
/// for many.
///
/// ```
/// use jarrah_array::{Array, Residuals, fwd_and_bwd, jit};
/// let (forward, backward) = fwd_and_bwd(|x: &Array| x.sin());
/// let (forward, backward) = (jit(forward), jit(move |(r, ct): &(Residuals, Array)| backward(r, ct)));
/// for x in [0.0f32, 1.0] {
///     let (_, residuals) = forward.call(Array::scalar(x))?;
///     let slope = backward.call((residuals, Array::scalar(1.0)))?;
///     assert!((slope.item::<f32>()? - x.cos()).abs() < 1e-6);
/// }
/// assert_eq!(backward.traces(), 1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// # Panics
/// `backward` panics, at the line of this call, if the residuals are those of another function.
///
/// Source: `jax.fwd_and_bwd`.
#[track_caller]
pub fn fwd_and_bwd<P: Tree<Array>, R: Tree<Array>>(
    f: impl Function<P, Output = R>,
) -> (impl Fn(&P) -> (R, Residuals), impl Fn(&Residuals, &R) -> P) {
    let at = Location::caller();
    let passes: Arc<Mutex<Vec<Arc<Pullback<P, R>>>>> = Arc::default();
    let known = passes.clone();
    let forward = move |x: &P| {
        let (value, arrays, pullback) = forward(&f, x, at);
        let mut passes = passes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let pass = passes.iter().position(|known| known.is_like(&pullback)).unwrap_or(passes.len());
        if pass == passes.len() {
            passes.push(Arc::new(pullback));
        }
        (value, Residuals { arrays, pass })
    };
    let backward = move |residuals: &Residuals, ct: &R| {
        let passes = known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let pullback = passes.get(residuals.pass).cloned();
        drop(passes);
        match pullback {
            Some(pullback) => pullback.pull(&residuals.arrays, ct),
            None => {
                let error = Error::program("the residuals are those of another function").op("fwd_and_bwd");
                fail_at(at, error.help("give what the forward pass of the same function returned"))
            }
        }
    };
    (forward, backward)
}
