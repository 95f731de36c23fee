//! Functions of neural networks: activations, softmax, attention and the initial distributions of parameters.
//!
//! Layers, which hold parameters, are in the crate `jarrah-nn`.

mod attention;
pub mod initializers;
mod scaled_dot;
mod softmax;

use jarrah_base::DType;
use jarrah_hlo::ops::ElementwiseKind;

use crate::array::Array;
use crate::autodiff::jvp;
use crate::custom::{custom_jvp, stop_gradient, with_slope};
use crate::elementwise::where_;
use crate::lax;
use crate::operators::{IntoOperand, align_inexact, binary};
use crate::special::erfc;

pub use attention::{
    AttentionOptions, dot_product_attention, dot_product_attention_with_residual, scaled_matmul,
};
pub use scaled_dot::{BlockScaleConfig, scaled_dot_general};
pub use softmax::{logmeanexp, logsumexp_weighted, standardize, standardize_with};

/// The rectifier, `max(x, 0)`, with a derivative of 0 at 0; NaN stays, and so do integer types.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::relu(&Array::from_slice(&[-1.0f32, 2.0])).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Nair and Hinton, Rectified linear units improve restricted Boltzmann machines (2010).
#[track_caller]
pub fn relu(x: &Array) -> Array {
    where_(&x.le(0), 0, x)
}

/// The rectifier cut off at 6, `min(max(x, 0), 6)`, a float, with derivatives of 0 at both corners.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::relu6(&Array::from_slice(&[-1.0f32, 2.0, 9.0])).to_vec::<f32>()?, [0.0, 2.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Krizhevsky, Convolutional deep belief networks on CIFAR-10 (2010).
#[track_caller]
pub fn relu6(x: &Array) -> Array {
    where_(&x.ge(6), 6.0, relu(x))
}

/// The rectifier with a slope on both sides, `x` where it is not negative, elsewhere `slope x`; the usual slope is 0.01.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::leaky_relu(&Array::from_slice(&[-1.0f32, 2.0]), 0.25).to_vec::<f32>()?, [-0.25, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Maas et al., Rectifier nonlinearities improve neural network acoustic models (2013).
#[track_caller]
pub fn leaky_relu(x: &Array, slope: impl IntoOperand) -> Array {
    where_(&x.ge(0), x, binary(ElementwiseKind::Multiply, x, slope))
}

/// The exponential linear unit: `x` where it is positive, elsewhere `alpha (e^x - 1)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::elu(&Array::from_slice(&[-100.0f32, 0.0, 2.0]), 1.0);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Clevert et al., Fast and accurate deep network learning by exponential linear units (2015).
#[track_caller]
pub fn elu(x: &Array, alpha: impl IntoOperand) -> Array {
    let positive = x.gt(0);
    // The branch that is not taken must not overflow, for its derivative is multiplied by 0.
    let below = where_(&positive, 0, x).expm1();
    where_(&positive, x, binary(ElementwiseKind::Multiply, below, alpha))
}

/// The exponential linear unit with a continuous derivative: `x` where it is positive, elsewhere
/// `alpha (e^(x / alpha) - 1)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::celu(&Array::from_slice(&[-100.0f32, 0.0, 2.0]), 0.5);
/// assert_eq!(y.to_vec::<f32>()?, [-0.5, 0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Barron, Continuously differentiable exponential linear units (2017).
#[track_caller]
pub fn celu(x: &Array, alpha: impl IntoOperand) -> Array {
    let alpha = alpha.into_operand();
    let positive = x.gt(0);
    let below = where_(&positive, 0, x).inexact();
    let below = binary(ElementwiseKind::Divide, below, alpha.clone()).expm1();
    where_(&positive, x, binary(ElementwiseKind::Multiply, below, alpha))
}

/// The scaled exponential linear unit, `scale elu(x, alpha)` with the two constants for which zero mean and unit variance
/// are a fixed point.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::selu(&Array::from_slice(&[0.0f32, 1.0])).to_vec::<f32>()?, [0.0, 1.050701]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Klambauer et al., Self-normalizing neural networks (2017).
#[track_caller]
pub fn selu(x: &Array) -> Array {
    elu(x, 1.673_263_242_354_377_2) * 1.050_700_987_355_480_5
}

/// The Gaussian error linear unit in its tanh form, `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::gelu(&Array::scalar(1.0)).item::<f32>()?;
/// assert!((y - 0.841192).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hendrycks and Gimpel, Gaussian error linear units (2016).
#[track_caller]
pub fn gelu(x: &Array) -> Array {
    let root = (2.0 / std::f64::consts::PI).sqrt();
    let value = |x: &Array| {
        let inner = (x + x * x * x * 0.044715) * root;
        x * ((inner.tanh() + 1.0) * 0.5)
    };
    let x = &x.inexact();
    if x.dtype().is_complex() {
        return value(x);
    }
    // The function is `x` times a sigmoid, whose derivatives keep their digits where the hyperbolic tangent is nearly -1.
    with_slope(x, value, |x, _| {
        // Beyond 24 the sigmoid is 0 or 1 in every dtype; clipping there keeps the cubes of large elements finite.
        let near = &x.clip(-24.0, 24.0);
        let square = near.square();
        let inner = near * (&square * 0.044715 + 1.0) * (2.0 * root);
        let steep = (square * (3.0 * 0.044715) + 1.0) * (2.0 * root);
        let (share, slope) = jvp(Array::sigmoid, &inner, &inner.ones_like());
        share + near * steep * slope
    })
}

