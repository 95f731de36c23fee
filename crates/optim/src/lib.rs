//! Optimizers as composable gradient transformations.
//!
//! A [`GradientTransformation`] is a pair of pure functions: `init(params)` returns a state, and
//! `update(updates, state, params)` turns gradients into updates to add to the parameters. [`chain`] applies several in
//! order, and every optimizer here is such a chain. Formulas, names, defaults and the order in chains are Optax's.
//!
//! ```
//! use jarrah_array::{Array, grad, jit};
//! use jarrah_optim::{Adam, Leaves, Mask, adamw, apply_updates, chain, clip_by_global_norm, warmup_cosine_decay};
//!
//! let rate = warmup_cosine_decay(0.0, 0.1, 5, 50, 0.0);
//! let optimizer = chain([clip_by_global_norm(1.0), adamw(rate, Adam::default(), 0.01, Mask::matrices())]);
//! let params = Array::from_slice(&[3.0f32, -2.0]);
//! let mut state = (params.clone(), optimizer.init(&params));
//! let step = jit(move |(params, state): &(Array, Leaves)| {
//!     let slope = grad(|p: &Array| p.square().sum(..))(params);
//!     let (updates, state) = optimizer.update(&slope, state, params);
//!     (apply_updates(params, &updates), state)
//! });
//! for _ in 0..50 {
//!     state = step.call(state)?;
//! }
//! assert!(state.0.square().sum(..).item::<f32>()? < 1.0);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! Source: DeepMind et al., The DeepMind JAX ecosystem (2020), Optax.

mod alias;
mod clip;
mod decay;
mod leaves;
mod loss_scale;
mod moments;
mod rms;
mod scale;
mod schedule;
mod transformation;

pub use alias::{Sgd, adagrad, adam, adamax, adamw, lamb, lion, rmsprop, sgd};
pub use clip::{clip, clip_by_global_norm, global_norm};
pub use decay::{Mask, add_decayed_weights, masked, scale_by_trust_ratio};
pub use leaves::Leaves;
pub use loss_scale::{LossScale, all_finite, loss_scaled, scaled_value_and_grad};
pub use moments::{Adam, Lion, ema, scale_by_adam, scale_by_adamax, scale_by_lion, trace};
pub use rms::{Adagrad, RmsProp, scale_by_rms, scale_by_rss, scale_by_stddev};
pub use scale::{scale, scale_by_learning_rate, scale_by_schedule};
pub use schedule::{
    Schedule, constant, cosine_decay, exponential_decay, join, linear, piecewise_constant, polynomial,
    warmup_constant, warmup_cosine_decay,
};
pub use transformation::{GradientTransformation, apply_updates, chain, identity};
