use std::path::PathBuf;

use jarrah_array::Array;
use jarrah_array::random::Key;
use jarrah_base::memory::size;
use jarrah_base::{Error, NUMERICS_VERSION, Result};
use jarrah_checkpoint::{Checkpoint, Manager, Options, Saved, Snapshot, at, latest, list};
use jarrah_data::{Batch, DataState, Loader, LoaderOptions};
use jarrah_serve::{Generator, Request, Sampling};

use super::console::Console;
use super::fit;
use super::folder::RunFolder;
use super::machine;
use super::progress::Progress;
use super::state::State;
use super::step::{Programs, model_config};
use super::stop::Stop;
use super::text::{Text, grouped};
use crate::metrics::Recorder;
use crate::recipe::Recipe;

/// The run to train.
pub enum Start {
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
}

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All steps are done.
    Complete,
    /// `stop` was set; the steps done are saved.
    Stopped,
}

/// What a checkpoint calls the numerics version of the steps that led to it.
const NUMERICS: &str = "numerics";
/// The metric whose lowest value marks the best checkpoint.
const JUDGE: &str = "val_loss";
/// Batches prepared ahead.
pub const PREFETCH: usize = 4;

/// Trains a run: finds the text, learns the tokenizer, trains, evaluates, saves, and reports on `console`.
///
/// A run has the same bits however often and wherever it is interrupted, and on any number of threads. It looks at
/// `stop` between steps; once that is set, it saves and returns.
///
/// # Errors
/// The recipe, the text or the run's folder is wrong, the loss is not a number (`Input`), or the machine fails. A
/// checkpoint that cannot be written is a warning, unless it is the last one.
pub fn train(start: Start, stop: &Stop, console: &mut Console) -> Result<Outcome> {
    match start {
        Start::New(recipe) => begin(*recipe, stop, console),
        Start::Resume { run, overrides, step } => {
            resume(RunFolder::open(&run)?, &overrides, step, stop, console)
        }
    }
}

fn begin(mut recipe: Recipe, stop: &Stop, console: &mut Console) -> Result<Outcome> {
    check(&recipe)?;
    machine::use_threads(recipe.threads);
    let run = RunFolder::create(&mut recipe)?;
    console.line(&format!("run: {}", run.path().display()));
    let prepared = Text::prepare(&run, &recipe, console)
        .and_then(|text| Session::open(run.clone(), recipe, text, None, console));
    match prepared {
        Ok((session, state)) => {
            run.point_latest();
            session.train(state, stop, console)
        }
        // A run that fails before its first step removes its files.
        Err(error) => {
            run.abandon();
            Err(error)
        }
    }
}

/// Checks a recipe before anything is made for it.
fn check(recipe: &Recipe) -> Result<()> {
    recipe.check()?;
    // How many tokens there are is known once the tokenizer is.
    fit::check(recipe, &model_config(recipe, 1))
}

fn resume(
    run: RunFolder,
    overrides: &[String],
    step: Option<u64>,
    stop: &Stop,
    console: &mut Console,
) -> Result<Outcome> {
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
    let kept = run.recipe(&[])?;
    let recipe = run.recipe(&overrides)?;
    check(&recipe)?;
    if (&recipe.data, &recipe.tokenizer, recipe.seed, &recipe.out)
        != (&kept.data, &kept.tokenizer, kept.seed, &kept.out)
    {
        return Err(Error::input("a run cannot change its data, tokenizer, seed and out when it is resumed")
            .help("start a new run"));
    }
    machine::use_threads(recipe.threads);
    console.line(&format!("run: {}", run.path().display()));
    let text = Text::prepare(&run, &recipe, console)?;
    // Opening the manager first completes a replacement that a killed writer left half done.
    let manager = open_manager(&run, &recipe)?;
    let listing = list(manager.dir())?;
    let checkpoint = match (listing.good.as_slice(), listing.damaged.as_slice()) {
        ([], []) if step.is_none() => None,
        _ => Some(step.map_or_else(|| latest(manager.dir()), |step| at(manager.dir(), step))?),
    };
    drop(manager);
    if let Some(step) = checkpoint.as_ref().map(Checkpoint::step).filter(|&step| step > recipe.steps) {
        return Err(Error::input(format!(
            "the run is at step {step} already, beyond steps={}",
            recipe.steps
        ))
        .help("give steps=N with a higher number, or --step N to go back to an earlier checkpoint"));
    }
    let changed = recipe != kept;
    let (session, state) = Session::open(run.clone(), recipe, text, checkpoint, console)?;
    if changed {
        run.save_recipe(&session.recipe)?;
    }
    session.train(state, stop, console)
}

