//! Tests of the training crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod metrics;
mod recipe;
mod run;
mod support;
