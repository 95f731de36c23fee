use jarrah_array::random::Key;
use jarrah_array::{Array, Jit, Tree, autocast, eval_shape, jit, value_and_grad};
use jarrah_base::{DType, Result};
use jarrah_data::Batch;
use jarrah_models::{Gpt, GptConfig};
use jarrah_optim::{
    Adam, GradientTransformation, LossScale, Mask, Schedule, adamw, apply_updates, chain,
    clip_by_global_norm, global_norm, identity, loss_scaled, scaled_value_and_grad, warmup_cosine_decay,
};
use jarrah_runtime::CompiledMemory;

use super::state::State;
use crate::recipe::{LossScaling, Precision, Recipe};

/// The measurements of a step.
#[derive(Clone, Tree)]
pub struct Measured {
    /// The mean cross-entropy of the batch, before the update.
    pub loss: Array,
    /// The norm of the gradient, before clipping.
    pub grad_norm: Array,
    /// The learning rate.
    pub lr: Array,
}

/// Inputs and targets, `i32[batch, context]`.
pub type Tokens = (Array, Array);

type Function<A, R> = Jit<A, R, Box<dyn Fn(&A) -> R>>;

/// The compiled functions of a run.
pub struct Programs {
    config: GptConfig,
    optimizer: GradientTransformation,
    step: Function<(State, Tokens, Key), (State, Measured)>,
    evaluate: Function<(Gpt, Tokens), Array>,
}

/// The model's configuration, from the recipe.
pub fn model_config(recipe: &Recipe, vocabulary: usize) -> GptConfig {
    let model = &recipe.model;
    GptConfig {
        layers: model.layers,
        width: model.width,
        heads: model.heads,
        context: model.context,
        vocabulary,
        mlp_ratio: model.mlp_ratio,
        dropout: model.dropout.into(),
        tie_embeddings: model.tie_embeddings,
        ..GptConfig::default()
    }
}

/// The learning rate of each step: linear warm-up, then a cosine decay to the last step.
fn schedule(recipe: &Recipe) -> Schedule {
    let optimizer = &recipe.optimizer;
    let steps = recipe.steps as usize;
    let warmup = (optimizer.warmup as usize).min(steps / 2);
    warmup_cosine_decay(0.0, optimizer.lr, warmup, steps, optimizer.min_lr)
}

fn optimizer(recipe: &Recipe) -> GradientTransformation {
    let o = &recipe.optimizer;
    let adam = Adam { b1: o.betas[0], b2: o.betas[1], eps: o.eps, ..Adam::default() };
    let clip = if o.clip > 0.0 { clip_by_global_norm(o.clip) } else { identity() };
    let optimizer = chain([clip, adamw(schedule(recipe), adam, o.weight_decay, Mask::matrices())]);
    match recipe.precision {
        Precision::F32 | Precision::BF16 => optimizer,
        Precision::F16 => loss_scaled(loss_scale(recipe), optimizer),
    }
}

fn loss_scale(recipe: &Recipe) -> LossScale {
    let LossScaling { initial, period, factor, min } = recipe.loss_scale;
    match period {
        0 => LossScale::Static(initial),
        period => LossScale::Dynamic { initial, period: period as usize, factor, min },
    }
}

/// The mean cross-entropy of a batch, in the recipe's precision.
fn loss(precision: Precision, params: &Gpt, (inputs, targets): &Tokens, key: Option<&Key>) -> Array {
    let loss = |params: &Gpt| params.loss(inputs, targets, key);
    match precision.narrow() {
        None => loss(params),
        Some(compute) => autocast(compute, loss)(params),
    }
}

/// The state before the first step.
fn made(config: &GptConfig, optimizer: &GradientTransformation, key: &Key) -> State {
    let params = Gpt::init(config.clone(), key);
    let opt = optimizer.init(&params);
    State { params, opt, step: Array::scalar(0i32) }
}

impl Programs {
    /// The functions for a recipe and its model; each is compiled at its first call.
    pub fn new(recipe: &Recipe, config: &GptConfig) -> Self {
        let optimizer = optimizer(recipe);
        let (update, rate) = (optimizer.clone(), schedule(recipe));
        let drops = config.dropout.get() > 0.0;
        let precision = recipe.precision;
        let step = move |(state, tokens, key): &(State, Tokens, Key)| {
            let State { params, opt, step } = state;
            let key = drops.then(|| key.fold_in_array(step));
            let loss = |params: &Gpt| loss(precision, params, tokens, key.as_ref());
            let (loss, gradient) = match precision {
                Precision::F32 | Precision::BF16 => value_and_grad(loss)(params),
                Precision::F16 => scaled_value_and_grad(loss, opt)(params),
            };
            let (updates, opt) = update.update(&gradient, opt, params);
            let measured = Measured { loss, grad_norm: global_norm(&gradient), lr: rate.at(step) };
            (State { params: apply_updates(params, &updates), opt, step: step + 1 }, measured)
        };
        let evaluate = move |(params, tokens): &(Gpt, Tokens)| loss(precision, params, tokens, None);
        let mut step = jit(Box::new(step) as Box<dyn Fn(&_) -> _>).donate(0);
        if let Some(limit) = recipe.memory_limit {
            step = step.memory_limit(&limit.to_string());
        }
        Programs {
            config: config.clone(),
            optimizer,
            step,
            evaluate: jit(Box::new(evaluate) as Box<dyn Fn(&_) -> _>),
        }
    }

    /// The dropout key and the state before the first step, both from the recipe's seed.
    ///
    /// # Errors
    /// The device failed.
    pub fn initial(&self, recipe: &Recipe) -> Result<(Key, State)> {
        let (config, optimizer) = (self.config.clone(), self.optimizer.clone());
        let (weights, dropout) = Key::new(recipe.seed).pair();
        let make = jit(move |key: &Key| made(&config, &optimizer, key));
        Ok((dropout, make.call(weights)?))
    }

    /// Compiles the training step and the evaluation before there is a state, and tells the memory that a step needs.
    ///
    /// # Errors
    /// One of them does not fit.
    pub fn compile(&self, recipe: &Recipe) -> Result<CompiledMemory> {
        let shape = [recipe.batch, recipe.model.context];
        let arguments = |key: &Key| {
            let tokens = || Array::full(&shape, 0, DType::I32);
            (made(&self.config, &self.optimizer, key), (tokens(), tokens()), key.clone())
        };
        let (state, tokens, key) = eval_shape(arguments, &Key::new(0));
        self.evaluate.lower(&(state.params.clone(), tokens.clone())).compile()?;
        Ok(self.step.lower(&(state, tokens, key)).compile()?.memory_analysis())
    }

    /// Runs one step and returns the new state; `state` is overwritten.
    ///
    /// # Errors
    /// The device failed.
    pub fn step(&self, state: State, tokens: Tokens, key: &Key) -> Result<(State, Measured)> {
        self.step.call((state, tokens, key.clone()))
    }

    /// The mean cross-entropy over the batches.
    ///
    /// # Errors
    /// The device failed.
    pub fn evaluate(&self, params: &Gpt, batches: &[Batch]) -> Result<f64> {
        let mut sum = 0.0;
        for batch in batches {
            let tokens =
                (Array::from_literal(batch.inputs.clone()), Array::from_literal(batch.targets.clone()));
            sum += self.evaluate.call((params.clone(), tokens))?.to_f64()?;
        }
        Ok(sum / batches.len().max(1) as f64)
    }
}
