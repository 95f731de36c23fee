//! Tests of the transformations, on the examples of every op and on programs made here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod autocast;
mod common;
mod compositions;
mod effects;
mod examples;
mod kernels;
mod laws;
mod memo;
mod numbers;
mod structure;
