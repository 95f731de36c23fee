//! Decoders of others that panic on some files that are damaged.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jarrah_base::panic_message;

/// Calls a decoder; its error, or its panic, as a text.
pub(crate) fn guarded<T, E: Display>(f: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(done) => done.map_err(|e| e.to_string()),
        Err(panic) => {
            Err(format!("the decoder failed: {}", panic_message(panic.as_ref()).unwrap_or("without a text")))
        }
    }
}
