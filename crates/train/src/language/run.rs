//! The trainer of `jarrah train`: a recipe becomes a run of a language model.

use std::path::PathBuf;

use jarrah_array::eval_shape;
use jarrah_base::memory::size;
use jarrah_base::{Error, Result};
use jarrah_checkpoint::Checkpoint;
use jarrah_data::{LoaderOptions, TokenBatch};
use jarrah_models::ModelSpec;
use jarrah_run::{RunFolder, names};
use jarrah_serve::Question;
use serde_json::json;

use super::feeds::Feeds;
use super::hooks::{Adapter, Answers, Writer};
use super::objective::{Feed, NextToken};
use super::optimizer::{optimizer, schedule};
use super::piped::PipedBatches;
use super::plan::{Plan, Source};
use super::text::{Batches, Origin, Text, TrainedOn};
use super::{fit, machine, piped};
use crate::recipe::{ComputePrecision, Recipe, Settings, Task};
use crate::trainer::{
    self, Advice, Console, End, Minimize, Ready, Session, StepWork, Stop, Trained, Trainer, TrainerOptions,
    checkpoint_of, grouped, of_dataset,
};

/// The run to train.
pub enum RunStart {
    /// A new run.
    New(Box<Recipe>),
    /// A run that has begun.
    Resume {
        /// The run's folder.
        run: PathBuf,
        /// Changes to its recipe, `key=value`.
        overrides: Vec<String>,
        /// The checkpoint to go on from, or else the latest. Those after it are removed.
        step: Option<u64>,
    },
}

/// The result of [`train`].
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The run's folder.
    pub run: PathBuf,
    /// The number of steps done.
    pub step: u64,
    /// Why training ended.
    pub end: End,
    /// A prompt for the model: how the text it learned begins.
    pub prompt: String,
    /// Whether the model learned to answer.
    pub chat: bool,
}

const ADVICE: Advice = Advice {
    diverged: "lower optimizer.lr or lengthen optimizer.warmup",
    left_out: "lower optimizer.lr or lengthen optimizer.warmup; guard.patience says how many steps may be left out in a row, 0 for any number",
};

/// Trains a language model: finds the text, learns the tokenizer, trains, evaluates, saves, and reports on `console`.
///
/// A run has the same bits however often and wherever it is interrupted, and on any number of threads. Once `stop` is set, it saves and returns. It waits for
/// the step that is computed for a second; a step that takes longer is given up, computes on in the background until it is done, and is computed again on resume.
/// A run that fails before it begins leaves no folder.
///
/// # Errors
/// The recipe, the text or the run's folder is wrong, the loss is not a number (`Input`), or the machine fails. A
/// checkpoint that cannot be written is a warning, unless it is the last one.
pub fn train(start: RunStart, stop: &Stop, console: &mut Console) -> Result<Outcome> {
    match start {
        RunStart::New(recipe) => begin(*recipe, stop, console),
        RunStart::Resume { run, overrides, step } => {
            resume(RunFolder::open(&run)?, &overrides, step, stop, console)
        }
    }
}

fn begin(mut recipe: Recipe, stop: &Stop, console: &mut Console) -> Result<Outcome> {
    piped::settle(&mut recipe)?;
    let source = Source::of(&recipe)?;
    recipe.settle(source.has_weights());
    check(&recipe, &source)?;
    let out = recipe.out.clone().map(PathBuf::from);
    RunFolder::may_begin(out.as_deref())?;
    machine::use_threads(recipe.threads);
    let (text, origin, plan) = find(&recipe, &source, console)?;
    let Prepared { ready, opening } = Prepared::new(&recipe, &text, origin, &plan, None, console)?;
    // Only a run that can compute its first step gets a folder.
    let run = RunFolder::create(out.as_deref())?;
    recipe.out = Some(run.path().display().to_string());
    let run = run.begin(&[(names::RECIPE, recipe.to_toml().as_bytes())])?;
    console.line(&format!("run: {}", run.path().display()));
    if let Err(error) = keep(&run, &text, &plan) {
        run.abandon();
        return Err(error);
    }
    let trained = Session::begin(run, ready, console)?.train(stop, console)?;
    Ok(outcome(trained, &recipe, opening))
}

fn outcome<S>(trained: Trained<S>, recipe: &Recipe, prompt: String) -> Outcome {
    let Trained { run, step, end, .. } = trained;
    Outcome { run, step, end, prompt, chat: recipe.task == Task::Sft }
}

