//! Tests of gradient transformations.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod contrib;
mod coverage;
mod functions;
mod steps;
mod structure;
mod trajectories;
mod transformations;
