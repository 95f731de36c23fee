//! Quantization-aware training.

use jarrah_array::{Array, custom_jvp};

use crate::check::relay;
use crate::quantize::quantize;
use crate::scheme::Scheme;

/// `x` as `scheme` would store it, in its own dtype: `dequantize(quantize(x))`, with the derivative of the identity.
///
/// Rounding has the derivative 0 almost everywhere, so that nothing would train; the estimator passes tangents and cotangents
/// straight through. No scheme cuts numbers off, as scales follow the largest.
///
/// # Errors
/// The errors of [`quantize`].
///
/// ```
/// use jarrah_array::{Array, grad};
/// use jarrah_quant::{Scheme, fake_quant};
/// let x = Array::from_slice(&[7.0f32, 2.2]).reshape(&[2, 1]);
/// assert_eq!(fake_quant(&x, Scheme::INT4.per_channel()).to_vec::<f32>()?, [7.0, 2.0]);
/// let slope = grad(|x: &Array| fake_quant(x, Scheme::INT4.per_channel()).square().sum(..))(&x);
/// assert_eq!(slope.to_vec::<f32>()?, [14.0, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Bengio, Léonard, Courville, Estimating or propagating gradients through stochastic neurons (2013), section 4.
#[track_caller]
pub fn fake_quant(x: &Array, scheme: Scheme) -> Array {
    let through = move |x: &Array| quantize(x, scheme).dequantize(x.dtype());
    relay(|| custom_jvp(through, move |x: &Array, dx: &Array| (through(x), dx.clone()))(x))
}
