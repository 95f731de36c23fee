use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use jarrah_array::random::Key;
use jarrah_base::memory::{held, size};
use jarrah_base::{Error, NUMERICS_VERSION, Result};
use jarrah_checkpoint::{Checkpoint, Manager, Options, Saved, Snapshot, at, latest, list};
use jarrah_data::{DataState, Loader, LoaderOptions};
use jarrah_models::{ModelSpec, Pretrained};
use jarrah_run::{RunFolder, names};
use jarrah_runtime::Event;
use jarrah_serve::{Engine, EngineOptions, EngineRequest, Finish, Params, Question, Served};

use super::console::{Console, Pulse};
use super::fit;
use super::machine;
use super::objective::Feed;
use super::plan::{Plan, Source};
use super::progress::{Progress, span};
use super::state::State;
use super::step::{Measured, Programs};
use super::stop::Stop;
use super::text::{Batches, Text, grouped};
use crate::metrics::{Recorder, Samples, Text as Written};
use crate::recipe::{OnNan, Precision, Recipe, Settings, Task};

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
/// How long a run that is to stop waits for the step that is computed.
const GRACE: Duration = Duration::from_secs(1);
/// Steps that take longer are not waited for when the run is to stop, so the state before them is kept.
const SLOW: Duration = Duration::from_millis(500);
/// How long a run that was stopped writes a text at most.
const LAST_TEXT: Duration = Duration::from_secs(10);
/// After how long without a line the next step has one.
const SILENCE: Duration = Duration::from_secs(30);
/// The share of the machine's peak that steps reach about, before anything is known of them.
const USUAL_SHARE: f64 = 0.35;

/// Trains a run: finds the text, learns the tokenizer, trains, evaluates, saves, and reports on `console`.
///
/// A run has the same bits however often and wherever it is interrupted, and on any number of threads. Once `stop` is set, it saves and returns. It waits for
/// the step that is computed for a second; a step that takes longer is given up, computes on in the background until it is done, and is computed again on resume.
/// A run that fails before it begins leaves no folder.
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
    RunFolder::may_begin(recipe.out.as_deref().map(Path::new))?;
    machine::use_threads(recipe.threads);
    let (text, plan) = find(&recipe, &source, console)?;
    let (ready, state) = Ready::new(&recipe, text, plan, None, console)?;
    // Only a run that can compute its first step gets a folder.
    let run = RunFolder::create(recipe.out.as_deref().map(Path::new))?;
    recipe.out = Some(run.path().display().to_string());
    let run = run.begin(&[(names::RECIPE, recipe.to_toml().as_bytes())])?;
    console.line(&format!("run: {}", run.path().display()));
    let opened = keep(&run, &ready.text, &ready.plan)
        .and_then(|()| Session::open(run.clone(), recipe, ready, None, console));
    match opened {
        Ok(session) => {
            run.point_latest();
            session.train(state, stop, console)
        }
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

/// The text and the model of a run that begins.
fn find(recipe: &Recipe, source: &Source, console: &mut Console) -> Result<(Text, Plan)> {
    source.notes.iter().for_each(|note| console.warn(note));
    let text = Text::find(recipe, source, console)?;
    let (count, eos) = (text.tokenizer.vocab_size(), text.tokenizer.eos_id()?);
    let spec = ModelSpec { base: source.base()?, ..source.spec(recipe, count, eos, text.is_learned)? };
    Ok((text, Plan::new(recipe, spec)?))
}

/// Writes into the folder of a run what it needs to find its text and its model again.
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
            let (text, plan) = find(&recipe, &source, console)?;
            keep(&run, &text, &plan)?;
            (text, plan)
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
    let (ready, state) = Ready::new(&recipe, text, plan, checkpoint.as_ref(), console)?;
    let session = Session::open(run.clone(), recipe, ready, checkpoint, console)?;
    if changed {
        run.write(names::RECIPE, session.recipe.to_toml().as_bytes())?;
    }
    session.train(state, stop, console)
}

fn open_manager(run: &RunFolder, recipe: &Recipe) -> Result<Manager> {
    let options = Options { keep: recipe.checkpoint.keep, best: Some(JUDGE.to_owned()) };
    Manager::open(&run.checkpoints(), options)
}

