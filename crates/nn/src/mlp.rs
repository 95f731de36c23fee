use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, named_scope};

use crate::{Initializer, Linear, gelu};

/// Two affine maps with a GELU between them, `gelu(x W1 + b1) W2 + b2`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::Mlp;
/// let mlp = Mlp::new(&Key::new(0), 4, 16);
/// assert_eq!(mlp.forward(&Array::zeros(&[2, 4])).shape(), [2, 4]);
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Mlp {
    /// `[width, hidden]`.
    pub up: Linear,
    /// `[hidden, width]`.
    pub down: Linear,
}

impl Mlp {
    /// Maps with LeCun-normal weights and zero biases, in `f32`.
    pub fn new(key: &Key, width: usize, hidden: usize) -> Self {
        let initializer = Initializer::lecun_normal();
        Self::with(key, width, hidden, true, initializer, initializer)
    }

    /// Maps with an initializer for each weight, in `f32`.
    pub fn with(
        key: &Key,
        width: usize,
        hidden: usize,
        bias: bool,
        up: Initializer,
        down: Initializer,
    ) -> Self {
        let (first, second) = key.pair();
        Mlp {
            up: Linear::with(&first, width, hidden, bias, up),
            down: Linear::with(&second, hidden, width, bias, down),
        }
    }

    /// `x: [.., width]` to the same shape.
    pub fn forward(&self, x: &Array) -> Array {
        let hidden = gelu(&named_scope("up", || self.up.forward(x)));
        named_scope("down", || self.down.forward(&hidden))
    }
}
