//! A run in progress: the loop over its steps, and what is due after each.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt};
use jarrah_base::memory::held;
use jarrah_base::{Error, NUMERICS_VERSION, Result};
use jarrah_checkpoint::{Checkpoint, CheckpointManager, Snapshot};
use jarrah_run::RunFolder;
use jarrah_runtime::Event;
use serde_json::Value;

use super::console::{Console, span};
use super::hook::{End, Grace, Hook, HookState, record};
use super::objective::{Objective, StepReport};
use super::options::TrainerOptions;
use super::progress::Progress;
use super::ready::Ready;
use super::stop::Stop;
use super::waiting::waited;
use super::{Trainer, grouped, manager};
use crate::metrics::{Recorder, Samples, shown};
use crate::recipe::OnNan;

/// The metric whose lowest value marks the best checkpoint.
pub(super) const JUDGE: &str = "val_loss";
/// Steps that take longer are not waited for when the run is to stop, so the state before them is kept.
const SLOW: Duration = Duration::from_millis(500);
/// After how long without a line the next step has one.
const SILENCE: Duration = Duration::from_secs(30);
/// The share of the machine's peak that steps reach about, before anything is known of them.
const USUAL_SHARE: f64 = 0.35;

/// The name that checkpoints give the numerics version of the steps that led to them.
pub(super) const NUMERICS: &str = "numerics";

/// The numerics version of the steps that led to a checkpoint; the first versions were not recorded.
fn numerics(checkpoint: &Checkpoint) -> u64 {
    checkpoint.state().extra[NUMERICS].as_u64().unwrap_or(1)
}

/// The result of [`Trainer::train`].
#[derive(Clone, Debug)]
pub struct Trained<S> {
    /// The run's folder.
    pub run: PathBuf,
    /// The number of steps done.
    pub step: u64,
    /// Why training ended.
    pub end: End,
    /// The state after these steps; none, where the run was stopped within a long step: the newest checkpoint has it.
    pub state: Option<S>,
}

/// A run in progress.
pub(crate) struct Session<O: Objective> {
    pub(super) trainer: Trainer<O>,
    run: RunFolder,
    /// The state before the first step; none, once it runs.
    first: Option<O::State>,
    pub(super) fixed: O::Fixed,
    pub(super) key: Key,
    pub(super) step: u64,
    /// The position of the batches behind the last step.
    pub(super) position: Value,
    pub(super) manager: CheckpointManager,
    recorder: Recorder,
    pub(super) progress: Progress,
    pub(super) done: Done,
    pub(super) loss: Option<f64>,
    /// The value of [`JUDGE`] in the last evaluation.
    pub(super) judged: Option<f64>,
    /// The report of the last step, until it is recorded.
    last: Option<StepReport>,
    /// Steps left out one after another.
    pub(super) left_out: u64,
    /// The snapshot that is saved if the run is to stop while a step is computed.
    pub(super) held: Option<Snapshot>,
    /// Whether the last step took so long that the next one is not waited for.
    pub(super) is_slow: bool,
    /// Whether a checkpoint is being written.
    pub(super) is_writing: bool,
    /// When the last line on a step was shown.
    shown: Instant,
}

/// The steps of the last record, evaluation and checkpoint.
#[derive(Default)]
pub(super) struct Done {
    recorded: Option<u64>,
    pub evaluated: Option<u64>,
    pub saved: Option<u64>,
}

impl<O: Objective> Session<O> {
    /// As [`open`](Self::open), of a new run, whose folder is removed again where that fails.
    pub fn begin(run: RunFolder, ready: Ready<O>, console: &mut Console) -> Result<Self> {
        match Self::open(run.clone(), ready, None, console) {
            Ok(session) => {
                run.point_latest();
                Ok(session)
            }
            Err(error) => {
                run.abandon();
                Err(error)
            }
        }
    }

