use jarrah_array::{Array, Error, Location, Tree, fail};

use crate::moments::{moment, plus_one, start, unbiased, zeros};
use crate::schedules::Kind;
use crate::{GradientTransformation, Leaves, Schedule};

#[derive(Clone, Tree)]
struct Trace {
    /// Where the decay is a function of the count.
    count: Option<Array>,
    trace: Leaves,
}

/// A decaying sum of updates, momentum: `t_t = g + decay t`, `u = t_t`, or with `nesterov` `u = g + decay t_t`.
///
/// The decay is a number, an array or a [`Schedule`], which counts the updates in the state.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::trace(0.5, false);
/// let g = Array::scalar(2.0);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert_eq!(t.update(&g, &state, &g).0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Sutskever et al., On the importance of initialization and momentum in deep learning (2013).
pub fn trace(decay: impl Into<Schedule>, nesterov: bool) -> GradientTransformation {
    let decay = decay.into();
    let counted = matches!(decay.kind(), Kind::Function(_));
    GradientTransformation::new(
        "trace",
        move |params| Trace { count: counted.then(|| start().count), trace: zeros(params) },
        move |updates, state, _| {
            let decay = decay.rate(state.count.as_ref().unwrap_or(&start().count));
            let add = |sum: &Leaves| updates.zip([sum], |g, [t]| g + decay.times(t));
            let trace = add(&state.trace);
            let updates = if nesterov { add(&trace) } else { trace.clone() };
            (updates, Trace { count: state.count.as_ref().map(plus_one), trace })
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
/// let t = jarrah_optim::transforms::ema(0.9, true);
/// let g = Array::scalar(2.0);
/// assert!((t.update(&g, &t.init(&g), &g).0.item::<f32>()? - 2.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam (2014), section 3.
pub fn ema(decay: f64, debias: bool) -> GradientTransformation {
    GradientTransformation::new(
        "ema",
        |params| Ema { count: start().count, ema: zeros(params) },
        move |updates, state, _| {
            let ema = moment(updates, &state.ema, decay);
            let count = plus_one(&state.count);
            let updates = if debias { unbiased(&ema, decay, &count) } else { ema.clone() };
            (updates, Ema { count, ema })
        },
    )
}

#[derive(Clone, Tree)]
struct ApplyEvery {
    count: Array,
    grad_acc: Leaves,
}

/// The sum of `k` updates at every `k`-th step, zeros at the others.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::apply_every(2);
/// let g = Array::scalar(3.0);
/// let (first, state) = t.update(&g, &t.init(&g), &g);
/// let (second, _) = t.update(&g, &state, &g);
/// assert_eq!((first.item::<f32>()?, second.item::<f32>()?), (0.0, 6.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// [`crate::transforms::multi_steps`] also holds the inner optimizer back, and averages.
#[track_caller]
pub fn apply_every(k: usize) -> GradientTransformation {
    let k = steps(k, "apply_every");
    GradientTransformation::new(
        "apply_every",
        |params| ApplyEvery { count: start().count, grad_acc: zeros(params) },
        move |updates, state, _| {
            let goes_on = state.count.ne(0);
            let grad_acc = updates.zip([&state.grad_acc], |g, [sum]| goes_on.astype(sum.dtype()) * sum + g);
            let emit = state.count.eq(k - 1);
            let out = grad_acc.map(|sum| emit.astype(sum.dtype()) * sum);
            (out, ApplyEvery { count: plus_one(&state.count) % k, grad_acc })
        },
    )
}

/// A number of steps as an `i32`, the type of counts. Panics unless it is between 1 and the largest `i32`.
#[track_caller]
pub(crate) fn steps(k: usize, op: &'static str) -> i32 {
    match i32::try_from(k) {
        Ok(k) if k > 0 => k,
        _ => {
            let error = Error::program(format!("{k} is no number of steps")).op(op);
            fail(error.help("give a number from 1 to 2147483647").at(Location::caller()))
        }
    }
}
