//! A training step of a small GPT, which several programs look at.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, autocast, value_and_grad};
use jarrah_models::{Gpt, GptConfig};
use jarrah_optim::{Adam, Leaves, Mask, adamw, apply_updates};

/// The parameters, and the moments of AdamW.
#[derive(Clone, Tree)]
pub struct State {
    params: Gpt,
    opt: Leaves,
}

/// Tokens, and those that follow them.
pub type Batch = (Array, Array);

/// A step of AdamW, a state and a batch of `batch` sequences.
pub fn gpt_step(
    config: GptConfig,
    batch: usize,
) -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    gpt_step_in(None, config, batch)
}

/// As [`gpt_step`], with products and attention in `narrow`, if it is given.
pub fn gpt_step_in(
    narrow: Option<DType>,
    config: GptConfig,
    batch: usize,
) -> (impl Fn(&(State, Batch)) -> (State, Array) + Clone + 'static, (State, Batch)) {
    let keys = Key::new(3).split(3);
    let optimizer = adamw(3e-4, Adam { b2: 0.95, ..Adam::default() }, 0.1, Mask::all());
    let (context, vocabulary) = (config.context, config.vocabulary as i32);
    let tokens = |key: &Key| key.randint(&[batch, context], 0, vocabulary);
    let params = Gpt::init(config, &keys[0]);
    let state = State { opt: optimizer.init(&params), params };
    let data = (tokens(&keys[1]), tokens(&keys[2]));
    let step = move |(state, (x, y)): &(State, Batch)| {
        let loss = |params: &Gpt| params.loss(x, y, None);
        let (loss, slope) = match narrow {
            Some(dtype) => value_and_grad(autocast(dtype, loss))(&state.params),
            None => value_and_grad(loss)(&state.params),
        };
        let (updates, opt) = optimizer.update(&slope, &state.opt, &state.params);
        (State { params: apply_updates(&state.params, &updates), opt }, loss)
    };
    (step, (state, data))
}
