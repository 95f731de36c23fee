//! Tests of models.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod decoding;
mod deferred;
mod encoders;
mod folders;
mod gguf;
mod gpt;
mod jax;
mod mtp;
mod packed;
mod pretrained;
mod readings;
mod routers;
