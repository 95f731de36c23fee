use jarrah_array::{Array, Tree, where_};

use crate::moments::{moment, plus_one, second_moment, start, unbiased, zeros};
use crate::options::options;
use crate::tree::abs_sq;
use crate::{GradientTransformation, Leaves};

#[derive(Clone, Tree)]
struct Squares {
    count: Option<Array>,
    mu: Option<Leaves>,
    nu: Leaves,
}

options! {
    /// The options of RMSProp.
    pub struct RmsProp {
        /// The decay of the averages.
        decay: f64 = 0.9,
        /// The number added under the root, or to it.
        eps: f64 = 1e-8,
        /// The initial average of squares.
        initial_scale: f64 = 0.0,
        /// Whether `eps` is added under the root.
        eps_in_sqrt: bool = true,
        /// Whether the bias of the averages is corrected.
        bias_correction: bool = false,
        /// Whether the average gradient is subtracted, so that the root is a standard deviation.
        centered: bool = false,
        /// The decay of the momentum, applied after the learning rate; `None` for no momentum.
        momentum: Option<f64> = None,
        /// Whether the momentum is Nesterov's.
        nesterov: bool = false,
    }
}

impl RmsProp {
    /// The options with this decay of the averages.
    fn of(decay: f64, eps: f64, initial_scale: f64) -> Self {
        RmsProp { decay, eps, initial_scale, ..RmsProp::default() }
    }

    /// `g` over the root of `square`.
    fn divide(self, g: &Array, square: &Array) -> Array {
        match self.eps_in_sqrt {
            true => (square + self.eps).rsqrt() * g,
            false => 1.0 / (square.sqrt() + self.eps) * g,
        }
    }
}

/// As [`scale_by_rms`] or, if `centered`, [`scale_by_stddev`], with all options of these.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::RmsProp;
/// use jarrah_optim::transforms::scale_by_rms_with;
/// let t = scale_by_rms_with(RmsProp { bias_correction: true, eps_in_sqrt: false, ..RmsProp::default() });
/// let g = Array::scalar(4.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Tieleman and Hinton, Lecture 6.5 (2012).
pub fn scale_by_rms_with(options: RmsProp) -> GradientTransformation {
    let RmsProp { decay, initial_scale, bias_correction, centered, .. } = options;
    let init = move |params: &Leaves| Squares {
        count: bias_correction.then(|| start().count),
        mu: centered.then(|| zeros(params)),
        nu: params.map(|p| p.full_like(initial_scale)),
    };
    let name = if centered { "scale_by_stddev" } else { "scale_by_rms" };
    GradientTransformation::new(name, init, move |updates, state, _| {
        let mu = state.mu.as_ref().map(|mu| moment(updates, mu, decay));
        let nu = second_moment(updates, &state.nu, decay);
        let count = state.count.as_ref().map(plus_one);
        let corrected =
            |x: &Leaves| count.as_ref().map_or_else(|| x.clone(), |count| unbiased(x, decay, count));
        let square = match &mu {
            Some(mu) => corrected(&nu).zip([&corrected(mu)], |v, [m]| v - abs_sq(m)),
            None => corrected(&nu),
        };
        let out = updates.zip([&square], |g, [square]| options.divide(g, square));
        (out, Squares { count, mu, nu })
    })
}

/// Updates divided by their root mean square, `v_t = decay v + (1 - decay) g^2`, `u = g / sqrt(v_t + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_rms(0.75, 0.0, 0.0);
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Tieleman and Hinton, Lecture 6.5 (2012).
pub fn scale_by_rms(decay: f64, eps: f64, initial_scale: f64) -> GradientTransformation {
    scale_by_rms_with(RmsProp::of(decay, eps, initial_scale))
}

/// Updates divided by their standard deviation:
///
/// `m_t = decay m + (1 - decay) g`, `v_t = decay v + (1 - decay) g^2`, `u = g / sqrt(v_t - m_t^2 + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_stddev(0.5, 0.0, 0.0);
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Graves, Generating sequences with recurrent neural networks (2013).
pub fn scale_by_stddev(decay: f64, eps: f64, initial_scale: f64) -> GradientTransformation {
    scale_by_rms_with(RmsProp { centered: true, ..RmsProp::of(decay, eps, initial_scale) })
}

options! {
    /// The options of Adagrad.
    pub struct Adagrad {
        /// The initial sum of squares.
        initial_accumulator_value: f64 = 0.1,
        /// The number added under the root.
        eps: f64 = 1e-7,
    }
}

#[derive(Clone, Tree)]
struct SumOfSquares {
    sum_of_squares: Leaves,
}

/// Updates divided by the root of the sum of all squares so far, `s_t = s + g^2`, `u = g / sqrt(s_t + eps)`; zero
/// where `s_t` is zero.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Adagrad;
/// use jarrah_optim::transforms::scale_by_rss;
/// let t = scale_by_rss(Adagrad { initial_accumulator_value: 0.0, eps: 0.0 });
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Duchi, Hazan and Singer, Adaptive subgradient methods (2011).
pub fn scale_by_rss(options: Adagrad) -> GradientTransformation {
    let Adagrad { initial_accumulator_value, eps } = options;
    GradientTransformation::new(
        "scale_by_rss",
        move |params| SumOfSquares { sum_of_squares: params.map(|p| p.full_like(initial_accumulator_value)) },
        move |updates, state, _| {
            let sum_of_squares = updates.zip([&state.sum_of_squares], |g, [s]| abs_sq(g) + s);
            let scaled =
                updates.zip([&sum_of_squares], |g, [s]| where_(&s.gt(0.0), (s + eps).rsqrt(), 0.0) * g);
            (scaled, SumOfSquares { sum_of_squares })
        },
    )
}

#[derive(Clone, Tree)]
struct AdadeltaState {
    e_g: Leaves,
    e_x: Leaves,
}

/// Updates times the ratio of the root mean squares of earlier updates and gradients:
///
/// `e_t = rho e + (1 - rho) g^2`, `u = g sqrt(x + eps) / sqrt(e_t + eps)`, `x_t = rho x + (1 - rho) u^2`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_adadelta(0.75, 1.0);
/// let g = Array::scalar(2.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 2f32.sqrt()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zeiler, ADADELTA (2012).
pub fn scale_by_adadelta(rho: f64, eps: f64) -> GradientTransformation {
    GradientTransformation::new(
        "scale_by_adadelta",
        |params| AdadeltaState { e_g: zeros(params), e_x: zeros(params) },
        move |updates, state, _| {
            let square =
                |x: &Leaves, before: &Leaves| x.zip([before], |x, [e]| x.square() * (1.0 - rho) + e * rho);
            let e_g = square(updates, &state.e_g);
            let out = updates.zip([&e_g, &state.e_x], |g, [e, x]| (x + eps).sqrt() / (e + eps).sqrt() * g);
            let e_x = square(&out, &state.e_x);
            (out, AdadeltaState { e_g, e_x })
        },
    )
}
