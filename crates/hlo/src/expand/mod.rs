//! Definitions of operations in terms of other ops.
//!
//! Two functions rewrite complex numbers. [`parts`] makes a program over real and imaginary parts from a program over complex
//! numbers: `jarrah_tile::lower` uses it for kernel bodies (arrays of parts two elements apart), and it gives the scalar programs
//! of reductions, windows, scatters and sorts machine code. [`over_parts`] rewrites an op that is no loop: a complex
//! convolution becomes a real one with twice as many terms, whose left operand and result are the complex arrays as they lie in memory.
//!
//! Each function appends to a [`crate::Builder`] and gives the results; errors are those of [`crate::Builder::push`].

mod bits;
mod complex;
mod loops;
mod narrow;
mod normalization;
mod parts;
mod ragged;
mod random;
mod threefry;
mod wide;
mod windows;

pub use bits::{has_bits, rng_bit_generator};
pub use complex::{halved, has_real_definition, over_parts};
pub use loops::scan;
pub use narrow::{has_sum_definition, over_sums};
pub use normalization::{batch_norm_grad, batch_norm_inference, batch_norm_training};
pub use parts::{InParts, has_parts, parts};
pub(crate) use ragged::dense_ragged_dot;
pub use ragged::ragged_dot;
pub use random::{rng_normal, rng_uniform};
pub use threefry::threefry2x32;
pub use wide::{has_wide_definition, over_doubles, widened};
pub use windows::{reduce_window, select_and_scatter};
