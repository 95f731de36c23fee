use jarrah_array::{Array, DType, Tree, where_};

use crate::options::options;
use crate::schedules::Rate;
use crate::tree::{self, abs_sq};
use crate::{GradientTransformation, Leaves, Schedule};

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

/// A decay of averages: a number, or an array that may change from step to step.
pub(crate) trait Decay: Copy {
    /// `decay x`.
    fn times(self, x: &Array) -> Array;
    /// `(1 - decay) x`.
    fn rest(self, x: &Array) -> Array;
    /// `m / (1 - decay^count)`.
    fn unbias(self, average: &Leaves, count: &Array) -> Leaves;
}

impl Decay for f64 {
    fn times(self, x: &Array) -> Array {
        x * self
    }

    fn rest(self, x: &Array) -> Array {
        x * (1.0 - self)
    }

    fn unbias(self, average: &Leaves, count: &Array) -> Leaves {
        tree::bias_correction(average, self, count)
    }
}

impl Decay for &Rate {
    fn times(self, x: &Array) -> Array {
        Rate::times(self, x)
    }

    fn rest(self, x: &Array) -> Array {
        match self {
            Rate::Number(decay) => decay.rest(x),
            Rate::Array(decay) => x * (1.0 - decay).astype(x.dtype()),
        }
    }

    fn unbias(self, average: &Leaves, count: &Array) -> Leaves {
        match self {
            Rate::Number(decay) => decay.unbias(average, count),
            Rate::Array(decay) => {
                let divisor = 1.0 - decay.pow(count.astype(decay.dtype()));
                average.map(|m| m / divisor.astype(m.dtype()))
            }
        }
    }
}

/// `decay m + (1 - decay) g`.
#[track_caller]
pub(crate) fn moment(updates: &Leaves, before: &Leaves, decay: impl Decay) -> Leaves {
    updates.zip([before], |g, [m]| decay.rest(g) + decay.times(m))
}

/// `decay v + (1 - decay) |g|^2`.
#[track_caller]
pub(crate) fn second_moment(updates: &Leaves, before: &Leaves, decay: impl Decay) -> Leaves {
    updates.zip([before], |g, [v]| decay.rest(&abs_sq(g)) + decay.times(v))
}

/// `m / (1 - decay^t)`: corrects the bias of an average that starts at zero.
pub(crate) fn unbiased(average: &Leaves, decay: impl Decay, count: &Array) -> Leaves {
    decay.unbias(average, count)
}

/// The average of the gradients with its bias corrected; with `nesterov`, that of one step ahead.
pub(crate) fn ahead(mu: &Leaves, updates: &Leaves, b1: impl Decay, count: &Array, nesterov: bool) -> Leaves {
    if !nesterov {
        return unbiased(mu, b1, count);
    }
    let average = unbiased(mu, b1, &plus_one(count));
    average.zip([&unbiased(updates, b1, count)], |m, [g]| b1.times(m) + b1.rest(g))
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
/// use jarrah_optim::Adam;
/// use jarrah_optim::transforms::scale_by_adam;
/// let t = scale_by_adam(Adam::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam: a method for stochastic optimization (2014).
pub fn scale_by_adam(options: Adam) -> GradientTransformation {
    scale_by_adam_with(options.b1, options.b2, options)
}

/// As [`scale_by_adam`], with decays that may be schedules, or hyper-parameters in the state, in place of those of the options.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Adam;
/// use jarrah_optim::schedules::linear;
/// use jarrah_optim::transforms::scale_by_adam_with;
/// let t = scale_by_adam_with(linear(0.95, 0.85, 100), 0.999, Adam::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam (2014); Smith and Topin, Super-convergence (2017), whose momentum falls while the learning rate grows.
pub fn scale_by_adam_with(
    b1: impl Into<Schedule>,
    b2: impl Into<Schedule>,
    options: Adam,
) -> GradientTransformation {
    let Adam { eps, eps_root, nesterov, .. } = options;
    let (b1, b2) = (b1.into(), b2.into());
    GradientTransformation::new("scale_by_adam", AdamState::new, move |updates, state, _| {
        let (b1, b2) = (&b1.rate(&state.count), &b2.rate(&state.count));
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
/// let t = jarrah_optim::transforms::scale_by_adamax(0.9, 0.999, 1e-8);
/// let g = Array::scalar(4.0);
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