/// The parts of a run that are made before it has a folder.
struct Ready {
    text: Text,
    plan: Plan,
    batches: Batches,
    questions: Vec<Question>,
    programs: Programs,
    key: Key,
}

impl Ready {
    /// Prepares the first step, or the one after a checkpoint, and gives the state before it. Nothing is written.
    fn new(
        recipe: &Recipe,
        text: Text,
        plan: Plan,
        checkpoint: Option<&Checkpoint>,
        console: &mut Console,
    ) -> Result<(Self, State)> {
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
        fit::check(recipe, &plan)?;
        let questions = match &recipe.eval.answers {
            Some(file) => Question::read(file, text.templates.as_ref())?,
            None => Vec::new(),
        };
        let batches = text.batches(recipe, plan.context, console)?;
        console.line(&format!("compiling the step of {} x {} tokens", recipe.batch, plan.context));
        let compiling = console.working("compiling");
        let mut programs = Programs::new(recipe, &plan);
        let memory = programs.compile(recipe, &plan).map_err(fit::explained)?;
        drop(compiling);
        let held = batches.train.tokens() * if text.tokenizer.vocab_size() <= 1 << 16 { 2 } else { 4 };
        fit::check_compiled(recipe, &plan, &memory)?;
        console.line(&format!(
            "memory: {} for a step ({} of it parameters, optimizer state and batch), {} of tokens",
            size(memory.total()),
            size(memory.arguments),
            size(held)
        ));
        let _making = console.working("model: making the first parameters");
        let (key, mut state) = programs.initial(recipe, &plan, checkpoint.is_some())?;
        if let Some(checkpoint) = checkpoint {
            text.agree(&checkpoint.state().extra)?;
            state = state.restored(checkpoint)?;
        }
        Ok((Ready { text, plan, batches, questions, programs, key }, state))
    }
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
    /// The steps of the last record, evaluation, sample and checkpoint.
    done: Done,
    loss: Option<f64>,
    val_loss: Option<f64>,
    /// The measurements of the last step, until they are recorded.
    last: Option<Measured>,
    /// Steps left out one after another.
    left_out: u64,
    /// The snapshot that is saved if the run is to stop while a step is computed.
    held: Option<Snapshot>,
    /// Whether the last step took so long that the next one is not waited for.
    is_slow: bool,
    /// Whether a checkpoint is being written.
    is_writing: bool,
    /// When the last line on a step was shown.
    shown: Instant,
}

#[derive(Default)]
struct Done {
    recorded: Option<u64>,
    evaluated: Option<u64>,
    sampled: Option<u64>,
    saved: Option<u64>,
}

impl Session {
    /// Opens what a run writes, from its first step on, or from that of a checkpoint. Nothing on disk is changed before everything is known to be good.
    fn open(
        run: RunFolder,
        recipe: Recipe,
        ready: Ready,
        checkpoint: Option<Checkpoint>,
        console: &mut Console,
    ) -> Result<Self> {
        let Ready { text, plan, batches, questions, programs, key } = ready;
        let data = checkpoint.as_ref().map(data_state).transpose()?;
        let step = checkpoint.as_ref().map_or(0, Checkpoint::step);
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
        let done = Done { evaluated: saved.filter(|_| val_loss.is_some()), saved, ..Done::default() };
        Ok(Session {
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
            last: None,
            left_out: 0,
            held: None,
            is_slow: false,
            is_writing: false,
            shown: Instant::now(),
        })
    }

    fn train(mut self, mut state: State, stop: &Stop, console: &mut Console) -> Result<Outcome> {
        stop.begin_training();
        self.say_how_long(console);
        // A run that was stopped while it evaluated does so now.
        let every = self.recipe.eval.every;
        if self.step > 0 && self.step < self.recipe.steps && every > 0 && self.step.is_multiple_of(every) {
            self.evaluate(&state, stop, console)?;
        }
        while self.step < self.recipe.steps {
            if stop.is_asked() {
                return self.stopped(Some(&state), console);
            }
            match self.advance(state, stop, console)? {
                Some(next) => state = next,
                None => return self.stopped(None, console),
            }
        }
        self.finish(&state, stop, console)?;
        Ok(self.outcome(End::Complete))
    }

