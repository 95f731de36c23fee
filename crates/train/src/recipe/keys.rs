use std::path::Path;

use jarrah_base::memory::Bytes;
use jarrah_base::{Error, Result};
use jarrah_cpu::threads::ThreadPool;
use jarrah_run::{names, resolve};

use super::choices::{ComputePrecision, Decay, OnNan, RematChoice, Task, WeightType};
use super::methods::Method;
use super::settings::Settings;
use crate::TrainerOptions;
use crate::declare;

/// Numbers of the optimizer become `f32`.
const LARGEST: f64 = f32::MAX as f64;

/// The learning rate of random weights.
const RANDOM_WEIGHTS: f64 = 3e-3;

// The largest extents are such that the number of parameters, that of a batch's tokens and the operations of a step fit
// into their types: memory is checked with them.

declare! {
    /// A training run.
    pub struct Recipe {
        /// The task: pretrain learns text, sft the answers of chats.
        task: Task = Task::Pretrain, on resume kept;
        /// The text to learn.
        data: Data = Data::default(), on resume kept;
        /// How text becomes numbers.
        tokenizer: TokenizerKeys = TokenizerKeys::default(), on resume kept;
        /// The network.
        model: Model = Model::default(), on resume kept;
        /// Adapters of low rank, trained in the place of the weights.
        lora: LoraKeys = LoraKeys::default(), on resume kept;
        /// The optimizer, its learning rate and schedule.
        optimizer: Optimizer = Optimizer::default();
        /// Terms added to the cross-entropy.
        loss: LossKeys = LossKeys::default();
        /// Steps that go wrong.
        guard: Guard = Guard::default();
        /// Keeping gradients of f16 in its range; other precisions need none.
        loss_scale: LossScaling = LossScaling::default();
        /// Measuring on held-out text.
        eval: Eval = Eval::default();
        /// Saving the run.
        checkpoint: Checkpoints = Checkpoints::default();
        /// Progress.
        log: LogKeys = LogKeys::default();
        /// The text generated at the end.
        sample: Sample = Sample::default();
        /// Sequences a step.
        batch: usize = 8, in 1..=1_048_576;
        /// Parts of a batch that go through the model one after another, in less memory; a divisor of batch.
        accumulate: usize = 1, in 1..=1_048_576;
        /// The parts of a layer that the backward pass computes again: none nothing, minimal attention and cheap operations, minimal_with_context cheap operations, full the whole layer.
        remat: RematChoice = RematChoice::None;
        /// The tokens of a sequence that an expert takes in training, over those that it would get if all experts got as many; what is beyond is dropped. 0 drops none.
        capacity_factor: f64 = 0.0, in 0.0..=1e6;
        /// Whether the layers are a loop, which compiles faster and copies the weights.
        scan_layers: bool = false;
        /// The decay of an average of the weights, in f32, which is evaluated and generated with in their place; 0 for none.
        ema: f64 = 0.0, in 0.0..1.0;
        /// Steps to train.
        steps: u64 = 1200, in 1..=2_147_483_647;
        /// Seed of every random choice: weights, order of the data, dropout, sampling.
        seed: u64 = 0, on resume kept;
        /// The dtype of products and attention: f32, bf16, or f16 with a loss scale; weights are f32.
        precision: ComputePrecision = ComputePrecision::F32;
        /// Threads to compute on; 0 takes every core.
        threads: usize = 0, in 0..=ThreadPool::MOST;
        /// The memory of a step, such as 8GiB: what would take more is computed again; unset, as much as there is.
        memory_limit: Option<Bytes> = None;
        /// Folder of the run; unset, a new one below runs/.
        out: Option<String> = None, on resume kept;
    }
}

declare! {
    /// The text to learn.
    pub struct Data {
        /// Files, folders or globs, .jsonl included; empty, the Rust sources in the local cargo registry. For task=sft chats, as OpenAI or ShareGPT write them.
        paths: Vec<String> = Vec::new();
        /// A pipeline in TOML whose batches are learned, in the place of paths: rows of model.context + 1 tokens, batch of them each.
        pipeline: Option<String> = None;
        /// The chat template, a file in Jinja or chatml; unset, the model's own.
        template: Option<String> = None;
        /// At most so many megabytes of the registry's sources, sampled by hash; named paths are read whole.
        max_mb: f64 = 6.0, in 0.001..=1e9;
    }
}

declare! {
    /// How text becomes numbers.
    pub struct TokenizerKeys {
        /// A tokenizer.json to use; unset, one is learned from the text.
        file: Option<String> = None;
        /// The number of tokens to learn.
        vocab_size: usize = 1024, in 257..=1_000_000;
        /// Learn from at most so many megabytes of the text.
        max_mb: f64 = 8.0, in 0.001..=1e9;
    }
}

