//! Tests of text generation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapters;
mod engine;
mod quantized;
mod sampling;
mod stop;
