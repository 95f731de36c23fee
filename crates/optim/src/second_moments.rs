//! Relatives of Adam.

use jarrah_array::{Array, DType, Tree, where_};

use crate::moments::{AdamState, ahead, moment, plus, plus_one, second_moment, start, unbiased, zeros};
use crate::options::options;
use crate::tree::abs_sq;
use crate::{GradientTransformation, Leaves};

options! {
    /// The options of AMSGrad.
    pub struct Amsgrad {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The number added under the root.
        eps_root: f64 = 0.0,
        /// Whether the bias of the average gradient is corrected.
        bias_correction_mu: bool = true,
        /// Whether the bias of the average squared gradient is corrected.
        bias_correction_nu: bool = true,
    }
}

#[derive(Clone, Tree)]
struct AmsgradState {
    count: Array,
    mu: Leaves,
    nu: Leaves,
    nu_max: Leaves,
}

/// Adam with the largest average square so far: `x_t = max(x, v_t / (1 - b2^t))`, `u = m_t / (1 - b1^t) / (sqrt(x_t + eps_root) + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Amsgrad;
/// use jarrah_optim::transforms::scale_by_amsgrad;
/// let t = scale_by_amsgrad(Amsgrad::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Reddi, Kale and Kumar, On the convergence of Adam and beyond (2018).
pub fn scale_by_amsgrad(options: Amsgrad) -> GradientTransformation {
    let Amsgrad { b1, b2, eps, eps_root, bias_correction_mu, bias_correction_nu } = options;
    GradientTransformation::new(
        "scale_by_amsgrad",
        |params| AmsgradState {
            count: start().count,
            mu: zeros(params),
            nu: zeros(params),
            nu_max: zeros(params),
        },
        move |updates, state, _| {
            let mu = moment(updates, &state.mu, b1);
            let nu = second_moment(updates, &state.nu, b2);
            let count = plus_one(&state.count);
            let average = if bias_correction_mu { unbiased(&mu, b1, &count) } else { mu.clone() };
            let square = if bias_correction_nu { unbiased(&nu, b2, &count) } else { nu.clone() };
            let nu_max = state.nu_max.zip([&square], |x, [v]| x.maximum(v));
            let out = average.zip([&nu_max], |m, [x]| m / (plus(x, eps_root).sqrt() + eps));
            (out, AmsgradState { count, mu, nu, nu_max })
        },
    )
}

options! {
    /// The options of Adan.
    pub struct Adan {
        /// The decay of the average gradient.
        b1: f64 = 0.98,
        /// The decay of the average difference of gradients.
        b2: f64 = 0.92,
        /// The decay of the average square.
        b3: f64 = 0.99,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The number added under the root.
        eps_root: f64 = 1e-8,
    }
}

#[derive(Clone, Tree)]
struct AdanState {
    m: Leaves,
    v: Leaves,
    n: Leaves,
    g: Leaves,
    t: Array,
}

/// Nesterov's momentum by averages of gradients `m`, of their differences `v` and of squares `n`:
///
/// `u = (m_t + (1 - b2) v_t) / (sqrt(n_t + eps_root) + eps)`, each average unbiased, where `n` averages `(g + (1 - b2)(g - g_before))^2`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Adan;
/// use jarrah_optim::transforms::scale_by_adan;
/// let t = scale_by_adan(Adan::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Xie et al., Adan: adaptive Nesterov momentum algorithm (2022).
pub fn scale_by_adan(options: Adan) -> GradientTransformation {
    let Adan { b1, b2, b3, eps, eps_root } = options;
    GradientTransformation::new(
        "scale_by_adan",
        |params| AdanState {
            m: zeros(params),
            v: zeros(params),
            n: zeros(params),
            g: zeros(params),
            t: start().count,
        },
        move |g, state, _| {
            let first = state.t.eq(0);
            let diff = g.zip([&state.g], |g, [before]| where_(&first, g.zeros_like(), g - before));
            let m = moment(g, &state.m, b1);
            let v = moment(&diff, &state.v, b2);
            let looked = g.zip([&diff], |g, [diff]| g + diff * (1.0 - b2));
            let n = second_moment(&looked, &state.n, b3);
            let t = plus_one(&state.t);
            let out = unbiased(&m, b1, &t)
                .zip([&unbiased(&v, b2, &t), &unbiased(&n, b3, &t)], |m, [v, n]| {
                    (m + v * (1.0 - b2)) / (plus(n, eps_root).sqrt() + eps)
                });
            (out, AdanState { m, v, n, g: g.clone(), t })
        },
    )
}

options! {
    /// The options of AdaBelief.
    pub struct AdaBelief {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared error.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-16,
        /// The number added to the average squared error, at each step.
        eps_root: f64 = 1e-16,
        /// Whether the average gradient looks one step ahead.
        nesterov: bool = false,
    }
}

