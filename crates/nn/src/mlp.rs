use jarrah_array::random::Key;
use jarrah_array::{Array, Tree};

use crate::{Activation, Context, Initializer, Linear, Module};

/// Two affine maps with an activation, GELU if nothing is said, between them: `gelu(x W1 + b1) W2 + b2`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Mlp, Module};
/// let mlp = Mlp::new(&Key::new(0), 4, 16);
/// assert_eq!(mlp.forward(&Array::zeros(&[2, 4])).shape(), [2, 4]);
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Mlp {
    /// `[width, hidden]`.
    pub up: Linear,
    /// `[hidden, width]`.
    pub down: Linear,
    /// Between them.
    #[tree(static)]
    pub activation: Activation,
}

impl Mlp {
    /// Maps with LeCun-normal weights and zero biases, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, width: usize, hidden: usize) -> Self {
        let (first, second) = key.pair();
        Mlp {
            up: Linear::new(&first, width, hidden),
            down: Linear::new(&second, hidden, width),
            activation: Activation::GELU,
        }
    }
}

impl Module for Mlp {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let hidden = self.activation.of(&cx.call("up", &self.up, x));
        cx.call("down", &self.down, &hidden)
    }
}

/// A gated MLP, `(f(x G) (x U)) D`, with an activation `f`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Activation, Context, GatedMlp, Module};
/// let mlp = GatedMlp::new(&Key::new(0), 4, 16, Activation::SILU);
/// assert_eq!(mlp.call(&Array::zeros(&[2, 4]), &mut Context::eval()).shape(), [2, 4]);
/// ```
///
/// Source: Shazeer, GLU variants improve transformer (2020).
#[derive(Clone, Debug, Tree)]
pub struct GatedMlp {
    /// `[width, hidden]`, `G`.
    pub gate: Linear,
    /// `[width, hidden]`, `U`.
    pub up: Linear,
    /// `[hidden, width]`, `D`.
    pub down: Linear,
    /// `f`.
    #[tree(static)]
    pub activation: Activation,
}

impl GatedMlp {
    /// Maps with LeCun-normal weights, without biases, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, width: usize, hidden: usize, activation: Activation) -> Self {
        let keys = key.split(3);
        let linear = |key: &Key, inputs: usize, outputs: usize| {
            Linear::with(key, inputs, outputs, false, Initializer::lecun_normal())
        };
        GatedMlp {
            gate: linear(&keys[0], width, hidden),
            up: linear(&keys[1], width, hidden),
            down: linear(&keys[2], hidden, width),
            activation,
        }
    }
}

impl Module for GatedMlp {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let gate = self.activation.of(&cx.call("gate", &self.gate, x));
        let hidden = gate * cx.call("up", &self.up, x);
        cx.call("down", &self.down, &hidden)
    }
}
