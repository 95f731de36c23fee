use jarrah_array::{Array, DType, Tree, where_};

use crate::options::options;
use crate::tree::{self, NormOrder};
use crate::{GradientTransformation, Leaves};

#[derive(Clone, Tree)]
struct State {
    is_initial_step: Array,
    previous_gradient: Leaves,
}

/// The gradient that is expected next, `u = (alpha + beta) g - beta g_before`; at first `g_before = g`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_optimistic_gradient(1.0, 1.0);
/// let (_, state) = t.update(&Array::scalar(1.0), &t.init(&Array::scalar(0.0)), &Array::scalar(0.0));
/// let (u, _) = t.update(&Array::scalar(3.0), &state, &Array::scalar(0.0));
/// assert_eq!(u.item::<f32>()?, 5.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Mokhtari et al., A unified analysis of extra-gradient and optimistic gradient methods (2019).
pub fn scale_by_optimistic_gradient(alpha: f64, beta: f64) -> GradientTransformation {
    GradientTransformation::new(
        "scale_by_optimistic_gradient",
        |params| State { is_initial_step: Array::scalar(true), previous_gradient: tree::zeros_like(params) },
        move |updates, state, _| {
            let out = updates.zip([&state.previous_gradient], |g, [before]| {
                g * (alpha + beta) - where_(&state.is_initial_step, g, before) * beta
            });
            (out, State { is_initial_step: Array::scalar(false), previous_gradient: updates.clone() })
        },
    )
}

options! {
    /// The options of Polyak's step size.
    pub struct PolyakSgd {
        /// The largest step size.
        max_learning_rate: f64 = 1.0,
        /// A learning rate on top.
        scaling: f64 = 1.0,
        /// The least value that the loss can have.
        f_min: f64 = 0.0,
        /// The number added to the squared norm.
        eps: f64 = 0.0,
        /// Whether a loss below `f_min` counts as `f_min`, so that steps are never negative (SPS+).
        positive: bool = false,
    }
}

/// Updates times Polyak's step size, `min((value - f_min) / (|g|^2 + eps), max_learning_rate)`; 0 where `|g|^2 + eps` is below the
/// precision of the dtype. Needs the `value` of the loss.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Extra, PolyakSgd};
/// use jarrah_optim::transforms::scale_by_polyak;
/// let t = scale_by_polyak(PolyakSgd::default());
/// let g = Array::scalar(4.0);
/// let extra = Extra::new().value(&Array::scalar(8.0));
/// assert_eq!(t.update_with(&g, &t.init(&g), &g, &extra).0.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Loizou et al., Stochastic Polyak step-size for SGD (2021); Gower et al., Analysis of stochastic Polyak step-sizes (2025).
pub fn scale_by_polyak(options: PolyakSgd) -> GradientTransformation {
    let PolyakSgd { max_learning_rate, f_min, eps, positive, .. } = options;
    GradientTransformation::with_extra(
        "scale_by_polyak",
        |_| (),
        move |updates, (), _, extra| {
            let square = tree::norm(updates, NormOrder::Two).square() + eps;
            let gap = (extra.needed("value")? - f_min).astype(square.dtype());
            let gap = if positive { gap.maximum(0.0) } else { gap };
            let tiny = if square.dtype() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
            let step = (gap / &square).minimum(max_learning_rate);
            let step = where_(&square.le(tiny), step.zeros_like(), step);
            Ok((tree::scale(updates, &step), ()))
        },
    )
}

#[derive(Clone, Tree)]
struct DistanceState {
    max_dist: Leaves,
    grad_sum_of_squares: Leaves,
    init_params: Leaves,
}

options! {
    /// The options of layerwise distance over gradients.
    pub struct Distance {
        /// The first distance, in relation to one plus the norm of the parameters.
        reps_rel: f64 = 1e-6,
        /// The number added under the root.
        eps: f64 = 1e-8,
        /// A factor of all steps.
        global_scale: f64 = 1.0,
    }
}

/// Each leaf's update times the largest distance from the start over the root of the sum of squared gradients:
///
/// `d_t = max(d, |p - p_0|)`, `s_t = s + |g|^2`, `u = global_scale d_t / sqrt(s_t + eps) g`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::{Distance, scale_by_distance_over_gradients};
/// let t = scale_by_distance_over_gradients(Distance { reps_rel: 1.0, ..Distance::default() });
/// let (g, p) = (Array::scalar(4.0), Array::scalar(1.0));
/// assert!((t.update(&g, &t.init(&p), &p).0.item::<f32>()? - 2.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ivgi, Hinder and Carmon, DoG is SGD's best friend (2023).
pub fn scale_by_distance_over_gradients(options: Distance) -> GradientTransformation {
    let Distance { reps_rel, eps, global_scale } = options;
    let length = |x: &Array| x.square().sum(..).sqrt();
    GradientTransformation::new(
        "scale_by_distance_over_gradients",
        move |params: &Leaves| DistanceState {
            max_dist: params.map(|p| (length(p) + 1.0) * reps_rel),
            grad_sum_of_squares: params.map(|_| Array::full(&[1], 0.0, DType::F32)),
            init_params: params.map(|p| crate::lookahead::copied(&p.astype(wide(p)))),
        },
        move |updates, state, params| {
            let gone = params.zip([&state.init_params], |p, [first]| p - first);
            let max_dist = state.max_dist.beside(&gone, |d, gone| d.maximum(length(gone)));
            let sums = state.grad_sum_of_squares.beside(updates, |s, g| s + g.square().sum(..));
            let rates = max_dist.beside(&sums, |d, s| d / (s + eps).sqrt() * global_scale);
            let out = updates.beside(&rates, |g, rate| (rate * g).reshape(&g.shape()[..]));
            (
                out,
                DistanceState { max_dist, grad_sum_of_squares: sums, init_params: state.init_params.clone() },
            )
        },
    )
}

/// The dtype in which small differences of parameters are kept.
fn wide(p: &Array) -> DType {
    if p.dtype() == DType::F64 { DType::F64 } else { DType::F32 }
}
