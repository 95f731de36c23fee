//! Wrappers that let an update through, or not.

use jarrah_array::{Array, Result, Tree, where_};

use crate::loss_scale::all_finite;
use crate::moments::{plus_one, start};
use crate::{Extra, GradientTransformation, Leaves};

#[derive(Clone, Tree)]
struct FiniteState {
    notfinite_count: Array,
    last_finite: Array,
    total_notfinite: Array,
    inner_state: Leaves,
}

/// `inner`, but where an element of a gradient is not finite, updates are zeros and the state of `inner` stays; after more than
/// `max_consecutive_errors` such steps in a row, updates are made all the same.
///
/// The state has `notfinite_count` (in a row), `last_finite`, `total_notfinite` and `inner_state`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Sgd, sgd};
/// use jarrah_optim::transforms::apply_if_finite;
/// let t = apply_if_finite(sgd(1.0, Sgd::default()), 5);
/// let g = Array::scalar(f32::NAN);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn apply_if_finite(
    inner: GradientTransformation,
    max_consecutive_errors: usize,
) -> GradientTransformation {
    let first = inner.clone();
    GradientTransformation::with_extra(
        "apply_if_finite",
        move |params: &Leaves| FiniteState {
            notfinite_count: start().count,
            last_finite: Array::scalar(true),
            total_notfinite: start().count,
            inner_state: first.start(params),
        },
        move |updates, state, params, extra| {
            let finite = all_finite(updates);
            let in_a_row = where_(&finite, 0, plus_one(&state.notfinite_count));
            let go = &finite | in_a_row.gt(max_consecutive_errors as i64);
            let (out, after) = inner.step(updates, &state.inner_state, params, extra)?;
            let total = where_(&finite, &state.total_notfinite, plus_one(&state.total_notfinite));
            let state = FiniteState {
                notfinite_count: in_a_row,
                last_finite: finite,
                total_notfinite: total,
                inner_state: after.or(&go, &state.inner_state),
            };
            Ok((out.map(|u| where_(&go, u, u.zeros_like())), state))
        },
    )
}

#[derive(Clone, Tree)]
struct StepState {
    step: Array,
    inner_state: Leaves,
}

/// `inner` at the steps where `condition(step, extra)` holds, a truth value; at the others updates pass unchanged, and the state of `inner`
/// stays.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::{conditionally_transform, scale};
/// let t = conditionally_transform(scale(2.0), |step, _| Ok(step.lt(1)));
/// let g = Array::scalar(1.0);
/// let (first, state) = t.update(&g, &t.init(&g), &g);
/// let (second, _) = t.update(&g, &state, &g);
/// assert_eq!((first.item::<f32>()?, second.item::<f32>()?), (2.0, 1.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn conditionally_transform(
    inner: GradientTransformation,
    condition: impl Fn(&Array, &Extra<'_>) -> Result<Array> + Send + Sync + 'static,
) -> GradientTransformation {
    conditionally("conditionally_transform", inner, condition, |g| g.clone())
}

/// As [`conditionally_transform`], but updates of the other steps are zeros.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Extra;
/// use jarrah_optim::transforms::{conditionally_mask, scale};
/// let t = conditionally_mask(scale(2.0), |_, extra| Ok(extra.needed("value")?.gt(0.5)));
/// let g = Array::scalar(1.0);
/// let extra = Extra::new().value(&Array::scalar(0.1));
/// assert_eq!(t.update_with(&g, &t.init(&g), &g, &extra).0.item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn conditionally_mask(
    inner: GradientTransformation,
    condition: impl Fn(&Array, &Extra<'_>) -> Result<Array> + Send + Sync + 'static,
) -> GradientTransformation {
    conditionally("conditionally_mask", inner, condition, Array::zeros_like)
}

fn conditionally(
    name: &'static str,
    inner: GradientTransformation,
    condition: impl Fn(&Array, &Extra<'_>) -> Result<Array> + Send + Sync + 'static,
    otherwise: fn(&Array) -> Array,
) -> GradientTransformation {
    let first = inner.clone();
    GradientTransformation::with_extra(
        name,
        move |params: &Leaves| StepState { step: start().count, inner_state: first.start(params) },
        move |updates, state, params, extra| {
            let go = condition(&state.step, extra)?;
            let (out, after) = inner.step(updates, &state.inner_state, params, extra)?;
            let inner_state = after.or(&go, &state.inner_state);
            let out = out.zip([updates], |u, [g]| where_(&go, u, otherwise(g)));
            Ok((out, StepState { step: plus_one(&state.step), inner_state }))
        },
    )
}
