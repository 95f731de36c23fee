//! A run: its folder, text, state and steps, and the loop over them.

mod chats;
mod console;
mod evaluate;
mod fit;
mod machine;
mod objective;
mod optimizer;
mod plan;
mod progress;
mod session;
mod state;
mod step;
mod stop;
mod text;

pub use console::{Console, Working};
pub use evaluate::{Measure, Measured, measure, measure_tokens, tokens_of};
pub use jarrah_base::memory::size;
pub use machine::use_threads;
pub use session::{End, Outcome, Start, train};
pub use stop::Stop;