fn open_manager(run: &RunFolder, recipe: &Recipe) -> Result<Manager> {
    let options = Options { keep: recipe.checkpoint.keep, best: Some(JUDGE.to_owned()) };
    Manager::open(&run.checkpoints(), options)
}

/// A run in progress.
struct Session {
    run: RunFolder,
    recipe: Recipe,
    text: Text,
    programs: Programs,
    step: u64,
    data: DataState,
    key: Key,
    loader: Loader,
    manager: Manager,
    recorder: Recorder,
    progress: Progress,
    /// The steps of the last progress line, evaluation and checkpoint.
    done: Done,
    loss: Option<f64>,
    val_loss: Option<f64>,
}

#[derive(Default)]
struct Done {
    evaluated: Option<u64>,
    saved: Option<u64>,
}

impl Session {
    /// Prepares the next step. Nothing on disk is changed before everything is known to be good.
    fn open(
        run: RunFolder,
        recipe: Recipe,
        text: Text,
        checkpoint: Option<Checkpoint>,
        console: &mut Console,
    ) -> Result<(Self, State)> {
        let config = model_config(&recipe, text.tokenizer.vocab_size());
        console.line(&format!(
            "model: {} parameters, {} layers x {}, context {}",
            grouped(config.parameters() as u64),
            recipe.model.layers,
            recipe.model.width,
            recipe.model.context
        ));
        fit::check(&recipe, &config)?;
        console.transient("compiling ...");
        let programs = Programs::new(&recipe, &config);
        let memory = programs.compile(&recipe).map_err(fit::explained)?;
        let held = text.train.tokens() * if text.tokenizer.vocab_size() <= 1 << 16 { 2 } else { 4 };
        fit::check_compiled(&recipe, &config, &memory)?;
        console.line(&format!(
            "memory: {} for a step ({} of it parameters, optimizer state and batch), {} of tokens",
            size(memory.total()),
            size(memory.arguments),
            size(held)
        ));
        let (key, mut state) = programs.initial(&recipe)?;
        let mut data = None;
        let mut step = 0;
        if let Some(checkpoint) = &checkpoint {
            text.agree(&checkpoint.state().extra)?;
            state = state.restored(checkpoint)?;
            data = Some(data_state(checkpoint)?);
            step = checkpoint.step();
        }
        let tokens = recipe.batch * recipe.model.context;
        let options = LoaderOptions { batch_size: recipe.batch, seed: recipe.seed, prefetch: PREFETCH };
        let loader = Loader::new(text.train.clone(), &options, data.as_ref())?;
        let mut manager = open_manager(&run, &recipe)?;
        let discarded = manager.discard_after(step)?;
        if let Some(checkpoint) = &checkpoint {
            console.line(&format!("resuming after step {step} of {}", recipe.steps));
            let was = numerics(checkpoint);
            if was != u64::from(NUMERICS_VERSION) {
                console.warn(&format!(
                    "the steps so far follow numerics version {was}, those from here on version {NUMERICS_VERSION}: \
                     they differ in bits from those of an uninterrupted run"
                ));
            }
        }
        if !discarded.is_empty() {
            console.warn(&format!("removed checkpoints after step {step}: {discarded:?}"));
        }
        let recorder = Recorder::resume(run.path(), step)?;
        let flops = config.training_flops_per_token(recipe.model.context) * tokens as f64;
        let progress =
            Progress::new(step, recipe.steps, tokens as u64, flops, machine::peak_flops(recipe.threads));
        let data = loader.state();
        let val_loss = checkpoint.as_ref().and_then(|c| c.state().metrics.get(JUDGE).copied());
        let saved = checkpoint.map(|c| c.step());
        let done = Done { evaluated: saved.filter(|_| val_loss.is_some()), saved };
        let session = Session {
            run,
            recipe,
            text,
            programs,
            step,
            data,
            key,
            loader,
            manager,
            recorder,
            progress,
            done,
            loss: None,
            val_loss,
        };
        Ok((session, state))
    }

