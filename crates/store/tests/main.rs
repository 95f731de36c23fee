//! Tests of the stores.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(feature = "cloud")]
mod cloud;
mod common;
mod crash;
#[cfg(feature = "cloud")]
mod http;
mod kill;
mod laws;
mod local;
mod simulated;