declare! {
    /// The network.
    pub struct Model {
        /// A folder of Hugging Face, whose weights the run begins with, or the name of a published shape such as qwen3-0.6b; unset, a GPT.
        name: Option<String> = None;
        /// A checkpoint of Orbax that a JAX program saved, whose weights the run begins with: those of the model whose shape name gives, or the keys below.
        weights: Option<String> = None;
        /// A file of rules that give the leaves of weights names of MaxText, Tunix or Hugging Face, `FROM -> TO` each; unset, they have them.
        rename: Option<String> = None;
        /// Transformer blocks; unset, those of the shape, 4 of a GPT.
        layers: Option<usize> = None, in 1..=1000;
        /// The width of the residual stream; unset, that of the shape, 128 of a GPT.
        width: Option<usize> = None, in 1..=1_048_576;
        /// Attention heads a block; unset, those of the shape, 4 of a GPT.
        heads: Option<usize> = None, in 1..=1_048_576;
        /// Heads of keys and values; unset, those of the shape.
        kv_heads: Option<usize> = None, in 1..=1_048_576;
        /// The width of a head; unset, that of the shape, or width / heads.
        head_width: Option<usize> = None, in 1..=65_536;
        /// The width within an MLP; unset, that of the shape, 4 width of a GPT.
        hidden: Option<usize> = None, in 1..=16_777_216;
        /// The longest sequence of the run, in tokens; unset, 128 of a GPT, else 512.
        context: Option<usize> = None, in 2..=1_048_576;
        /// The share of activations dropped in training.
        dropout: f64 = 0.0, in 0.0..1.0;
        /// Whether the output layer is the transposed embedding; unset, as the shape says.
        tie_embeddings: Option<bool> = None;
        /// Modules that predict the tokens behind the next one (DeepSeek V3), a layer each, trained beside the model; a folder must have as many.
        mtp: usize = 0, in 0..=100;
        /// The dtype of weights: f32 or bf16.
        dtype: WeightType = WeightType::F32;
    }
}

declare! {
    /// Adapters of low rank, trained in the place of the weights.
    pub struct LoraKeys {
        /// The rank; 0 trains the weights themselves.
        rank: usize = 0, in 0..=65_536;
        /// rank times the factor on what an adapter adds; unset, 2 rank.
        alpha: Option<f64> = None, in 0.0..=LARGEST;
        /// The maps that have an adapter, with commas between, such as q,v or q_proj; empty, all maps of the blocks.
        targets: Vec<String> = Vec::new();
        /// How the weights under the adapters are held: nf4, int4, int8, ... (QLoRA), or rules, as of --quantize; unset, as they are.
        quantize: Option<String> = None;
    }
}

