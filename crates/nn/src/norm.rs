use jarrah_array::{Array, Tree};

use crate::axes::{resolved, scaled, wide};
use crate::tokens::refuse_mixing;
use crate::{Context, Module, StaticFloat, Variable};

/// Normalization of the last axis, `(x - mean) / sqrt(var + eps) * scale + bias`, computed in `f32`, or `f64` for `f64`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{LayerNorm, Module};
/// let y = LayerNorm::new(2, 0.0).forward(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0]);
/// // Statistics of other axes: those of a picture, with a scale for each of its three channels.
/// let norm = LayerNorm::new(3, 1e-6).over(&[-3, -2, -1]);
/// assert_eq!(norm.forward(&Array::ones(&[2, 4, 4, 3])).shape(), [2, 4, 4, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ba, Kiros and Hinton, Layer normalization (2016).
#[derive(Clone, Debug, Tree)]
pub struct LayerNorm {
    /// `[width]`; none: ones.
    pub scale: Option<Variable>,
    /// `[width]`; none: zeros.
    pub bias: Option<Variable>,
    /// The number added to the variance.
    #[tree(static)]
    pub epsilon: StaticFloat,
    /// The axes over which mean and variance are taken; negative ones from the end.
    #[tree(static)]
    pub axes: Vec<isize>,
    /// The axes that scale and bias lie along.
    #[tree(static)]
    pub feature_axes: Vec<isize>,
}

impl LayerNorm {
    /// A normalization with scale one and bias zero, in `f32`.
    #[track_caller]
    pub fn new(width: usize, epsilon: f64) -> Self {
        LayerNorm {
            scale: Some(Array::ones(&[width]).into()),
            bias: Some(Array::zeros(&[width]).into()),
            epsilon: epsilon.into(),
            axes: vec![-1],
            feature_axes: vec![-1],
        }
    }

    /// The normalization without a bias.
    #[must_use]
    pub fn without_bias(self) -> Self {
        LayerNorm { bias: None, ..self }
    }

    /// The normalization without a scale.
    #[must_use]
    pub fn without_scale(self) -> Self {
        LayerNorm { scale: None, ..self }
    }

    /// The normalization by the statistics of these axes.
    #[must_use]
    pub fn over(self, axes: &[isize]) -> Self {
        LayerNorm { axes: axes.to_vec(), ..self }
    }

    /// The normalization with scale and bias along these axes.
    #[must_use]
    pub fn with_feature_axes(self, axes: &[isize]) -> Self {
        LayerNorm { feature_axes: axes.to_vec(), ..self }
    }
}

/// Normalization of the last axis by its root mean square, `x / sqrt(mean(x^2) + eps) * (offset + scale)`, computed in `f32`, or `f64` for
/// `f64`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Module, RmsNorm};
/// let y = RmsNorm::new(2, 0.0).forward(&Array::from_slice(&[2.0f32, -2.0]));
/// assert_eq!(y.to_vec::<f32>()?, [1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhang and Sennrich, Root mean square layer normalization (2019).
#[derive(Clone, Debug, Tree)]
pub struct RmsNorm {
    /// `[width]`; none: ones.
    pub scale: Option<Variable>,
    /// The number added to the mean square.
    #[tree(static)]
    pub epsilon: StaticFloat,
    /// The number added to the scale: 0, or 1 in Gemma's files, where a scale of 0 is none.
    #[tree(static)]
    pub offset: StaticFloat,
    /// The axes over which the mean square is taken; negative ones from the end.
    #[tree(static)]
    pub axes: Vec<isize>,
    /// The axes that the scale lies along.
    #[tree(static)]
    pub feature_axes: Vec<isize>,
}

impl RmsNorm {
    /// A normalization with scale one, in `f32`.
    #[track_caller]
    pub fn new(width: usize, epsilon: f64) -> Self {
        let scale = Some(Array::ones(&[width]).into());
        RmsNorm { scale, epsilon: epsilon.into(), offset: 0.0.into(), axes: vec![-1], feature_axes: vec![-1] }
    }

    /// A normalization whose scale is stored as the difference from one, which starts at zero, in `f32`.
    #[track_caller]
    pub fn with_offset(width: usize, epsilon: f64) -> Self {
        let scale = Some(Array::zeros(&[width]).into());
        RmsNorm { scale, offset: 1.0.into(), ..Self::new(width, epsilon) }
    }

    /// The normalization without a scale.
    #[must_use]
    pub fn without_scale(self) -> Self {
        RmsNorm { scale: None, ..self }
    }

    /// The normalization by the mean square over these axes.
    #[must_use]
    pub fn over(self, axes: &[isize]) -> Self {
        RmsNorm { axes: axes.to_vec(), ..self }
    }

    /// The normalization with a scale along these axes.
    #[must_use]
    pub fn with_feature_axes(self, axes: &[isize]) -> Self {
        RmsNorm { feature_axes: axes.to_vec(), ..self }
    }
}

/// The mean over `axes`, which stay with extent one.
#[track_caller]
fn mean(x: &Array, axes: &[isize]) -> Array {
    x.mean(axes).expand_dims(axes)
}

/// A parameter with axes of extent one added, so that it broadcasts along the other axes of `x`.
#[track_caller]
fn along(parameter: Array, axes: &[isize], x: &Array) -> Array {
    if axes == [-1] {
        return parameter;
    }
    let mut shape = vec![1; x.rank()];
    for axis in resolved("norm", axes, x.rank()) {
        shape[axis] = x.shape()[axis];
    }
    parameter.reshape(&shape[..])
}

/// Statistics along the tokens of a pass are an error where these have segments or go on from earlier passes.
impl Module for LayerNorm {
    /// Normalizes `x: [.., width]`; the result has the same shape.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        refuse_mixing("layer norm", x, resolved("norm", &self.axes, x.rank()), cx);
        let wide = wide(x);
        let centred = &wide - mean(&wide, &self.axes);
        let variance = mean(&centred.square(), &self.axes);
        let y = centred * (variance + self.epsilon.get()).rsqrt();
        let spread = |parameter| along(parameter, &self.feature_axes, x);
        scaled(x, y, [self.scale.as_ref(), self.bias.as_ref()], spread)
    }
}

/// Statistics along the tokens of a pass are an error where these have segments or go on from earlier passes.
impl Module for RmsNorm {
    /// Normalizes `x: [.., width]`; the result has the same shape.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        refuse_mixing("rms norm", x, resolved("norm", &self.axes, x.rank()), cx);
        let wide = wide(x);
        let y = &wide * (mean(&wide.square(), &self.axes) + self.epsilon.get()).rsqrt();
        let offset = self.offset.get();
        scaled(x, y, [self.scale.as_ref(), None], |scale| {
            let scale = if offset == 0.0 { scale } else { scale + offset };
            along(scale, &self.feature_axes, x)
        })
    }
}
