//! Training runs.
//!
//! A [`Trainer`] trains any model: it has an [`Objective`], batches, and a folder, in which it keeps checkpoints and measurements. A run can be stopped or
//! killed anywhere and goes on from its folder with the same bits. [`train`] is the trainer of `jarrah train`: it does what a [`recipe`] says, finds the
//! text, learns the tokenizer, trains a language model, and lets it write samples. [`metrics`] are the measurements of a run.
//!
//! * Add an objective: implement [`Loss`], or [`Objective`] where a step is something else ([`trainer`](Trainer)).
//! * Add a key of recipes: a line in `recipe/keys.rs`.

mod language;
pub mod metrics;
pub mod recipe;
mod trainer;

pub use jarrah_base::Result;
pub use language::{
    Measure, Measured, Outcome, Start, measure, measure_tokens, size, tokens_of, train, use_threads,
};
pub use trainer::{
    At, Batches, Console, End, Hook, Loss, Metrics, Minimize, Objective, Options, Report, Stop, Sums,
    TrainState, Trained, Trainer, Work, Working, by_number, of_dataset, restored,
};
