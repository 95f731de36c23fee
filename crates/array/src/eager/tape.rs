//! The operations that a thread has recorded and not run.

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use jarrah_base::{Error, Location, Result, Source, Type, work};
use jarrah_hlo::Op;
use jarrah_runtime::Arg;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cache::{Kind, Structure};
use super::node::{Node, Scalar, State};
use super::{EagerLimits, Pending, settle, strict};
use crate::device::Device;
use crate::monitoring;

/// Operations in the order in which a thread recorded them. Reading a result of one of them runs all of them as one program.
///
/// The program does not depend on which result is read, nor on which other results are still held. So a loop whose body records
/// the same operations in each step and reads one result runs the same program in each step.
#[derive(Default)]
pub(super) struct Tape(Mutex<Recording>);

#[derive(Default)]
struct Recording {
    /// The device on which the operations will run; `None` before the first operation.
    device: Option<Device>,
    structure: Structure,
    /// The line of each operation.
    sources: Vec<Source>,
    inputs: Vec<Arc<Node>>,
    scalars: Vec<Scalar>,
    /// The values of inputs and scalars, by the address of the node.
    known: FxHashMap<usize, u32>,
    /// The nodes that held a number, so that their addresses stay theirs.
    numbers: Vec<Arc<Node>>,
    /// The results, in the order of their values.
    results: Vec<(u32, Weak<Node>)>,
    /// A lower bound on the bytes of inputs, and of results that are still held.
    bytes: usize,
    /// The value of `bytes` at which it is counted again.
    recount: usize,
}

impl Tape {
    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Where the operations will run.
    pub(super) fn device(&self) -> Option<Device> {
        self.lock().device.clone()
    }

    /// How much is recorded.
    pub(super) fn pending(&self) -> Pending {
        let recording = self.lock();
        Pending { operations: recording.structure.len(), bytes: recording.bytes }
    }

    /// Runs the recorded operations. A failure becomes the state of their results.
    pub(super) fn flush(&self) {
        monitoring::tell_after(|| self.lock().flush());
    }

    /// Records an operation that will run on `device`; `node` makes the node of each result.
    pub(super) fn push(
        self: &Arc<Self>,
        op: &Op,
        operands: &[Arc<Node>],
        source: Source,
        types: &[Type],
        device: &Device,
        limits: EagerLimits,
        node: impl FnMut(usize, State) -> Arc<Node>,
    ) -> Result<()> {
        // Operands recorded by other threads are run before this tape is locked, so that no two threads wait for each other.
        for operand in operands {
            operand.schedule()?;
            let elsewhere = |state: &State| match state {
                State::Pending(tape, _) => (!Arc::ptr_eq(tape, self)).then_some(()),
                _ => None,
            };
            if operand.unplaced(elsewhere).is_some() {
                settle(operand)?;
            }
        }
        monitoring::tell_after(|| self.append(op, operands, source, types, device, limits, node))
    }

    /// As [`Tape::push`], of operands that were recorded here or have run.
    fn append(
        self: &Arc<Self>,
        op: &Op,
        operands: &[Arc<Node>],
        source: Source,
        types: &[Type],
        device: &Device,
        limits: EagerLimits,
        mut node: impl FnMut(usize, State) -> Arc<Node>,
    ) -> Result<()> {
        let mut recording = self.lock();
        if recording.device.as_ref().is_some_and(|known| known != device)
            || recording.is_full(source.location, limits)
        {
            recording.flush();
        }
        let mut values: SmallVec<[u32; 4]> = SmallVec::with_capacity(operands.len());
        for operand in operands {
            match recording.operand(self, operand) {
                Ok(value) => values.push(value),
                Err(error) => {
                    drop(recording);
                    // The results of an operation with a failed operand fail with the same error.
                    (0..types.len()).for_each(|index| drop(node(index, State::Failed(error.clone()))));
                    return Ok(());
                }
            }
        }
        if recording.device.is_none() {
            recording.device = Some(device.clone());
        }
        let first = recording.structure.op(op.clone(), &values, types);
        recording.sources.push(source);
        for (index, &ty) in types.iter().enumerate() {
            let value = first + index as u32;
            let node = node(index, State::Pending(self.clone(), value));
            recording.results.push((value, Arc::downgrade(&node)));
            recording.bytes += ty.bytes().unwrap_or(0);
        }
        Ok(())
    }
}

impl Recording {
    /// The value of an operand.
    fn operand(&mut self, tape: &Arc<Tape>, node: &Arc<Node>) -> Result<u32> {
        let known = node.unplaced(|state| match state {
            State::Pending(owner, value) if Arc::ptr_eq(owner, tape) => Some(Ok(*value)),
            State::Pending(..) | State::Lazy(_) => {
                Some(Err(Error::internal("an operand was not recorded here")))
            }
            State::Failed(error) => Some(Err(error.clone())),
            State::Host(_) | State::Scalar(_) | State::Ready(..) | State::Sharded => None,
        });
        if let Some(known) = known {
            return known;
        }
        if let Some(&value) = self.known.get(&Arc::as_ptr(node).addr()) {
            return Ok(value);
        }
        let value = if let Some(scalar) = node.scalar() {
            self.scalars.push(scalar);
            self.numbers.push(node.clone());
            self.structure.input(node.ty(), Kind::Scalar)
        } else {
            self.bytes += node.ty().bytes().unwrap_or(0);
            self.inputs.push(node.clone());
            self.structure.input(node.ty(), Kind::Input)
        };
        self.known.insert(Arc::as_ptr(node).addr(), value);
        Ok(value)
    }

