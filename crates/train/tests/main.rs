//! Tests of the training crate's recipes and metrics.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod metrics;
mod recipe;
