use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree};

use crate::{AdapterRows, Adapters, Context, Initializer, Module, Variable};

/// An affine map of the last axis, `y = x W + b`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Linear, Module};
/// let layer = Linear::new(&Key::new(0), 3, 5);
/// assert_eq!(layer.forward(&Array::zeros(&[2, 4, 3])).shape(), [2, 4, 5]);
/// ```
///
/// In a pass whose state has [`Adapters`] at `adapters`, rows take these as the pass says. The argument is the value `input` of the pass
/// ([`Context::observe`]), by which weights are calibrated. The weight may be in few bits:
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Linear, Module};
/// use jarrah_quant::{Scheme, quantize};
/// let mut layer = Linear::new(&Key::new(0), 64, 5);
/// layer.weight = quantize(&layer.weight.get(), Scheme::MXFP4).into();
/// assert_eq!(layer.forward(&Array::zeros(&[2, 64])).shape(), [2, 5]);
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Linear {
    /// `[inputs, outputs]`.
    pub weight: Variable,
    /// `[outputs]`.
    pub bias: Option<Variable>,
}

impl Linear {
    /// A map with a LeCun-normal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: usize, outputs: usize) -> Self {
        Self::with(key, inputs, outputs, true, Initializer::lecun_normal())
    }

    /// A map with a weight from `initializer` and, with `bias`, a zero bias, in `f32`.
    #[track_caller]
    pub fn with(key: &Key, inputs: usize, outputs: usize, bias: bool, initializer: Initializer) -> Self {
        Linear {
            weight: initializer.sample(key, &[inputs, outputs], DType::F32).into(),
            bias: bias.then(|| Array::zeros(&[outputs]).into()),
        }
    }

    #[track_caller]
    fn biased(&self, y: Array) -> Array {
        match &self.bias {
            Some(bias) => y + bias.get(),
            None => y,
        }
    }
}

impl Module for Linear {
    /// `x: [.., inputs]` to `[.., outputs]`.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let x = &if cx.wants("input") { cx.observe("input", x.clone()) } else { x.clone() };
        match (cx.about::<AdapterRows>(), cx.state::<Adapters>("adapters")) {
            (Some(rows), Some(adapters)) => self.biased(adapters.added(&self.weight.dot(x), x, &rows)),
            _ => self.biased(self.weight.dot(x)),
        }
    }
}
