//! Checkpoints of a run: written by a thread of their own, while the next steps are computed.

use jarrah_array::{Array, TreeExt};
use jarrah_base::{Error, NUMERICS_VERSION, Result};
use jarrah_checkpoint::{Saved, Snapshot, SnapshotState};
use jarrah_run::names::tensor;
use serde_json::json;

use super::console::Console;
use super::objective::Objective;
use super::session::{JUDGE, NUMERICS, Session};

impl<O: Objective> Session<O> {
    /// Keeps a snapshot that is saved if the run is to stop within the next step, where that takes long: the step then computes into other memory, as it does
    /// while a checkpoint is written, for which there is room. While one is written, that one is what is saved.
    pub(super) fn hold(&mut self, state: &O::State) -> Result<()> {
        let is_saved = self.step == 0 || self.done.saved == Some(self.step);
        if self.is_slow && !is_saved && !self.is_writing {
            self.held = Some(self.snapshot(state)?);
        }
        Ok(())
    }

    fn snapshot(&self, state: &O::State) -> Result<Snapshot> {
        let current = |value: Option<f64>, of: bool| value.filter(|_| of);
        let metrics =
            [(JUDGE, current(self.judged, self.done.evaluated == Some(self.step))), ("loss", self.loss)];
        let metrics = metrics.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let mut extra = self.trainer.extra.clone();
        extra.insert(NUMERICS.to_owned(), NUMERICS_VERSION.into());
        let named = state.leaves_with_paths().into_iter();
        let tensors = named.map(|(path, leaf): (String, &Array)| Ok((tensor(&path), leaf.to_literal()?)));
        Ok(Snapshot {
            step: self.step,
            tensors: tensors.collect::<Result<_>>()?,
            state: SnapshotState {
                model: self.trainer.objective.description(),
                data: self.position.clone(),
                random: json!({ "dropout": self.key.words().to_vec::<u32>()? }),
                metrics: metrics.collect(),
                extra: extra.into(),
            },
        })
    }

    pub(super) fn save(&mut self, state: &O::State, console: &mut Console) -> Result<()> {
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

    pub(super) fn report_saves(&mut self, console: &mut Console) {
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
    pub(super) fn save_last(&mut self, state: &O::State, console: &mut Console) -> Result<()> {
        self.finish_writing(console);
        if self.step > 0 && self.done.saved != Some(self.step) {
            let snapshot = self.snapshot(state)?;
            self.save_durably(snapshot, console)?;
        }
        Ok(())
    }

    /// As [`save_last`](Self::save_last), while the step behind the current one is computed. Where the state is not held, the steps since the last checkpoint
    /// are computed again on resume.
    pub(super) fn save_held(&mut self, console: &mut Console) -> Result<()> {
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
            Some(Err(error)) => Err::<(), Error>(error.context("the last checkpoint could not be written")),
            _ => Ok(()),
        }
    }
}
