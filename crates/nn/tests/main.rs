//! Tests of layers against plain formulas.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cache;
mod capacity;
mod empty;
mod flax;
mod layers;
mod metrics;
mod msgpack;
mod pairs;
mod passes;
mod rope;
mod surgery;
mod tables;
