//! Functions of scientific computing, on arrays: what SciPy has beside NumPy, under JAX's names.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_science::{optimize, stats};
//! // The mean that explains these numbers best.
//! let x = Array::from_slice(&[1.0f64, 2.0, 6.0]);
//! let surprise = |mean: &Array| -stats::norm::logpdf(&x, mean, 1).sum(..);
//! let found = optimize::minimize(surprise, &Array::from_slice(&[0.0f64]), &Default::default());
//! assert!((found.x.item::<f64>()? - 3.0).abs() < 1e-5);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! Nothing here is an op or has a rule for one: all functions are made of those of [`jarrah_array`], so every transformation applies
//! to them. [`jarrah_array::special`] stays there, since sampling, activations, windows and methods of arrays are made of its functions,
//! which share their series; so do the convolutions of vectors, which are methods of arrays ([`jarrah_array::signal`]).

pub mod cluster;
pub mod image;
pub mod interpolate;
pub mod ode;
pub mod optimize;
pub mod rotation;
pub mod signal;
pub mod sparse;
pub mod stats;

/// Runs `f`, whose operations and errors in this crate are at the line `at`: closures do not know their callers.
#[track_caller]
fn relay<R>(at: jarrah_array::Location, f: impl FnOnce() -> R) -> R {
    const FOLDER: &str = file!().split_at(file!().len() - "lib.rs".len()).0;
    jarrah_array::library::relay_at(at, FOLDER, f)
}
