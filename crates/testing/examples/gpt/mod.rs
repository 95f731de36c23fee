//! A training step of a small GPT, which several programs look at.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, autocast, value_and_grad};
use jarrah_models::{Decoder, DecoderConfig, Extents};
use jarrah_nn::Context;
use jarrah_optim::{Adam, Leaves, Mask, adamw, apply_updates};

/// The parameters, and the moments of AdamW.
#[derive(Clone, Tree)]
pub struct State {
    params: Decoder,
    opt: Leaves,
}

/// Tokens, and those that follow them.
pub type Batch = (Array, Array);

/// A GPT-2 of so many layers, heads and columns, for so long sequences of so many tokens.
pub fn config([layers, heads, width]: [usize; 3], context: usize, vocabulary: usize) -> DecoderConfig {
    let extents = Extents {
        layers: Some(layers),
        heads: Some(heads),
        width: Some(width),
        context: Some(context),
        vocabulary: Some(vocabulary),
        ..Extents::default()
    };
    DecoderConfig::gpt2(&extents).expect("a model of these extents")
}

/// The mean loss of a model, without dropout.
pub fn mean_loss(model: &Decoder, x: &Array, y: &Array) -> Array {
    model.loss(x, y, None, &mut Context::eval())
}

/// A step of AdamW, a state and a batch of `batch` sequences.
pub fn gpt_step(
    config: DecoderConfig,
    batch: usize,
) -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    gpt_step_in(None, config, batch)
}

/// As [`gpt_step`], with products and attention in `narrow`, if it is given.
pub fn gpt_step_in(
    narrow: Option<DType>,
    config: DecoderConfig,
    batch: usize,
) -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    let keys = Key::new(3).split(3);
    let optimizer = adamw(3e-4, Adam { b2: 0.95, ..Adam::default() }, 0.1, Mask::all());
    let (context, vocabulary) = (config.context, config.vocabulary as i32);
    let tokens = |key: &Key| key.randint(&[batch, context], 0, vocabulary);
    let params = Decoder::new(&config, &keys[0]);
    let state = State { opt: optimizer.init(&params), params };
    let data = (tokens(&keys[1]), tokens(&keys[2]));
    let step = move |(state, (x, y)): &(State, Batch)| {
        let loss = |params: &Decoder| mean_loss(params, x, y);
        let (loss, slope) = match narrow {
            Some(dtype) => value_and_grad(autocast(dtype, loss))(&state.params),
            None => value_and_grad(loss)(&state.params),
        };
        let (updates, opt) = optimizer.update(&slope, &state.opt, &state.params);
        (State { params: apply_updates(&state.params, &updates), opt }, loss)
    };
    (step, (state, data))
}
