//! Masks, formats and reasoning.

#![allow(clippy::unwrap_used, reason = "helpers of tests are no test functions to clippy")]

mod calls;
mod grammars;
mod numbers;
mod reasoning;
mod refusals;
mod schemas;
mod world;
