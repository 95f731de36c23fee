//! A run before it has a folder: its compiled steps, and the state before its first one.

use std::collections::HashSet;
use std::rc::Rc;

use jarrah_array::random::Key;
use jarrah_array::{Array, JitFn, Tree, TreeExt, fail, jit, try_trace};
use jarrah_base::memory::Bytes;
use jarrah_base::{Error, Literal, Result, Type};
use jarrah_checkpoint::Checkpoint;
use jarrah_runtime::CompiledMemory;

use super::Trainer;
use super::objective::{Objective, StepReport, Sums};
use super::state::restored;

type Step<O> = (<O as Objective>::State, <O as Objective>::Fixed, <O as Objective>::Batch, Key, Array);
type Held<O> = (<O as Objective>::State, <O as Objective>::Fixed, <O as Objective>::Batch);

/// The compiled functions of a run.
pub(crate) struct Programs<O: Objective> {
    step: JitFn<Step<O>, (O::State, StepReport)>,
    evaluate: JitFn<Held<O>, Sums>,
}

impl<O: Objective> Programs<O> {
    /// The functions of an objective; each is compiled at its first call.
    pub fn new(objective: &Rc<O>, memory_limit: Option<Bytes>) -> Self {
        let of = objective.clone();
        let step = move |(state, fixed, batch, key, number): &Step<O>| {
            let (next, report) = of.step(state, fixed, batch, &key.fold_in_array(number));
            report.metrics.check();
            check_state(state, &next);
            (next, report)
        };
        let of = objective.clone();
        let evaluate = move |(state, fixed, batch): &Held<O>| {
            let sums = of.evaluate(state, fixed, batch);
            sums.metrics.check();
            sums
        };
        let mut step = jit(step).boxed().donate(0);
        if let Some(limit) = memory_limit {
            step = step.memory_limit(&limit.to_string());
        }
        Programs { step, evaluate: jit(evaluate).boxed() }
    }

    /// The state after the step behind `done` steps; `state` is overwritten.
    ///
    /// # Errors
    /// The objective is no valid program (`Program`), or the device failed.
    pub fn step(
        &self,
        state: O::State,
        fixed: &O::Fixed,
        batch: &O::Batch,
        key: &Key,
        done: u64,
    ) -> Result<(O::State, StepReport)> {
        let arguments = (state, fixed.clone(), batch.clone(), key.clone(), Array::scalar(done as i32));
        try_trace(|| self.step.call(arguments))?
    }

    /// The measurements of a state on a batch.
    ///
    /// # Errors
    /// The objective is no valid program (`Program`), or the device failed.
    pub fn evaluate(&self, state: &O::State, fixed: &O::Fixed, batch: &O::Batch) -> Result<Sums> {
        try_trace(|| self.evaluate.call((state.clone(), fixed.clone(), batch.clone())))?
    }
}

/// The state with a copy of each leaf whose memory another leaf or a fixed array has too: a step overwrites the memory of its state.
fn unshared<S: Tree<Array>, F: Tree<Array>>(state: S, fixed: &F) -> Result<S> {
    // The handles of one buffer lead to the same data. Nothing is brought to the host for that.
    let data = |x: &Array| Ok(std::ptr::from_ref(&*x.to_buffer()?).addr());
    let mut taken: HashSet<usize> = fixed.leaves().into_iter().map(data).collect::<Result<_>>()?;
    state.try_map_with_paths(|_, x| {
        if taken.insert(data(x)?) {
            return Ok(x.clone());
        }
        let literal = x.to_literal()?;
        Ok(Array::from_literal(Literal::from_bytes(literal.ty(), literal.bytes())?))
    })
}

/// Ends a trace whose step makes a state with other leaves, or other types of leaves, than it was given: checkpoints of it could not be read.
fn check_state<S: Tree<Array>>(state: &S, next: &S) {
    let leaves = |state: &S| -> Vec<(String, Type)> {
        let each = state.leaves_with_paths().into_iter();
        each.map(|(path, leaf): (String, &Array)| (path, leaf.ty())).collect()
    };
    let (then, now) = (leaves(state), leaves(next));
    let shown = |leaf: Option<&(String, Type)>| {
        leaf.map_or("nothing".to_owned(), |(path, ty)| format!("{path}: {ty}"))
    };
    if let Some(i) = (0..then.len().max(now.len())).find(|&i| then.get(i) != now.get(i)) {
        let error = format!(
            "`Objective::step` was given a state with {} and returned {} in its place",
            shown(then.get(i)),
            shown(now.get(i))
        );
        fail(
            Error::program(error)
                .help("keep the structure, shapes and dtypes of the state, as with `.astype(..)`"),
        );
    }
}

/// A run that can compute its next step. Nothing of it is written yet.
pub(crate) struct Ready<O: Objective> {
    pub trainer: Trainer<O>,
    pub state: O::State,
    pub fixed: O::Fixed,
    /// The key of the steps: one of them has its number folded in.
    pub key: Key,
}

impl<O: Objective> Trainer<O> {
    /// Compiles the step and the evaluation before there is a state, and tells the memory that a step needs.
    ///
    /// # Errors
    /// The objective is no valid program (`Program`), a step does not fit (`Memory`), or the first batch cannot be made.
    pub(crate) fn compile(&mut self) -> Result<CompiledMemory> {
        let batch = match &self.like {
            Some(like) => like.clone(),
            None => {
                let first =
                    self.batches.next_batch().map_err(|e| e.context("while making the first batch"))?;
                self.first.insert(first).0.clone()
            }
        };
        let (state, fixed) = self.objective.shapes()?;
        if let Some(held_out) = self.held_out.first() {
            let arguments = (state.clone(), fixed.clone(), held_out.clone());
            try_trace(|| self.programs.evaluate.lower(&arguments))?.compile()?;
        }
        let arguments = (state, fixed, batch, Key::new(0), Array::scalar(0i32));
        Ok(try_trace(|| self.programs.step.lower(&arguments))?.compile()?.memory_analysis())
    }

    /// Makes the state before the first step, or takes that of a checkpoint.
    ///
    /// # Errors
    /// The state cannot be made, or the checkpoint is of another objective or damaged (`Input`).
    pub(crate) fn ready(self, checkpoint: Option<&Checkpoint>) -> Result<Ready<O>> {
        let (first, key) = Key::new(self.options.seed).pair();
        let (state, fixed) = match checkpoint {
            None => {
                let (state, fixed) = self.objective.begin(&first)?;
                (unshared(state, &fixed)?, fixed)
            }
            Some(checkpoint) => {
                let state = restored(&self.objective.shapes()?.0, checkpoint)?;
                (state, self.objective.fixed(&first)?)
            }
        };
        Ok(Ready { trainer: self, state, fixed, key })
    }
}