    /// Says about how long the steps will take, by the machine's peak.
    fn say_how_long(&self, console: &mut Console) {
        let left = self.recipe.steps.saturating_sub(self.step);
        if left > 0 {
            let seconds = self.progress.least(left) / USUAL_SHARE;
            console.line(&format!("{} steps to go, in about {}", grouped(left), span(seconds)));
        }
    }

    /// Ends a run that is to stop: `state` is the one after the last step; none, if the step behind that is still computed.
    fn stopped(mut self, state: Option<&State>, console: &mut Console) -> Result<Outcome> {
        if self.step == 0 {
            return Ok(self.outcome(End::Stopped));
        }
        if let Some(measured) = self.last.take().filter(|_| self.done.recorded != Some(self.step)) {
            self.report(&measured, console)?;
        }
        match state {
            Some(state) => self.save_last(state, console)?,
            None => self.save_held(console)?,
        }
        self.draw(console);
        if let Some(state) = state {
            let begun = Instant::now();
            self.write_text(state, console, || begun.elapsed() < LAST_TEXT)?;
        }
        Ok(self.outcome(End::Stopped))
    }

    fn outcome(&self, end: End) -> Outcome {
        let prompt = self.batches.opening.clone();
        let chat = self.recipe.task == Task::Sft;
        Outcome { run: self.run.path().to_owned(), step: self.step, end, prompt, chat }
    }

    /// Runs one step and what is due after it: the progress line before the checkpoint, so that a run resumed from
    /// the checkpoint has the line. Gives no state if the run is to stop before the step is computed.
    fn advance(&mut self, state: State, stop: &Stop, console: &mut Console) -> Result<Option<State>> {
        let (batch, data) = self.loader.next_batch()?;
        let feed = Feed::of(batch);
        self.hold(&state)?;
        let begun = Instant::now();
        let (state, measured) = self.programs.step(state, feed.clone(), &self.key)?;
        let what = format!("step {}/{}", self.step + 1, self.recipe.steps);
        if !waited(&measured.taken.to_buffer()?.ready(), &what, (stop, &mut Grace::default()), console)? {
            return Ok(None);
        }
        self.is_slow = begun.elapsed() > SLOW;
        self.held = None;
        self.guard(&state, &feed, &measured, console)?;
        self.step += 1;
        self.data = data;

        let is_last = self.step == self.recipe.steps;
        let due = |every: u64| every > 0 && self.step.is_multiple_of(every);
        let (log, evaluate) = (due(self.recipe.log.every), due(self.recipe.eval.every));
        let (sample, save) = (due(self.recipe.sample.every), due(self.recipe.checkpoint.every));
        self.last = Some(measured.clone());
        if log || is_last || save {
            let loss = measured.loss.to_f64()?;
            if !loss.is_finite() && self.recipe.guard.on_nan == OnNan::Abort {
                return Err(self.diverged(loss, None));
            }
            self.loss = Some(loss).filter(|loss| loss.is_finite());
            if log || is_last {
                self.report(&measured, console)?;
            }
        } else if self.step == 1 || self.shown.elapsed() > SILENCE {
            // Of what is not recorded, that it goes on.
            self.progress.show(
                console,
                self.step,
                measured.loss.to_f64()?,
                self.progress.speed_so_far(self.step),
            );
            self.shown = Instant::now();
        }
        if evaluate || is_last {
            self.evaluate(&state, stop, console)?;
        }
        if sample && !is_last && !stop.is_asked() {
            self.write_text(&state, console, || !stop.is_asked())?;
        }
        if save && !is_last {
            self.save(&state, console)?;
        }
        self.report_saves(console);
        Ok(Some(state))
    }

    /// Records the measurements of the last step, and shows how far the run is.
    fn report(&mut self, measured: &Measured, console: &mut Console) -> Result<()> {
        let loss = measured.loss.to_f64()?;
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
        self.done.recorded = Some(self.step);
        self.progress.show(console, self.step, loss, speed);
        self.shown = Instant::now();
        Ok(())
    }

