//! Training runs.
//!
//! A run is what its [`recipe`] says: [`train`] finds the text, learns the tokenizer, steps, evaluates, saves and shows
//! all of it; what it measures are its [`metrics`]. A run can be stopped or killed anywhere and goes on from its folder
//! with the same bits.

pub mod metrics;
pub mod recipe;
mod run;

pub use run::{Console, End, Outcome, RunFolder, Start, size, train, use_threads};