declare! {
    /// The optimizer: the method that updates the weights, its learning rate and schedule, weight decay, and the clipping of
    /// gradients.
    pub struct Optimizer {
        /// The method: adamw, muon (for matrices of layers, else AdamW), lion, adafactor or sgd.
        name: Method = Method::AdamW;
        /// How the learning rate falls after the warm-up: cosine, linear, wsd (in the last tenth of all steps alone, along a line) or constant.
        schedule: Decay = Decay::Cosine;
        /// The highest learning rate; unset, 3e-3 for random weights, 2e-5 for those of a folder, 2e-4 for adapters.
        lr: Option<f64> = None, in 0.0..=LARGEST;
        /// The learning rate at the last step; constant takes no account of it. Unset, lr / 30.
        min_lr: Option<f64> = None, in 0.0..=LARGEST;
        /// Steps of linear warm-up; at most half of all steps.
        warmup: u64 = 100;
        /// The decay rates of the two moments; the first is the momentum of muon and sgd.
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
        /// The factor on the loss at the first step.
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
    /// Terms added to the cross-entropy.
    pub struct LossKeys {
        /// The factor on the squared logarithm of the softmax's denominator (PaLM); 0 adds nothing.
        z: f64 = 0.0, in 0.0..=LARGEST;
        /// The factor on the imbalance of experts (Switch Transformer); 0 adds nothing.
        balance: f64 = 0.0, in 0.0..=LARGEST;
        /// The factor on the cross-entropy of the tokens that the modules of model.mtp predict.
        mtp: f64 = 0.1, in 0.0..=LARGEST;
    }
}

declare! {
    /// Steps that go wrong.
    pub struct Guard {
        /// Where loss or gradient is no number: abort ends the run and says where it was first, skip leaves the step out.
        on_nan: OnNan = OnNan::Abort;
        /// Leave out steps whose gradient has more than so many times its usual norm; 0 leaves out none.
        spike: f64 = 0.0, in 0.0..=LARGEST;
        /// Steps left out one after another, as on_nan and spike say, behind which the run ends and says what is wrong; 0 never ends it.
        patience: u64 = 20;
    }
}

declare! {
    /// Measuring on held-out text.
    pub struct Eval {
        /// Steps between two evaluations; 0 evaluates at the end only.
        every: u64 = 200;
        /// Batches an evaluation reads.
        batches: usize = 20, in 1..;
        /// Questions with their answers, a .jsonl of prompt or messages, and answer: what share the model answers exactly.
        answers: Option<String> = None;
        /// The most tokens of an answer.
        answer_tokens: usize = 64, in 1..=1_048_576;
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
    pub struct LogKeys {
        /// Steps between two lines.
        every: u64 = 20, in 1..;
    }
}

declare! {
    /// The text that the model writes at the end.
    pub struct Sample {
        /// Steps between two texts; 0 writes one at the end only.
        every: u64 = 0;
        /// The prompt; empty, the start of a document.
        prompt: String = String::new();
        /// Tokens to generate; 0 generates nothing.
        tokens: usize = 200, in 0..=1_048_576;
        /// 0 takes the likeliest token, 1 samples from the model's distribution.
        temperature: f64 = 0.8, in 0.0..;
        /// Sample among the k likeliest tokens; 0 among all.
        top_k: usize = 50;
        /// Sample among the likeliest tokens that have this probability together.
        top_p: f64 = 0.95, in 0.0..=1.0;
    }
}

impl Optimizer {
    /// The highest learning rate and the last one; where the recipe does not say, those of random weights.
    pub fn rates(&self) -> [f64; 2] {
        let lr = self.lr.unwrap_or(RANDOM_WEIGHTS);
        [lr, self.min_lr.unwrap_or(lr / 30.0)]
    }
}

impl Recipe {
    /// The recipe of the run that `path` names, with overrides.
    ///
    /// # Errors
    /// `path` names no run, or its recipe is no good (`Input`).
    pub fn of_run(path: impl AsRef<Path>, overrides: &[&str]) -> Result<Recipe> {
        let run = resolve(path)?;
        let file = run.join(names::RECIPE);
        Recipe::from_file(&file, overrides).map_err(|error| match TrainerOptions::from_file(&file, &[]) {
            Ok(_) => {
                Error::input(format!("{} is the run of a program with a trainer of its own", run.display()))
                    .help("run that program again: it goes on with the run")
            }
            Err(_) => error,
        })
    }

    /// Says the learning rate of a run whose recipe does not: weights that learned before move less than random ones. `pretrained` is whether they
    /// did.
    pub fn settle(&mut self, pretrained: bool) {
        self.optimizer.lr.get_or_insert(match (pretrained, self.lora.rank) {
            (false, _) => RANDOM_WEIGHTS,
            (true, 0) => 2e-5,
            (true, _) => 2e-4,
        });
    }

    /// Checks the keys that depend on each other.
    ///
    /// # Errors
    /// Two keys contradict each other.
    pub fn check(&self) -> Result<()> {
        let optimizer = &self.optimizer;
        if self.data.pipeline.is_some() && !self.data.paths.is_empty() {
            return Err(Error::input("data.pipeline and data.paths are both given")
                .help("leave out one: a pipeline names its files itself"));
        }
        if !self.batch.is_multiple_of(self.accumulate) {
            let message = format!("batch {} is no multiple of accumulate {}", self.batch, self.accumulate);
            return Err(Error::input(message).help("give each part the same number of sequences"));
        }
        if self.lora.rank == 0 && (self.lora.quantize.is_some() || !self.lora.targets.is_empty()) {
            return Err(Error::input("there are keys of lora, but lora.rank is 0").help("give lora.rank=16"));
        }
        if self.lora.rank > 0 && self.lora.alpha == Some(0.0) {
            return Err(Error::input("lora.alpha is 0, so that adapters add nothing and learn nothing")
                .help("leave out lora.alpha, which is then twice the rank"));
        }
        if self.model.mtp > 0 && self.lora.rank > 0 {
            return Err(Error::input("adapters train none of the modules of model.mtp")
                .help("leave out model.mtp, or set lora.rank=0"));
        }
        if self.model.mtp > 0 && self.loss.mtp == 0.0 {
            return Err(Error::input(
                "model.mtp asks for modules that loss.mtp, which is 0, trains not at all",
            )
            .help("give loss.mtp a factor such as 0.1, or leave out model.mtp"));
        }
        if self.precision == ComputePrecision::F16 && self.model.dtype == WeightType::BF16 {
            return Err(Error::input("precision=f16 is for weights of f32, not of bf16"));
        }
        if self.precision == ComputePrecision::F16 && self.guard.spike > 0.0 {
            return Err(Error::input(
                "guard.spike is not for precision=f16, whose loss scale leaves out steps",
            ));
        }
        let [lr, min_lr] = optimizer.rates();
        if min_lr > lr {
            let message = format!("optimizer.min_lr {min_lr:?} is above optimizer.lr {lr:?}");
            return Err(Error::input(message).help("lower optimizer.min_lr"));
        }
        Ok(())
    }
}