/// The Gaussian error linear unit, `x/2 erfc(-x / sqrt(2))`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::gelu_exact(&Array::scalar(1.0)).item::<f32>()?;
/// assert!((y - 0.841345).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Hendrycks and Gimpel, Gaussian error linear units (2016).
#[track_caller]
pub fn gelu_exact(x: &Array) -> Array {
    let x = &x.inexact();
    // From 40 on the factor is 0 or 1 in every dtype; clipping there keeps the squares in the derivatives finite.
    x * 0.5 * erfc(&(x.clip(-40.0, 40.0) * -std::f64::consts::FRAC_1_SQRT_2))
}

/// A gated linear unit: the first half along `axis` times the sigmoid of the second half.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::glu(&Array::from_slice(&[3.0f32, 4.0, 0.0, 0.0]), -1);
/// assert_eq!(y.to_vec::<f32>()?, [1.5, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dauphin et al., Language modeling with gated convolutional networks (2016).
#[track_caller]
pub fn glu(x: &Array, axis: isize) -> Array {
    let halves = x.split(2, axis);
    &halves[0] * halves[1].sigmoid()
}

/// The logistic function, `1 / (1 + e^-x)`: see [`Array::sigmoid`].
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::sigmoid(&Array::scalar(0.0)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sigmoid(x: &Array) -> Array {
    x.sigmoid()
}

/// The hyperbolic tangent: see [`Array::tanh`].
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::tanh(&Array::scalar(0.0)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn tanh(x: &Array) -> Array {
    x.tanh()
}

/// The array itself.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::identity(&Array::scalar(7)).item::<i32>()?, 7);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn identity(x: &Array) -> Array {
    x.clone()
}

/// The sigmoid linear unit, also known as swish, `x / (1 + e^-x)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::silu(&Array::scalar(0.0)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Elfwing et al., Sigmoid-weighted linear units (2017).
#[track_caller]
pub fn silu(x: &Array) -> Array {
    x * x.sigmoid()
}

/// A self-regularized activation, `x tanh(ln(1 + e^x))`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::mish(&Array::from_slice(&[0.0f32, 50.0])).to_vec::<f32>()?, [0.0, 50.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Misra, Mish: a self regularized non-monotonic activation function (2019).
#[track_caller]
pub fn mish(x: &Array) -> Array {
    x * softplus(x).tanh()
}

/// A smooth rectifier, `ln(1 + e^x)`, computed as `max(x, 0) + ln(1 + e^-|x|)`; its derivative is the sigmoid.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::softplus(&Array::scalar(1000.0)).item::<f32>()?, 1000.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dugas et al., Incorporating second-order functional knowledge (2000).
#[track_caller]
pub fn softplus(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        x.maximum(0.0) + (-x.abs()).exp().log1p()
    }
    with_slope(&x.inexact(), value, |x, _| x.sigmoid())
}

/// The logarithm of the sigmoid, `-ln(1 + e^-x)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::log_sigmoid(&Array::scalar(-1000.0)).item::<f32>()?, -1000.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn log_sigmoid(x: &Array) -> Array {
    -softplus(&-x.inexact())
}

/// The softsign, `x / (1 + |x|)`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::soft_sign(&Array::from_slice(&[-1.0f32, 3.0])).to_vec::<f32>()?, [-0.5, 0.75]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Turian et al., Quadratic features and deep architectures for chunking (2009).
#[track_caller]
pub fn soft_sign(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        x / (x.abs() + 1)
    }
    let x = &x.inexact();
    if x.dtype().is_complex() {
        return value(x);
    }
    with_slope(x, value, |x, _| (1 / (x.abs() + 1)).square())
}

/// An algebraic smooth rectifier, `(x + sqrt(x^2 + b)) / 2`; the usual `b` is 4.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::squareplus(&Array::from_slice(&[0.0f32, 1.5]), 4).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Barron, Squareplus: a softplus-like algebraic rectifier (2021).
#[track_caller]
pub fn squareplus(x: &Array, b: impl IntoOperand) -> Array {
    type Two = (Array, Array);
    /// `sqrt(x^2 + b)`, at a scale at which squares are finite.
    fn root(x: &Array, b: &Array) -> Array {
        let scale = stop_gradient(&x.abs().maximum(b.sqrt()));
        let scale = where_(&(scale.gt(0) & scale.isfinite()), scale, 1);
        &scale * ((x / &scale).square() + b / &scale / &scale).sqrt()
    }
    /// For `x < 0` the two terms of `x + root` cancel, so `b / (root - x)` is computed instead.
    fn sum(x: &Array, b: &Array, root: &Array) -> Array {
        let left = x.lt(0);
        let sum = root + where_(&left, -x, x);
        where_(&left, b / where_(&left, &sum, 1), &sum)
    }
    let value = |x: &Array, b: &Array| sum(x, b, &root(x, b)) * 0.5;
    let slope = custom_jvp(
        |(x, b): &Two| {
            let root = root(x, b);
            sum(x, b, &root) / root * 0.5
        },
        |(x, b): &Two, (dx, db): &Two| {
            let root = root(x, b);
            let steep = 1 / &root;
            let steep = steep.square() * steep;
            (sum(x, b, &root) / root * 0.5, (dx * b * 0.5 - db * x * 0.25) * steep)
        },
    );
    let rule = |at: &Two, (dx, db): &Two| {
        let (x, b) = at;
        (value(x, b), dx * slope(at) + db * (0.25 / root(x, b)))
    };
    let both = align_inexact("squareplus", x.into_operand(), b.into_operand());
    custom_jvp(|(x, b): &Two| value(x, b), rule)(&both)
}

