//! Reasoning before the answer: the marks of families of models, the text divided by them, and the tokens counted.

mod format;
mod splitter;
mod thinking;

pub use format::{Beginning, ReasoningFormat};
pub(crate) use splitter::{Side, Splitter};
pub use thinking::Thinking;
