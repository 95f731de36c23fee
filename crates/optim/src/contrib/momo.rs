use jarrah_array::{Array, DType, Tree, where_};

use crate::moments::{plus_one, start, zeros};
use crate::options::options;
use crate::{GradientTransformation, Leaves, Schedule, tree};

options! {
    /// The options of MoMo.
    pub struct Momo {
        /// The decay of the averages.
        beta: f64 = 0.9,
        /// The least value that the loss can have.
        lower_bound: f64 = 0.0,
        /// The weight decay.
        weight_decay: f64 = 0.0,
        /// Whether the least value is estimated on the way.
        adapt_lower_bound: bool = false,
    }
}

#[derive(Clone, Tree)]
struct MomoState {
    exp_avg: Leaves,
    barf: Array,
    gamma: Array,
    lb: Array,
    count: Array,
}

/// Momentum whose step is as long as a model of the loss says, at most the learning rate: with averages `f` of values, `m` of gradients and
/// `c` of `<g, p>`, `tau = min(lr, max((1 + lr wd)(f - lower_bound - c) + <m, p>, 0) / |m|^2)`, `u = -lr wd / (1 + lr wd) p - tau m`.
///
/// Needs the `value` of the loss; the learning rate is as a rule 1.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Extra, contrib::{Momo, momo}};
/// let t = momo(1.0, Momo::default());
/// let (p, g) = (Array::scalar(2.0), Array::scalar(4.0));
/// let extra = Extra::new().value(&Array::scalar(4.0));
/// assert_eq!(t.update_with(&g, &t.init(&p), &p, &extra).0.item::<f32>()?, -1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Schaipp et al., MoMo: momentum models for adaptive learning rates (2023).
pub fn momo(learning_rate: impl Into<Schedule>, options: Momo) -> GradientTransformation {
    let Momo { beta, lower_bound, weight_decay, adapt_lower_bound } = options;
    let learning_rate = learning_rate.into();
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        MomoState {
            exp_avg: zeros(params),
            barf: super::number(0.0, dtype),
            gamma: super::number(0.0, dtype),
            lb: super::number(lower_bound, dtype),
            count: start().count,
        }
    };
    GradientTransformation::with_extra("momo", init, move |updates, state, params, extra| {
        let dtype = state.barf.dtype();
        let decay = where_(&state.count.eq(0), super::number(0.0, dtype), beta);
        let average = |before: &Array, now: Array| before * &decay + now * (1.0 - &decay);
        let barf = average(&state.barf, extra.needed("value")?.astype(dtype));
        let exp_avg = state.exp_avg.zip([updates], |m, [g]| average(m, g.clone()));
        let gamma = average(&state.gamma, tree::vdot(updates, params));
        let square = tree::squared_norm(&exp_avg);
        let along = tree::vdot(&exp_avg, params);
        let rate = super::rate(&learning_rate, &state.count, dtype);
        let shrink = &rate * weight_decay + 1.0;
        let bound = match adapt_lower_bound {
            true => {
                let cap = &shrink * (&barf - &gamma) + &along;
                let lower = (&cap / (&shrink * 2.0)).maximum(lower_bound);
                where_(&cap.lt(&shrink * &state.lb), lower, &state.lb)
            }
            false => state.lb.clone(),
        };
        let step = (&shrink * (&barf - bound - &gamma) + &along).maximum(0.0) / &square;
        let step = where_(&square.le(epsilon(dtype)), step.zeros_like(), step).minimum(&rate);
        let out = exp_avg.zip([params], |m, [p]| p * (-(&rate * weight_decay) / &shrink) - m * &step);
        let lb = match adapt_lower_bound {
            true => (&barf + &along - &gamma - &step * 0.5 * square).maximum(lower_bound),
            false => state.lb.clone(),
        };
        Ok((out, MomoState { exp_avg, barf, gamma, lb, count: plus_one(&state.count) }))
    })
}