    /// Keeps what is saved if the run is to stop within the next step, where that takes long: the step then computes into other memory, as it does while a
    /// checkpoint is written, for which there is room. While one is written, that one is what is saved.
    fn hold(&mut self, state: &State) -> Result<()> {
        let is_saved = self.step == 0 || self.done.saved == Some(self.step);
        if self.is_slow && !is_saved && !self.is_writing {
            self.held = Some(self.snapshot(state)?);
        }
        Ok(())
    }

    /// Looks whether a step was left out, says so, and ends the run behind too many of them.
    ///
    /// # Errors
    /// Loss or gradient are no numbers, and the recipe says to end then; or as many steps were left out one after another as the recipe lets be.
    fn guard(
        &mut self,
        state: &State,
        feed: &Feed,
        measured: &Measured,
        console: &mut Console,
    ) -> Result<()> {
        let step = self.step + 1;
        let is_scaled = self.recipe.precision == Precision::F16;
        // The loss scale leaves out steps by itself, which is no fault as long as the loss is a number.
        let is_number = match is_scaled {
            true => measured.loss.to_f64()?.is_finite(),
            false => measured.finite.item::<bool>()?,
        };
        if is_number && (is_scaled || measured.taken.item::<bool>()?) {
            self.left_out = 0;
            return Ok(());
        }
        self.left_out += 1;
        let skips = is_number || self.recipe.guard.on_nan == OnNan::Skip;
        if is_scaled && !skips {
            // The next record ends the run.
            return Ok(());
        }
        let ends = self.recipe.guard.patience > 0 && self.left_out >= self.recipe.guard.patience;
        // The step changed nothing: it can be looked at again, in `f32` and as a whole, which may take more time and memory than the step. A run that goes
        // on is not stopped for that, and one that ends says what is wrong also where the look fails.
        let what = match is_number {
            true if ends => {
                let steepest = self.programs.steepest(state, feed, &self.key, self.step).ok().flatten();
                let norm = measured.grad_norm.to_f64()?;
                let of =
                    steepest.map(|(path, most)| format!(", most of it in the gradient of {path}: {most:.3}"));
                format!("its gradient is far from usual, with a norm of {norm:.3}{}", of.unwrap_or_default())
            }
            true => "its gradient is far from usual".to_owned(),
            false if ends || !skips => {
                let culprit = self.programs.culprit(state, feed, &self.key, self.step).ok().flatten();
                if !skips {
                    return Err(self.diverged(measured.loss.to_f64()?, culprit));
                }
                let first = culprit.map(|culprit| format!(", {culprit} first")).unwrap_or_default();
                format!("loss or gradient is no number{first}")
            }
            false => "loss or gradient is no number".to_owned(),
        };
        if ends {
            let message = format!("{} steps in a row were left out: of step {step} {what}", self.left_out);
            return Err(Error::input(message)
                .context(self.last_checkpoint())
                .help("lower optimizer.lr or lengthen optimizer.warmup; guard.patience says how many steps may be left out in a row, 0 for any number"));
        }
        console.warn(&format!("step {step} is left out: {what}"));
        Ok(())
    }

    fn last_checkpoint(&self) -> String {
        match self.done.saved {
            Some(step) => format!("the last checkpoint is of step {step}"),
            None => "there is no checkpoint yet".to_owned(),
        }
    }

