//! Tests of text generation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod generate;
mod sampling;
mod stop;
