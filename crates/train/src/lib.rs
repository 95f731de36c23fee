//! Training runs: their [`recipe`] and what they measure, [`metrics`].

pub mod metrics;
pub mod recipe;
