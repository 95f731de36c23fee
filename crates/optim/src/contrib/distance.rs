//! Step sizes from how far the parameters have come.

use jarrah_array::{Array, Tree, where_};

use crate::lookahead::copied;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::tree::{self, NormOrder};
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain};

/// How long the first step of [`dog`] is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FirstStep {
    /// As if the parameters had come so far.
    Distance(f64),
    /// As if they had come so far, times one plus the norm of the parameters; usual is 1e-6.
    Heuristic(f64),
    /// With this learning rate.
    LearningRate(f64),
}

#[derive(Clone, Tree)]
struct DogState {
    is_init_step: Array,
    init_params: Leaves,
    max_dist: Array,
    sum_sq_norm_grads: Array,
}

/// Updates times the distance over gradients: `d_t = max(d, |p - p_0|)`, `s_t = s + |g|^2`, `u = d_t / sqrt(s_t + eps) g`, with norms
/// over all leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{FirstStep, scale_by_dog};
/// let t = scale_by_dog(FirstStep::Distance(0.5), 0.0);
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ivgi, Hinder and Carmon, DoG is SGD's best friend (2023).
pub fn scale_by_dog(first_step: FirstStep, eps: f64) -> GradientTransformation {
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        let dist = match first_step {
            FirstStep::Distance(d) => super::number(d, dtype),
            FirstStep::Heuristic(d) => ((tree::norm(params, NormOrder::Two) + 1.0) * d).astype(dtype),
            FirstStep::LearningRate(_) => super::number(0.0, dtype),
        };
        DogState {
            is_init_step: Array::scalar(true),
            init_params: params.map(copied),
            max_dist: dist,
            sum_sq_norm_grads: super::number(0.0, dtype),
        }
    };
    GradientTransformation::new("scale_by_dog", init, move |updates, state, params| {
        let gone = tree::norm(&tree::sub(&state.init_params, params), NormOrder::Two);
        let max_dist = state.max_dist.maximum(gone);
        let sum = &state.sum_sq_norm_grads + tree::squared_norm(updates);
        let rate = &max_dist / (&sum + eps).sqrt();
        let rate = match first_step {
            FirstStep::LearningRate(first) => where_(&state.is_init_step, rate.full_like(first), rate),
            _ => rate,
        };
        let state = DogState {
            is_init_step: Array::scalar(false),
            init_params: state.init_params.clone(),
            max_dist,
            sum_sq_norm_grads: sum,
        };
        (tree::scale(updates, &rate), state)
    })
}

/// DoG: weight decay, [`scale_by_dog`], then the learning rate, as a rule 1.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = dog(1.0, FirstStep::Heuristic(1e-6), 1e-8, 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ivgi, Hinder and Carmon, DoG is SGD's best friend (2023).
pub fn dog(
    learning_rate: impl Into<Schedule>,
    first_step: FirstStep,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([decay, scale_by_dog(first_step, eps), scale_by_learning_rate(learning_rate)])
}

#[derive(Clone, Tree)]
struct DowgState {
    init_params: Leaves,
    weighted_sq_norm_grads: Array,
    estim_sq_dist: Array,
}

/// Updates times the distance over weighted gradients: `d_t = max(d, |p - p_0|^2)`, `s_t = s + d_t |g|^2`, `u = d_t / (sqrt(s_t) + eps) g`;
/// `first_distance` is the first `d`, as a rule `eps`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::contrib::scale_by_dowg(0.25, 0.0);
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Khaled, Mishchenko and Jin, DoWG unleashed (2023).
pub fn scale_by_dowg(first_distance: f64, eps: f64) -> GradientTransformation {
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        DowgState {
            init_params: params.map(copied),
            weighted_sq_norm_grads: super::number(0.0, dtype),
            estim_sq_dist: super::number(first_distance, dtype),
        }
    };
    GradientTransformation::new("scale_by_dowg", init, move |updates, state, params| {
        let gone = tree::squared_norm(&tree::sub(&state.init_params, params));
        let distance = state.estim_sq_dist.maximum(gone);
        let weighted = &distance * tree::squared_norm(updates) + &state.weighted_sq_norm_grads;
        let rate = &distance / (weighted.sqrt() + eps);
        let state = DowgState {
            init_params: state.init_params.clone(),
            weighted_sq_norm_grads: weighted,
            estim_sq_dist: distance,
        };
        (tree::scale(updates, &rate), state)
    })
}

/// DoWG: weight decay, [`scale_by_dowg`], then the learning rate, as a rule 1.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = dowg(1.0, 1e-4, 1e-4, 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Khaled, Mishchenko and Jin, DoWG unleashed (2023).
pub fn dowg(
    learning_rate: impl Into<Schedule>,
    first_distance: f64,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([decay, scale_by_dowg(first_distance, eps), scale_by_learning_rate(learning_rate)])
}