    /// Whether the recorded operations have to run before an operation at `location` is recorded.
    ///
    /// Beyond the limit on operations recording goes on, up to eight times as far, until the line at which it began comes again.
    /// The operations of a loop are then cut off in whole rounds, and each cut is the same program.
    fn is_full(&mut self, location: Option<Location>, limits: EagerLimits) -> bool {
        let count = self.structure.len();
        if count >= limits.operations {
            let begun = self.sources.first().and_then(|source| source.location);
            return begun == location || count >= limits.operations.saturating_mul(8);
        }
        if self.bytes <= self.recount.max(limits.bytes) {
            return false;
        }
        let held = |(_, node): &(u32, Weak<Node>)| node.upgrade().map_or(0, |n| n.ty().bytes().unwrap_or(0));
        let inputs = self.inputs.iter().map(|n| n.ty().bytes().unwrap_or(0)).sum::<usize>();
        self.bytes = inputs + self.results.iter().map(held).sum::<usize>();
        self.recount = self.bytes + limits.bytes / 2;
        self.bytes > limits.bytes
    }

    fn flush(&mut self) {
        let recording = std::mem::take(self);
        let Some(device) = recording.device.clone() else { return };
        let alive = recording.results.iter().filter_map(|(value, node)| Some((*value, node.upgrade()?)));
        let alive: Vec<(u32, Arc<Node>)> = alive.collect();
        work::step(recording.structure.len() + recording.results.len());
        if !alive.is_empty() {
            recording.run(&device, &alive);
        }
    }

    /// Runs the operations as one program. If that cannot be compiled or run, runs them one after another, so that only those
    /// fail that cannot be computed.
    fn run(mut self, device: &Device, alive: &[(u32, Arc<Node>)]) {
        let entry = device.eager().entry(&mut self.structure);
        let wanted: Vec<u32> = alive.iter().map(|(value, _)| *value).collect();
        let attempt = || {
            let variant = entry.variant(device, &self.sources, &wanted, &self.scalars)?;
            let (mut inputs, mut scalars) = (self.inputs.iter(), self.scalars.iter().zip(&variant.varying));
            let mut args = Vec::with_capacity(self.inputs.len());
            for (_, kind) in entry.structure().values() {
                args.extend(match kind {
                    Kind::Result => None,
                    Kind::Input => inputs.next().map(|node| node.bring(device)),
                    Kind::Scalar => {
                        let scalar = scalars.next().filter(|(_, varies)| **varies);
                        scalar.map(|(scalar, _)| device.eager().scalar(*scalar, device))
                    }
                });
            }
            let args = args.into_iter().map(|buffer| Ok(Arg::Borrow(buffer?))).collect::<Result<_>>()?;
            let buffers = variant.executable.run_on(device.id(), args)?;
            Ok::<_, Error>((variant, buffers))
        };
        let Ok((variant, buffers)) = attempt() else {
            return self.replay(entry.structure(), device, alive);
        };
        let mut alive = alive.iter().peekable();
        for (value, buffer) in variant.outputs.iter().zip(buffers) {
            if let Some((_, node)) = alive.next_if(|(wanted, _)| wanted == value) {
                node.set(State::Ready(buffer, device.clone()));
            }
        }
    }

    /// Runs the operations that the results in `alive` need, one after another.
    fn replay(&self, structure: &Structure, device: &Device, alive: &[(u32, Arc<Node>)]) {
        let mut nodes: Vec<Option<Arc<Node>>> = vec![None; structure.values().len()];
        let (mut inputs, mut numbers) = (self.inputs.iter(), self.numbers.iter());
        for (index, (_, kind)) in structure.values().iter().enumerate() {
            nodes[index] = match kind {
                Kind::Result => None,
                Kind::Input => inputs.next().cloned(),
                Kind::Scalar => numbers.next().cloned(),
            };
        }
        let mut needed = vec![false; nodes.len()];
        alive.iter().for_each(|(value, _)| needed[*value as usize] = true);
        for (value, node) in alive {
            nodes[*value as usize] = Some(node.clone());
        }
        for op in (0..structure.len()).rev() {
            if needed[structure.results(op)].contains(&true) {
                structure.operands(op).iter().for_each(|&v| needed[v as usize] = true);
            }
        }
        for (op, source) in self.sources.iter().enumerate() {
            let results = structure.results(op);
            if !needed[results.clone()].contains(&true) {
                continue;
            }
            let operands: Option<Vec<Arc<Node>>> =
                structure.operands(op).iter().map(|&v| nodes[v as usize].clone()).collect();
            let missing = || Error::internal("an operand was not recorded");
            let outcome = operands
                .ok_or_else(missing)
                .and_then(|operands| strict::run(&structure.ops()[op], &operands, device, *source));
            for (index, value) in results.enumerate() {
                let state = match &outcome {
                    Ok(buffers) => State::Ready(buffers[index].clone(), device.clone()),
                    Err(error) => State::Failed(error.clone()),
                };
                match &nodes[value] {
                    Some(node) => node.set(state),
                    None => {
                        let ty = structure.values()[value].0;
                        nodes[value] = Some(Node::new(ty, *source, None, state));
                    }
                }
            }
        }
    }
}
