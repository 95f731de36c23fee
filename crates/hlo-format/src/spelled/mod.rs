//! Ops of StableHLO that are none here, in terms of ours: normalization over a batch, and random numbers of a distribution.
//!
//! Each function appends to a [`Builder`](jarrah_hlo::Builder) and gives the results; errors are those of its `push`.

mod normalization;
mod random;

pub use normalization::{batch_norm_grad, batch_norm_inference, batch_norm_training};
pub use random::{rng_normal, rng_uniform};
