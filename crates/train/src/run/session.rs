use std::path::PathBuf;

use jarrah_array::random::Key;
use jarrah_base::memory::{held, size};
use jarrah_base::{Error, NUMERICS_VERSION, Result};
use jarrah_checkpoint::{Checkpoint, Manager, Options, Saved, Snapshot, at, latest, list};
use jarrah_data::{DataState, Loader, LoaderOptions};
use jarrah_models::{ModelSpec, Pretrained};
use jarrah_serve::{Engine, EngineOptions, EngineRequest, Finish, Params, Question, Served};

use super::console::Console;
use super::fit;
use super::folder::RunFolder;
use super::machine;
use super::objective::Feed;
use super::plan::{Plan, Source};
use super::progress::Progress;
use super::state::State;
use super::step::{Measured, Programs};
use super::stop::Stop;
use super::text::{Batches, Text, grouped};
use crate::metrics::{Recorder, Samples, Text as Written};
use crate::recipe::{OnNan, Precision, Recipe, Task};

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
    /// Whether the model learned to answer.
    pub chat: bool,
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
/// The folder of the adapter at the end of a run.
const ADAPTER: &str = "adapter";
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
    let source = Source::of(&recipe)?;
    recipe.settle(source.folder.is_some());
    check(&recipe, &source)?;
    machine::use_threads(recipe.threads);
    let run = RunFolder::create(&mut recipe)?;
    console.line(&format!("run: {}", run.path().display()));
    let prepared = prepare(&run, &recipe, &source, console)
        .and_then(|(text, plan)| Session::open(run.clone(), recipe, text, plan, None, console));
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
fn check(recipe: &Recipe, source: &Source) -> Result<()> {
    recipe.check()?;
    // How many tokens there are is known once the tokenizer is.
    let plan = Plan::new(recipe, source.spec(recipe, 1, 0, false)?)?;
    fit::check(recipe, &plan)
}

/// The text and the model of a run, which keeps what is said of the latter.
fn prepare(run: &RunFolder, recipe: &Recipe, source: &Source, console: &mut Console) -> Result<(Text, Plan)> {
    let text = Text::prepare(run, recipe, source, console)?;
    let (count, eos) = (text.tokenizer.vocab_size(), text.tokenizer.eos_id()?);
    let spec = ModelSpec { base: source.base()?, ..source.spec(recipe, count, eos, text.is_learned)? };
    let json = serde_json::to_string_pretty(&spec)
        .map_err(|e| Error::internal(format!("cannot write the model: {e}")))?;
    run.write(jarrah_serve::folder::MODEL, json.as_bytes())?;
    Ok((text, Plan::new(recipe, spec)?))
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
    recipe.check()?;
    if (&recipe.data, &recipe.tokenizer, recipe.seed, &recipe.out)
        != (&kept.data, &kept.tokenizer, kept.seed, &kept.out)
    {
        return Err(Error::input("a run cannot change its data, tokenizer, seed and out when it is resumed")
            .help("start a new run"));
    }
    if (recipe.task, &recipe.model, &recipe.lora) != (kept.task, &kept.model, &kept.lora) {
        return Err(Error::input("a run cannot change its task, model and lora when it is resumed")
            .help("start a new run"));
    }
    machine::use_threads(recipe.threads);
    console.line(&format!("run: {}", run.path().display()));
    // What is said of the model is missing where a run was killed while it was prepared.
    let known = match ModelSpec::read(&run.model())? {
        Some(spec) => Text::reopen(&run, &recipe, console)?.map(|text| (text, spec)),
        None => None,
    };
    let (text, plan) = match known {
        Some((text, spec)) => (text, Plan::new(&recipe, spec)?),
        None => {
            let source = Source::of(&recipe)?;
            check(&recipe, &source)?;
            prepare(&run, &recipe, &source, console)?
        }
    };
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
    // Where the folder's numbers are read again, they must be those that the run began with.
    if let Some(base) = plan.spec.base.as_ref().filter(|_| checkpoint.is_none() || plan.spec.lora.is_some()) {
        base.unchanged()?;
    }
    let changed = recipe != kept;
    let (session, state) = Session::open(run.clone(), recipe, text, plan, checkpoint, console)?;
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
    plan: Plan,
    batches: Batches,
    questions: Vec<Question>,
    programs: Programs,
    step: u64,
    data: DataState,
    key: Key,
    loader: Loader,
    manager: Manager,
    recorder: Recorder,
    progress: Progress,
    /// The steps of the last evaluation, sample and checkpoint.
    done: Done,
    loss: Option<f64>,
    val_loss: Option<f64>,
}

