//! Training runs.
//!
//! A [`Trainer`] trains any model: it has an [`Objective`], batches, and a folder, in which it keeps checkpoints and measurements. A run can be stopped or
//! killed anywhere and goes on from its folder with the same bits. [`train`] is the trainer of `jarrah train`: it does what a [`recipe`] says, finds the
//! text, learns the tokenizer, trains a language model, and lets it write samples. [`metrics`] are the measurements of a run.
//!
//! # A run of a language model
//!
//! ```text
//! Recipe          keys, each once, with ranges and docs                          recipe/
//!   |  Source      a folder, a published shape, or the extents of a GPT          language/plan.rs
//! Plan            spec, shape, parameters without numbers
//!   |  Text        files, tokenizer, template; then batches                      language/text.rs, chats.rs
//! NextToken       the loss: cross-entropy and the terms that a recipe adds       language/objective.rs
//!   |  Minimize    with the optimizer: an objective                              trainer/minimize.rs
//! Trainer         compiles the step and the evaluation before there is a state   trainer/ready.rs
//!   |  Session     the loop: steps, evaluations, checkpoints, hooks              trainer/session.rs
//! ```
//!
//! The model is a `ModelSpec`: its `config.json`, the folder that its first numbers come from, with the hash of its weights, and its adapters. A
//! checkpoint holds the spec and the leaves that are trained, by their paths: all leaves, or those of the adapters. So serving makes the model of a run
//! again from its checkpoint alone, and from the folder where leaves are missing.
//!
//! Texts are a stream of tokens in windows; chats are examples in such a stream (`data::Examples`), with the tokens that are learned, and segments that
//! attention does not cross. A step whose loss or gradient is not a number returns the state that it was given, so that its cause can be looked for
//! with the same numbers.
//!
//! # Adding
//!
//! * An objective: implement [`Loss`], or [`Objective`] where a step is something else.
//! * A key of recipes: a line in `recipe/keys.rs`; help, parsing, errors and the written recipe follow. `on resume kept` marks a key that a resumed run
//!   cannot change.
//! * A method of the optimizer: a name in `recipe/choices.rs`, and an arm in `language/optimizer.rs`, which the compiler asks for.

mod chatml;
mod language;
pub mod metrics;
pub mod pipeline;
pub mod recipe;
mod trainer;

pub use jarrah_base::Result;
pub use jarrah_base::memory::Bytes;
pub use language::{
    Measure, Measured, Outcome, RunStart, measure, measure_tokens, size, tokens_of, train, use_threads,
};
pub use recipe::{Checkpoints, LogKeys, OnNan};
pub use trainer::{
    Batches, Console, End, Hook, HookState, Loss, Metrics, Minimize, Objective, StepReport, StepWork, Stop,
    Sums, TrainState, Trained, Trainer, TrainerOptions, Working, by_number, of_dataset, restored,
};
