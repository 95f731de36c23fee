use crate::moments::{increment, start};
use crate::schedules::{Kind, Rate};
use crate::{GradientTransformation, Leaves, Schedule};

/// Updates times a number, `u = step_size g`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale(-0.1);
/// let g = Array::scalar(2.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, -0.2);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn scale(step_size: f64) -> GradientTransformation {
    GradientTransformation::stateless("scale", move |updates, _| updates.map(|g| g * step_size))
}

/// Updates times a schedule, `u_t = s(t) g_t`, where `t` counts the earlier updates.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::schedules::linear;
/// use jarrah_optim::transforms::scale_by_schedule;
/// let t = scale_by_schedule(linear(1.0, 0.0, 4));
/// let g = Array::scalar(2.0);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert_eq!(t.update(&g, &state, &g).0.item::<f32>()?, 1.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn scale_by_schedule(schedule: impl Into<Schedule>) -> GradientTransformation {
    // A constant schedule counts as any other.
    let schedule = schedule.into();
    let counted = Schedule::new(move |count| schedule.at(count));
    scheduled("scale_by_schedule", counted, |updates, _, step| updates.map(|g| step.times(g)))
}

/// Updates times the negative learning rate, `u_t = -lr(t) g_t`: the last part of a chain, which makes it descend.
///
/// The learning rate is a number, an array or a [`Schedule`], which counts the updates in the state.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_learning_rate(0.5);
/// let g = Array::scalar(2.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, -1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn scale_by_learning_rate(learning_rate: impl Into<Schedule>) -> GradientTransformation {
    scheduled("scale_by_learning_rate", -learning_rate.into(), |updates, _, step| {
        updates.map(|g| step.times(g))
    })
}

/// A transformation `f(updates, params, value of the schedule)`, with a count in its state if the schedule needs one.
pub(crate) fn scheduled(
    name: &'static str,
    schedule: Schedule,
    f: impl Fn(&Leaves, &Leaves, &Rate) -> Leaves + Send + Sync + 'static,
) -> GradientTransformation {
    match schedule.kind() {
        Kind::Function(_) => GradientTransformation::new(
            name,
            |_| start(),
            move |updates, state, params| {
                (f(updates, params, &schedule.rate(&state.count)), increment(state))
            },
        ),
        _ => {
            let rate = schedule.rate(&start().count);
            GradientTransformation::stateless(name, move |updates, params| f(updates, params, &rate))
        }
    }
}
