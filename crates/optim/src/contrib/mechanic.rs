use jarrah_array::{Array, Tree};

use crate::lookahead::copied;
use crate::moments::{plus_one, start};
use crate::options::options;
use crate::tree::{self, NormOrder};
use crate::{GradientTransformation, Leaves};

options! {
    /// The options of Mechanic.
    pub struct Mechanic {
        /// The weight decay, in relation to the norms of gradient and parameters.
        weight_decay: f64 = 0.01,
        /// The number added to denominators.
        eps: f64 = 1e-8,
        /// The first scale.
        s_init: f64 = 1e-6,
        /// The number of decays, `1 - 0.1^i`.
        num_betas: usize = 6,
    }
}

#[derive(Clone, Tree)]
struct State {
    base_optimizer_state: Leaves,
    count: Array,
    r: Array,
    m: Array,
    v: Array,
    s: Array,
    x0: Leaves,
}

/// `inner`, whose learning rate is found: the parameters are their start plus a scale times the sum of the updates of `inner`, and the scale
/// is the sum of bets, one for each decay `b`, on the inner product `h` of gradient and sum:
///
/// `m_t = max(b m, |h| + eps)`, `v_t = b^2 v + h^2`, `r_t = b r + clip(h, m) s`, `s_t = (s_init m_t / n + max(r_t, 0)) / (sqrt(v_t) + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Adam, adam, contrib::{Mechanic, mechanize}};
/// let t = mechanize(adam(1.0, Adam::default()), Mechanic::default());
/// let g = Array::scalar(4.0);
/// assert!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?.is_finite());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Cutkosky, Defazio and Mehta, Mechanic: a learning rate tuner (2023).
pub fn mechanize(inner: GradientTransformation, options: Mechanic) -> GradientTransformation {
    let Mechanic { weight_decay, eps, s_init, num_betas } = options;
    let first = inner.clone();
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        let vector = |value: f64| Array::full(&[num_betas], value, dtype);
        State {
            base_optimizer_state: first.start(params),
            count: start().count,
            r: vector(0.0),
            m: vector(0.0),
            v: vector(0.0),
            s: vector(s_init),
            x0: params.map(copied),
        }
    };
    GradientTransformation::with_extra("mechanize", init, move |updates, state, params, extra| {
        let (steps, base_optimizer_state) =
            inner.step(updates, &state.base_optimizer_state, params, extra)?;
        let first = state.count.eq(0);
        let x0 = params.or(&first, &state.x0);
        let sum = state.s.sum(..);
        let decay = &sum * weight_decay * tree::norm(updates, NormOrder::Two)
            / (tree::norm(params, NormOrder::Two) + eps);
        let decayed = tree::add_scale(updates, &decay, params);
        let before = params.zip([&x0], |p, [x0]| (x0 - p) / (&sum + eps));
        let delta = tree::sub(&before, &steps);
        let h = tree::vdot(&decayed, &before);
        let clipped = (state.m.ones_like() * &h).clip(-&state.m, &state.m);
        let betas: Vec<f64> = (1..=num_betas as i32).map(|i| 1.0 - 0.1f64.powi(i)).collect();
        let betas = Array::from_slice(&betas).astype(state.s.dtype());
        let m = (&betas * &state.m).maximum(h.abs() + eps);
        let v = betas.square() * &state.v + h.square();
        let r = &betas * &state.r + clipped * &state.s;
        let wealth = &m * (s_init / num_betas as f64) + r.maximum(0.0);
        let s = wealth / (v.sqrt() + eps);
        let scale = s.sum(..);
        let out = x0.zip([&delta, params], |x0, [delta, p]| x0 - delta * &scale - p);
        Ok((out, State { base_optimizer_state, count: plus_one(&state.count), r, m, v, s, x0 }))
    })
}
