use jarrah_array::{Array, DType, Tree, where_};

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

/// `decay v + (1 - decay) g^2`.
#[track_caller]
pub(crate) fn second_moment(updates: &Leaves, before: &Leaves, decay: f64) -> Leaves {
    updates.zip([before], |g, [v]| g.square() * (1.0 - decay) + v * decay)
}

/// `m / (1 - decay^t)`: corrects the bias of an average that starts at zero.
fn unbiased(average: &Leaves, decay: f64, count: &Array) -> Leaves {
    let divisor = |dtype| 1.0 - Array::full(&[], decay, dtype).pow(count.astype(dtype));
    let (mut single, mut double) = (None, None);
    average.map(|m| {
        let divisor = match m.dtype() {
            DType::F64 => double.get_or_insert_with(|| divisor(DType::F64)),
            _ => single.get_or_insert_with(|| divisor(DType::F32)),
        };
        m / divisor.astype(m.dtype())
    })
}

/// The options of Adam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// The decay of the average gradient.
    pub b1: f64,
    /// The decay of the average squared gradient.
    pub b2: f64,
    /// The number added to the root.
    pub eps: f64,
    /// The number added under the root.
    pub eps_root: f64,
    /// Whether the average gradient looks one step ahead (Dozat, 2016).
    pub nesterov: bool,
}

impl Default for Adam {
    fn default() -> Self {
        Adam { b1: 0.9, b2: 0.999, eps: 1e-8, eps_root: 0.0, nesterov: false }
    }
}

#[derive(Clone, Tree)]
struct AdamState {
    count: Array,
    mu: Leaves,
    nu: Leaves,
}

impl AdamState {
    fn new(params: &Leaves) -> Self {
        // Two arrays, not two handles to one array: the state may be donated.
        let (mu, nu) = (params.map(Array::zeros_like), params.map(Array::zeros_like));
        AdamState { count: start().count, mu, nu }
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
        let ahead = if nesterov {
            let average = unbiased(&mu, b1, &plus_one(&count));
            average.zip([&unbiased(updates, b1, &count)], |m, [g]| m * b1 + g * (1.0 - b1))
        } else {
            unbiased(&mu, b1, &count)
        };
        let updates = ahead.zip([&unbiased(&nu, b2, &count)], |m, [v]| {
            let v = if eps_root == 0.0 { v.clone() } else { v + eps_root };
            m / (v.sqrt() + eps)
        });
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

/// The options of Lion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lion {
    /// The weight of the average gradient in the update.
    pub b1: f64,
    /// The decay of the average gradient.
    pub b2: f64,
}

impl Default for Lion {
    fn default() -> Self {
        Lion { b1: 0.9, b2: 0.99 }
    }
}

#[derive(Clone, Tree)]
struct LionState {
    count: Array,
    mu: Leaves,
}

/// The sign of an average: `u = sign(b1 m + (1 - b1) g)`, `m_t = b2 m + (1 - b2) g`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Lion, scale_by_lion};
/// let t = scale_by_lion(Lion::default());
/// let g = Array::scalar(-4.0f32);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, -1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Chen et al., Symbolic discovery of optimization algorithms (2023).
pub fn scale_by_lion(options: Lion) -> GradientTransformation {
    let Lion { b1, b2 } = options;
    GradientTransformation::new(
        "scale_by_lion",
        |params| LionState { count: start().count, mu: params.map(Array::zeros_like) },
        move |updates, state, _| {
            let signs = updates.zip([&state.mu], |g, [m]| (g * (1.0 - b1) + m * b1).sign());
            let mu = moment(updates, &state.mu, b2);
            (signs, LionState { count: plus_one(&state.count), mu })
        },
    )
}

#[derive(Clone, Tree)]
struct Trace {
    trace: Leaves,
}

/// A decaying sum of updates, momentum: `t_t = g + decay t`, `u = t_t`, or with `nesterov` `u = g + decay t_t`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::trace(0.5, false);
/// let g = Array::scalar(2.0f32);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert_eq!(t.update(&g, &state, &g).0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Sutskever et al., On the importance of initialization and momentum in deep learning (2013).
pub fn trace(decay: f64, nesterov: bool) -> GradientTransformation {
    GradientTransformation::new(
        "trace",
        |params| Trace { trace: params.map(Array::zeros_like) },
        move |updates, state, _| {
            let trace = updates.zip([&state.trace], |g, [t]| g + t * decay);
            let updates =
                if nesterov { updates.zip([&trace], |g, [t]| g + t * decay) } else { trace.clone() };
            (updates, Trace { trace })
        },
    )
}

#[derive(Clone, Tree)]
struct Ema {
    count: Array,
    ema: Leaves,
}

/// The moving average of updates, `e_t = decay e + (1 - decay) g`; with `debias`, `u = e_t / (1 - decay^t)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::ema(0.9, true);
/// let g = Array::scalar(2.0f32);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 2.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam (2014), section 3.
pub fn ema(decay: f64, debias: bool) -> GradientTransformation {
    GradientTransformation::new(
        "ema",
        |params| Ema { count: start().count, ema: params.map(Array::zeros_like) },
        move |updates, state, _| {
            let ema = moment(updates, &state.ema, decay);
            let count = plus_one(&state.count);
            let updates = if debias { unbiased(&ema, decay, &count) } else { ema.clone() };
            (updates, Ema { count, ema })
        },
    )
}
