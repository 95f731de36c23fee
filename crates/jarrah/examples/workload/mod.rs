//! What the measurements train: models with a batch each, and a step of AdamW.

use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, Tree, value_and_grad};
use jarrah::models::{Decoder, DecoderConfig, Extents};
use jarrah::nn::{Context, Linear, Module, relu, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::{Adam, Leaves, Mask, adamw, apply_updates};

/// What a step carries on.
#[derive(Clone, Tree)]
pub struct State<M> {
    /// The model.
    pub params: M,
    opt: Leaves,
}

fn optimizer() -> jarrah::optim::GradientTransformation {
    adamw(1e-3, Adam::default(), 0.1, Mask::all())
}

/// The state before the first step.
pub fn initial<M: Tree<Array> + Clone + 'static>(model: M) -> State<M> {
    State { opt: optimizer().init(&model), params: model }
}

/// A state and a batch: what a step takes.
pub type Arguments<M> = (State<M>, (Array, Array));

/// A step of `loss`: the next state, and the loss before.
pub fn step<M: Tree<Array> + Clone + 'static>(
    loss: impl Fn(&M, &Array, &Array) -> Array + Copy + 'static,
) -> impl Fn(&Arguments<M>) -> (State<M>, Array) + Clone {
    let optimizer = optimizer();
    move |(state, (x, y))| {
        let (value, slope) = value_and_grad(|m: &M| loss(m, x, y))(&state.params);
        let (updates, opt) = optimizer.update(&slope, &state.opt, &state.params);
        (State { params: apply_updates(&state.params, &updates), opt }, value)
    }
}

/// A model, a batch for it, and their name.
pub type Workload<M> = (&'static str, M, (Array, Array));

/// A GPT of characters.
pub fn char_gpt() -> Result<Workload<Decoder>> {
    let keys = Key::new(0).split(8);
    let extents = Extents {
        vocabulary: Some(65),
        context: Some(128),
        layers: Some(4),
        heads: Some(4),
        width: Some(128),
        ..Extents::default()
    };
    let model = Decoder::new(&DecoderConfig::gpt2(&extents)?, &keys[2]);
    let tokens = |key: &Key| key.randint(&[8, 128], 0, 65);
    let batch = (tokens(&keys[0]), tokens(&keys[1]));
    Ok(("char-GPT, 4 x 128, batch 8 x 128", model, batch))
}

/// The mean loss of a decoder, without dropout.
pub fn mean_loss(model: &Decoder, x: &Array, y: &Array) -> Array {
    model.loss(x, y, None, &mut Context::eval())
}

/// Layers with rectifiers between them.
pub type Mlp = [Linear; 3];

/// A perceptron of digits.
pub fn mlp() -> Workload<Mlp> {
    let keys = Key::new(0).split(8);
    let layer = |i: usize, inputs, outputs| Linear::new(&keys[3 + i], inputs, outputs);
    let layers = [layer(0, 784, 512), layer(1, 512, 512), layer(2, 512, 10)];
    let batch = (keys[0].normal(&[256, 784]), keys[6].randint(&[256], 0, 10));
    ("MLP 784-512-512-10, batch 256", layers, batch)
}

/// The mean cross entropy of the perceptron.
pub fn mlp_loss(layers: &Mlp, x: &Array, y: &Array) -> Array {
    let hidden = layers[..2].iter().fold(x.clone(), |x, layer| relu(&layer.forward(&x)));
    softmax_cross_entropy_with_integer_labels(&layers[2].forward(&hidden), y).mean(..)
}