/// Checks a recipe before anything is made for it.
fn check(recipe: &Recipe, source: &Source) -> Result<()> {
    recipe.check()?;
    // How many tokens there are is known once the tokenizer is.
    let plan = Plan::new(recipe, source.spec(recipe, 1, 0, false)?)?;
    fit::check(recipe, &plan)
}

/// The text and the model of a run that begins.
fn find(recipe: &Recipe, source: &Source, console: &mut Console) -> Result<(Text, Origin, Plan)> {
    source.notes.iter().for_each(|note| console.warn(note));
    source.weights.iter().for_each(|said| console.line(&format!("weights: {said}")));
    let (text, origin) = Text::find(recipe, source, console)?;
    let (count, eos) = (text.tokenizer.vocab_size(), text.tokenizer.eos_id()?);
    let spec = ModelSpec { base: source.base()?, ..source.spec(recipe, count, eos, text.is_learned)? };
    Ok((text, origin, Plan::new(recipe, spec)?))
}

/// Writes into the folder of a run the files with which it finds its text and its model again.
fn keep(run: &RunFolder, text: &Text, plan: &Plan) -> Result<()> {
    text.place(run)?;
    let json = serde_json::to_string_pretty(&plan.spec)
        .map_err(|e| Error::internal(format!("cannot write the model: {e}")))?;
    run.write(names::MODEL, json.as_bytes())
}

fn resume(
    run: RunFolder,
    overrides: &[String],
    step: Option<u64>,
    stop: &Stop,
    console: &mut Console,
) -> Result<Outcome> {
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
    let kept = Recipe::of_run(run.path(), &[])?;
    let recipe = Recipe::of_run(run.path(), &overrides)?;
    recipe.check()?;
    recipe.resumes(&kept)?;
    machine::use_threads(recipe.threads);
    console.line(&format!("run: {}", run.path().display()));
    // The description of the model is missing where a run was killed while it was prepared.
    let known = match ModelSpec::read(&run.model())? {
        Some(spec) => Text::reopen(&run, &recipe, console)?.map(|text| (text, spec)),
        None => None,
    };
    let (text, origin, plan) = match known {
        Some(((text, origin), spec)) => (text, origin, Plan::new(&recipe, spec)?),
        None => {
            let source = Source::of(&recipe)?;
            check(&recipe, &source)?;
            let (text, origin, plan) = find(&recipe, &source, console)?;
            keep(&run, &text, &plan)?;
            (text, origin, plan)
        }
    };
    let checkpoint = checkpoint_of(&run, &options(&recipe), step)?;
    // Where the folder's numbers are read again, they must be those that the run began with.
    if let Some(base) = plan.spec.base.as_ref().filter(|_| checkpoint.is_none() || plan.spec.lora.is_some()) {
        base.unchanged()?;
    }
    let Prepared { ready, opening } =
        Prepared::new(&recipe, &text, origin, &plan, checkpoint.as_ref(), console)?;
    let session = Session::open(run.clone(), ready, checkpoint, console)?;
    if recipe != kept {
        run.write(names::RECIPE, recipe.to_toml().as_bytes())?;
    }
    Ok(outcome(session.train(stop, console)?, &recipe, opening))
}

/// The trainer's options that a recipe has.
fn options(recipe: &Recipe) -> TrainerOptions {
    TrainerOptions {
        steps: recipe.steps,
        seed: recipe.seed,
        evaluate_every: recipe.eval.every,
        checkpoint: recipe.checkpoint.clone(),
        log: recipe.log.clone(),
        on_nan: recipe.guard.on_nan,
        patience: recipe.guard.patience,
        memory_limit: recipe.memory_limit,
    }
}

/// The objective of a recipe, with its optimizer.
fn objective(recipe: &Recipe, plan: &Plan) -> Minimize<NextToken> {
    let rate = schedule(recipe);
    let objective = Minimize::new(NextToken::new(recipe, plan), optimizer(recipe))
        .average(recipe.ema)
        .leave_out_spikes(recipe.guard.spike)
        .recording("lr", move |step| rate.at(step));
    // The loss scale leaves out steps by itself.
    if recipe.precision == ComputePrecision::F16 { objective.unguarded() } else { objective }
}

