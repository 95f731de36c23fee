//! Adam without a learning rate.

use jarrah_array::{Array, Tree};

use crate::lookahead::copied;
use crate::moments::{plus_one, start, zeros};
use crate::options::options;
use crate::{GradientTransformation, Leaves, Schedule, tree};

options! {
    /// The options of Prodigy.
    pub struct Prodigy {
        /// The decay of the average gradient.
        beta1: f64 = 0.9,
        /// The decay of the average squared gradient.
        beta2: f64 = 0.999,
        /// The decay of the sums that the learning rate is found with; `None` for the root of `beta2`.
        beta3: Option<f64> = None,
        /// The number added to the root, times the learning rate that was found.
        eps: f64 = 1e-8,
        /// The first learning rate.
        estim_lr0: f64 = 1e-6,
        /// The factor on the estimated learning rate.
        estim_lr_coef: f64 = 1.0,
        /// The weight decay.
        weight_decay: f64 = 0.0,
        /// Whether the given learning rate is left out of the sums, for one that warms up.
        safeguard_warmup: bool = false,
    }
}

#[derive(Clone, Tree)]
struct ProdigyState {
    exp_avg: Leaves,
    exp_avg_sq: Leaves,
    grad_sum: Leaves,
    params0: Leaves,
    estim_lr: Array,
    numerator_weighted: Array,
    count: Array,
}

/// Prodigy: Adam whose learning rate `d` grows with an estimate of the distance to the solution:
///
/// `r_t = b3 r + d^2 lr/d_0 <g, p_0 - p>`, `s_t = b3 s + d lr/d_0 d g`, `d_t = max(d, r_t / |s_t|_1)`,
/// `u = -d lr (weight_decay p + m_t / (sqrt(v_t) + d_t eps))`, where `m` and `v` average `d g` and its square.
///
/// `learning_rate` is as a rule 1, or a schedule of factors.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Prodigy, prodigy};
/// let t = prodigy(1.0, Prodigy { estim_lr0: 0.5, ..Prodigy::default() });
/// let g = Array::scalar(4.0);
/// assert!(t.update(&g, &t.init(&g), &g).0.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Mishchenko and Defazio, Prodigy: an expeditiously adaptive parameter-free learner (2023).
pub fn prodigy(learning_rate: impl Into<Schedule>, options: Prodigy) -> GradientTransformation {
    let Prodigy { beta1, beta2, beta3, eps, estim_lr0, estim_lr_coef, weight_decay, safeguard_warmup } =
        options;
    let (beta3, learning_rate) = (beta3.unwrap_or(beta2.sqrt()), learning_rate.into());
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        ProdigyState {
            exp_avg: zeros(params),
            exp_avg_sq: zeros(params),
            grad_sum: zeros(params),
            params0: params.map(copied),
            estim_lr: super::number(estim_lr0, dtype),
            numerator_weighted: super::number(0.0, dtype),
            count: start().count,
        }
    };
    GradientTransformation::new("prodigy", init, move |updates, state, params| {
        let dtype = state.estim_lr.dtype();
        let count = plus_one(&state.count);
        let power = |beta: f64| super::one_minus_power(beta, &count, dtype);
        let factor = super::rate(&learning_rate, &state.count, dtype);
        let rate = &state.estim_lr * factor * (power(beta2).sqrt() / power(beta1));
        let scaled = tree::scale(updates, &state.estim_lr);
        let gone = tree::vdot(updates, &tree::sub(&state.params0, params));
        let exp_avg = state.exp_avg.zip([&scaled], |m, [g]| m * beta1 + g * (1.0 - beta1));
        let exp_avg_sq = state.exp_avg_sq.zip([&scaled], |v, [g]| v * beta2 + g * (1.0 - beta2) * g);
        let by = if safeguard_warmup { &state.estim_lr } else { &rate };
        let grad_sum = state.grad_sum.zip([&scaled], |s, [g]| s * beta3 + g * by / estim_lr0);
        let numerator = &state.numerator_weighted * beta3 + &state.estim_lr / estim_lr0 * &rate * gone;
        let denominator = tree::sum(&grad_sum.map(Array::abs));
        let estim_lr = state.estim_lr.maximum(&numerator * estim_lr_coef / denominator);
        let out = exp_avg.zip([&exp_avg_sq, params], |m, [v, p]| {
            p * (&rate * -weight_decay) - m * &rate / (v.sqrt() + &estim_lr * eps)
        });
        let state = ProdigyState {
            exp_avg,
            exp_avg_sq,
            grad_sum,
            params0: state.params0.clone(),
            estim_lr,
            numerator_weighted: numerator,
            count,
        };
        (out, state)
    })
}

