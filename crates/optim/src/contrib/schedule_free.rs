use jarrah_array::{Array, DType, Error, Tree, fail, where_};

use crate::lookahead::copied;
use crate::moments::plus_one;
use crate::options::options;
use crate::schedules::warmup_constant;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate, scale_by_rms_with};
use crate::{Adam, GradientTransformation, Leaves, Mask, RmsProp, Schedule, Sgd, chain, sgd, tree};

options! {
    /// The options of schedule-free averaging.
    pub struct ScheduleFree {
        /// How far the parameters are towards the average.
        b1: f64 = 0.9,
        /// The weight of a step is its largest learning rate so far to this power.
        weight_lr_power: f64 = 2.0,
        /// The dtype of `z`; `None` for that of the parameters.
        state_dtype: Option<DType> = None,
    }
}

#[derive(Clone, Tree)]
struct State {
    b1: Array,
    weight_sum: Array,
    step_count: Array,
    max_lr: Array,
    base_optimizer_state: Leaves,
    z: Leaves,
}

/// `inner` without a schedule: the parameters `y` are between its iterates `z` and their average `x`, which is evaluated:
///
/// `z_t = z + u`, `x_t = (1 - c) x + c z_t` with `c = w / sum of all w`, `y_t = b1 x_t + (1 - b1) z_t`, where `u` is the update of `inner` for
/// the gradient at `y`, and `w = (largest lr)^weight_lr_power`.
///
/// `inner` has no momentum, `learning_rate` is its learning rate. [`schedule_free_eval_params`] gives `x`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Sgd, apply_updates, contrib::{ScheduleFree, schedule_free, schedule_free_eval_params}, sgd};
/// let t = schedule_free(sgd(0.5, Sgd::default()), 0.5, ScheduleFree::default());
/// let p = Array::scalar(2.0);
/// let (u, state) = t.update(&Array::scalar(2.0), &t.init(&p), &p);
/// let x = schedule_free_eval_params(&state, &apply_updates(&p, &u));
/// assert!((x.item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Defazio et al., The road less scheduled (2024).
pub fn schedule_free(
    inner: GradientTransformation,
    learning_rate: impl Into<Schedule>,
    options: ScheduleFree,
) -> GradientTransformation {
    let ScheduleFree { b1, weight_lr_power, state_dtype } = options;
    let (first, learning_rate) = (inner.clone(), learning_rate.into());
    let init = move |params: &Leaves| {
        let dtype = tree::dtype(params, false);
        State {
            b1: super::number(b1, dtype),
            weight_sum: super::number(0.0, dtype),
            step_count: Array::scalar(1i32),
            max_lr: super::number(0.0, dtype),
            base_optimizer_state: first.start(params),
            z: params.map(|p| state_dtype.map_or_else(|| copied(p), |dtype| copied(&p.astype(dtype)))),
        }
    };
    GradientTransformation::with_extra("schedule_free", init, move |updates, state, params, extra| {
        let rate = super::rate(&learning_rate, &state.step_count, state.max_lr.dtype());
        let max_lr = state.max_lr.maximum(rate);
        let weight = max_lr.pow(weight_lr_power);
        let weight_sum = &state.weight_sum + &weight;
        // Zero of zero, while the learning rate is still zero, counts as zero.
        let c = where_(&weight_sum.eq(0.0), weight.zeros_like(), &weight / &weight_sum);
        let (steps, base_optimizer_state) =
            inner.step(updates, &state.base_optimizer_state, params, extra)?;
        let z = state.z.zip([&steps], |z, [u]| (z + u).astype(z.dtype()));
        let out = params.zip([&state.z, &z], |y, [before, z]| {
            let x = (y - before * (1.0 - b1)) / b1;
            let x = (1.0 - &c) * x + &c * z;
            x * b1 + z * (1.0 - b1) - y
        });
        let state = State {
            b1: state.b1.clone(),
            weight_sum,
            step_count: plus_one(&state.step_count),
            max_lr,
            base_optimizer_state,
            z,
        };
        Ok((out, state))
    })
}

/// The averaged parameters of [`schedule_free`], `x = (y - (1 - b1) z) / b1`, from its state and parameters.
///
/// Panics if the state is that of another transformation.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{ScheduleFree, schedule_free_eval_params, schedule_free_sgd};
/// let optimizer = schedule_free_sgd(0.5, None, None, ScheduleFree::default());
/// let p = Array::scalar(2.0);
/// // Before the first step, the average is where the parameters are.
/// let x = schedule_free_eval_params(&optimizer.init(&p), &p);
/// assert!((x.item::<f32>()? - 2.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn schedule_free_eval_params<P: Tree<Array>>(state: &Leaves, params: &P) -> P {
    let (b1, z) = (state.below("b1"), state.below("z"));
    let Some(b1) = b1.arrays().first() else {
        let error = Error::program("the state is not that of schedule_free").op("schedule_free_eval_params");
        fail(
            error.help(
                "give the state that its init or update returned; in a chain, the part with the field `z`",
            ),
        )
    };
    let z = z.restore(params);
    tree::pairs("schedule_free_eval_params", params, &z, |y, z| (y - (1.0 - b1) * z) / b1)
}

/// The learning rate, after `warmup_steps` in which it grows.
fn warmed(learning_rate: f64, warmup_steps: Option<usize>) -> Schedule {
    warmup_steps.map_or(learning_rate.into(), |steps| warmup_constant(0.0, learning_rate, steps))
}

/// Schedule-free SGD, without momentum of its own.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = schedule_free_sgd(0.1, None, None, ScheduleFree::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Defazio et al., The road less scheduled (2024).
pub fn schedule_free_sgd(
    learning_rate: f64,
    warmup_steps: Option<usize>,
    weight_decay: Option<f64>,
    options: ScheduleFree,
) -> GradientTransformation {
    let rate = warmed(learning_rate, warmup_steps);
    let descent = sgd(rate.clone(), Sgd::default());
    let inner = match weight_decay {
        Some(decay) => chain([add_decayed_weights(decay, Mask::all()), descent]),
        None => descent,
    };
    schedule_free(inner, rate, options)
}

/// Schedule-free AdamW: of `adam`, `b2` and `eps` are used.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = schedule_free_adamw(0.1, None, Adam::default(), 0.0, ScheduleFree::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Defazio et al., The road less scheduled (2024).
pub fn schedule_free_adamw(
    learning_rate: f64,
    warmup_steps: Option<usize>,
    adam: Adam,
    weight_decay: f64,
    options: ScheduleFree,
) -> GradientTransformation {
    let rate = warmed(learning_rate, warmup_steps);
    let rms = RmsProp {
        decay: adam.b2,
        eps: adam.eps,
        eps_in_sqrt: false,
        bias_correction: true,
        ..RmsProp::default()
    };
    let inner = chain([
        scale_by_rms_with(rms),
        add_decayed_weights(weight_decay, Mask::all()),
        scale_by_learning_rate(rate.clone()),
    ]);
    schedule_free(inner, rate, options)
}
