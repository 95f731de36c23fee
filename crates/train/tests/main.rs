//! Tests of the training crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hostile;
mod metrics;
mod pipeline;
mod recipe;
mod run;
mod support;
mod tasks;
mod trainer;
