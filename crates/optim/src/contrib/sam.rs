use jarrah_array::{Array, Error, Tree, fail, value_and_grad, where_};

use crate::accumulate::steps;
use crate::lookahead::copied;
use crate::moments::start;
use crate::tree::{self, NormOrder};
use crate::{GradientTransformation, Leaves};

/// Updates over their global norm.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::contrib::normalize();
/// let g = Array::from_slice(&[3.0f32, 4.0]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [0.6, 0.8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn normalize() -> GradientTransformation {
    GradientTransformation::stateless("normalize", |updates, _| {
        let norm = tree::norm(updates, NormOrder::Two);
        updates.map(|g| g / &norm)
    })
}

#[derive(Clone, Tree)]
struct State {
    steps_since_sync: Array,
    opt_state: Leaves,
    adv_state: Leaves,
    cache: Option<Leaves>,
}

/// Sharpness-aware minimization: for `sync_period - 1` steps the parameters climb by `ascent`, then `optimizer` makes its step from where
/// they were, with the gradient of where they are. With `reset_state`, the state of `ascent` begins anew after each period.
///
/// The parameters between are those of the climb; where that is in the way, [`opaque_sam`] climbs within one update.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Sgd, chain, contrib::{normalize, sam}, sgd};
/// let ascent = chain([normalize(), sgd(0.05, Sgd::default())]);
/// let t = sam(sgd(0.1, Sgd::default()), ascent, 2, true);
/// let g = Array::scalar(4.0);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<f32>()?, 0.05);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Foret et al., Sharpness-aware minimization for efficiently improving generalization (2020).
#[track_caller]
pub fn sam(
    optimizer: GradientTransformation,
    ascent: GradientTransformation,
    sync_period: usize,
    reset_state: bool,
) -> GradientTransformation {
    let period = steps(sync_period, "sam");
    let (first, climb) = (optimizer.clone(), ascent.clone());
    let init = move |params: &Leaves| State {
        steps_since_sync: start().count,
        opt_state: first.start(params),
        adv_state: climb.start(params),
        cache: Some(params.map(copied)),
    };
    GradientTransformation::with_extra("sam", init, move |updates, state, params, extra| {
        let Some(cache) = &state.cache else { return Err(Error::internal("the state has no parameters")) };
        let first = state.steps_since_sync.eq(0);
        let last = state.steps_since_sync.eq(period - 1);
        let (up, adv_state) = ascent.step(updates, &state.adv_state, params, extra)?;
        let (down, opt_state) = optimizer.step(updates, &state.opt_state, cache, extra)?;
        let down = cache.zip([params, &down], |c, [p, u]| c - p + u);
        let out = down.zip([&up], |down, [up]| where_(&last, down, -up));
        let again = if reset_state { ascent.start(params) } else { state.adv_state.clone() };
        let state = State {
            steps_since_sync: (&state.steps_since_sync + 1) % period,
            opt_state: opt_state.or(&last, &state.opt_state),
            adv_state: again.or(&last, &adv_state),
            cache: Some(params.or(&first, cache)),
        };
        Ok((out, state))
    })
}

/// As [`sam`], but each update climbs by itself, with gradients of the `value_fn` that it is given.
///
/// ```
/// use jarrah_array::{Array, grad};
/// use jarrah_optim::{Extra, Sgd, contrib::opaque_sam, sgd};
/// let t = opaque_sam(sgd(0.1, Sgd::default()), sgd(0.5, Sgd::default()), 2, true);
/// let loss = |p: &Array| p.square().sum(..);
/// let p = Array::scalar(1.0);
/// let (u, _) = t.update_with(&grad(loss)(&p), &t.init(&p), &p, &Extra::new().value_fn(loss));
/// assert_eq!(u.item::<f32>()?, -0.4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Foret et al., Sharpness-aware minimization for efficiently improving generalization (2020).
#[track_caller]
pub fn opaque_sam(
    optimizer: GradientTransformation,
    ascent: GradientTransformation,
    sync_period: usize,
    reset_state: bool,
) -> GradientTransformation {
    if sync_period == 0 {
        fail(Error::program("0 is no number of steps").op("opaque_sam").help("give a number from 1 on"));
    }
    let (first, climb) = (optimizer.clone(), ascent.clone());
    let init = move |params: &Leaves| State {
        steps_since_sync: start().count,
        opt_state: first.start(params),
        adv_state: climb.start(params),
        cache: None,
    };
    GradientTransformation::with_extra("opaque_sam", init, move |updates, state, params, extra| {
        let loss = extra.needed_fn()?;
        let (mut at, mut slope, mut adv_state) = (params.clone(), updates.clone(), state.adv_state.clone());
        for _ in 1..sync_period {
            let (up, next) = ascent.step(&slope, &adv_state, &at, extra)?;
            at = at.zip([&up], |p, [u]| (p - u).astype(p.dtype()));
            slope = value_and_grad(loss)(&at).1;
            adv_state = next;
        }
        if reset_state {
            adv_state = ascent.start(params);
        }
        let (out, opt_state) = optimizer.step(&slope, &state.opt_state, params, extra)?;
        Ok((out, State { steps_since_sync: start().count, opt_state, adv_state, cache: None }))
    })
}
