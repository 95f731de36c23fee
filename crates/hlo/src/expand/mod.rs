//! Operations that others count among the ops, spelled out in those there are.
//!
//! Each function appends to a [`crate::Builder`] and gives the results; errors are those of [`crate::Builder::push`].

mod windows;

pub use windows::{reduce_window, select_and_scatter};
