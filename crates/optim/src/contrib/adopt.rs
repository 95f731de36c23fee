use jarrah_array::{DType, where_};

use crate::moments::{AdamState, moment, plus_one, second_moment, unbiased};
use crate::options::options;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::tree::{self, abs_sq};
use crate::{GradientTransformation, Mask, Schedule, chain};

options! {
    /// The options of ADOPT.
    pub struct Adopt {
        /// The decay of the average normalized gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.9999,
        /// The least root by which a gradient is divided.
        eps: f64 = 1e-6,
        /// Whether the average looks one step ahead.
        nesterov: bool = false,
        /// The exponent of the bound `count^exponent` of normalized gradients; `None` for no bound.
        clip_exponent: Option<f64> = Some(0.25),
    }
}

/// Adam that divides before it averages, by the average square of the steps before, so that it converges for any `b2`:
///
/// `n = clip(g / max(sqrt(v), eps))`, `m_t = b1 m + (1 - b1) n`, `u = m_t`, `v_t = b2 v + (1 - b2) g^2`; the first step only sets `v = g^2`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Adopt, scale_by_adopt};
/// let t = scale_by_adopt(Adopt::default());
/// let g = Array::scalar(4.0);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert!((t.update(&g, &state, &g).0.item::<f32>()? - 0.1).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Taniguchi et al., ADOPT: modified Adam can converge with any beta2 with the optimal rate (2024).
pub fn scale_by_adopt(options: Adopt) -> GradientTransformation {
    let Adopt { b1, b2, eps, nesterov, clip_exponent } = options;
    GradientTransformation::new("scale_by_adopt", AdamState::new, move |updates, state, params| {
        let later = state.count.gt(0);
        let wide = if tree::dtype(params, true) == DType::F64 { DType::F64 } else { DType::F32 };
        let b1 = where_(&later, super::number(b1, wide), 1.0);
        let b2 = where_(&later, super::number(b2, wide), 0.0);
        let average = |x: &jarrah_array::Array, m: &jarrah_array::Array, b: &jarrah_array::Array| {
            x * (1.0 - b).astype(m.dtype()) + m * b.astype(m.dtype())
        };
        let bound = clip_exponent.map(|e| state.count.astype(wide).pow(e));
        let scaled = updates.zip([&state.nu], |g, [v]| {
            let n = g / v.sqrt().maximum(eps);
            match &bound {
                Some(bound) => n.clip(-bound.astype(n.dtype()), bound.astype(n.dtype())),
                None => n,
            }
        });
        let nu = updates.zip([&state.nu], |g, [v]| average(&abs_sq(g), v, &b2));
        let mu = scaled.zip([&state.mu], |n, [m]| average(n, m, &b1));
        let out = if nesterov { scaled.zip([&mu], |n, [m]| average(n, m, &b1)) } else { mu.clone() };
        (out, AdamState { count: plus_one(&state.count), mu, nu })
    })
}

/// ADOPT: [`scale_by_adopt`], then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = adopt(0.1, Adopt::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? <= 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Taniguchi et al. (2024).
pub fn adopt(learning_rate: impl Into<Schedule>, options: Adopt) -> GradientTransformation {
    chain([scale_by_adopt(options), scale_by_learning_rate(learning_rate)])
}

options! {
    /// The options of ACProp.
    pub struct Acprop {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared error.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-16,
        /// The number added to the average squared error, at each step.
        eps_root: f64 = 1e-16,
    }
}

/// Gradients over the root of the average square of earlier errors, `u = g / (sqrt(s) + eps)`,
/// `s_t = b2 s + (1 - b2) (g - m)^2 + eps_root`, where `m` is the average of earlier gradients; at first `u = g`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Acprop, scale_by_acprop};
/// let t = scale_by_acprop(Acprop::default());
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 4.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhuang et al., Momentum centering and asynchronous update for adaptive gradient methods (2021).
pub fn scale_by_acprop(options: Acprop) -> GradientTransformation {
    let Acprop { b1, b2, eps, eps_root } = options;
    GradientTransformation::new("scale_by_acprop", AdamState::new, move |updates, state, _| {
        let mu = moment(updates, &state.mu, b1);
        let error = updates.zip([&state.mu], |g, [m]| g - m);
        let nu = second_moment(&error, &state.nu, b2).map(|v| v + eps_root);
        let (first, count) = (state.count.eq(0), plus_one(&state.count));
        let before = unbiased(&state.nu, b2, &where_(&first, &count, &state.count));
        let out = updates.zip([&before], |g, [v]| g / (where_(&first, v.ones_like(), v).sqrt() + eps));
        (out, AdamState { count, mu, nu })
    })
}

/// ACProp: [`scale_by_acprop`], weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = acprop(0.1, Acprop::default(), 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhuang et al. (2021).
pub fn acprop(
    learning_rate: impl Into<Schedule>,
    options: Acprop,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([scale_by_acprop(options), decay, scale_by_learning_rate(learning_rate)])
}
