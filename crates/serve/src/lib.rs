//! Text generation from trained models.
//!
//! A [`Generator`] is a model with its tokenizer. A prompt goes through it in chunks of [`CHUNK`] tokens, then a token at
//! a time; both are one compiled shape each, whatever the length. Several texts are generated together as a batch. [`Sampling`] chooses tokens, [`StopStrings`] ends texts.
//! [`folder`] knows where a run keeps what a generator needs.

mod answers;
pub mod folder;
mod generator;
mod load;
mod sampling;
mod stop;
mod text;

pub use answers::Question;
pub use generator::{CHUNK, Completion, Finish, Generator, Request};
pub use load::{checkpoint, parameters, pretrained, spec};
pub use sampling::Sampling;
pub use stop::StopStrings;