options! {
    /// The options of D-Adaptation.
    pub struct DAdaptAdamW {
        /// The decay of the average gradient.
        beta1: f64 = 0.9,
        /// The decay of the average squared gradient.
        beta2: f64 = 0.999,
        /// The number added to roots.
        eps: f64 = 1e-8,
        /// The first learning rate.
        estim_lr0: f64 = 1e-6,
        /// The weight decay.
        weight_decay: f64 = 0.0,
    }
}

#[derive(Clone, Tree)]
struct DAdaptState {
    exp_avg: Leaves,
    exp_avg_sq: Leaves,
    grad_sum: Leaves,
    estim_lr: Array,
    numerator_weighted: Array,
    count: Array,
}

/// D-Adaptation of AdamW: Adam whose learning rate is an estimate of the distance to the solution, which only grows.
///
/// With `c = sqrt(b2)` and `d lr` the rate of the step: `r_t = c r + (1 - c) d lr <g, s / (sqrt(v) + eps)>`, `s_t = c s + (1 - c) d lr g`,
/// `d_t = max(d, r_t / ((1 - c) |s_t|_1))`, `u = -(weight_decay d lr p + m_t / (sqrt(v_t) + eps))`, where `m` averages `d lr g`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{DAdaptAdamW, dadapt_adamw};
/// let t = dadapt_adamw(1.0, DAdaptAdamW { estim_lr0: 0.5, ..DAdaptAdamW::default() });
/// let g = Array::scalar(4.0);
/// assert!(t.update(&g, &t.init(&g), &g).0.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Defazio and Mishchenko, Learning-rate-free learning by D-Adaptation (2023).
pub fn dadapt_adamw(learning_rate: impl Into<Schedule>, options: DAdaptAdamW) -> GradientTransformation {
    let DAdaptAdamW { beta1, beta2, eps, estim_lr0, weight_decay } = options;
    let (root, learning_rate) = (beta2.sqrt(), learning_rate.into());
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        DAdaptState {
            exp_avg: zeros(params),
            exp_avg_sq: zeros(params),
            grad_sum: zeros(params),
            estim_lr: super::number(estim_lr0, dtype),
            numerator_weighted: super::number(0.0, dtype),
            count: start().count,
        }
    };
    GradientTransformation::new("dadapt_adamw", init, move |updates, state, params| {
        let dtype = state.estim_lr.dtype();
        let count = plus_one(&state.count);
        let power = |beta: f64| super::one_minus_power(beta, &count, dtype);
        let factor = super::rate(&learning_rate, &state.count, dtype);
        let rate = &state.estim_lr * factor * (power(beta2).sqrt() / power(beta1));
        let weighted = state.grad_sum.zip([&state.exp_avg_sq], |s, [v]| s / (v.sqrt() + eps));
        let along = tree::vdot(updates, &weighted);
        let exp_avg = state.exp_avg.zip([updates], |m, [g]| m * beta1 + g * (&rate * (1.0 - beta1)));
        let exp_avg_sq = state.exp_avg_sq.zip([updates], |v, [g]| v * beta2 + g * (1.0 - beta2) * g);
        let grad_sum = state.grad_sum.zip([updates], |s, [g]| s * root + g * (&rate * (1.0 - root)));
        let length = tree::sum(&grad_sum.map(Array::abs));
        let numerator = &state.numerator_weighted * root + &rate * (1.0 - root) * along;
        let estim_lr = state.estim_lr.maximum(&numerator / (length * (1.0 - root)));
        let out = exp_avg
            .zip([&exp_avg_sq, params], |m, [v, p]| p * (&rate * -weight_decay) - m / (v.sqrt() + eps));
        (out, DAdaptState { exp_avg, exp_avg_sq, grad_sum, estim_lr, numerator_weighted: numerator, count })
    })
}
