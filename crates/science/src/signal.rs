//! Convolutions and spectra of signals, as `scipy.signal` has them.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_science::signal;
//! let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[1.0f32, 10.0]));
//! assert_eq!(signal::convolve(&x, &y, signal::Mode::Full).to_vec::<f32>()?, [1.0, 12.0, 23.0, 30.0]);
//! assert_eq!(signal::convolve(&x, &y, signal::Mode::Valid).to_vec::<f32>()?, [12.0, 23.0]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

mod convolution;
mod detrend;
mod spectrum;

pub use convolution::{convolve, convolve2d, correlate, correlate2d, fftconvolve, fftconvolve_along};
pub use detrend::{Detrend, detrend, detrend_pieces};
pub use jarrah_array::signal::Mode;
pub use spectrum::{Boundary, Scaling, SpectrumSegments, csd, hann, istft, segments, stft, welch};
