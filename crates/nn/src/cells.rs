//! Recurrent cells: one step of a sequence.

use std::fmt::Debug;

use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, named_scope};

use crate::{Activation, Initializer, Linear, Module};

/// One step of a recurrent layer: what it carries and an element of a sequence to what it carries on and a result.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Cell, GruCell};
/// let cell = GruCell::new(&Key::new(0), 3, 4);
/// let (carry, y) = cell.step(&cell.start(&[2]), &Array::ones(&[2, 3]));
/// assert_eq!(y.shape(), [2, 4]);
/// assert_eq!(carry.to_vec::<f32>()?, y.to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub trait Cell: Tree<Array> + Clone + Debug + Send + Sync + 'static {
    /// The state that goes from step to step.
    type Carry: Tree<Array> + Clone;

    /// The state before the first step, zeros, for sequences of the leading axes `batch`.
    fn start(&self, batch: &[usize]) -> Self::Carry;

    /// One step: `x: [batch.., inputs]` to the next state and the result `[batch.., hidden]`.
    fn step(&self, carry: &Self::Carry, x: &Array) -> (Self::Carry, Array);
}

/// The map of inputs, LeCun-normal, and that of the carry, orthogonal.
fn maps(key: &Key, [inputs, hidden, columns]: [usize; 3], biases: [bool; 2]) -> (Linear, Linear) {
    let (first, second) = key.pair();
    (
        Linear::with(&first, inputs, columns, biases[0], Initializer::lecun_normal()),
        Linear::with(&second, hidden, columns, biases[1], Initializer::orthogonal()),
    )
}

/// Zeros for a cell with this map of its carry.
fn zeros(map: &Linear, batch: &[usize]) -> Array {
    let hidden = map.weight.shape()[0];
    Array::full(&[batch, &[hidden]].concat(), 0, map.weight.dtype())
}

/// The sum of the two linear maps, of the input and of the carried state.
#[track_caller]
fn both(inputs: &Linear, carry: &Linear, x: &Array, h: &Array) -> Array {
    named_scope("dense_i", || inputs.forward(x)) + named_scope("dense_h", || carry.forward(h))
}

/// `h' = tanh(x W_i + b + h W_h)`, which is the result too.
///
/// Source: Elman, Finding structure in time (1990); `flax.nnx.SimpleCell`.
#[derive(Clone, Debug, Tree)]
pub struct SimpleCell {
    /// `[inputs, hidden]`.
    pub dense_i: Linear,
    /// `[hidden, hidden]`, without a bias.
    pub dense_h: Linear,
    /// Whether `h` is added within the activation.
    #[tree(static)]
    pub residual: bool,
    /// The function that is applied where the formula has `tanh`.
    #[tree(static)]
    pub activation: Activation,
}

impl SimpleCell {
    /// A cell with a LeCun-normal and an orthogonal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: usize, hidden: usize) -> Self {
        let (dense_i, dense_h) = maps(key, [inputs, hidden, hidden], [true, false]);
        SimpleCell { dense_i, dense_h, residual: false, activation: Activation::TANH }
    }
}

impl Cell for SimpleCell {
    type Carry = Array;

    fn start(&self, batch: &[usize]) -> Array {
        zeros(&self.dense_h, batch)
    }

    #[track_caller]
    fn step(&self, h: &Array, x: &Array) -> (Array, Array) {
        let mut next = both(&self.dense_i, &self.dense_h, x, h);
        if self.residual {
            next += h;
        }
        let next = self.activation.of(&next);
        (next.clone(), next)
    }
}

