use jarrah_array::{Array, Tree};

use crate::moments::{moment, plus, plus_one, second_moment, start, unbiased, zeros};
use crate::options::options;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::tree::dtype;
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain};

options! {
    /// The options of AdEMAMix.
    pub struct Ademamix {
        /// The decay of the fast average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The number added under the root.
        eps_root: f64 = 0.0,
    }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    count_m2: Array,
    m1: Leaves,
    m2: Leaves,
    nu: Leaves,
}

/// Adam with a second, slow average gradient: `u = (m1 / (1 - b1^t) + alpha m2) / (sqrt(v / (1 - b2^t) + eps_root) + eps)`.
///
/// `b3`, the decay of `m2`, and `alpha` are numbers or schedules; usual are 0.9999 and 5.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Ademamix, scale_by_ademamix};
/// let t = scale_by_ademamix(0.9999, 6.0, Ademamix::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0006).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Pagliardini, Ablin and Grangier, The AdEMAMix optimizer (2024).
pub fn scale_by_ademamix(
    b3: impl Into<Schedule>,
    alpha: impl Into<Schedule>,
    options: Ademamix,
) -> GradientTransformation {
    let Ademamix { b1, b2, eps, eps_root } = options;
    let (b3, alpha) = (b3.into(), alpha.into());
    let init = |params: &Leaves| State {
        count: start().count,
        count_m2: start().count,
        m1: zeros(params),
        m2: zeros(params),
        nu: zeros(params),
    };
    GradientTransformation::new("scale_by_ademamix", init, move |updates, state, params| {
        let alpha = super::rate(&alpha, &state.count_m2, dtype(params, true));
        let m1 = moment(updates, &state.m1, b1);
        let m2 = moment(updates, &state.m2, &b3.rate(&state.count_m2));
        let nu = second_moment(updates, &state.nu, b2);
        let count = plus_one(&state.count);
        let out = unbiased(&m1, b1, &count).zip([&m2, &unbiased(&nu, b2, &count)], |m1, [m2, v]| {
            (m1 + m2 * alpha.astype(m2.dtype())) / (plus(v, eps_root).sqrt() + eps)
        });
        (out, State { count, count_m2: plus_one(&state.count_m2), m1, m2, nu })
    })
}

/// AdEMAMix: [`scale_by_ademamix`], weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = ademamix(0.1, 0.9999, 5.0, Ademamix::default(), 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Pagliardini, Ablin and Grangier, The AdEMAMix optimizer (2024).
pub fn ademamix(
    learning_rate: impl Into<Schedule>,
    b3: impl Into<Schedule>,
    alpha: impl Into<Schedule>,
    options: Ademamix,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_ademamix(b3, alpha, options),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}

options! {
    /// The options of simplified AdEMAMix.
    pub struct SimplifiedAdemamix {
        /// The decay of the sum of gradients.
        b1: f64 = 0.99,
        /// The decay of the average squared gradient.
        b2: f64 = 0.95,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The number added under the root.
        eps_root: f64 = 0.0,
    }
}

#[derive(Clone, Tree)]
struct SimpleState {
    t: Array,
    m: Leaves,
    n: Leaves,
}

/// A decaying sum of gradients and the present one: `m_t = g + b1 m`, `n_t = b2 n + (1 - b2) g^2`,
/// `u = (m_t + alpha g) / (sqrt(n_t / (1 - b2^t) + eps_root) + eps)`. `alpha` is a number, as a rule 0, or a schedule.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{SimplifiedAdemamix, scale_by_simplified_ademamix};
/// let t = scale_by_simplified_ademamix(1.0, SimplifiedAdemamix::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 2.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Morwani et al., Connections between schedule-free optimizers, AdEMAMix, and accelerated SGD variants (2025).
pub fn scale_by_simplified_ademamix(
    alpha: impl Into<Schedule>,
    options: SimplifiedAdemamix,
) -> GradientTransformation {
    let SimplifiedAdemamix { b1, b2, eps, eps_root } = options;
    let alpha = alpha.into();
    let init = |params: &Leaves| SimpleState { t: start().count, m: zeros(params), n: zeros(params) };
    GradientTransformation::new("scale_by_simplified_ademamix", init, move |g, state, params| {
        let alpha = super::rate(&alpha, &state.t, dtype(params, true));
        let m = g.zip([&state.m], |g, [m]| g + m * b1);
        let n = g.zip([&state.n], |g, [n]| {
            let square = g * g;
            &square + (n - &square) * b2
        });
        let t = plus_one(&state.t);
        let out = m.zip([g, &unbiased(&n, b2, &t)], |m, [g, n]| {
            (m + g * alpha.astype(g.dtype())) / (plus(n, eps_root).sqrt() + eps)
        });
        (out, SimpleState { t, m, n })
    })
}

/// Simplified AdEMAMix: [`scale_by_simplified_ademamix`], weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = simplified_ademamix(0.1, 0.0, SimplifiedAdemamix::default(), 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Morwani et al. (2025).
pub fn simplified_ademamix(
    learning_rate: impl Into<Schedule>,
    alpha: impl Into<Schedule>,
    options: SimplifiedAdemamix,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_simplified_ademamix(alpha, options),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}
