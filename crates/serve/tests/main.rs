//! Tests of text generation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapters;
mod encoder;
mod engine;
mod families;
mod folders;
mod offload;
mod quantized;
mod sampling;
mod sleep;
mod stop;
mod weights;
mod windows;
