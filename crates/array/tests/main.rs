//! Arrays as a user meets them: values, transformations, and what happens when a program is wrong.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod errors;
mod structure;
mod transformations;
