//! Functions of scientific computing: sparse arrays beside dense ones, and where wrong programs are refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod lines;
mod solve;
mod sparsify;
