use jarrah_array::{Array, DType, Tree, value_and_grad, where_, while_loop};

use super::value_dtype;
use crate::moments::zeros;
use crate::options::options;
use crate::{GradientTransformation, Leaves, tree};

options! {
    /// The options of the backtracking line search.
    pub struct BacktrackingLinesearch {
        /// The largest number of times that the step is shortened.
        max_backtracking_steps: usize = 20,
        /// The decrease that is required, as a share of the decrease that the slope predicts.
        slope_rtol: f64 = 1e-4,
        /// The factor on a step that is too long.
        decrease_factor: f64 = 0.8,
        /// The factor on the step of the last update, which gives the first step that is tried.
        increase_factor: f64 = 1.5,
        /// The longest step.
        max_learning_rate: f64 = 1.0,
        /// The error of the decrease that is allowed.
        atol: f64 = 0.0,
        /// The increase that is allowed, in relation to the value.
        rtol: f64 = 0.0,
        /// Whether the gradient where the step ends is computed and kept in the state, for [`crate::transforms::value_and_grad_from_state`].
        store_grad: bool = false,
    }
}

#[derive(Clone, Tree)]
struct Info {
    num_linesearch_steps: Array,
    decrease_error: Array,
}

#[derive(Clone, Tree)]
struct State {
    learning_rate: Array,
    value: Array,
    grad: Option<Leaves>,
    info: Info,
}

/// The state that the search carries from step to step.
#[derive(Clone, Tree)]
struct Search {
    rate: Array,
    value: Array,
    error: Array,
    count: Array,
}

/// The longest of some steps along the update `u` that decreases the loss enough (Armijo, Goldstein):
/// `f(p + a u) <= (1 + rtol) f(p) + slope_rtol a <u, g> + atol`.
///
/// The first step is `increase_factor` times the last one, each next `decrease_factor` times that before. Needs `value`, `grad` and
/// `value_fn`. The state has `learning_rate`, `value`, `grad` if it is stored, and `info`.
///
/// ```
/// use jarrah_array::{Array, grad};
/// use jarrah_optim::{Extra, Sgd, chain, sgd};
/// use jarrah_optim::transforms::{BacktrackingLinesearch, scale_by_backtracking_linesearch};
/// let t = chain([sgd(1.0, Sgd::default()), scale_by_backtracking_linesearch(BacktrackingLinesearch::default())]);
/// let loss = |p: &Array| p.square().sum(..);
/// let p = Array::scalar(1.0);
/// let extra = Extra::new().value(&loss(&p)).grad(&grad(loss)(&p)).value_fn(loss);
/// let (u, _) = t.update_with(&grad(loss)(&p), &t.init(&p), &p, &extra);
/// assert!((u.item::<f32>()? + 1.6).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Vaswani et al., Painless stochastic gradient (2019); Nocedal and Wright, Numerical optimization (1999), algorithm 3.1.
pub fn scale_by_backtracking_linesearch(options: BacktrackingLinesearch) -> GradientTransformation {
    let o = options;
    let init = move |params: &Leaves| {
        let dtype = value_dtype(params);
        State {
            learning_rate: Array::full(&[], 1.0, dtype),
            value: Array::full(&[], f64::INFINITY, dtype),
            grad: o.store_grad.then(|| zeros(params)),
            info: Info {
                num_linesearch_steps: Array::scalar(0i32),
                decrease_error: Array::full(&[], f64::INFINITY, dtype),
            },
        }
    };
    GradientTransformation::with_extra(
        "scale_by_backtracking_linesearch",
        init,
        move |updates, state, params, extra| {
            let dtype = state.value.dtype();
            let (value, loss) = (extra.needed("value")?.astype(dtype), extra.needed_fn()?);
            let slope = tree::real(&tree::vdot(updates, extra.needed_tree("grad")?)).astype(dtype);
            let at = |rate: &Array| {
                params.zip([updates], |p, [u]| (p + u * rate.astype(u.dtype())).astype(p.dtype()))
            };
            let init = Search {
                rate: (&state.learning_rate * o.increase_factor).minimum(o.max_learning_rate).astype(dtype),
                value: value.clone(),
                error: Array::full(&[], f64::INFINITY, dtype),
                count: Array::scalar(0i32),
            };
            let limit = o.max_backtracking_steps as i64;
            let end = while_loop(
                |s: &Search| !s.error.le(o.atol) & s.count.le(limit),
                |s: &Search| {
                    let rate = where_(&s.count.gt(0), &s.rate * o.decrease_factor, &s.rate);
                    let found = loss(&at(&rate)).astype(dtype);
                    let error = &found - &value * (1.0 + o.rtol) - &rate * o.slope_rtol * &slope;
                    let error = where_(&error.isnan(), f64::INFINITY, &error).maximum(0.0).astype(dtype);
                    Search { rate, value: found, error, count: &s.count + 1 }
                },
                &init,
            );
            let rate = where_(&end.error.isinf(), end.rate.zeros_like(), &end.rate);
            let grad = match o.store_grad {
                true => Some(value_and_grad(loss)(&at(&end.rate)).1),
                false => None,
            };
            let info = Info { num_linesearch_steps: end.count.astype(DType::I32), decrease_error: end.error };
            let out = updates.map(|u| u * rate.astype(u.dtype()));
            Ok((out, State { learning_rate: rate, value: end.value, grad, info }))
        },
    )
}
