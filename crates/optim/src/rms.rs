use jarrah_array::{Array, Tree, where_};

use crate::moments::{moment, second_moment};
use crate::{GradientTransformation, Leaves};

#[derive(Clone, Tree)]
struct Squares {
    nu: Leaves,
}

/// The options of RMSProp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmsProp {
    /// The decay of the averages.
    pub decay: f64,
    /// The number added under the root.
    pub eps: f64,
    /// The initial average of squares.
    pub initial_scale: f64,
    /// Whether the average gradient is subtracted, so that the root is a standard deviation.
    pub centered: bool,
    /// The decay of the momentum, applied after the learning rate; `None` for no momentum.
    pub momentum: Option<f64>,
    /// Whether the momentum is Nesterov's.
    pub nesterov: bool,
}

impl Default for RmsProp {
    fn default() -> Self {
        RmsProp {
            decay: 0.9,
            eps: 1e-8,
            initial_scale: 0.0,
            centered: false,
            momentum: None,
            nesterov: false,
        }
    }
}

/// Updates divided by their root mean square, `v_t = decay v + (1 - decay) g^2`, `u = g / sqrt(v_t + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::scale_by_rms(0.75, 0.0, 0.0);
/// let g = Array::scalar(4.0f32);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Tieleman and Hinton, Lecture 6.5 (2012).
pub fn scale_by_rms(decay: f64, eps: f64, initial_scale: f64) -> GradientTransformation {
    GradientTransformation::new(
        "scale_by_rms",
        move |params| Squares { nu: filled(params, initial_scale) },
        move |updates, state, _| {
            let nu = second_moment(updates, &state.nu, decay);
            (updates.zip([&nu], |g, [v]| g * (v + eps).rsqrt()), Squares { nu })
        },
    )
}

#[derive(Clone, Tree)]
struct Deviation {
    mu: Leaves,
    nu: Leaves,
}

/// Updates divided by their standard deviation:
///
/// `m_t = decay m + (1 - decay) g`, `v_t = decay v + (1 - decay) g^2`, `u = g / sqrt(v_t - m_t^2 + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::scale_by_stddev(0.5, 0.0, 0.0);
/// let g = Array::scalar(4.0f32);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Graves, Generating sequences with recurrent neural networks (2013).
pub fn scale_by_stddev(decay: f64, eps: f64, initial_scale: f64) -> GradientTransformation {
    GradientTransformation::new(
        "scale_by_stddev",
        move |params| Deviation { mu: params.map(Array::zeros_like), nu: filled(params, initial_scale) },
        move |updates, state, _| {
            let mu = moment(updates, &state.mu, decay);
            let nu = second_moment(updates, &state.nu, decay);
            let updates = updates.zip([&mu, &nu], |g, [m, v]| g * (v - m.square() + eps).rsqrt());
            (updates, Deviation { mu, nu })
        },
    )
}

/// The options of Adagrad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adagrad {
    /// The initial sum of squares.
    pub initial_accumulator_value: f64,
    /// The number added under the root.
    pub eps: f64,
}

impl Default for Adagrad {
    fn default() -> Self {
        Adagrad { initial_accumulator_value: 0.1, eps: 1e-7 }
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
/// use jarrah_optim::{Adagrad, scale_by_rss};
/// let t = scale_by_rss(Adagrad { initial_accumulator_value: 0.0, eps: 0.0 });
/// let g = Array::scalar(4.0f32);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Duchi, Hazan and Singer, Adaptive subgradient methods (2011).
pub fn scale_by_rss(options: Adagrad) -> GradientTransformation {
    let Adagrad { initial_accumulator_value, eps } = options;
    GradientTransformation::new(
        "scale_by_rss",
        move |params| SumOfSquares { sum_of_squares: filled(params, initial_accumulator_value) },
        move |updates, state, _| {
            let sum_of_squares = updates.zip([&state.sum_of_squares], |g, [s]| g.square() + s);
            let scaled =
                updates.zip([&sum_of_squares], |g, [s]| where_(&s.gt(0.0), (s + eps).rsqrt(), 0.0) * g);
            (scaled, SumOfSquares { sum_of_squares })
        },
    )
}

fn filled(params: &Leaves, value: f64) -> Leaves {
    params.map(|p| Array::full(&p.shape(), value, p.dtype()))
}
