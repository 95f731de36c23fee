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
//! Some transformations need more than gradients: [`Extra`] has the value of the loss, its gradient or the loss itself, and
//! [`GradientTransformation::update_with`] passes it to all of a chain. Hyper-parameters that should change without compiling anew are arrays
//! in the state: [`inject_hyperparams`]. Losses are in [`losses`], projections in [`projections`], arithmetic of trees in [`tree`], younger
//! optimizers in [`contrib`]. What of Optax is here, and by which name, stands in `docs/coverage-optim.md`.
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
mod curvature;
mod extra;
mod factored;
mod inject;
mod layerwise;
mod lbfgs;
mod leaves;
mod linear;
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
mod schedule;
mod second_moments;
mod sign;
mod simple;
mod transformation;
pub mod tree;

pub use accumulate::{apply_every, ema, trace};
pub use alias::*;
pub use assignment::hungarian_algorithm;
pub use clip::{
    adaptive_grad_clip, clip, clip_by_block_rms, clip_by_global_norm, global_norm,
    per_example_global_norm_clip, per_example_layer_norm_clip, unitwise_clip, unitwise_norm,
    unitwise_norm_along,
};
pub use combine::{chain, freeze, named_chain, partition, selective_transform};
pub use conditional::{apply_if_finite, conditionally_mask, conditionally_transform};
pub use curvature::{fisher_diag, hessian_diag, hvp};
pub use extra::Extra;
pub use factored::{Factored, scale_by_factored_rms, scale_by_sm3};
pub use inject::{Hyperparams, inject_hyperparams};
pub use layerwise::{
    Novograd, TrustRatio, centralize, normalize_by_update_norm, safe_norm, safe_root_mean_squares,
    scale_by_novograd, scale_by_param_block_norm, scale_by_param_block_rms, scale_by_trust_ratio,
    scale_by_trust_ratio_with,
};
pub use lbfgs::{Lbfgs, lbfgs, lbfgs_with, scale_by_lbfgs};
pub use leaves::Leaves;
pub use linear::{matrix_inverse_pth_root, nnls, power_iteration, scale_gradient};
pub use linesearch::{
    BacktrackingLinesearch, ZoomLinesearch, scale_by_backtracking_linesearch, scale_by_zoom_linesearch,
    value_and_grad_from_state,
};
pub use lookahead::lookahead;
pub use loss_scale::{
    LossScale, all_finite, loss_scaled, scaled_value_and_grad, scaled_value_and_grad_with_aux,
};
pub use mask::{Mask, add_decayed_weights, masked};
pub use microbatch::{Accumulate, microbatch};
pub use moments::{Adam, scale_by_adam, scale_by_adam_with, scale_by_adamax};
pub use monitor::{incremental_update, measure, measure_with_ema, monitor, periodic_update, snapshot};
pub use multi_steps::{MultiSteps, Skipped, has_updated, multi_steps, skip_large_updates, skip_not_finite};
pub use optimistic::{
    Distance, PolyakSgd, scale_by_distance_over_gradients, scale_by_optimistic_gradient, scale_by_polyak,
};
pub use rms::{
    Adagrad, RmsProp, scale_by_adadelta, scale_by_rms, scale_by_rms_with, scale_by_rss, scale_by_stddev,
};
pub use scale::{scale, scale_by_learning_rate, scale_by_schedule};
pub use schedule::*;
pub use second_moments::{
    AdaBelief, Adan, Amsgrad, Radam, Yogi, scale_by_adan, scale_by_amsgrad, scale_by_belief, scale_by_radam,
    scale_by_yogi,
};
pub use sign::{Lion, LionMode, Rprop, scale_by_lion, scale_by_rprop, scale_by_sign};
pub use simple::{
    add_noise, flatten, identity, keep_params_nonnegative, set_to_zero, state_in, stateless_with_tree_map,
    zero_nans,
};
pub use transformation::{GradientTransformation, apply_updates};
