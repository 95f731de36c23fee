//! Tests of layers against plain formulas.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cache;
mod capacity;
mod empty;
mod flax;
mod layers;
mod lines;
mod metrics;
mod msgpack;
mod pairs;
#[path = "../../array/tests/panics.rs"]
mod panics;
mod passes;
mod rope;
mod surgery;
mod tables;
mod tokens;
