use jarrah_array::{Array, DType, Tree};

use crate::{Context, Module, StaticFloat, Variable};

/// Normalization of the last axis, `(x - mean) / sqrt(var + eps) * scale + bias`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::LayerNorm;
/// let y = LayerNorm::new(2, 0.0).forward(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ba, Kiros and Hinton, Layer normalization (2016).
#[derive(Clone, Debug, Tree)]
pub struct LayerNorm {
    /// `[width]`.
    pub scale: Variable,
    /// `[width]`.
    pub bias: Option<Variable>,
    /// The number added to the variance.
    #[tree(static)]
    pub epsilon: StaticFloat,
}

impl LayerNorm {
    /// A normalization with scale one and bias zero, in `f32`.
    pub fn new(width: usize, epsilon: f64) -> Self {
        LayerNorm {
            scale: Array::ones(&[width]).into(),
            bias: Some(Array::zeros(&[width]).into()),
            epsilon: epsilon.into(),
        }
    }

    /// The normalization without a bias.
    pub fn without_bias(self) -> Self {
        LayerNorm { bias: None, ..self }
    }

    /// `x: [.., width]` to the same shape.
    #[track_caller]
    pub fn forward(&self, x: &Array) -> Array {
        let wide = wide(x);
        let centred = &wide - wide.mean(-1).expand_dims(-1);
        let variance = centred.square().mean(-1).expand_dims(-1);
        let y = centred * (variance + self.epsilon.get()).rsqrt() * self.scale.get();
        let y = match &self.bias {
            Some(bias) => y + bias.get(),
            None => y,
        };
        y.astype(x.dtype())
    }
}

/// Normalization of the last axis by its root mean square, `x / sqrt(mean(x^2) + eps) * (offset + scale)`, computed in `f32` for narrow
/// floats.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::RmsNorm;
/// let y = RmsNorm::new(2, 0.0).forward(&Array::from_slice(&[2.0f32, -2.0]));
/// assert_eq!(y.to_vec::<f32>()?, [1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhang and Sennrich, Root mean square layer normalization (2019).
#[derive(Clone, Debug, Tree)]
pub struct RmsNorm {
    /// `[width]`.
    pub scale: Variable,
    /// The number added to the mean square.
    #[tree(static)]
    pub epsilon: StaticFloat,
    /// The number added to the scale: 0, or 1 in Gemma's files, where a scale of 0 is none.
    #[tree(static)]
    pub offset: StaticFloat,
}

impl RmsNorm {
    /// A normalization with scale one, in `f32`.
    pub fn new(width: usize, epsilon: f64) -> Self {
        RmsNorm { scale: Array::ones(&[width]).into(), epsilon: epsilon.into(), offset: 0.0.into() }
    }

    /// A normalization with an offset of one and a scale of zero, in `f32`.
    pub fn with_offset(width: usize, epsilon: f64) -> Self {
        RmsNorm { scale: Array::zeros(&[width]).into(), epsilon: epsilon.into(), offset: 1.0.into() }
    }

    /// `x: [.., width]` to the same shape.
    #[track_caller]
    pub fn forward(&self, x: &Array) -> Array {
        let wide = wide(x);
        let square = wide.square().mean(-1).expand_dims(-1);
        let y = wide * (square + self.epsilon.get()).rsqrt();
        let y = if self.offset.get() == 0.0 {
            y * self.scale.get()
        } else {
            y * (self.scale.get() + self.offset.get())
        };
        y.astype(x.dtype())
    }
}

/// Narrow floats as `f32`, in which statistics are computed.
fn wide(x: &Array) -> Array {
    if x.dtype() == DType::F64 { x.clone() } else { x.astype(DType::F32) }
}

impl Module for LayerNorm {
    #[track_caller]
    fn call(&self, x: &Array, _: &mut Context) -> Array {
        self.forward(x)
    }
}

impl Module for RmsNorm {
    #[track_caller]
    fn call(&self, x: &Array, _: &mut Context) -> Array {
        self.forward(x)
    }
}