/// A run that can compute its next step, of which nothing is written yet.
struct Prepared {
    ready: Ready<Minimize<NextToken>>,
    /// How the text begins.
    opening: String,
}

impl Prepared {
    /// Prepares the first step, or the one after a checkpoint.
    fn new(
        recipe: &Recipe,
        text: &Text,
        origin: Origin,
        plan: &Plan,
        checkpoint: Option<&Checkpoint>,
        console: &mut Console,
    ) -> Result<Self> {
        let (all, trained) = plan.parameters()?;
        let of_them =
            if trained == all { String::new() } else { format!(", {} trained", grouped(trained as u64)) };
        console.line(&format!(
            "model: {} parameters{of_them}, {} layers x {}, context {}",
            grouped(all as u64),
            plan.config.layers.len(),
            plan.config.width,
            plan.context
        ));
        fit::check(recipe, plan)?;
        let questions = match &recipe.eval.answers {
            Some(file) => Question::read(file, text.templates.as_ref())?,
            None => Vec::new(),
        };
        let batches = text.batches(origin, recipe, plan.context, console)?;
        let (held, opening) = (batches.train.tokens(), batches.opening.clone());
        let mut trainer = trainer(recipe, text, plan, batches, questions)?;
        console.line(&format!("compiling the step of {} x {} tokens", recipe.batch, plan.context));
        let compiling = console.working("compiling");
        let memory = trainer.compile().map_err(fit::explained)?;
        drop(compiling);
        fit::check_compiled(recipe, plan, &memory)?;
        console.line(&format!(
            "memory: {} for a step ({} of it parameters, optimizer state and batch), {} of tokens",
            size(memory.total()),
            size(memory.arguments),
            size(held * if text.tokenizer.vocab_size() <= 1 << 16 { 2 } else { 4 })
        ));
        let _making = console.working("model: making the first parameters");
        if let Some(checkpoint) = checkpoint {
            text.agree(&checkpoint.state().extra)?;
        }
        Ok(Prepared { ready: trainer.ready(checkpoint)?, opening })
    }
}

/// Puts together the trainer of a run: the loader of its batches, the objective (loss and optimizer), the evaluation on held-out
/// text, and the hooks that answer `questions`, write samples and save an adapter. Compiles nothing and computes no step.
fn trainer(
    recipe: &Recipe,
    text: &Text,
    plan: &Plan,
    batches: Batches,
    questions: Vec<Question>,
) -> Result<Trainer<Minimize<NextToken>>> {
    let (loaded, marked): (Box<dyn trainer::Batches<Batch = Feed>>, bool) = match batches.train {
        TrainedOn::Windows(packed) => {
            let loading =
                LoaderOptions { batch_size: recipe.batch, seed: recipe.seed, prefetch: fit::PREFETCH };
            (Box::new(Feeds::new(packed, loading)?), recipe.task == Task::Sft)
        }
        TrainedOn::Pipeline(PipedBatches { dataset, is_marked, .. }) => {
            let batches =
                dataset.try_map(|features| TokenBatch::of_features(&features)).prefetch(fit::PREFETCH);
            (Box::new(of_dataset(&batches, Feed::of)?), is_marked)
        }
    };
    let like = eval_shape(|(): &()| Feed::zeros([recipe.batch, plan.context], marked), &());
    let tokens = (recipe.batch * plan.context) as f64;
    let flops = Some((plan.flops_per_token() * tokens, machine::peak_flops(recipe.threads)));
    let extra = json!({ "tokenizer": text.tokenizer_hash, "source_files": text.manifest_hash });
    let mut trainer = Trainer::new(objective(recipe, plan), loaded, options(recipe))
        .batches_like(like)
        .evaluate_on(batches.held_out.into_iter().map(Feed::of).collect())
        .counting(StepWork { unit: "tokens", per_step: tokens, flops })
        .noting(extra.as_object().cloned().unwrap_or_default())
        .advising(ADVICE);
    if !questions.is_empty() {
        trainer = trainer.hook(Answers {
            questions,
            tokens: recipe.eval.answer_tokens,
            tokenizer: text.tokenizer.clone(),
        });
    }
    trainer = trainer.hook(Writer::new(recipe, &batches.prompt, text.tokenizer.clone()));
    Ok(match plan.spec.lora {
        Some(_) => trainer.hook(Adapter { spec: plan.spec.clone() }),
        None => trainer,
    })
}
