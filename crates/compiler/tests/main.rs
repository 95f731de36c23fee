//! The compiler against the reference evaluator.

mod common;
mod examples;
mod models;
mod random;
