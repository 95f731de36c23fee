use jarrah_array::{Array, DType, Tree};

use crate::lookahead::copied;
use crate::moments::{plus_one, start, zeros};
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain, tree};

#[derive(Clone, Tree)]
struct MadgradState {
    count: Array,
    grad_sum_sq: Leaves,
    s: Leaves,
    x0: Leaves,
}

/// Dual averaging with momentum: with `l = (lr + eps) sqrt(t)`, `v_t = v + l g^2`, `s_t = s + l g`, `z = x_0 - s_t / (cbrt(v_t) + eps)`,
/// parameters become `(1 - momentum) z + momentum p`. Descends by itself: no learning rate follows.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::contrib::scale_by_madgrad(1.0, 0.0, 0.0);
/// let g = Array::scalar(8.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? + 2.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Defazio and Jelassi, Adaptivity without compromise (2021).
pub fn scale_by_madgrad(
    learning_rate: impl Into<Schedule>,
    momentum: f64,
    eps: f64,
) -> GradientTransformation {
    let learning_rate = learning_rate.into();
    let init = |params: &Leaves| MadgradState {
        count: start().count,
        grad_sum_sq: zeros(params),
        s: zeros(params),
        x0: params.map(copied),
    };
    GradientTransformation::new("scale_by_madgrad", init, move |updates, state, params| {
        let wide = if tree::dtype(params, true) == DType::F64 { DType::F64 } else { DType::F32 };
        let rate = super::rate(&learning_rate, &state.count, wide) + eps;
        let weight = rate * (&state.count + 1).astype(wide).sqrt();
        let grad_sum_sq =
            state.grad_sum_sq.zip([updates], |v, [g]| v + (&weight * g.square()).astype(g.dtype()));
        let s = state.s.zip([updates], |s, [g]| s + (&weight * g).astype(g.dtype()));
        let out = params.zip([&state.x0, &s, &grad_sum_sq], |p, [x0, s, v]| {
            let z = x0 - s / (v.cbrt() + eps);
            z * (1.0 - momentum) + p * momentum - p
        });
        (out, MadgradState { count: plus_one(&state.count), grad_sum_sq, s, x0: state.x0.clone() })
    })
}

/// MADGRAD: weight decay, then [`scale_by_madgrad`]. Usual are a momentum of 0.9 and `eps = 1e-6`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = madgrad(0.1, 0.9, 0.0, 1e-6);
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Defazio and Jelassi, Adaptivity without compromise (2021).
pub fn madgrad(
    learning_rate: impl Into<Schedule>,
    momentum: f64,
    weight_decay: f64,
    eps: f64,
) -> GradientTransformation {
    chain([add_decayed_weights(weight_decay, Mask::all()), scale_by_madgrad(learning_rate, momentum, eps)])
}

#[derive(Clone, Tree)]
struct CocobState {
    init_particles: Leaves,
    cumulative_gradients: Leaves,
    scale: Leaves,
    subgradients: Leaves,
    reward: Leaves,
}

/// Steps as bets on a coin, for each element: with the largest gradient `L`, the sum of absolute gradients `G`, the reward `R` and the
/// negative sum of gradients `C`, parameters become `p_0 + C / (L max(G + L, alpha L)) (L + R)`. Descends by itself.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::contrib::scale_by_cocob(1.0, 1e-8);
/// let g = Array::scalar(2.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, -0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Orabona and Tommasi, Training deep networks without learning rates through coin betting (2017).
pub fn scale_by_cocob(alpha: f64, eps: f64) -> GradientTransformation {
    let init = move |params: &Leaves| CocobState {
        init_particles: params.map(copied),
        cumulative_gradients: zeros(params),
        scale: params.map(|p| p.full_like(eps)),
        subgradients: zeros(params),
        reward: zeros(params),
    };
    GradientTransformation::new("scale_by_cocob", init, move |updates, state, params| {
        let first = &state.init_particles;
        let scale = state.scale.zip([updates], |l, [g]| l.maximum(g.abs()));
        let subgradients = state.subgradients.zip([updates], |sum, [g]| sum + g.abs());
        let reward =
            state.reward.zip([updates, params, first], |r, [g, p, p0]| (r - g * (p - p0)).maximum(0.0));
        let cumulative_gradients = state.cumulative_gradients.zip([updates], |c, [g]| c - g);
        let bets = cumulative_gradients.zip([&scale, &subgradients, &reward], |c, [l, sum, r]| {
            c / (l * (sum + l).maximum(l * alpha)) * (l + r)
        });
        let out = params.zip([first, &bets], |p, [p0, bet]| -p + (p0 + bet));
        let state =
            CocobState { init_particles: first.clone(), cumulative_gradients, scale, subgradients, reward };
        (out, state)
    })
}

/// COCOB: weight decay, a learning rate, as a rule 1, then [`scale_by_cocob`], as a rule with `alpha = 100` and `eps = 1e-8`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = cocob(1.0, 100.0, 1e-8, 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Orabona and Tommasi (2017).
pub fn cocob(
    learning_rate: impl Into<Schedule>,
    alpha: f64,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let rate = scale_by_learning_rate(-learning_rate.into());
    chain([add_decayed_weights(weight_decay, mask), rate, scale_by_cocob(alpha, eps)])
}
