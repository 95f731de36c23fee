use jarrah_array::{Array, DType, Tree, where_};

use crate::options::options;
use crate::tree::{self, abs_sq};
use crate::{GradientTransformation, Leaves};

/// The number of updates so far, `i32`.
#[derive(Clone, Tree)]
pub(crate) struct Count {
    pub(crate) count: Array,
}

pub(crate) fn start() -> Count {
    Count { count: Array::full(&[], 0.0, DType::I32) }
}

/// `count + 1`, up to the largest `i32`.
pub(crate) fn plus_one(count: &Array) -> Array {
    where_(&count.lt(i32::MAX), count + 1, count)
}

pub(crate) fn increment(state: &Count) -> Count {
    Count { count: plus_one(&state.count) }
}

/// `decay m + (1 - decay) g`.
#[track_caller]
pub(crate) fn moment(updates: &Leaves, before: &Leaves, decay: f64) -> Leaves {
    updates.zip([before], |g, [m]| g * (1.0 - decay) + m * decay)
}

/// `decay v + (1 - decay) |g|^2`, in the dtype of `v`.
#[track_caller]
pub(crate) fn second_moment(updates: &Leaves, before: &Leaves, decay: f64) -> Leaves {
    updates.zip([before], |g, [v]| abs_sq(g) * (1.0 - decay) + v * decay)
}

/// `m / (1 - decay^t)`: corrects the bias of an average that starts at zero.
pub(crate) fn unbiased(average: &Leaves, decay: f64, count: &Array) -> Leaves {
    tree::bias_correction(average, decay, count)
}

/// The unbiased average of the gradients or, with `nesterov`, the one a step ahead.
pub(crate) fn ahead(mu: &Leaves, updates: &Leaves, b1: f64, count: &Array, nesterov: bool) -> Leaves {
    if !nesterov {
        return unbiased(mu, b1, count);
    }
    let average = unbiased(mu, b1, &plus_one(count));
    average.zip([&unbiased(updates, b1, count)], |m, [g]| m * b1 + g * (1.0 - b1))
}

/// `x + eps`, which is `x` where `eps` is zero.
pub(crate) fn plus(x: &Array, eps: f64) -> Array {
    if eps == 0.0 { x.clone() } else { x + eps }
}

pub(crate) fn zeros(params: &Leaves) -> Leaves {
    params.map(Array::zeros_like)
}

options! {
    /// The options of Adam.
    pub struct Adam {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The number added under the root.
        eps_root: f64 = 0.0,
        /// Whether the average gradient looks one step ahead (Dozat, 2016).
        nesterov: bool = false,
    }
}

#[derive(Clone, Tree)]
pub(crate) struct AdamState {
    pub(crate) count: Array,
    pub(crate) mu: Leaves,
    pub(crate) nu: Leaves,
}

impl AdamState {
    pub(crate) fn new(params: &Leaves) -> Self {
        // Two arrays, not two handles to one array: the state may be donated.
        AdamState { count: start().count, mu: zeros(params), nu: zeros(params) }
    }
}

/// Updates divided by the root of their average square:
///
/// `m_t = b1 m + (1 - b1) g`, `v_t = b2 v + (1 - b2) g^2`,
/// `u = m_t / (1 - b1^t) / (sqrt(v_t / (1 - b2^t) + eps_root) + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Adam, scale_by_adam};
/// let t = scale_by_adam(Adam::default());
/// let g = Array::scalar(4.0f32);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam: a method for stochastic optimization (2014).
pub fn scale_by_adam(options: Adam) -> GradientTransformation {
    let Adam { b1, b2, eps, eps_root, nesterov } = options;
    GradientTransformation::new("scale_by_adam", AdamState::new, move |updates, state, _| {
        let mu = moment(updates, &state.mu, b1);
        let nu = second_moment(updates, &state.nu, b2);
        let count = plus_one(&state.count);
        let ahead = ahead(&mu, updates, b1, &count, nesterov);
        let updates = ahead.zip([&unbiased(&nu, b2, &count)], |m, [v]| m / (plus(v, eps_root).sqrt() + eps));
        (updates, AdamState { count, mu, nu })
    })
}

/// Updates divided by the largest recent gradient:
///
/// `m_t = b1 m + (1 - b1) g`, `v_t = max(b2 v, |g| + eps)`, `u = m_t / (1 - b1^t) / v_t`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::scale_by_adamax(0.9, 0.999, 1e-8);
/// let g = Array::scalar(4.0f32);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam (2014), section 7.1.
pub fn scale_by_adamax(b1: f64, b2: f64, eps: f64) -> GradientTransformation {
    GradientTransformation::new("scale_by_adamax", AdamState::new, move |updates, state, _| {
        let count = plus_one(&state.count);
        let mu = moment(updates, &state.mu, b1);
        let nu = updates.zip([&state.nu], |g, [v]| (g.abs() + eps).maximum(v * b2));
        let updates = unbiased(&mu, b1, &count).zip([&nu], |m, [v]| m / v);
        (updates, AdamState { count, mu, nu })
    })
}
