use jarrah_array::{Array, Tree, where_};

use crate::moments::{moment, plus_one, start, zeros};
use crate::options::options;
use crate::{GradientTransformation, Leaves};

/// How Lion bounds its update.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LionMode {
    /// `sign(x)`.
    Hard,
    /// `tanh(beta x)`.
    Smooth(f64),
    /// `x` where its magnitude is below 1, else `sign(x)`.
    Refined,
}

options! {
    /// The options of Lion.
    pub struct Lion {
        /// The weight of the average gradient in the update.
        b1: f64 = 0.9,
        /// The decay of the average gradient.
        b2: f64 = 0.99,
        /// How the update is bounded.
        mode: LionMode = LionMode::Hard,
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
/// use jarrah_optim::Lion;
/// use jarrah_optim::transforms::scale_by_lion;
/// let t = scale_by_lion(Lion::default());
/// let g = Array::scalar(-4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, -1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Chen et al., Symbolic discovery of optimization algorithms (2023).
pub fn scale_by_lion(options: Lion) -> GradientTransformation {
    let Lion { b1, b2, mode } = options;
    GradientTransformation::new(
        "scale_by_lion",
        |params| LionState { count: start().count, mu: zeros(params) },
        move |updates, state, _| {
            let bounded = updates.zip([&state.mu], |g, [m]| {
                let x = g * (1.0 - b1) + m * b1;
                match mode {
                    LionMode::Hard => x.sign(),
                    LionMode::Smooth(beta) => (x * beta).tanh(),
                    LionMode::Refined => where_(&x.abs().lt(1.0), &x, x.sign()),
                }
            });
            let mu = moment(updates, &state.mu, b2);
            (bounded, LionState { count: plus_one(&state.count), mu })
        },
    )
}

/// The sign of the updates, `u = sign(g)`; of a complex number its direction.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_sign();
/// let g = Array::from_slice(&[-3.0f32, 0.0]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [-1.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Bernstein et al., signSGD (2018).
pub fn scale_by_sign() -> GradientTransformation {
    GradientTransformation::stateless("scale_by_sign", |updates, _| updates.map(Array::sign))
}

options! {
    /// The options of Rprop.
    pub struct Rprop {
        /// The factor on a step size where the sign of the gradient has changed.
        eta_minus: f64 = 0.5,
        /// The factor on a step size where the sign of the gradient has stayed.
        eta_plus: f64 = 1.2,
        /// The least step size.
        min_step_size: f64 = 1e-6,
        /// The largest step size.
        max_step_size: f64 = 50.0,
    }
}

#[derive(Clone, Tree)]
struct RpropState {
    step_sizes: Leaves,
    prev_updates: Leaves,
}

/// Steps whose sizes follow the sign of the gradient only: each element's size grows while the sign stays, and shrinks where it changes,
/// where the element also rests for a step. As in Optax, a step is taken one update after its gradient; the first update is zero.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Rprop;
/// use jarrah_optim::transforms::scale_by_rprop;
/// let t = scale_by_rprop(0.5, Rprop::default());
/// let g = Array::scalar(4.0);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// let (u, _) = t.update(&g, &state, &g);
/// assert_eq!(u.item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Riedmiller and Braun, A direct adaptive method for faster backpropagation learning (1993); Igel and Hüsken, iRprop- (2003).
pub fn scale_by_rprop(learning_rate: f64, options: Rprop) -> GradientTransformation {
    let Rprop { eta_minus, eta_plus, min_step_size, max_step_size } = options;
    GradientTransformation::new(
        "scale_by_rprop",
        move |params| RpropState {
            step_sizes: params.map(|p| p.full_like(learning_rate)),
            prev_updates: zeros(params),
        },
        move |updates, state, _| {
            let agreement = updates.zip([&state.prev_updates], |g, [before]| g * before);
            let step_sizes = agreement.zip([&state.step_sizes], |s, [size]| {
                let factor = where_(&s.gt(0.0), s.full_like(eta_plus), eta_minus);
                where_(&s.eq(0.0), size, (size * factor).clip(min_step_size, max_step_size))
            });
            let prev_updates = agreement.zip([updates, &step_sizes], |s, [g, size]| {
                where_(&s.lt(0.0), g.zeros_like(), size * g.sign())
            });
            let out = agreement.zip([&state.prev_updates], |s, [u]| where_(&s.lt(0.0), u.zeros_like(), u));
            (out, RpropState { step_sizes, prev_updates })
        },
    )
}
