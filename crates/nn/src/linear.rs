use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree};
use jarrah_quant::QuantizedTensor;

use crate::Initializer;

/// A matrix that a [`Linear`] multiplies with: an array, or one in few bits.
pub trait Weight {
    /// `x W`: `[.., inputs]` to `[.., outputs]`.
    fn times(&self, x: &Array) -> Array;
}

impl Weight for Array {
    #[track_caller]
    fn times(&self, x: &Array) -> Array {
        x.matmul(self)
    }
}

impl Weight for QuantizedTensor {
    #[track_caller]
    fn times(&self, x: &Array) -> Array {
        self.apply(x)
    }
}

/// An affine map of the last axis, `y = x W + b`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::Linear;
/// let layer = Linear::new(&Key::new(0), 3, 5);
/// assert_eq!(layer.forward(&Array::zeros(&[2, 4, 3])).shape(), [2, 4, 5]);
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Linear<W = Array> {
    /// `[inputs, outputs]`.
    pub weight: W,
    /// `[outputs]`.
    pub bias: Option<Array>,
}

impl Linear {
    /// A map with a LeCun-normal weight and a zero bias, in `f32`.
    pub fn new(key: &Key, inputs: usize, outputs: usize) -> Self {
        Self::with(key, inputs, outputs, true, Initializer::lecun_normal())
    }

    /// A map with a weight from `initializer` and, with `bias`, a zero bias, in `f32`.
    pub fn with(key: &Key, inputs: usize, outputs: usize, bias: bool, initializer: Initializer) -> Self {
        Linear {
            weight: initializer.sample(key, &[inputs, outputs], DType::F32),
            bias: bias.then(|| Array::zeros(&[outputs])),
        }
    }
}

impl<W> Linear<W> {
    /// The same map with another weight, such as this one quantized.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// use jarrah_nn::Linear;
    /// use jarrah_quant::{QuantizedTensor, Scheme, quantize};
    /// let layer = Linear::new(&Key::new(0), 64, 5);
    /// let small: Linear<QuantizedTensor> = layer.map_weight(|w| quantize(w, Scheme::MXFP4));
    /// assert_eq!(small.forward(&Array::zeros(&[2, 64])).shape(), [2, 5]);
    /// ```
    #[track_caller]
    pub fn map_weight<V>(&self, f: impl FnOnce(&W) -> V) -> Linear<V> {
        Linear { weight: f(&self.weight), bias: self.bias.clone() }
    }
}

impl<W: Weight> Linear<W> {
    /// `x: [.., inputs]` to `[.., outputs]`.
    #[track_caller]
    pub fn forward(&self, x: &Array) -> Array {
        let y = self.weight.times(x);
        match &self.bias {
            Some(bias) => y + bias,
            None => y,
        }
    }
}
