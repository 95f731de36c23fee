//! Arrays as a user meets them: values, transformations, and what happens when a program is wrong.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bucketed;
mod callbacks;
mod cells;
mod checks;
mod compile;
mod custom;
mod derivatives;
mod devices;
mod display;
mod eager;
mod errors;
mod export;
mod files;
mod growth;
mod kernel_places;
mod kernels;
mod keys;
mod linalg;
mod messages;
mod numbers;
mod origin;
mod panics;
mod prepared;
mod process;
mod refused;
#[path = "../../hlo/tests/rustc.rs"]
mod rustc;
mod sharded;
mod special;
mod structure;
mod transformations;
mod watching;
