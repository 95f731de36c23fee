//! A run: its folder, text, state and steps, and the loop over them.

mod console;
mod folder;
mod machine;
mod progress;
mod session;
mod state;
mod step;
mod text;

pub use console::Console;
pub use folder::RunFolder;
pub use machine::use_threads;
pub use progress::bytes as size;
pub use session::{End, Outcome, Start, train};