    /// Opens the files that a run writes, from its first step on, or from that of a checkpoint. Nothing on disk is changed before everything is known to be
    /// good.
    pub fn open(
        run: RunFolder,
        ready: Ready<O>,
        checkpoint: Option<Checkpoint>,
        console: &mut Console,
    ) -> Result<Self> {
        let Ready { mut trainer, state, fixed, key } = ready;
        let mut position = Value::Null;
        if let Some(checkpoint) = &checkpoint {
            position = checkpoint.state().data.clone();
            let within = |e: Error| e.context(format!("in {}", checkpoint.path().display()));
            trainer.batches.go_to(&position).map_err(within)?;
            trainer.first = None;
        }
        let step = checkpoint.as_ref().map_or(0, Checkpoint::step);
        let mut manager = manager(&run, &trainer.options)?;
        let discarded = manager.discard_after(step)?;
        if let Some(checkpoint) = &checkpoint {
            console.line(&format!("resuming after step {step} of {}", trainer.options.steps));
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
        let progress = Progress::new(step, trainer.options.steps, trainer.work);
        let judged = checkpoint.as_ref().and_then(|c| c.state().metrics.get(JUDGE).copied());
        let saved = checkpoint.map(|c| c.step());
        let done = Done { evaluated: saved.filter(|_| judged.is_some()), saved, ..Done::default() };
        Ok(Session {
            trainer,
            run,
            first: Some(state),
            fixed,
            key,
            step,
            position,
            manager,
            recorder,
            progress,
            done,
            loss: None,
            judged,
            last: None,
            left_out: 0,
            held: None,
            is_slow: false,
            is_writing: false,
            shown: Instant::now(),
        })
    }

    pub(super) fn options(&self) -> &TrainerOptions {
        &self.trainer.options
    }

    fn is_due(&self, every: u64) -> bool {
        every > 0 && self.step.is_multiple_of(every)
    }

    /// Trains to the last step, or until the run is to stop.
    pub fn train(mut self, stop: &Stop, console: &mut Console) -> Result<Trained<O::State>> {
        stop.begin_training();
        self.say_how_long(console);
        let steps = self.options().steps;
        let mut state = self.first.take().expect("invariant: a session has a state before it trains");
        // A run that was stopped while it evaluated does so now.
        if self.step > 0 && self.step < steps && self.is_due(self.options().evaluate_every) {
            self.evaluate(&state, stop, console)?;
        }
        while self.step < steps {
            if stop.is_asked() {
                return self.stopped(Some(state), stop, console);
            }
            match self.advance(state, stop, console)? {
                Some(next) => state = next,
                None => return self.stopped(None, stop, console),
            }
        }
        self.evaluate(&state, stop, console)?;
        self.save_last(&state, console)?;
        self.each(&state, stop, console, |hook, at| hook.at_end(at, End::Complete))?;
        self.draw(console);
        Ok(self.trained(End::Complete, Some(state)))
    }

    /// Says about how long the steps will take, by the machine's peak.
    fn say_how_long(&self, console: &mut Console) {
        let left = self.options().steps.saturating_sub(self.step);
        if let Some(least) = self.progress.least(left).filter(|_| left > 0) {
            let seconds = least / USUAL_SHARE;
            console.line(&format!("{} steps to go, in about {}", grouped(left), span(seconds)));
        }
    }

    /// Ends a run that is to stop: `state` is the one after the last step; none, if the step behind that is still computed.
    fn stopped(
        mut self,
        state: Option<O::State>,
        stop: &Stop,
        console: &mut Console,
    ) -> Result<Trained<O::State>> {
        if self.step == 0 {
            return Ok(self.trained(End::Stopped, state));
        }
        if let Some(report) = self.last.take().filter(|_| self.done.recorded != Some(self.step)) {
            self.report(&report, console)?;
        }
        match &state {
            Some(state) => self.save_last(state, console)?,
            None => self.save_held(console)?,
        }
        self.draw(console);
        if let Some(state) = &state {
            self.each(state, stop, console, |hook, at| hook.at_end(at, End::Stopped))?;
        }
        Ok(self.trained(End::Stopped, state))
    }

    fn trained(self, end: End, state: Option<O::State>) -> Trained<O::State> {
        Trained { run: self.run.path().to_owned(), step: self.step, end, state }
    }

    /// Runs one step and what is due after it: the progress line before the checkpoint, so that a run resumed from
    /// the checkpoint has the line. Gives no state if the run is to stop before the step is computed.
    fn advance(&mut self, state: O::State, stop: &Stop, console: &mut Console) -> Result<Option<O::State>> {
        let (batch, position) = match self.trainer.first.take() {
            Some(first) => first,
            None => {
                let made = self.trainer.batches.next_batch();
                made.map_err(|e| e.context(format!("while making the batch of step {}", self.step + 1)))?
            }
        };
        self.each(&state, stop, console, |hook, at| hook.before_step(at, &batch))?;
        self.hold(&state)?;
        let begun = Instant::now();
        let (state, report) = self.trainer.programs.step(state, &self.fixed, &batch, &self.key, self.step)?;
        let what = format!("step {}/{}", self.step + 1, self.options().steps);
        if !self.is_done(&state, &report, &what, stop, console)? {
            return Ok(None);
        }
        self.is_slow = begun.elapsed() > SLOW;
        self.held = None;
        self.guard(&state, &batch, &report, console)?;
        self.step += 1;
        self.position = position;

        let is_last = self.step == self.options().steps;
        let (log, save) =
            (self.is_due(self.options().log.every), self.is_due(self.options().checkpoint.every));
        self.last = Some(report.clone());
        if log || is_last || save {
            let loss = report.loss()?;
            if let Some(loss) = loss.filter(|loss| !loss.is_finite())
                && self.options().on_nan == OnNan::Abort
            {
                return Err(self.diverged(loss, None));
            }
            self.loss = loss.filter(|loss| loss.is_finite());
            if log || is_last {
                self.report(&report, console)?;
            }
        } else if self.step == 1 || self.shown.elapsed() > SILENCE {
            // A step that is not recorded is shown, so that the run is seen to go on.
            let speed = self.progress.speed_so_far(self.step);
            self.progress.show(console, self.step, report.metrics.read()?.first(), speed);
            self.shown = Instant::now();
        }
        if self.is_due(self.options().evaluate_every) || is_last {
            self.evaluate(&state, stop, console)?;
        }
        self.each(&state, stop, console, |hook, at| hook.after_step(at, &report))?;
        if save && !is_last {
            self.save(&state, console)?;
            self.each(&state, stop, console, |hook, at| hook.after_save(at))?;
        }
        self.report_saves(console);
        Ok(Some(state))
    }

    /// Waits until a step is computed; false if the run is to stop, and the step takes longer than a run that is to stop waits.
    fn is_done(
        &self,
        state: &O::State,
        report: &StepReport,
        what: &str,
        stop: &Stop,
        console: &mut Console,
    ) -> Result<bool> {
        let leaves: [Vec<&Array>; 2] = [report.leaves(), state.leaves()];
        match leaves.into_iter().flatten().next() {
            Some(leaf) => waited(&leaf.to_buffer()?.ready(), what, (stop, &mut Grace::default()), console),
            None => Ok(true),
        }
    }

    /// Runs something with each hook; its time is left out of the speed.
    fn each(
        &mut self,
        state: &O::State,
        stop: &Stop,
        console: &mut Console,
        mut run: impl FnMut(&mut dyn Hook<O>, &mut HookState<'_, O>) -> Result<()>,
    ) -> Result<()> {
        let begun = Instant::now();
        let mut hooks = std::mem::take(&mut self.trainer.hooks);
        let mut at = HookState {
            step: self.step,
            steps: self.trainer.options.steps,
            objective: self.trainer.objective.as_ref(),
            state,
            fixed: &self.fixed,
            folder: self.run.path(),
            console,
            recorder: &mut self.recorder,
            stop,
            grace: Grace::default(),
        };
        let outcome = hooks.iter_mut().try_for_each(|hook| run(hook.as_mut(), &mut at));
        self.trainer.hooks = hooks;
        self.progress.leave_out(begun.elapsed());
        outcome
    }

    /// Records the metrics of the last step, and shows how far the run is.
    fn report(&mut self, report: &StepReport, console: &mut Console) -> Result<()> {
        let metrics = report.metrics.read()?;
        let speed = self.progress.speed(self.step);
        let per_second = format!("{}_per_second", self.trainer.work.unit);
        let mut values: Vec<(&str, f64)> =
            metrics.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        values.push((&per_second, speed.units));
        values.extend(speed.flops.map(|flops| ("flops_per_second", flops)));
        values.extend([("goodput", speed.goodput), ("memory", held() as f64)]);
        record(&mut self.recorder, self.step, &values, console);
        self.done.recorded = Some(self.step);
        self.progress.show(console, self.step, metrics.first(), speed);
        self.shown = Instant::now();
        Ok(())
    }

    /// Measures the held-out batches, unless they were measured at this step.
    fn evaluate(&mut self, state: &O::State, stop: &Stop, console: &mut Console) -> Result<()> {
        if self.done.evaluated == Some(self.step) {
            return Ok(());
        }
        let mut goes_on = true;
        self.each(state, stop, console, |hook, at| {
            goes_on = goes_on && hook.before_evaluation(at)?;
            Ok(())
        })?;
        if !goes_on || self.trainer.held_out.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let measured = self.measure(state, stop, console);
        self.progress.leave_out(begun.elapsed());
        let Some(metrics) = measured? else { return Ok(()) };
        self.done.evaluated = Some(self.step);
        let named: Vec<(String, f64)> =
            metrics.iter().map(|(name, value)| (format!("val_{name}"), *value)).collect();
        self.judged = named.iter().find(|(name, _)| name == JUDGE).map(|(_, value)| *value);
        let values: Vec<(&str, f64)> = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        record(&mut self.recorder, self.step, &values, console);
        let means: Vec<String> =
            metrics.iter().map(|(name, value)| format!("{name} {}", shown(*value))).collect();
        let (steps, objective) = (self.options().steps, &self.trainer.objective);
        let more = objective.describe(&metrics).map(|more| format!("  {more}")).unwrap_or_default();
        console.line(&format!("step {}/{steps}  held-out {}{more}", self.step, means.join("  ")));
        self.each(state, stop, console, |hook, at| hook.after_evaluation(at, &metrics))
    }

    /// The means of the metrics over the held-out batches; none, if the run is to stop meanwhile.
    fn measure(
        &self,
        state: &O::State,
        stop: &Stop,
        console: &mut Console,
    ) -> Result<Option<Vec<(String, f64)>>> {
        let (mut sums, mut count): (Vec<(String, f64)>, f64) = (Vec::new(), 0.0);
        let mut grace = Grace::default();
        let batches = &self.trainer.held_out;
        for (done, batch) in batches.iter().enumerate() {
            let of_batch = self.trainer.programs.evaluate(state, &self.fixed, batch)?;
            let what = format!("evaluating: batch {} of {}", done + 1, batches.len());
            console.transient(&what);
            let event: Event = of_batch.count.to_buffer()?.ready();
            if !waited(&event, &what, (stop, &mut grace), console)? || grace.is_over(stop) {
                return Ok(None);
            }
            let read = of_batch.metrics.read()?;
            let names = |metrics: &[(String, f64)]| -> Vec<String> {
                metrics.iter().map(|(name, _)| name.clone()).collect()
            };
            match done {
                0 => sums = read,
                _ if names(&sums) == names(&read) => {
                    sums.iter_mut().zip(read).for_each(|((_, sum), (_, value))| *sum += value);
                }
                _ => {
                    return Err(Error::program(format!(
                        "the metrics of held-out batch {} are {:?}, those of the batches before {:?}",
                        done + 1,
                        names(&read),
                        names(&sums)
                    ))
                    .help("give the same metrics of each batch"));
                }
            }
            count += of_batch.count.to_f64()?;
        }
        // Of no example there is no mean: the sums are shown, which are 0.
        let count = if count == 0.0 { 1.0 } else { count };
        Ok(Some(sums.into_iter().map(|(name, sum)| (name, sum / count)).collect()))
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
}
