use jarrah_array::{Array, Tree, where_};

use crate::accumulate::steps;
use crate::moments::start;
use crate::{GradientTransformation, Leaves};

#[derive(Clone, Tree)]
struct State {
    fast_state: Leaves,
    steps_since_sync: Array,
    slow: Leaves,
}

/// `fast` with a second set of parameters that follows slowly: after each `sync_period` steps `slow += slow_step_size (fast - slow)`, and the
/// parameters start again from there. With `reset_state`, so does the state of `fast`.
///
/// The slow parameters, which are those to evaluate with, are `slow` in the state.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Sgd, apply_updates, sgd};
/// use jarrah_optim::transforms::lookahead;
/// let t = lookahead(sgd(1.0, Sgd::default()), 1, 0.5, false);
/// let p = Array::scalar(4.0);
/// let (u, _) = t.update(&Array::scalar(2.0), &t.init(&p), &p);
/// assert_eq!(apply_updates(&p, &u).item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhang et al., Lookahead optimizer: k steps forward, 1 step back (2019).
#[track_caller]
pub fn lookahead(
    fast: GradientTransformation,
    sync_period: usize,
    slow_step_size: f64,
    reset_state: bool,
) -> GradientTransformation {
    let period = steps(sync_period, "lookahead");
    let first = fast.clone();
    GradientTransformation::with_extra(
        "lookahead",
        move |params: &Leaves| State {
            fast_state: first.start(params),
            steps_since_sync: start().count,
            // A copy: the state may be donated beside the parameters.
            slow: params.map(copied),
        },
        move |updates, state, params, extra| {
            let (updates, mut fast_state) = fast.step(updates, &state.fast_state, params, extra)?;
            let sync = state.steps_since_sync.eq(period - 1);
            let ahead = params.zip([&updates, &state.slow], |p, [u, slow]| p + u - slow);
            let slow = state.slow.zip([&ahead], |slow, [ahead]| {
                where_(&sync, slow + ahead * slow_step_size, slow).astype(slow.dtype())
            });
            let out =
                updates.zip([&ahead], |u, [ahead]| where_(&sync, u - ahead * (1.0 - slow_step_size), u));
            if reset_state {
                fast_state = fast.start(params).or(&sync, &fast_state);
            }
            let steps_since_sync = (&state.steps_since_sync + 1) % period;
            Ok((out, State { fast_state, steps_since_sync, slow }))
        },
    )
}

/// A copy of the array in a buffer of its own.
pub(crate) fn copied(x: &Array) -> Array {
    if x.dtype().is_differentiable() { x * 1.0 } else { x + 0 }
}