    fn diverged(&self, loss: f64, culprit: Option<String>) -> Error {
        let step = if culprit.is_some() { self.step + 1 } else { self.step };
        let what = match (&culprit, loss.is_finite()) {
            (Some(culprit), true) => format!("the gradient at step {step} is no number, {culprit} first"),
            (Some(culprit), false) => format!("the loss at step {step} is {loss}, {culprit} first"),
            (None, _) => format!("the loss at step {step} is {loss}"),
        };
        Error::input(format!("{what}: training diverged"))
            .context(self.last_checkpoint())
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

    fn evaluate(&mut self, state: &State, stop: &Stop, console: &mut Console) -> Result<()> {
        if self.done.evaluated == Some(self.step) {
            return Ok(());
        }
        let begun = Instant::now();
        let evaluated = self.evaluate_now(state, stop, console);
        self.progress.leave_out(begun.elapsed());
        evaluated
    }

    fn evaluate_now(&mut self, state: &State, stop: &Stop, console: &mut Console) -> Result<()> {
        let (step, steps) = (self.step, self.recipe.steps);
        if !self.questions.is_empty() {
            let engine = self.engine(state)?;
            let (mut pulse, count) = (Pulse::new(), self.questions.len());
            let mut grace = Grace::default();
            let mut goes_on = |done: usize| {
                console.beat(&mut pulse, &format!("answering: {done} of {}", questions_of(count)));
                !grace.is_over(stop)
            };
            let most = self.recipe.eval.answer_tokens;
            let Some(right) = engine.exact_answers_while(&self.questions, most, &mut goes_on)? else {
                return Ok(());
            };
            self.record(&[("exact_answers", right)], console);
            let count = questions_of(count);
            console.line(&format!("step {step}/{steps}  {:.1} % of {count} answered exactly", 100.0 * right));
        }
        let (params, batches) = (state.best(), &self.batches.held_out);
        if batches.is_empty() {
            return Ok(());
        }
        let mut grace = Grace::default();
        let goes_on = |done: usize, event: &Event| {
            let what = format!("evaluating: batch {} of {}", done + 1, batches.len());
            console.transient(&what);
            Ok(waited(event, &what, (stop, &mut grace), console)? && !grace.is_over(stop))
        };
        let Some(loss) = self.programs.evaluate(&params, batches, goes_on)? else { return Ok(()) };
        self.done.evaluated = Some(self.step);
        self.val_loss = Some(loss);
        self.record(&[(JUDGE, loss)], console);
        console.line(&format!("step {step}/{steps}  held-out loss {loss:.4}  perplexity {:.1}", loss.exp()));
        Ok(())
    }

    /// Lets the model write a text, as long as it `goes_on`.
    fn write_text(&mut self, state: &State, console: &mut Console, goes_on: impl Fn() -> bool) -> Result<()> {
        if self.recipe.sample.tokens == 0 || self.done.sampled == Some(self.step) || !goes_on() {
            return Ok(());
        }
        let begun = Instant::now();
        let written = self.write_text_now(state, console, goes_on);
        self.progress.leave_out(begun.elapsed());
        let written = written?;
        self.done.sampled = Some(self.step);
        let samples = Samples::new(self.run.path());
        // A run that is resumed at its end writes its last text again.
        if let Err(error) = samples.cut(self.step.saturating_sub(1)).and_then(|()| samples.add(&written)) {
            console.warn(&format!("the sample is not recorded: {error}"));
        }
        Ok(())
    }

    fn write_text_now(
        &self,
        state: &State,
        console: &mut Console,
        goes_on: impl Fn() -> bool,
    ) -> Result<Written> {
        let sample = &self.recipe.sample;
        let chat = self.recipe.task == Task::Sft && sample.prompt.is_empty();
        let prompt = if chat { &self.batches.prompt } else { &sample.prompt };
        let engine = self.engine(state)?;
        let (tokens, _) = engine.fitted(engine.prompt(prompt, chat)?, sample.tokens);
        let room = (engine.max_length() + 1).saturating_sub(tokens.len());
        console.line("sample:");
        console.text(prompt);
        let params = Params {
            max_tokens: Some(sample.tokens),
            temperature: sample.temperature,
            top_k: sample.top_k,
            top_p: sample.top_p,
            seed: Some(self.recipe.seed),
            ..Params::default()
        };
        let mut written = Written { step: self.step, prompt: prompt.clone(), text: String::new() };
        let request = EngineRequest { prompt: tokens, params, slides: true, ..EngineRequest::default() };
        let mut count = 0;
        for delta in engine.add(request)?.take_while(|_| goes_on()) {
            console.text(&delta.text);
            written.text += &delta.text;
            count += delta.tokens.len();
            if let Some(Finish::Failed(error)) = delta.finish {
                return Err(error);
            }
        }
        console.text("\n");
        if count > room {
            let context = engine.max_length();
            console.line(&format!("(longer than the context of {context} tokens: where it was full, the text went on from its newer half)"));
        }
        Ok(written)
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
        self.submit(snapshot, console);
        Ok(())
    }

    fn submit(&mut self, snapshot: Snapshot, console: &mut Console) {
        let manager = &mut self.manager;
        let submitted = self.progress.aside(|| manager.save(snapshot));
        self.done.saved = Some(self.step);
        self.is_writing = true;
        if let Some(outcome) = submitted.previous {
            self.tell(&outcome, console);
        }
    }

    fn report_saves(&mut self, console: &mut Console) {
        if let Some(outcome) = self.manager.poll() {
            self.is_writing = false;
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
        self.finish_writing(console);
        if self.step > 0 && self.done.saved != Some(self.step) {
            let snapshot = self.snapshot(state)?;
            self.save_durably(snapshot, console)?;
        }
        Ok(())
    }

    /// As [`save_last`](Self::save_last), while the step behind the current one is computed. Where the state is not held, the steps since the last checkpoint
    /// are computed again on resume.
    fn save_held(&mut self, console: &mut Console) -> Result<()> {
        self.finish_writing(console);
        if let Some(held) = self.held.take() {
            return self.save_durably(held, console);
        }
        let saved = self.done.saved.unwrap_or(0);
        if saved != self.step {
            console.warn(&format!("steps {} to {} are computed again on resume", saved + 1, self.step));
            self.step = saved;
        }
        Ok(())
    }

    fn finish_writing(&mut self, console: &mut Console) {
        if let Some(outcome) = self.manager.wait() {
            self.is_writing = false;
            self.tell(&outcome, console);
        }
    }

    fn save_durably(&mut self, snapshot: Snapshot, console: &mut Console) -> Result<()> {
        self.submit(snapshot, console);
        match self.manager.wait() {
            Some(Err(error)) => Err(error.context("the last checkpoint could not be written")),
            _ => Ok(()),
        }
    }

    /// Draws the losses so far.
    fn draw(&self, console: &mut Console) {
        let title = format!("{}", self.run.path().display());
        let curves = [("loss", "training"), (JUDGE, "held out")];
        let chart = self.run.chart();
        match self.recorder.chart(&title, &curves).and_then(|drawn| drawn.write(&chart)) {
            Ok(()) => console.line(&format!("loss curve: {}", chart.display())),
            Err(error) => console.warn(&format!("the loss curve was not written: {error}")),
        }
    }

    fn finish(&mut self, state: &State, stop: &Stop, console: &mut Console) -> Result<()> {
        self.evaluate(state, stop, console)?;
        self.save_last(state, console)?;
        self.write_text(state, console, || !stop.is_asked())?;
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
        self.draw(console);
        Ok(())
    }
}

/// The time that a run still takes after it was asked to stop, from when it knows.
#[derive(Default)]
struct Grace(Option<Instant>);

impl Grace {
    fn is_over(&mut self, stop: &Stop) -> bool {
        stop.is_asked() && self.0.get_or_insert_with(Instant::now).elapsed() >= GRACE
    }
}

/// Waits for what the device computes; false if the run is to stop, and it takes longer than a run that is to stop waits.
fn waited(
    event: &Event,
    what: &str,
    (stop, grace): (&Stop, &mut Grace),
    console: &mut Console,
) -> Result<bool> {
    if let Some(outcome) = event.outcome() {
        return outcome.map(|()| true);
    }
    let (tell, told) = channel();
    // Nobody listens any more behind a step that was given up.
    event.on_ready(move |outcome| drop(tell.send(outcome.clone())));
    let mut pulse = Pulse::new();
    loop {
        match told.recv_timeout(Pulse::LOOK) {
            Ok(outcome) => return outcome.map(|()| true),
            // An event completes however its work ends.
            Err(RecvTimeoutError::Disconnected) => return event.wait().map(|()| true),
            Err(RecvTimeoutError::Timeout) => {}
        }
        console.beat(&mut pulse, what);
        if grace.is_over(stop) {
            return Ok(false);
        }
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