    fn train(mut self, mut state: State, stop: &Stop, console: &mut Console) -> Result<Outcome> {
        stop.begin_training();
        while self.step < self.recipe.steps {
            if stop.is_asked() {
                self.save_last(&state, console)?;
                return Ok(self.outcome(End::Stopped));
            }
            state = self.advance(state, console)?;
        }
        self.finish(&state, stop, console)?;
        Ok(self.outcome(End::Complete))
    }

    fn outcome(&self, end: End) -> Outcome {
        let prompt = self.text.opening.clone();
        Outcome { run: self.run.path().to_owned(), step: self.step, end, prompt }
    }

    /// Runs one step and what is due after it: the progress line before the checkpoint, so that a run resumed from
    /// the checkpoint has the line.
    fn advance(&mut self, state: State, console: &mut Console) -> Result<State> {
        let (batch, data) = self.loader.next_batch()?;
        let Batch { inputs, targets } = batch;
        let batch = (Array::from_literal(inputs), Array::from_literal(targets));
        let (state, measured) = self.programs.step(state, batch, &self.key)?;
        self.step += 1;
        self.data = data;

        let is_last = self.step == self.recipe.steps;
        let due = |every: u64| every > 0 && self.step.is_multiple_of(every);
        let (log, evaluate, save) =
            (due(self.recipe.log.every), due(self.recipe.eval.every), due(self.recipe.checkpoint.every));
        if log || is_last || save {
            let loss = measured.loss.to_f64()?;
            if !loss.is_finite() {
                return Err(self.diverged(loss));
            }
            self.loss = Some(loss);
            if log || is_last {
                let speed = self.progress.speed(self.step);
                let values = [
                    ("loss", loss),
                    ("lr", measured.lr.to_f64()?),
                    ("grad_norm", measured.grad_norm.to_f64()?),
                    ("tokens_per_second", speed.tokens),
                    ("flops_per_second", speed.flops),
                ];
                self.record(&values, console);
                self.progress.show(console, self.step, loss, speed);
            }
        }
        if evaluate || is_last {
            self.evaluate(&state, console)?;
        }
        if save && !is_last {
            self.save(&state, console)?;
        }
        self.report_saves(console);
        Ok(state)
    }

    fn diverged(&self, loss: f64) -> Error {
        let saved = match self.done.saved {
            Some(step) => format!("the last checkpoint is of step {step}"),
            None => "there is no checkpoint yet".to_owned(),
        };
        Error::input(format!("the loss at step {} is {loss}: training diverged", self.step))
            .context(saved)
            .help("lower optimizer.lr or lengthen optimizer.warmup")
    }

    /// Records metrics; if that fails, the run warns and continues.
    fn record(&mut self, values: &[(&str, f64)], console: &mut Console) {
        if let Err(error) = self.recorder.record(self.step, values) {
            console.warn(&format!("metrics are not recorded: {error}"));
        }
    }

    fn evaluate(&mut self, state: &State, console: &mut Console) -> Result<()> {
        if self.text.held_out.is_empty() || self.done.evaluated == Some(self.step) {
            return Ok(());
        }
        let (programs, params, batches) = (&self.programs, &state.params, &self.text.held_out);
        let loss = self.progress.aside(|| programs.evaluate(params, batches))?;
        self.done.evaluated = Some(self.step);
        self.val_loss = Some(loss);
        self.record(&[(JUDGE, loss)], console);
        console.line(&format!(
            "step {}/{}  held-out loss {loss:.4}  perplexity {:.1}",
            self.step,
            self.recipe.steps,
            loss.exp()
        ));
        Ok(())
    }

