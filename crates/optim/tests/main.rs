//! Tests of gradient transformations.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod structure;
mod transformations;