#[derive(Default)]
struct Done {
    evaluated: Option<u64>,
    sampled: Option<u64>,
    saved: Option<u64>,
}

impl Session {
    /// Prepares the next step. Nothing on disk is changed before everything is known to be good.
    fn open(
        run: RunFolder,
        recipe: Recipe,
        text: Text,
        plan: Plan,
        checkpoint: Option<Checkpoint>,
        console: &mut Console,
    ) -> Result<(Self, State)> {
        let (all, trained) = plan.parameters();
        let of_them =
            if trained == all { String::new() } else { format!(", {} trained", grouped(trained as u64)) };
        console.line(&format!(
            "model: {} parameters{of_them}, {} layers x {}, context {}",
            grouped(all as u64),
            plan.config.layers.len(),
            plan.config.width,
            plan.context
        ));
        fit::check(&recipe, &plan)?;
        let questions = match &recipe.eval.answers {
            Some(file) => Question::read(file.as_ref(), text.templates.as_ref())?,
            None => Vec::new(),
        };
        let batches = text.batches(&recipe, plan.context, console)?;
        console.transient("compiling ...");
        let mut programs = Programs::new(&recipe, &plan);
        let memory = programs.compile(&recipe, &plan).map_err(fit::explained)?;
        let held = batches.train.tokens() * if text.tokenizer.vocab_size() <= 1 << 16 { 2 } else { 4 };
        fit::check_compiled(&recipe, &plan, &memory)?;
        console.line(&format!(
            "memory: {} for a step ({} of it parameters, optimizer state and batch), {} of tokens",
            size(memory.total()),
            size(memory.arguments),
            size(held)
        ));
        let (key, mut state) = programs.initial(&recipe, &plan, checkpoint.is_some())?;
        let mut data = None;
        let mut step = 0;
        if let Some(checkpoint) = &checkpoint {
            text.agree(&checkpoint.state().extra)?;
            state = state.restored(checkpoint)?;
            data = Some(data_state(checkpoint)?);
            step = checkpoint.step();
        }
        let tokens = recipe.batch * plan.context;
        let options = LoaderOptions { batch_size: recipe.batch, seed: recipe.seed, prefetch: PREFETCH };
        let loader = Loader::new(batches.train.clone(), &options, data.as_ref())?;
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
        Samples::new(run.path()).cut(step)?;
        let flops = plan.flops_per_token() * tokens as f64;
        let progress =
            Progress::new(step, recipe.steps, tokens as u64, flops, machine::peak_flops(recipe.threads));
        let data = loader.state();
        let val_loss = checkpoint.as_ref().and_then(|c| c.state().metrics.get(JUDGE).copied());
        let saved = checkpoint.map(|c| c.step());
        let done = Done { evaluated: saved.filter(|_| val_loss.is_some()), sampled: None, saved };
        let session = Session {
            run,
            recipe,
            text,
            plan,
            batches,
            questions,
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
            state = self.advance(state, stop, console)?;
        }
        self.finish(&state, stop, console)?;
        Ok(self.outcome(End::Complete))
    }

    fn outcome(&self, end: End) -> Outcome {
        let prompt = self.batches.opening.clone();
        let chat = self.recipe.task == Task::Sft;
        Outcome { run: self.run.path().to_owned(), step: self.step, end, prompt, chat }
    }

