//! Discrete Fourier transforms, as `numpy.fft` and `scipy.fft` have them.
//!
//! `y_k = sum over j of x_j e^(-2 pi i j k / n)`. The functions take the axes that NumPy takes by default; [`over`] says other
//! axes, lengths and factors.
//!
//! ```
//! use jarrah_array::{Array, fft};
//! let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]);
//! let y = fft::rfft(&x);
//! assert_eq!(y.real().to_vec::<f32>()?, [10.0, -2.0, -2.0]);
//! assert_eq!(fft::irfft(&y).to_vec::<f32>()?, x.to_vec::<f32>()?);
//! let unitary = fft::over(-1).norm(fft::Norm::Ortho).fft(&x);
//! assert_eq!(unitary.real().to_vec::<f32>()?, [5.0, -1.0, -1.0, -1.0]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

mod cosine;
mod frequencies;
mod transform;

pub use cosine::{dct, dctn, idct, idctn};
pub use frequencies::{fftfreq, fftshift, ifftshift, rfftfreq};
pub(crate) use frequencies::{frequencies, half_frequencies};
pub use transform::{Norm, Over, over};

use crate::array::Array;

macro_rules! last_axes {
    ($($(#[doc = $doc:literal])* $name:ident $method:ident $axes:expr;)*) => {$(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name(x: &Array) -> Array {
            over($axes).$method(x)
        }
    )*};
}
last_axes! {
    /// The transform along the last axis: [`Over::fft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::fft(&Array::from_slice(&[1.0f32, -1.0]));
    /// assert_eq!((y.real().to_vec::<f32>()?, y.imag().to_vec::<f32>()?), (vec![0.0, 2.0], vec![0.0, 0.0]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    fft fft -1;
    /// The inverse transform along the last axis: [`Over::ifft`].
    ifft ifft -1;
    /// The transform of real numbers along the last axis: [`Over::rfft`].
    rfft rfft -1;
    /// The real inverse transform along the last axis: [`Over::irfft`].
    irfft irfft -1;
    /// The transform along the last axis of numbers with a real transform: [`Over::hfft`].
    hfft hfft -1;
    /// The inverse of [`hfft`]: [`Over::ihfft`].
    ihfft ihfft -1;
    /// The transform along the last two axes: [`Over::fft`].
    fft2 fft [-2, -1];
    /// The inverse transform along the last two axes: [`Over::ifft`].
    ifft2 ifft [-2, -1];
    /// The transform of real numbers along the last two axes: [`Over::rfft`].
    rfft2 rfft [-2, -1];
    /// The real inverse transform along the last two axes: [`Over::irfft`].
    irfft2 irfft [-2, -1];
}

macro_rules! all_axes {
    ($($(#[doc = $doc:literal])* $name:ident $method:ident;)*) => {$(
        $(#[doc = $doc])*
        #[track_caller]
        pub fn $name(x: &Array) -> Array {
            let axes: Vec<isize> = (0..x.rank() as isize).collect();
            over(&axes[..]).$method(x)
        }
    )*};
}
all_axes! {
    /// The transform along all axes: [`Over::fft`].
    fftn fft;
    /// The inverse transform along all axes: [`Over::ifft`].
    ifftn ifft;
    /// The transform of real numbers along all axes: [`Over::rfft`].
    rfftn rfft;
    /// The real inverse transform along all axes: [`Over::irfft`].
    irfftn irfft;
}
