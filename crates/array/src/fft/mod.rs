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
pub use frequencies::{fftfreq, fftfreq_in, fftshift, ifftshift, rfftfreq, rfftfreq_in};
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
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = fft::ifft(&Array::from_slice(&[4.0f32, 0.0, 0.0, 0.0]));
    /// assert_eq!(x.real().to_vec::<f32>()?, [1.0; 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ifft ifft -1;
    /// The transform of real numbers along the last axis: [`Over::rfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::rfft(&Array::from_slice(&[1.0f32, 0.0, -1.0, 0.0]));
    /// assert_eq!((y.real().to_vec::<f32>()?, y.imag().to_vec::<f32>()?), (vec![0.0, 2.0, 0.0], vec![0.0; 3]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    rfft rfft -1;
    /// The real inverse transform along the last axis: [`Over::irfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = fft::irfft(&Array::from_slice(&[0.0f32, 2.0, 0.0]));
    /// assert_eq!(x.to_vec::<f32>()?, [1.0, 0.0, -1.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    irfft irfft -1;
    /// The transform along the last axis of numbers with a real transform: [`Over::hfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// // The elements are 1, 2, 3 and the mirror image of the second.
    /// assert_eq!(fft::hfft(&Array::from_slice(&[1.0f32, 2.0, 3.0])).to_vec::<f32>()?, [8.0, -2.0, 0.0, -2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    hfft hfft -1;
    /// The inverse of [`hfft`]: [`Over::ihfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = fft::ihfft(&Array::from_slice(&[8.0f32, -2.0, 0.0, -2.0]));
    /// assert_eq!(x.real().to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ihfft ihfft -1;
    /// The transform along the last two axes: [`Over::fft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::fft2(&Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]));
    /// assert_eq!(y.real().to_vec::<f32>()?, [10.0, -2.0, -4.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    fft2 fft [-2, -1];
    /// The inverse transform along the last two axes: [`Over::ifft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = fft::ifft2(&Array::new(&[10.0f32, -2.0, -4.0, 0.0], &[2, 2]));
    /// assert_eq!(x.real().to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ifft2 ifft [-2, -1];
    /// The transform of real numbers along the last two axes: [`Over::rfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// // Only the last axis is halved.
    /// assert_eq!(fft::rfft2(&Array::ones(&[5, 4, 6])).shape(), [5, 4, 4]);
    /// ```
    rfft2 rfft [-2, -1];
    /// The real inverse transform along the last two axes: [`Over::irfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// assert_eq!(fft::irfft2(&fft::rfft2(&Array::ones(&[2, 4]))).to_vec::<f32>()?, [1.0; 8]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
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
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::fftn(&Array::ones(&[2, 2, 2]));
    /// assert_eq!(y.real().to_vec::<f32>()?, [8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    fftn fft;
    /// The inverse transform along all axes: [`Over::ifft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let x = fft::ifftn(&Array::ones(&[2, 2, 2]));
    /// assert_eq!(x.real().to_vec::<f32>()?, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ifftn ifft;
    /// The transform of real numbers along all axes: [`Over::rfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// let y = fft::rfftn(&Array::ones(&[2, 2, 4]));
    /// assert_eq!(y.shape(), [2, 2, 3]);
    /// assert_eq!(y.index((0, 0, 0)).real().item::<f32>()?, 16.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    rfftn rfft;
    /// The real inverse transform along all axes: [`Over::irfft`].
    ///
    /// ```
    /// use jarrah_array::{Array, fft};
    /// assert_eq!(fft::irfftn(&fft::rfftn(&Array::ones(&[2, 2, 4]))).to_vec::<f32>()?, [1.0; 16]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    irfftn irfft;
}