    /// Runs one step and what is due after it: the progress line before the checkpoint, so that a run resumed from
    /// the checkpoint has the line.
    fn advance(&mut self, state: State, stop: &Stop, console: &mut Console) -> Result<State> {
        let (batch, data) = self.loader.next_batch()?;
        let feed = Feed::of(batch);
        let (state, measured) = self.programs.step(state, feed.clone(), &self.key)?;
        if !self.take(&state, &feed, &measured, console)? {
            console.warn(&format!("step {} is left out: its gradient is far from usual", self.step + 1));
        }
        self.step += 1;
        self.data = data;

        let is_last = self.step == self.recipe.steps;
        let due = |every: u64| every > 0 && self.step.is_multiple_of(every);
        let (log, evaluate) = (due(self.recipe.log.every), due(self.recipe.eval.every));
        let (sample, save) = (due(self.recipe.sample.every), due(self.recipe.checkpoint.every));
        if log || is_last || save {
            let loss = measured.loss.to_f64()?;
            if !loss.is_finite() && self.recipe.guard.on_nan == OnNan::Abort {
                return Err(self.diverged(loss, None));
            }
            self.loss = Some(loss).filter(|loss| loss.is_finite());
            if log || is_last {
                let speed = self.progress.speed(self.step);
                let values = [
                    ("loss", loss),
                    ("lr", measured.lr.to_f64()?),
                    ("grad_norm", measured.grad_norm.to_f64()?),
                    ("tokens_per_second", speed.tokens),
                    ("flops_per_second", speed.flops),
                    ("goodput", speed.goodput),
                    ("memory", held() as f64),
                ];
                self.record(&values, console);
                self.progress.show(console, self.step, loss, speed);
            }
        }
        if evaluate || is_last {
            self.evaluate(&state, console)?;
        }
        if sample && !is_last {
            self.sample(&state, stop, console)?;
        }
        if save && !is_last {
            self.save(&state, console)?;
        }
        self.report_saves(console);
        Ok(state)
    }

    /// Whether a step was taken, or none of the kinds that are looked for was met.
    ///
    /// # Errors
    /// Loss or gradient are no numbers, and the recipe says to end then.
    fn take(&self, state: &State, feed: &Feed, measured: &Measured, console: &mut Console) -> Result<bool> {
        if self.recipe.precision == Precision::F16 || measured.taken.item::<bool>()? {
            return Ok(true);
        }
        if measured.finite.item::<bool>()? {
            return Ok(false);
        }
        if self.recipe.guard.on_nan == OnNan::Skip {
            console.warn(&format!("step {} is left out: loss or gradient is no number", self.step + 1));
            return Ok(true);
        }
        // The step changed nothing: it can be looked at again.
        let culprit = self.programs.culprit(state, feed, &self.key, self.step)?;
        Err(self.diverged(measured.loss.to_f64()?, culprit))
    }

    fn diverged(&self, loss: f64, culprit: Option<String>) -> Error {
        let saved = match self.done.saved {
            Some(step) => format!("the last checkpoint is of step {step}"),
            None => "there is no checkpoint yet".to_owned(),
        };
        let step = if culprit.is_some() { self.step + 1 } else { self.step };
        let what = match (&culprit, loss.is_finite()) {
            (Some(culprit), true) => format!("the gradient at step {step} is no number, {culprit} first"),
            (Some(culprit), false) => format!("the loss at step {step} is {loss}, {culprit} first"),
            (None, _) => format!("the loss at step {step} is {loss}"),
        };
        Error::input(format!("{what}: training diverged"))
            .context(saved)
            .help("lower optimizer.lr or lengthen optimizer.warmup")
    }

    /// Records metrics; if that fails, the run warns and continues.
    fn record(&mut self, values: &[(&str, f64)], console: &mut Console) {
        if let Err(error) = self.recorder.record(self.step, values) {
            console.warn(&format!("metrics are not recorded: {error}"));
        }
    }