/// The machine epsilon of the arithmetic.
fn epsilon(dtype: DType) -> f64 {
    if dtype == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

options! {
    /// The options of MoMo-Adam.
    pub struct MomoAdam {
        /// The decay of the average gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared gradient.
        b2: f64 = 0.999,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The least value that the loss can have.
        lower_bound: f64 = 0.0,
        /// The weight decay.
        weight_decay: f64 = 0.0,
        /// Whether the least value is estimated on the way.
        adapt_lower_bound: bool = false,
    }
}

#[derive(Clone, Tree)]
struct MomoAdamState {
    exp_avg: Leaves,
    exp_avg_sq: Leaves,
    barf: Array,
    gamma: Array,
    lb: Array,
    count: Array,
}

/// Adam whose step is as long as a model of the loss says: [`momo`] with the norm that Adam's root gives. Needs the `value` of the loss;
/// the learning rate is as a rule 0.01.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Extra, contrib::{MomoAdam, momo_adam}};
/// let t = momo_adam(0.25, MomoAdam::default());
/// let (p, g) = (Array::scalar(2.0), Array::scalar(4.0));
/// let extra = Extra::new().value(&Array::scalar(4.0));
/// assert!((t.update_with(&g, &t.init(&p), &p, &extra).0.item::<f32>()? + 0.25).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Schaipp et al., MoMo: momentum models for adaptive learning rates (2023).
pub fn momo_adam(learning_rate: impl Into<Schedule>, options: MomoAdam) -> GradientTransformation {
    let MomoAdam { b1, b2, eps, lower_bound, weight_decay, adapt_lower_bound } = options;
    let learning_rate = learning_rate.into();
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        MomoAdamState {
            exp_avg: zeros(params),
            exp_avg_sq: zeros(params),
            barf: super::number(0.0, dtype),
            gamma: super::number(0.0, dtype),
            lb: super::number(lower_bound, dtype),
            count: start().count,
        }
    };
    GradientTransformation::with_extra("momo_adam", init, move |updates, state, params, extra| {
        let dtype = state.barf.dtype();
        let count = plus_one(&state.count);
        let average = |before: &Array, now: Array| before * b1 + now * (1.0 - b1);
        let barf = average(&state.barf, extra.needed("value")?.astype(dtype));
        let exp_avg = state.exp_avg.zip([updates], |m, [g]| average(m, g.clone()));
        let exp_avg_sq = state.exp_avg_sq.zip([updates], |v, [g]| v * b2 + g * (1.0 - b2) * g);
        let [unbias1, unbias2] = [b1, b2].map(|b| super::one_minus_power(b, &count, dtype));
        let roots = exp_avg_sq.map(|v| (v / &unbias2).sqrt() + eps);
        let square = tree::vdot(&exp_avg, &tree::div(&exp_avg, &roots));
        let gamma = average(&state.gamma, tree::vdot(updates, params));
        let along = tree::vdot(&exp_avg, params);
        let rate = super::rate(&learning_rate, &state.count, dtype);
        let shrink = &rate * weight_decay + 1.0;
        let bound = match adapt_lower_bound {
            true => {
                let cap = &shrink * (&barf - &gamma) + &along;
                let lower = (&cap / (&unbias1 * 2.0 * &shrink)).maximum(lower_bound);
                where_(&cap.lt(&shrink * &unbias1 * &state.lb), lower, &state.lb)
            }
            false => state.lb.clone(),
        };
        let step = (&shrink * (&barf - &unbias1 * bound - &gamma) + &along).maximum(0.0) / &square;
        let step = where_(&square.le(epsilon(dtype)), step.zeros_like(), step).minimum(&rate / &unbias1);
        let out = exp_avg
            .zip([&roots, params], |m, [root, p]| p * (-(&rate * weight_decay) / &shrink) - m * &step / root);
        let lb = match adapt_lower_bound {
            true => ((&barf + &along - &gamma - &step * 0.5 * square) / &unbias1).maximum(lower_bound),
            false => state.lb.clone(),
        };
        Ok((out, MomoAdamState { exp_avg, exp_avg_sq, barf, gamma, lb, count }))
    })
}
