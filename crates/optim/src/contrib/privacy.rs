use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, TreeExt};

use crate::lookahead::copied;
use crate::transforms::{identity, per_example_global_norm_clip, scale_by_learning_rate, trace};
use crate::{GradientTransformation, Schedule, Sgd, chain};

#[derive(Clone, Tree)]
struct State {
    rng_key: Array,
}

/// Gradients of examples, each scaled to a norm of at most `norm`, summed, with normal noise of deviation `norm noise_multiplier`, over
/// their number.
///
/// Needs the tree `per_example`: a gradient for each example, `[examples, ..]`, which `vmap(grad(loss))` gives. The updates that the call
/// gets are not used.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_optim::{Extra, contrib::differentially_private_aggregate};
/// let t = differentially_private_aggregate(1.0, 0.0, &Key::new(0));
/// let p = Array::zeros(&[2]);
/// let grads = Array::new(&[3.0f32, 4.0, 0.0, 0.5], &[2, 2]);
/// let extra = Extra::new().tree("per_example", &grads);
/// let (u, _) = t.update_with(&p, &t.init(&p), &p, &extra);
/// assert!((u.index(1).item::<f32>()? - 0.65).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Abadi et al., Deep learning with differential privacy (2016).
pub fn differentially_private_aggregate(
    norm: f64,
    noise_multiplier: f64,
    key: &Key,
) -> GradientTransformation {
    let (key, deviation) = (key.clone(), norm * noise_multiplier);
    let generator = key.key_impl();
    GradientTransformation::with_extra(
        "differentially_private_aggregate",
        move |_| State { rng_key: copied(key.words()) },
        move |updates, state, _, extra| {
            let grads = extra.needed_tree("per_example")?;
            let (sums, _) = per_example_global_norm_clip(grads, norm);
            let examples = grads.arrays().first().map_or(0, |g| g.shape()[0]) as f64;
            let mut keys =
                Key::wrap(state.rng_key.clone(), generator).split(grads.leaves().len() + 1).into_iter();
            let next = keys.next().expect("invariant: there is one key more than leaves");
            let noisy = sums.arrays().iter().zip(keys);
            let noisy =
                noisy.map(|(g, key)| (g + key.normal_in(&g.shape(), g.dtype()) * deviation) / examples);
            let out = updates.with(noisy.collect());
            if updates.difference(&out).is_some() {
                let error = Error::program("`per_example` is not like the parameters behind its first axis");
                return Err(error.help("give the gradients of vmap(grad(loss)) over the examples"));
            }
            Ok((out, State { rng_key: next.words().clone() }))
        },
    )
}

/// DP-SGD: [`differentially_private_aggregate`], momentum, then the learning rate.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_optim::{Extra, Sgd, contrib::dpsgd};
/// let optimizer = dpsgd(0.1, 1.0, 0.0, &Key::new(0), Sgd::default());
/// let p = Array::zeros(&[2]);
/// let grads = Array::new(&[3.0f32, 4.0, 3.0, 4.0], &[2, 2]);
/// let extra = Extra::new().tree("per_example", &grads);
/// let (u, _) = optimizer.update_with(&p, &optimizer.init(&p), &p, &extra);
/// assert!((u.index(0).item::<f32>()? + 0.06).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Abadi et al., Deep learning with differential privacy (2016).
pub fn dpsgd(
    learning_rate: impl Into<Schedule>,
    norm: f64,
    noise_multiplier: f64,
    key: &Key,
    options: Sgd,
) -> GradientTransformation {
    let momentum = options.momentum.map_or_else(identity, |decay| trace(decay, options.nesterov));
    chain([
        differentially_private_aggregate(norm, noise_multiplier, key),
        momentum,
        scale_by_learning_rate(learning_rate),
    ])
}
