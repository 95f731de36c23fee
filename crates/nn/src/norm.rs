use jarrah_array::{Array, Tree};

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
        let centred = x - x.mean(-1).expand_dims(-1);
        let variance = centred.square().mean(-1).expand_dims(-1);
        let y = centred * (variance + self.epsilon.get()).rsqrt() * self.scale.get();
        match &self.bias {
            Some(bias) => y + bias.get(),
            None => y,
        }
    }
}

/// Normalization of the last axis by its root mean square, `x / sqrt(mean(x^2) + eps) * scale`.
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
}

impl RmsNorm {
    /// A normalization with scale one, in `f32`.
    pub fn new(width: usize, epsilon: f64) -> Self {
        RmsNorm { scale: Array::ones(&[width]).into(), epsilon: epsilon.into() }
    }

    /// `x: [.., width]` to the same shape.
    #[track_caller]
    pub fn forward(&self, x: &Array) -> Array {
        let square = x.square().mean(-1).expand_dims(-1);
        x * (square + self.epsilon.get()).rsqrt() * self.scale.get()
    }
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
