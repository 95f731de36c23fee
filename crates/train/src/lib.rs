//! Training runs.
//!
//! A run does what its [`recipe`] says: [`train`] finds the text, learns the tokenizer, trains, evaluates, saves
//! checkpoints and reports progress; its measurements are [`metrics`]. A run can be stopped or killed anywhere and
//! resumes from its folder with the same bits.

pub mod metrics;
pub mod recipe;
mod run;

pub use run::{
    Console, End, Measure, Measured, Outcome, Start, Stop, Working, measure, measure_tokens, size, tokens_of,
    train, use_threads,
};
