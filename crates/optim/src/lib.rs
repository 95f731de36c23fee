//! Optimizers as composable gradient transformations.
//!
//! A [`GradientTransformation`] is a pair of pure functions: `init(params)` returns a state, and
//! `update(updates, state, params)` turns gradients into updates to add to the parameters. [`chain`] applies several in
//! order, and every optimizer here is such a chain. Formulas, names, defaults and the order in chains are Optax's.
//!
//! ```
//! use jarrah_array::{Array, grad, jit};
//! use jarrah_optim::{Adam, Leaves, Mask, adamw, apply_updates, chain};
//! use jarrah_optim::schedules::warmup_cosine_decay;
//! use jarrah_optim::transforms::clip_by_global_norm;
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
//! Some transformations need more than gradients: [`Extra`] has the value of the loss, its gradient or the loss itself, and
//! [`GradientTransformation::update_with`] passes it to all of a chain. Hyper-parameters that should change without compiling anew are arrays
//! in the state: [`transforms::inject_hyperparams`]. Optimizers and their options stand here, the transformations that they are made of in
//! [`transforms`], functions of the step in [`schedules`]; losses are in [`losses`], projections in [`projections`], arithmetic of trees in
//! [`tree`], younger optimizers in [`contrib`]. What of Optax is here, and by which name, stands in `docs/coverage-optim.md`.
//!
//! A transformation works on flattened trees with paths ([`Leaves`]), so one serves parameters of every type, and paths in its
//! state are Optax's names. An [`Extra`] travels through all wrappers; its loss is a function of the leaves that a wrapper shows,
//! so a masked part sees the whole loss. A state is rounded to the dtypes of the state that was given, so it never changes types.
//! Changing numbers are [`Schedule`]s: a number, an array (a hyper-parameter in the state) or a function of the count, and only
//! the last has a count in the state. The structure of a state is found once for parameters of one kind
//! (`src/transformation.rs`).
//!
//! Source: DeepMind et al., The DeepMind JAX ecosystem (2020), Optax.

mod accumulate;
mod alias;
mod assignment;
mod clip;
mod combine;
mod conditional;
pub mod contrib;
mod extra;
mod factored;
mod inject;
mod layerwise;
mod lbfgs;
mod leaves;
pub mod linear_algebra;
mod linesearch;
mod lookahead;
mod loss_scale;
pub mod losses;
mod mask;
mod microbatch;
mod moments;
mod monitor;
mod multi_steps;
mod optimistic;
mod options;
pub mod perturbations;
pub mod projections;
mod rms;
mod scale;
pub mod schedules;
mod second_moments;
pub mod second_order;
mod sign;
mod simple;
mod transformation;
pub mod transforms;
pub mod tree;

pub use alias::*;
pub use combine::chain;
pub use extra::Extra;
pub use factored::Factored;
pub use layerwise::Novograd;
pub use lbfgs::{Lbfgs, lbfgs, lbfgs_with};
pub use leaves::Leaves;
pub use loss_scale::{
    LossScale, all_finite, loss_scaled, scaled_value_and_grad, scaled_value_and_grad_with_aux,
};
pub use mask::Mask;
pub use microbatch::{Accumulate, microbatch};
pub use moments::Adam;
pub use optimistic::PolyakSgd;
pub use rms::{Adagrad, RmsProp};
pub use schedules::Schedule;
pub use second_moments::{AdaBelief, Adan, Amsgrad, Radam, Yogi};
pub use sign::{Lion, Rprop};
pub use transformation::{GradientTransformation, apply_updates};