/// A smooth rectifier with a quadratic middle: 0 up to -1, `(x + 1)^2 / 4` between -1 and 1, `x` from there.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::sparse_plus(&Array::from_slice(&[-2.0f32, 0.0, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 0.25, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Martins and Astudillo, From softmax to sparsemax (2016), of two classes.
#[track_caller]
pub fn sparse_plus(x: &Array) -> Array {
    let x = &x.inexact();
    where_(&x.le(-1), 0, where_(&x.ge(1), x, (x + 1).square() / 4))
}

/// The derivative of [`sparse_plus`]: 0 up to -1, `(x + 1) / 2` between -1 and 1, 1 from there.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::sparse_sigmoid(&Array::from_slice(&[-2.0f32, 0.0, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sparse_sigmoid(x: &Array) -> Array {
    (x + 1).clip(0, 2) * 0.5
}

/// A sigmoid of three straight lines, `relu6(x + 3) / 6`.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::hard_sigmoid(&Array::from_slice(&[-4.0f32, 0.0])).to_vec::<f32>()?, [0.0, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hard_sigmoid(x: &Array) -> Array {
    relu6(&(x + 3)) / 6
}

/// `x` times [`hard_sigmoid`]: [`silu`] with a piecewise linear sigmoid, also known as hard swish.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::hard_silu(&Array::from_slice(&[-4.0f32, 3.0])).to_vec::<f32>()?, [0.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Howard et al., Searching for MobileNetV3 (2019).
#[track_caller]
pub fn hard_silu(x: &Array) -> Array {
    x * hard_sigmoid(x)
}

/// The identity cut off at -1 and 1, with derivatives of 1 at both corners.
///
/// ```
/// use jarrah_array::{Array, nn};
/// assert_eq!(nn::hard_tanh(&Array::from_slice(&[-4.0f32, 0.5])).to_vec::<f32>()?, [-1.0, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hard_tanh(x: &Array) -> Array {
    let above = where_(&x.gt(1), 1, x);
    // No unsigned number is below -1, which is none of theirs.
    if x.dtype().integer_range().is_some_and(|(lowest, _)| lowest == 0) {
        return above;
    }
    where_(&x.lt(-1), -1, above)
}

/// `ln(1 - e^-x)` of positive numbers, accurate for small and large ones.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let y = nn::log1mexp(&Array::scalar(1e-10f32)).item::<f32>()?;
/// assert!((y - (1e-10f32).ln()).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Maechler, Accurately computing log(1 - exp(-|a|)) (2012).
#[track_caller]
pub fn log1mexp(x: &Array) -> Array {
    let x = &x.inexact();
    let small = x.lt(std::f64::consts::LN_2);
    // Each branch sees only elements of its own range, so that a branch that is not taken cannot make a derivative NaN.
    let near = (-(-where_(&small, x, 0.5)).expm1()).log();
    let far = (-(-where_(&small, 1.0, x)).exp()).log1p();
    where_(&small, near, far)
}

/// One-hot vectors along a new last axis: one where the axis's position equals the index, elsewhere zero: see [`Array::one_hot`].
///
/// ```
/// use jarrah_array::{Array, DType, nn};
/// let y = nn::one_hot(&Array::from_slice(&[1i32]), 3, DType::F32);
/// assert_eq!(y.to_vec::<f32>()?, [0.0, 1.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn one_hot(x: &Array, classes: usize, dtype: DType) -> Array {
    x.one_hot(classes, dtype)
}

/// As [`one_hot`], with the new axis at the position `axis` of the result.
///
/// ```
/// use jarrah_array::{Array, DType, nn};
/// let y = nn::one_hot_along(&Array::from_slice(&[1i32, 0]), 3, DType::F32, 0);
/// assert_eq!(y.shape(), [3, 2]);
/// ```
#[track_caller]
pub fn one_hot_along(x: &Array, classes: usize, dtype: DType, axis: isize) -> Array {
    let hot = x.one_hot(classes, dtype);
    let to = crate::numpy::resolve("one_hot", &hot, axis, hot.rank());
    lax::move_axis(&hot, hot.rank() - 1, to)
}
