use jarrah_array::{Array, custom_jvp, where_};

/// The rectifier, `max(x, 0)`, with a derivative of 0 at 0; NaN stays.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_nn::relu(&Array::from_slice(&[-1.0f32, 2.0])).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Nair and Hinton, Rectified linear units improve restricted Boltzmann machines (2010).
#[track_caller]
pub fn relu(x: &Array) -> Array {
    where_(&x.le(0.0), 0.0, x)
}

/// The Gaussian error linear unit in its tanh form, `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_nn::gelu(&Array::scalar(1.0f32)).item::<f32>()?;
/// assert!((y - 0.841192).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hendrycks and Gimpel, Gaussian error linear units (2016).
#[track_caller]
pub fn gelu(x: &Array) -> Array {
    let root = (2.0 / std::f64::consts::PI).sqrt();
    let inner = (x + x * x * x * 0.044715) * root;
    x * ((inner.tanh() + 1.0) * 0.5)
}

/// The Gaussian error linear unit, `x/2 (1 + erf(x / sqrt(2)))`.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_nn::gelu_exact(&Array::scalar(1.0f32)).item::<f32>()?;
/// assert!((y - 0.841345).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hendrycks and Gimpel, Gaussian error linear units (2016).
#[track_caller]
pub fn gelu_exact(x: &Array) -> Array {
    x * (((x * std::f64::consts::FRAC_1_SQRT_2).erf() + 1.0) * 0.5)
}

/// The sigmoid linear unit, `x / (1 + e^-x)`.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_nn::silu(&Array::scalar(0.0f32)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Elfwing et al., Sigmoid-weighted linear units (2017).
#[track_caller]
pub fn silu(x: &Array) -> Array {
    x * x.sigmoid()
}

/// A smooth rectifier, `ln(1 + e^x)`, computed as `max(x, 0) + ln(1 + e^-|x|)`; its derivative is the sigmoid.
///
/// ```
/// use jarrah_array::Array;
/// assert_eq!(jarrah_nn::softplus(&Array::scalar(1000.0f32)).item::<f32>()?, 1000.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dugas et al., Incorporating second-order functional knowledge (2000).
#[track_caller]
pub fn softplus(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        x.maximum(0.0) + (-x.abs()).exp().log1p()
    }
    custom_jvp(value, |x: &Array, dx: &Array| (value(x), dx * x.sigmoid()))(x)
}

/// `e^x / sum(e^x)` along an axis: see [`Array::softmax`].
#[track_caller]
pub fn softmax(x: &Array, axis: isize) -> Array {
    x.softmax(axis)
}
