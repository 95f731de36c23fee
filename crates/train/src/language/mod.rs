//! Runs of language models: the text, the model, the objective and the hooks that a recipe asks for.

mod chats;
mod evaluate;
mod feeds;
mod fit;
mod hooks;
mod machine;
mod objective;
mod optimizer;
mod piped;
mod plan;
mod run;
mod text;

pub use evaluate::{Measure, Measured, measure, measure_tokens, tokens_of};
pub use jarrah_base::memory::size;
pub use machine::use_threads;
pub use run::{Outcome, RunStart, train};
