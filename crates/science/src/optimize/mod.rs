//! Minima of functions, as `jax.scipy.optimize` finds them.

mod bfgs;
mod line_search;

pub use bfgs::{MinimizeOptions, OptimizeResults, minimize};
