//! Tests of the stores.

mod common;
mod crash;
mod kill;
mod laws;
mod local;
mod simulated;
