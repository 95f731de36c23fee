use std::cell::RefCell;

use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, cond, grad, jvp};

use crate::lookahead::copied;
use crate::moments::{moment, plus_one, start, unbiased, zeros};
use crate::options::options;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain, tree};

#[derive(Clone, Tree)]
struct ProbeState {
    key: Array,
}

/// An estimate of the diagonal of the Hessian of the `value_fn`, in place of the updates: `r (H r)` of a vector `r` of random signs.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_optim::{Extra, contrib::hutchinson_estimator_diag_hessian};
/// let t = hutchinson_estimator_diag_hessian(&Key::new(0));
/// let p = Array::from_slice(&[1.0f32, 2.0]);
/// let extra = Extra::new().value_fn(|p: &Array| (p * p * p).sum(..));
/// assert_eq!(t.update_with(&p, &t.init(&p), &p, &extra).0.to_vec::<f32>()?, [6.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hutchinson, A stochastic estimator of the trace of the influence matrix (1989).
pub fn hutchinson_estimator_diag_hessian(key: &Key) -> GradientTransformation {
    let key = key.clone();
    let generator = key.key_impl();
    GradientTransformation::with_extra(
        "hutchinson_estimator_diag_hessian",
        move |_| ProbeState { key: copied(key.words()) },
        move |_, state, params, extra| {
            let loss = extra.needed_fn()?;
            let (next, sample) = Key::wrap(state.key.clone(), generator).pair();
            let signs = tree::random_like(&sample, params, |key, p| key.rademacher_in(&p.shape(), p.dtype()));
            let (_, products) = jvp(grad(loss), params, &signs);
            Ok((tree::mul(&products, &signs), ProbeState { key: next.words().clone() }))
        },
    )
}

options! {
    /// The options of Sophia.
    pub struct Sophia {
        /// The decay of the average gradient.
        b1: f64 = 0.965,
        /// The decay of the average diagonal.
        b2: f64 = 0.99,
        /// The least number by which a gradient is divided.
        eps: f64 = 1e-8,
        /// The factor on the diagonal of the Hessian.
        gamma: f64 = 0.01,
        /// The bound of the elements of an update, if any.
        clip_threshold: Option<f64> = Some(1.0),
        /// The steps from one estimate of the diagonal to the next.
        update_interval: usize = 10,
    }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    mu: Leaves,
    nu: Leaves,
    hessian_fn_state: Leaves,
}

/// Average gradients over the average diagonal of the Hessian, clipped: `u = clip(m_t / (1 - b1^t) / max(gamma h, eps), clip_threshold)`,
/// where `h` averages what `hessian_diagonal` gives, as [`hutchinson_estimator_diag_hessian`] does, every `update_interval` steps.
///
/// Needs what `hessian_diagonal` needs.
///
/// ```
/// use jarrah_array::{Array, grad, random::Key};
/// use jarrah_optim::{Extra, contrib::{Sophia, hutchinson_estimator_diag_hessian, scale_by_sophia}};
/// let t = scale_by_sophia(Sophia::default(), hutchinson_estimator_diag_hessian(&Key::new(0)));
/// let loss = |p: &Array| p.square().sum(..);
/// let p = Array::scalar(3.0);
/// let (u, _) = t.update_with(&grad(loss)(&p), &t.init(&p), &p, &Extra::new().value_fn(loss));
/// assert_eq!(u.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Liu et al., Sophia: a scalable stochastic second-order optimizer for language model pre-training (2023).
#[track_caller]
pub fn scale_by_sophia(options: Sophia, hessian_diagonal: GradientTransformation) -> GradientTransformation {
    let Sophia { b1, b2, eps, gamma, clip_threshold, update_interval } = options;
    let interval = crate::accumulate::steps(update_interval, "scale_by_sophia");
    let first = hessian_diagonal.clone();
    let init = move |params: &Leaves| State {
        count: start().count,
        mu: zeros(params),
        nu: zeros(params),
        hessian_fn_state: first.start(params),
    };
    GradientTransformation::with_extra("scale_by_sophia", init, move |updates, state, params, extra| {
        let count = plus_one(&state.count);
        let mu = moment(updates, &state.mu, b1);
        let out = unbiased(&mu, b1, &count).zip([&state.nu], |m, [h]| {
            let u = m / (h * gamma).maximum(eps);
            clip_threshold.map_or(u.clone(), |bound| u.clip(-bound, bound))
        });
        let missing = RefCell::new(None);
        let rest = || (state.hessian_fn_state.clone(), state.nu.clone());
        let probe = || match hessian_diagonal.step(updates, &state.hessian_fn_state, params, extra) {
            Ok((diagonal, after)) => (after, moment(&diagonal, &state.nu, b2)),
            Err(error) => {
                *missing.borrow_mut() = Some(error);
                rest()
            }
        };
        let (hessian_fn_state, nu) = cond(&(&state.count % interval).eq(0), probe, rest);
        if let Some(error) = missing.into_inner() {
            return Err(error);
        }
        Ok((out, State { count, mu, nu, hessian_fn_state }))
    })
}

/// Sophia: [`scale_by_sophia`], weight decay, as a rule 1e-4, then the learning rate.
///
/// ```
/// use jarrah_array::{Array, grad, random::Key};
/// use jarrah_optim::contrib::{Sophia, hutchinson_estimator_diag_hessian, sophia};
/// use jarrah_optim::{Extra, Mask};
/// let optimizer = sophia(0.1, Sophia::default(), hutchinson_estimator_diag_hessian(&Key::new(0)), 0.0, Mask::all());
/// let loss = |p: &Array| p.square().sum(..);
/// let p = Array::scalar(3.0);
/// let extra = Extra::new().value_fn(loss);
/// let (u, _) = optimizer.update_with(&grad(loss)(&p), &optimizer.init(&p), &p, &extra);
/// assert!((u.item::<f32>()? + 0.1).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Liu et al. (2023).
#[track_caller]
pub fn sophia(
    learning_rate: impl Into<Schedule>,
    options: Sophia,
    hessian_diagonal: GradientTransformation,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_sophia(options, hessian_diagonal),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}
