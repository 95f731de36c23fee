//! The folder of a training run, which training writes, and serving, the dashboard and every other command read.
//!
//! ```text
//! run.json                  makes the folder a run; written before any work, so that what is missing then is made on resume
//! recipe.toml               the recipe, of a run that has one
//! model.json                the model without its numbers: a ModelSpec, of a run that trains a language model
//! data.json                 the files of the text with their hashes
//! tokenizer.json, ...       the tokenizer, its configuration and the chat template
//! checkpoints/step_00000200 the state after step 200: tensors `params/...`, `opt/...`, and their average `ema/...`
//! metrics.jsonl             a line for each recorded step, beside TensorBoard's event files
//! samples.jsonl             the texts that the model wrote on the way
//! loss.png                  the loss curve
//! ```
//!
//! [`RunFolder`] is a run that this process trains: its lock keeps other processes out. [`is_run`] and [`resolve`] find a run; [`checkpoint`],
//! [`spec`], [`load`] and [`pretrained`] read the model that it trained.

mod folder;
mod model;
pub mod names;
mod path;

pub use folder::RunFolder;
pub use model::{checkpoint, load, parameters, pretrained, spec};
pub use path::{is_run, missing, resolve};