    /// What answers with the best parameters so far.
    fn engine(&self, state: &State) -> Result<Engine> {
        let model = self.programs.model(&state.best());
        let options = EngineOptions {
            sequences: 8,
            tokens_per_step: 64,
            paced: false,
            warm: false,
            ..EngineOptions::default()
        };
        Engine::start(Served::with_tokenizer("the run", model, self.text.tokenizer.clone()), options)
    }

    fn evaluate(&mut self, state: &State, console: &mut Console) -> Result<()> {
        if self.done.evaluated == Some(self.step) {
            return Ok(());
        }
        if !self.questions.is_empty() {
            let engine = self.engine(state)?;
            let (questions, most) = (&self.questions, self.recipe.eval.answer_tokens);
            let right = self.progress.aside(|| engine.exact_answers(questions, most))?;
            self.record(&[("exact_answers", right)], console);
            let (step, steps, count) = (self.step, self.recipe.steps, questions_of(self.questions.len()));
            console.line(&format!("step {step}/{steps}  {:.1} % of {count} answered exactly", 100.0 * right));
        }
        if self.batches.held_out.is_empty() {
            return Ok(());
        }
        let (programs, params, batches) = (&self.programs, state.best(), &self.batches.held_out);
        let loss = self.progress.aside(|| programs.evaluate(&params, batches))?;
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

    /// Lets the model write a text, unless the run is to stop.
    fn sample(&mut self, state: &State, stop: &Stop, console: &mut Console) -> Result<()> {
        let sample = &self.recipe.sample;
        if sample.tokens == 0 || self.done.sampled == Some(self.step) || stop.is_asked() {
            return Ok(());
        }
        let chat = self.recipe.task == Task::Sft && sample.prompt.is_empty();
        let prompt = if chat { &self.batches.prompt } else { &sample.prompt };
        let engine = self.engine(state)?;
        let (tokens, room) = engine.fitted(engine.prompt(prompt, chat)?, sample.tokens);
        console.line("sample:");
        console.text(prompt);
        let params = Params {
            max_tokens: Some(room),
            temperature: sample.temperature,
            top_k: sample.top_k,
            top_p: sample.top_p,
            seed: Some(self.recipe.seed),
            ..Params::default()
        };
        let mut written = Written { step: self.step, prompt: prompt.clone(), text: String::new() };
        let write = || -> Result<()> {
            let mut stream =
                engine.add(EngineRequest { prompt: tokens, params, ..EngineRequest::default() })?;
            while let Some(delta) = stream.next().filter(|_| !stop.is_asked()) {
                console.text(&delta.text);
                written.text += &delta.text;
                if let Some(Finish::Failed(error)) = delta.finish {
                    return Err(error);
                }
            }
            console.text("\n");
            Ok(())
        };
        self.progress.aside(write)?;
        self.done.sampled = Some(self.step);
        let samples = Samples::new(self.run.path());
        // A run that is resumed at its end writes its last text again.
        if let Err(error) = samples.cut(self.step.saturating_sub(1)).and_then(|()| samples.add(&written)) {
            console.warn(&format!("the sample is not recorded: {error}"));
        }
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
        state.snapshot(self.step, &self.plan.spec, &self.data, &self.key, metrics, extra)
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
        self.sample(state, stop, console)?;
        if let Some(lora) = &self.plan.spec.lora {
            let folder = self.run.path().join(ADAPTER);
            let model = self.programs.model(&state.best());
            let written = Pretrained::of(model, self.plan.spec.config.clone(), None)
                .and_then(|model| model.save_adapter(&folder));
            match written {
                Ok(()) => {
                    let shown = folder.display();
                    console.line(&format!("adapter: {shown}, of rank {}, as PEFT has them", lora.rank));
                }
                Err(error) => console.warn(&format!("the adapter is not written for PEFT: {error}")),
            }
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

fn questions_of(count: usize) -> String {
    if count == 1 { "1 question".to_owned() } else { format!("{count} questions") }
}
