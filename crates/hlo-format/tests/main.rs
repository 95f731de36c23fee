//! Printing and parsing programs.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod artifact;
mod assembly;
mod bytecode;
mod collectives;
mod errors;
mod files;
mod hostile;
mod lower;
mod mutation;
mod random;
mod round_trip;
mod symbolic;