/// A cell with a memory `c` and gates, side by side in the columns of its weights: `i, f, g, o`.
///
/// ```text
/// c' = sigmoid(f) c + sigmoid(i) tanh(g);   h' = sigmoid(o) tanh(c');   i, f, g, o = x W_i + h W_h + b
/// ```
///
/// It carries `(c, h)`; the result is `h'`.
///
/// Source: Hochreiter and Schmidhuber, Long short-term memory (1997); `flax.nnx.OptimizedLSTMCell`, and `LSTMCell` with its matrices
/// side by side.
#[derive(Clone, Debug, Tree)]
pub struct LstmCell {
    /// `[inputs, 4 hidden]`, without a bias.
    pub dense_i: Linear,
    /// `[hidden, 4 hidden]`.
    pub dense_h: Linear,
    /// The function that is applied where the formula has `sigmoid`.
    #[tree(static)]
    pub gate: Activation,
    /// The function that is applied where the formula has `tanh`.
    #[tree(static)]
    pub activation: Activation,
}

impl LstmCell {
    /// A cell with a LeCun-normal and an orthogonal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: usize, hidden: usize) -> Self {
        let (dense_i, dense_h) = maps(key, [inputs, hidden, 4 * hidden], [false, true]);
        LstmCell { dense_i, dense_h, gate: Activation::SIGMOID, activation: Activation::TANH }
    }
}

impl Cell for LstmCell {
    type Carry = (Array, Array);

    fn start(&self, batch: &[usize]) -> (Array, Array) {
        (zeros(&self.dense_h, batch), zeros(&self.dense_h, batch))
    }

    #[track_caller]
    fn step(&self, (c, h): &(Array, Array), x: &Array) -> ((Array, Array), Array) {
        let gates = both(&self.dense_i, &self.dense_h, x, h).split(4, -1);
        let (i, f) = (self.gate.of(&gates[0]), self.gate.of(&gates[1]));
        let (g, o) = (self.activation.of(&gates[2]), self.gate.of(&gates[3]));
        let c = f * c + i * g;
        let h = o * self.activation.of(&c);
        ((c, h.clone()), h)
    }
}

/// A cell with gates `r` and `z`, side by side with `n` in the columns of its weights.
///
/// ```text
/// r = sigmoid(x_r + h_r);   z = sigmoid(x_z + h_z);   n = tanh(x_n + r h_n);   h' = (1 - z) n + z h
/// x_r, x_z, x_n = x W_i + b;   h_r, h_z, h_n = h W_h
/// ```
///
/// Source: Cho et al., Learning phrase representations using RNN encoder-decoder (2014); `flax.nnx.GRUCell`.
#[derive(Clone, Debug, Tree)]
pub struct GruCell {
    /// `[inputs, 3 hidden]`.
    pub dense_i: Linear,
    /// `[hidden, 3 hidden]`, without a bias.
    pub dense_h: Linear,
    /// The function that is applied where the formula has `sigmoid`.
    #[tree(static)]
    pub gate: Activation,
    /// The function that is applied where the formula has `tanh`.
    #[tree(static)]
    pub activation: Activation,
}

impl GruCell {
    /// A cell with a LeCun-normal and an orthogonal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: usize, hidden: usize) -> Self {
        let (dense_i, dense_h) = maps(key, [inputs, hidden, 3 * hidden], [true, false]);
        GruCell { dense_i, dense_h, gate: Activation::SIGMOID, activation: Activation::TANH }
    }
}

impl Cell for GruCell {
    type Carry = Array;

    fn start(&self, batch: &[usize]) -> Array {
        zeros(&self.dense_h, batch)
    }

    #[track_caller]
    fn step(&self, h: &Array, x: &Array) -> (Array, Array) {
        let of_x = named_scope("dense_i", || self.dense_i.forward(x)).split(3, -1);
        let of_h = named_scope("dense_h", || self.dense_h.forward(h)).split(3, -1);
        let (r, z) = (self.gate.of(&(&of_x[0] + &of_h[0])), self.gate.of(&(&of_x[1] + &of_h[1])));
        let n = self.activation.of(&(&of_x[2] + r * &of_h[2]));
        let next = (1.0 - &z) * n + z * h;
        (next.clone(), next)
    }
}
