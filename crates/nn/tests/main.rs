//! Tests of layers against plain formulas.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cache;
mod flax;
mod layers;
mod metrics;
mod msgpack;
mod passes;
mod rope;
mod tables;
