use jarrah_base::memory::Bytes;
use jarrah_base::{Error, Result};
use jarrah_cpu::threads::Pool;

use super::precision::Precision;
use crate::declare;

/// Numbers of the optimizer become `f32`.
const LARGEST: f64 = f32::MAX as f64;

// The largest extents are such that the number of parameters, that of a batch's tokens and the operations of a step fit
// into their types: memory is checked with them.

declare! {
    /// A training run.
    pub struct Recipe {
        /// The text to learn.
        data: Data = Data::default();
        /// How text becomes numbers.
        tokenizer: Tokenizer = Tokenizer::default();
        /// The network.
        model: Model = Model::default();
        /// How the weights move.
        optimizer: Optimizer = Optimizer::default();
        /// Keeping gradients of f16 in its range; other precisions need none.
        loss_scale: LossScaling = LossScaling::default();
        /// Measuring on held-out text.
        eval: Eval = Eval::default();
        /// Saving the run.
        checkpoint: Checkpoints = Checkpoints::default();
        /// Progress.
        log: Log = Log::default();
        /// The text generated at the end.
        sample: Sample = Sample::default();
        /// Sequences a step.
        batch: usize = 8, in 1..=1_048_576;
        /// Steps to train.
        steps: u64 = 4000, in 1..=2_147_483_647;
        /// Seed of every random choice: weights, order of the data, dropout, sampling.
        seed: u64 = 0;
        /// What products and attention compute in: f32, bf16, or f16 with a loss scale; weights are f32.
        precision: Precision = Precision::F32;
        /// Threads to compute on; 0 takes every core.
        threads: usize = 0, in 0..=Pool::MOST;
        /// The memory of a step, such as 8GiB: what would take more is computed again; unset, as much as there is.
        memory_limit: Option<Bytes> = None;
        /// Folder of the run; unset, a new one below runs/.
        out: Option<String> = None;
    }
}

declare! {
    /// The text to learn.
    pub struct Data {
        /// Files, folders or globs, .jsonl included; empty, the Rust sources in the local cargo registry.
        paths: Vec<String> = Vec::new();
        /// At most so many megabytes of the registry's sources, sampled by hash; named paths are read whole.
        max_mb: f64 = 16.0, in 0.001..=1e9;
    }
}

declare! {
    /// How text becomes numbers.
    pub struct Tokenizer {
        /// A tokenizer.json to use; unset, one is learned from the text.
        file: Option<String> = None;
        /// The number of tokens to learn.
        vocab_size: usize = 4096, in 257..=1_000_000;
        /// Learn from at most so many megabytes of the text.
        max_mb: f64 = 8.0, in 0.001..=1e9;
    }
}

declare! {
    /// The network.
    pub struct Model {
        /// Transformer blocks.
        layers: usize = 4, in 1..=1000;
        /// The width of the residual stream; a multiple of heads.
        width: usize = 128, in 1..=1_048_576;
        /// Attention heads a block.
        heads: usize = 4, in 1..=1_048_576;
        /// The longest sequence, in tokens.
        context: usize = 128, in 2..=1_048_576;
        /// The width of the hidden layer of a block over the width.
        mlp_ratio: usize = 4, in 1..=1024;
        /// The share of activations dropped in training.
        dropout: f64 = 0.0, in 0.0..1.0;
        /// Whether the output layer is the transposed embedding.
        tie_embeddings: bool = true;
    }
}

declare! {
    /// How the weights move: AdamW under a warm-up and cosine schedule.
    pub struct Optimizer {
        /// The highest learning rate.
        lr: f64 = 3e-3, in 0.0..=LARGEST;
        /// The learning rate at the last step.
        min_lr: f64 = 1e-4, in 0.0..=LARGEST;
        /// Steps of linear warm-up; at most half of all steps.
        warmup: u64 = 100;
        /// The decay rates of the two moments.
        betas: [f64; 2] = [0.9, 0.95], in 0.0..1.0;
        /// Added to the root of the second moment.
        eps: f64 = 1e-8, in 0.0..=LARGEST;
        /// The decoupled weight decay.
        weight_decay: f64 = 0.1, in 0.0..=LARGEST;
        /// The largest global norm of the gradient; 0 does not clip.
        clip: f64 = 1.0, in 0.0..=LARGEST;
    }
}

declare! {
    /// Keeping gradients of f16 in its range; other precisions need none.
    pub struct LossScaling {
        /// What the loss of the first step is multiplied by.
        initial: f64 = 32768.0, in 1.0..=LARGEST;
        /// Steps with finite gradients after which the scale grows; 0 keeps it as it is.
        period: u64 = 2000, in 0..=2_147_483_647;
        /// By what the scale grows, and goes back where a gradient is not finite.
        factor: f64 = 2.0, in 1.0625..=65536.0;
        /// The least scale.
        min: f64 = 1.0, in 1e-30..=LARGEST;
    }
}

declare! {
    /// Measuring on held-out text.
    pub struct Eval {
        /// Steps between two evaluations; 0 evaluates at the end only.
        every: u64 = 200;
        /// Batches an evaluation reads.
        batches: usize = 40, in 1..;
    }
}

declare! {
    /// Saving the run.
    pub struct Checkpoints {
        /// Steps between two checkpoints; 0 saves at the end only.
        every: u64 = 200;
        /// The newest ones to keep, besides the best.
        keep: usize = 3, in 1..;
    }
}

declare! {
    /// Progress.
    pub struct Log {
        /// Steps between two lines.
        every: u64 = 20, in 1..;
    }
}

declare! {
    /// The text generated at the end.
    pub struct Sample {
        /// What it begins with; empty, the start of a document.
        prompt: String = String::new();
        /// Tokens to generate; 0 generates nothing.
        tokens: usize = 200;
        /// 0 takes the likeliest token, 1 samples from the model's distribution.
        temperature: f64 = 0.8, in 0.0..;
        /// Sample among the k likeliest tokens; 0 among all.
        top_k: usize = 50;
        /// Sample among the likeliest tokens that have this probability together.
        top_p: f64 = 0.95, in 0.0..=1.0;
    }
}

impl Recipe {
    /// Checks the keys that depend on each other.
    ///
    /// # Errors
    /// Two keys contradict each other.
    pub fn check(&self) -> Result<()> {
        let (model, optimizer) = (&self.model, &self.optimizer);
        if !model.width.is_multiple_of(model.heads) {
            let message =
                format!("model.width {} is no multiple of model.heads {}", model.width, model.heads);
            return Err(Error::input(message).help("give each head the same number of columns"));
        }
        if optimizer.min_lr > optimizer.lr {
            let message =
                format!("optimizer.min_lr {:?} is above optimizer.lr {:?}", optimizer.min_lr, optimizer.lr);
            return Err(Error::input(message).help("lower optimizer.min_lr"));
        }
        Ok(())
    }
}
