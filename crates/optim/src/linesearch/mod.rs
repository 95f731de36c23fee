//! How far to go along an update: as the last part of a chain.

mod backtracking;
mod zoom;

use jarrah_array::{Array, DType, Function, Tree, TreeExt, cond, value_and_grad};

pub use backtracking::{BacktrackingLinesearch, scale_by_backtracking_linesearch};
pub use zoom::{ZoomLinesearch, scale_by_zoom_linesearch};

use crate::{Leaves, tree};

/// The dtype of values: that of the real part of the first parameter.
fn value_dtype(params: &Leaves) -> DType {
    params.arrays().first().map_or(DType::F32, |p| p.dtype().real())
}

/// The value and gradient of `f` as a line search left them in the `state`, which saves to compute them; computed where the state has none
/// yet, that is, its value is not finite.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Lbfgs, Schedule, lbfgs};
/// use jarrah_optim::transforms::value_and_grad_from_state;
/// let loss = |p: &Array| p.square().sum(..);
/// let p = Array::from_slice(&[3.0f32, 4.0]);
/// let state = lbfgs(None::<Schedule>, Lbfgs::default()).init(&p);
/// let (value, slope) = value_and_grad_from_state(loss)(&p, &state);
/// assert_eq!((value.item::<f32>()?, slope.to_vec::<f32>()?), (25.0, vec![6.0, 8.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics if the state has no `value` and `grad`: the search is one that keeps them.
pub fn value_and_grad_from_state<P: Tree<Array>>(
    f: impl Function<P, Output = Array>,
) -> impl Fn(&P, &Leaves) -> (Array, P) {
    let compute = value_and_grad(f);
    move |params, state| {
        let value = tree::get(state, "value");
        let grads = tree::get_all_with_path(state, "grad").into_iter().map(|(_, leaf)| leaf);
        let grads: Vec<Array> = grads.collect();
        if grads.len() != params.leaves().len() {
            let found = format!("the state has {} arrays named \"grad\"", grads.len());
            let error = jarrah_array::Error::program(found).op("value_and_grad_from_state");
            jarrah_array::fail(error.help("give the state of lbfgs, or of a line search with store_grad"));
        }
        let stored = || params.with_leaves(grads.iter().cloned()).expect("invariant: one for each leaf");
        cond(
            &value.isfinite(),
            || (value.clone(), stored()),
            || {
                let (found, slope) = compute(params);
                (found.astype(value.dtype()), tree::cast_like(&slope, &stored()))
            },
        )
    }
}
