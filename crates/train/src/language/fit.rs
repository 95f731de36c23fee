//! Whether a run fits into the memory there is.

use jarrah_array::{Array, TreeExt};
use jarrah_base::parallel::cores;
use jarrah_base::{Error, ErrorKind, Result, memory};
use jarrah_models::{DecoderConfig, averaged};
use jarrah_nn::State;
use jarrah_runtime::CompiledMemory;

use super::plan::{Plan, bytes};
use crate::recipe::Recipe;

/// The memory that a run needs, in bytes, by purpose.
struct Needs {
    parameters: usize,
    optimizer: usize,
    /// The bytes of the second copy of the trained parameters and the optimizer state, held while a checkpoint is written: the
    /// writer reads one copy, so the next step cannot reuse its memory and makes another.
    snapshot: usize,
    /// The batches made ahead and the one that is trained on.
    batches: usize,
    activations: usize,
}

impl Needs {
    fn check(&self) -> Result<()> {
        let Some(available) = memory::limit() else { return Ok(()) };
        let parts = [
            ("parameters", self.parameters),
            ("optimizer state", self.optimizer),
            ("a checkpoint being written", self.snapshot),
            ("batches", self.batches),
            ("activations", self.activations),
            ("text and what else is in memory already", memory::held()),
        ];
        memory::fits("the run", &parts, available).map_err(|error| error.help(self.advice()))
    }

    /// The keys that decide the larger part.
    fn advice(&self) -> &'static str {
        match self.activations.saturating_add(self.batches) > self.snapshot.saturating_add(self.snapshot) {
            true => "lower batch or model.context",
            false => {
                "lower model.width, model.layers or tokenizer.vocab_size, or train adapters: lora.rank=16"
            }
        }
    }
}

/// Batches prepared ahead.
pub const PREFETCH: usize = 4;

/// The bytes of an element of weights and activations.
const ELEMENT: usize = 4;

/// Checks what follows from extents alone, without looking at arrays: the weights that a token meets, and the least that is held of
/// activations.
///
/// # Errors
/// The run does not fit (`Memory`).
pub fn check_extents(recipe: &Recipe, config: &DecoderConfig, context: usize) -> Result<()> {
    // Without pairs of tokens, each weight is used in six operations.
    let weights = (config.training_flops_per_token(0) / 6.0) as usize;
    let parameters = weights.saturating_mul(recipe.model.dtype.dtype().size());
    let (optimizer, snapshot) = match recipe.lora.rank {
        0 => (parameters.saturating_mul(recipe.optimizer.name.moments()), parameters),
        _ => (0, 0),
    };
    let (batches, activations) = held(recipe, config, context);
    Needs { parameters, optimizer, snapshot, batches, activations }.check()
}

/// The batches, and at least the activations: the residual stream before every block and the logits.
fn held(recipe: &Recipe, config: &DecoderConfig, context: usize) -> (usize, usize) {
    let tokens = recipe.batch * context;
    let modules = config.mtp.len();
    let each = ((config.layers.len() + modules) * config.width + (1 + modules) * config.vocabulary) * ELEMENT;
    ((PREFETCH + 1) * 2 * tokens * ELEMENT, tokens.div_ceil(recipe.accumulate).saturating_mul(each))
}

/// The bytes of the average of parameters.
fn average(params: &State) -> usize {
    let each =
        params.leaves().into_iter().map(|x: &Array| x.size().saturating_mul(averaged(x.dtype()).size()));
    each.fold(0, usize::saturating_add)
}

/// The memory of a run's state and batches, and the least of its activations: the residual stream before every block
/// and the logits.
fn least(recipe: &Recipe, plan: &Plan) -> Needs {
    let trained = bytes(&plan.spec.trained(&plan.shapes));
    let averaged = if recipe.ema > 0.0 { average(&plan.spec.trained(&plan.shapes)) } else { 0 };
    let optimizer = trained.saturating_mul(recipe.optimizer.name.moments()).saturating_add(averaged);
    let (batches, activations) = held(recipe, &plan.config, plan.context);
    Needs {
        parameters: bytes(&plan.shapes),
        optimizer,
        snapshot: trained.saturating_add(optimizer),
        batches,
        activations,
    }
}

/// Checks what can be known from the extents alone, before anything is made.
///
/// # Errors
/// The run does not fit (`Memory`); its threads have no room in the address space (`Environment`).
pub fn check(recipe: &Recipe, plan: &Plan) -> Result<()> {
    least(recipe, plan).check()?;
    // Each thread reserves addresses for its stack and its heap, those that read, write and listen among them.
    const THREAD: usize = 80 << 20;
    const OTHERS: usize = 2;
    let threads = if recipe.threads == 0 { cores() } else { recipe.threads };
    let wanted = (threads + OTHERS) * THREAD;
    match memory::space() {
        Some(space) if space < wanted => Err(Error::environment(format!(
            "the threads of the run reserve {} of address space, but this process may take {} more",
            memory::size(wanted),
            memory::size(space)
        ))
        .help("raise the limit (ulimit -v), or lower threads")),
        _ => Ok(()),
    }
}

/// Checks what is known once the step is compiled; `step` is the memory it needs.
///
/// # Errors
/// The run does not fit (`Memory`).
pub fn check_compiled(recipe: &Recipe, plan: &Plan, step: &CompiledMemory) -> Result<()> {
    Needs { activations: step.temporaries.saturating_add(step.results), ..least(recipe, plan) }.check()
}

/// Says of a step that does not fit which keys decide its memory: what does not depend on the batch fits, or
/// [`check`] would have refused the run.
pub fn explained(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Memory => {
            error.context("while the run is prepared").with_help("lower batch or model.context")
        }
        _ => error.context("while the run is prepared"),
    }
}