/// Adam with the square of how far the gradient is from its average: `s_t = b2 s + (1 - b2) (g - m_t)^2 + eps_root`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::AdaBelief;
/// use jarrah_optim::transforms::scale_by_belief;
/// let t = scale_by_belief(AdaBelief::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0 / 0.9).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhuang et al., AdaBelief optimizer (2020).
pub fn scale_by_belief(options: AdaBelief) -> GradientTransformation {
    let AdaBelief { b1, b2, eps, eps_root, nesterov } = options;
    GradientTransformation::new("scale_by_belief", AdamState::new, move |updates, state, _| {
        let mu = moment(updates, &state.mu, b1);
        let error = updates.zip([&mu], |g, [m]| g - m);
        let nu = second_moment(&error, &state.nu, b2).map(|v| v + eps_root);
        let count = plus_one(&state.count);
        let out = ahead(&mu, updates, b1, &count, nesterov)
            .zip([&unbiased(&nu, b2, &count)], |m, [v]| m / (v.sqrt() + eps));
        (out, AdamState { count, mu, nu })
    })
}

options! {
    /// The options of Yogi.
    pub struct Yogi {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-3,
        /// The number added under the root.
        eps_root: f64 = 0.0,
        /// The initial value of the two averages.
        initial_accumulator_value: f64 = 1e-6,
    }
}

/// Adam whose average square moves by an amount of its own sign: `v_t = v - (1 - b2) sign(v - g^2) g^2`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Yogi;
/// use jarrah_optim::transforms::scale_by_yogi;
/// let t = scale_by_yogi(Yogi::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-3);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zaheer et al., Adaptive methods for nonconvex optimization (2018).
pub fn scale_by_yogi(options: Yogi) -> GradientTransformation {
    let Yogi { b1, b2, eps, eps_root, initial_accumulator_value } = options;
    let init = move |params: &Leaves| {
        let filled = || params.map(|p| p.full_like(initial_accumulator_value));
        AdamState { count: start().count, mu: filled(), nu: filled() }
    };
    GradientTransformation::new("scale_by_yogi", init, move |updates, state, _| {
        let mu = moment(updates, &state.mu, b1);
        let nu = updates.zip([&state.nu], |g, [v]| {
            let square = abs_sq(g);
            v - (v - &square).sign() * (1.0 - b2) * &square
        });
        let count = plus_one(&state.count);
        let out = unbiased(&mu, b1, &count)
            .zip([&unbiased(&nu, b2, &count)], |m, [v]| m / (plus(v, eps_root).sqrt() + eps));
        (out, AdamState { count, mu, nu })
    })
}

options! {
    /// The options of RAdam.
    pub struct Radam {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The number added under the root.
        eps_root: f64 = 0.0,
        /// From which length of the average on the update is divided by the root.
        threshold: f64 = 5.0,
        /// Whether the average gradient looks one step ahead.
        nesterov: bool = false,
    }
}

/// Adam with its variance rectified: with `rho = rho_inf - 2 t b2^t / (1 - b2^t)` and `rho_inf = 2 / (1 - b2) - 1`, the update is
///
/// `sqrt((rho - 4)(rho - 2) rho_inf / ((rho_inf - 4)(rho_inf - 2) rho))` times Adam's where `rho >= threshold`, else the average gradient.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Radam;
/// use jarrah_optim::transforms::scale_by_radam;
/// let t = scale_by_radam(Radam::default());
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 4.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Liu et al., On the variance of the adaptive learning rate and beyond (2019).
pub fn scale_by_radam(options: Radam) -> GradientTransformation {
    let Radam { b1, b2, eps, eps_root, threshold, nesterov } = options;
    let full = 2.0 / (1.0 - b2) - 1.0;
    GradientTransformation::new("scale_by_radam", AdamState::new, move |updates, state, params| {
        let mu = moment(updates, &state.mu, b1);
        let nu = second_moment(updates, &state.nu, b2);
        let count = plus_one(&state.count);
        let dtype = match crate::tree::dtype(params, true) {
            DType::F64 => DType::F64,
            _ => DType::F32,
        };
        let power = Array::full(&[], b2, dtype).pow(&count);
        let length = full - count.astype(dtype) * 2.0 * &power / (1.0 - &power);
        let ratio = (&length - 4.0) * (&length - 2.0) * full / (&length * ((full - 4.0) * (full - 2.0)));
        let (factor, long) = (ratio.sqrt(), length.ge(threshold));
        let average = ahead(&mu, updates, b1, &count, nesterov);
        let out = average.zip([&unbiased(&nu, b2, &count)], |m, [v]| {
            where_(&long, factor.astype(m.dtype()) * m / (plus(v, eps_root).sqrt() + eps), m)
        });
        (out, AdamState { count, mu, nu })
    })
}
