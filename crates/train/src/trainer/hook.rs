//! Hooks: work that a run does beside its steps.

use std::path::Path;
use std::time::{Duration, Instant};

use jarrah_base::Result;

use super::console::Console;
use super::objective::{Objective, StepReport};
use super::stop::Stop;
use crate::metrics::Recorder;

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All steps are done.
    Complete,
    /// [`Stop`] was asked for; the steps done are saved.
    Stopped,
}

/// How long a run that is to stop waits for the step that is computed.
const GRACE: Duration = Duration::from_secs(1);

/// Something that a run does beside its steps: writing samples, changing a batch's source, telling another program. Each method does nothing unless it is
/// given. Their time is left out of the run's speed; an error ends the run.
pub trait Hook<O: Objective> {
    /// Before a step on this batch.
    ///
    /// # Errors
    /// The run ends with the error.
    fn before_step(&mut self, _at: &mut HookState<'_, O>, _batch: &O::Batch) -> Result<()> {
        Ok(())
    }

    /// After a step, behind the evaluation that was due and before the checkpoint that is. Reading a metric of `report` waits for nothing: the step is done.
    ///
    /// # Errors
    /// The run ends with the error.
    fn after_step(&mut self, _at: &mut HookState<'_, O>, _report: &StepReport) -> Result<()> {
        Ok(())
    }

    /// Before the held-out batches are measured; gives whether they are to be.
    ///
    /// # Errors
    /// The run ends with the error.
    fn before_evaluation(&mut self, _at: &mut HookState<'_, O>) -> Result<bool> {
        Ok(true)
    }

    /// After an evaluation, with its metrics.
    ///
    /// # Errors
    /// The run ends with the error.
    fn after_evaluation(&mut self, _at: &mut HookState<'_, O>, _metrics: &[(String, f64)]) -> Result<()> {
        Ok(())
    }

    /// After the state was handed to the writer of checkpoints, which may still be writing.
    ///
    /// # Errors
    /// The run ends with the error.
    fn after_save(&mut self, _at: &mut HookState<'_, O>) -> Result<()> {
        Ok(())
    }

    /// At the end of the run, behind its last checkpoint.
    ///
    /// # Errors
    /// The run ends with the error.
    fn at_end(&mut self, _at: &mut HookState<'_, O>, _end: End) -> Result<()> {
        Ok(())
    }
}

/// Where a run stands, as a [`Hook`] sees it.
pub struct HookState<'a, O: Objective> {
    /// The number of steps done.
    pub step: u64,
    /// The number of steps at the end of the run.
    pub steps: u64,
    /// The objective.
    pub objective: &'a O,
    /// The state after these steps.
    pub state: &'a O::State,
    /// The arrays that no step changes.
    pub fixed: &'a O::Fixed,
    /// The folder of the run.
    pub folder: &'a Path,
    /// Where the run reports.
    pub console: &'a mut Console,
    pub(super) recorder: &'a mut Recorder,
    pub(super) stop: &'a Stop,
    pub(super) grace: Grace,
}

impl<O: Objective> HookState<'_, O> {
    /// Records metrics of this step. Where they cannot be written, the run warns and goes on.
    pub fn record(&mut self, values: &[(&str, f64)]) {
        record(self.recorder, self.step, values, self.console);
    }

    /// Whether the run is to stop.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_asked()
    }

    /// Whether the run is to stop, and the second that it takes for that is over.
    pub fn is_overdue(&mut self) -> bool {
        self.grace.is_over(self.stop)
    }
}

/// Records metrics; where that fails, the run warns and goes on.
pub(super) fn record(recorder: &mut Recorder, step: u64, values: &[(&str, f64)], console: &mut Console) {
    if let Err(error) = recorder.record(step, values) {
        console.warn(&format!("metrics are not recorded: {error}"));
    }
}

/// The time that a run still takes after it was asked to stop, from when it knows.
#[derive(Default)]
pub(super) struct Grace(Option<Instant>);

impl Grace {
    pub fn is_over(&mut self, stop: &Stop) -> bool {
        stop.is_asked() && self.0.get_or_insert_with(Instant::now).elapsed() >= GRACE
    }
}