    fn snapshot(&self, state: &State) -> Result<Snapshot> {
        let current = |value: Option<f64>, of: bool| value.filter(|_| of);
        let metrics =
            [(JUDGE, current(self.val_loss, self.done.evaluated == Some(self.step))), ("loss", self.loss)];
        let extra = serde_json::json!({
            "tokenizer": self.text.tokenizer_hash,
            "source_files": self.text.manifest_hash,
            NUMERICS: NUMERICS_VERSION,
        });
        state.snapshot(self.step, &self.data, &self.key, metrics, extra)
    }

    fn save(&mut self, state: &State, console: &mut Console) -> Result<()> {
        let snapshot = self.snapshot(state)?;
        let manager = &mut self.manager;
        let submitted = self.progress.aside(|| manager.save(snapshot));
        self.done.saved = Some(self.step);
        if let Some(outcome) = submitted.previous {
            self.tell(&outcome, console);
        }
        Ok(())
    }

    fn report_saves(&mut self, console: &mut Console) {
        if let Some(outcome) = self.manager.poll() {
            self.tell(&outcome, console);
        }
    }

    fn tell(&mut self, outcome: &Result<Saved>, console: &mut Console) {
        match outcome {
            Ok(saved) => {
                if let Some(error) = &saved.not_removed {
                    console.warn(&format!("an old checkpoint was not removed: {error}"));
                }
            }
            Err(error) => {
                self.done.saved = None;
                console.warn(&format!("the checkpoint was not written, training goes on: {error}"));
            }
        }
    }

    /// Saves the current step, and waits until the checkpoint is durable.
    fn save_last(&mut self, state: &State, console: &mut Console) -> Result<()> {
        if let Some(outcome) = self.manager.wait() {
            self.tell(&outcome, console);
        }
        if self.step > 0 && self.done.saved != Some(self.step) {
            self.save(state, console)?;
            if let Some(Err(error)) = self.manager.wait() {
                return Err(error.context("the last checkpoint could not be written"));
            }
        }
        Ok(())
    }

    fn finish(&mut self, state: &State, stop: &Stop, console: &mut Console) -> Result<()> {
        self.evaluate(state, console)?;
        self.save_last(state, console)?;
        let title = format!("{}", self.run.path().display());
        let curves = [("loss", "training"), (JUDGE, "held out")];
        let chart = self.run.chart();
        let drawn = self.recorder.chart(&title, &curves).and_then(|c| c.write(&chart));
        let sample = &self.recipe.sample;
        if sample.tokens > 0 && !stop.is_asked() {
            let request = Request {
                prompt: sample.prompt.clone(),
                chat: false,
                max_tokens: sample.tokens,
                sampling: Sampling {
                    temperature: sample.temperature,
                    top_k: sample.top_k,
                    top_p: sample.top_p,
                },
                seed: self.recipe.seed,
                stop: Vec::new(),
            };
            console.line("sample:");
            console.text(&sample.prompt);
            let generator = Generator::new(state.params.clone(), self.text.tokenizer.clone())?;
            generator.generate(&request, &mut |piece| {
                console.text(piece);
                match stop.is_asked() {
                    true => std::ops::ControlFlow::Break(()),
                    false => std::ops::ControlFlow::Continue(()),
                }
            })?;
            console.text("\n");
        }
        match drawn {
            Ok(()) => console.line(&format!("loss curve: {}", chart.display())),
            Err(error) => console.warn(&format!("the loss curve was not written: {error}")),
        }
        Ok(())
    }
}

/// The numerics version of the steps that led to a checkpoint; the first versions were not recorded.
fn numerics(checkpoint: &Checkpoint) -> u64 {
    checkpoint.state().extra[NUMERICS].as_u64().unwrap_or(1)
}

fn data_state(checkpoint: &Checkpoint) -> Result<DataState> {
    serde_json::from_value(checkpoint.state().data.clone()).map_err(|e| {
        Error::input(format!("{}: its data position is malformed: {e}", checkpoint.path().display()))
    })
}
