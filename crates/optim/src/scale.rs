use crate::moments::{increment, start};
use crate::{GradientTransformation, Schedule};

/// Updates times a number, `u = step_size g`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::scale(-0.1);
/// let g = Array::scalar(2.0f32);
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
/// use jarrah_optim::{linear, scale_by_schedule};
/// let t = scale_by_schedule(linear(1.0, 0.0, 4));
/// let g = Array::scalar(2.0f32);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// assert_eq!(t.update(&g, &state, &g).0.item::<f32>()?, 1.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn scale_by_schedule(schedule: impl Into<Schedule>) -> GradientTransformation {
    by_schedule("scale_by_schedule", schedule.into(), 1.0)
}

/// Updates times the negative learning rate, `u_t = -lr(t) g_t`: the last part of a chain, which makes it descend.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::scale_by_learning_rate(0.5);
/// let g = Array::scalar(2.0f32);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, -1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn scale_by_learning_rate(learning_rate: impl Into<Schedule>) -> GradientTransformation {
    let schedule = learning_rate.into();
    match schedule.value() {
        Some(rate) => scale(-rate),
        None => by_schedule("scale_by_learning_rate", schedule, -1.0),
    }
}

fn by_schedule(name: &'static str, schedule: Schedule, sign: f64) -> GradientTransformation {
    GradientTransformation::new(
        name,
        |_| start(),
        move |updates, state, _| {
            let step = schedule.at(&state.count);
            let step = if sign == 1.0 { step } else { step * sign };
            (updates.map(|g| g * step.astype(g.dtype())), increment(state))
        },
    )
}
