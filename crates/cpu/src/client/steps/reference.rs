//! Ops that have no code here run on the reference evaluator.

use std::sync::OnceLock;

use jarrah_base::{Literal, Result, Type};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::{Builder, Op, family};
use jarrah_runtime::Way;

use super::shared;
use crate::client::device::{Cpu, Frame};
use crate::gemm::Shared;

/// An op over fewer bytes than this stays on the calling thread.
const SMALL: usize = 1 << 12;

struct Reference {
    op: Op,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    /// The number of independent matrices or transforms, contiguous in operands and results.
    parts: usize,
}

/// The op on the reference evaluator: right, and slow. Threads share batches of matrices and of transforms.
pub fn step(site: &StepSite<'_>) -> Box<dyn Step<Cpu>> {
    let (op, operands, results) = (site.instr.op.clone(), site.operands.clone(), site.results.clone());
    let batch = batch_axes(&op, &operands);
    let leading = |array: &PlacedArray| array.dims().get(..batch).map(<[usize]>::to_vec);
    let first = operands.first().and_then(leading);
    let shared = operands.iter().chain(&results).all(|array| leading(array) == first);
    let parts = match first {
        Some(first) if shared => first.iter().product(),
        _ => 1,
    };
    Box::new(Reference { op, operands, results, parts })
}

/// How many leading axes count independent matrices or transforms.
fn batch_axes(op: &Op, operands: &[PlacedArray]) -> usize {
    let own = match op {
        Op::Fft(op) => op.lengths.len(),
        Op::TridiagonalSolve(_) => 1,
        family!(LinearAlgebra) => 2,
        _ => return 0,
    };
    operands.first().map_or(0, |x| x.ty.rank().saturating_sub(own))
}

/// The type, start and bytes of parts `range` of an array of `parts` parts.
fn part(
    array: &PlacedArray,
    parts: usize,
    range: &std::ops::Range<usize>,
    batch: usize,
) -> (Type, usize, usize) {
    if parts <= 1 {
        return (array.ty, 0, array.bytes());
    }
    let each = array.bytes() / parts;
    let dims = array.dims();
    let dims = [range.len()].into_iter().chain(dims[batch..].iter().copied());
    (array.ty.with_dims(dims), range.start * each, range.len() * each)
}

impl Reference {
    /// Evaluates the op on the parts `range`.
    fn evaluate(&self, range: std::ops::Range<usize>, from: &[Shared<u8>], to: &[Shared<u8>]) -> Result<()> {
        let batch = batch_axes(&self.op, &self.operands);
        let mut b = Builder::new(self.op.name());
        let mut arguments = Vec::new();
        let mut values = Vec::new();
        for (x, from) in self.operands.iter().zip(from) {
            let (ty, start, bytes) = part(x, self.parts, &range, batch);
            // SAFETY: a step's operands are readable.
            let bytes = unsafe { std::slice::from_raw_parts(from.get().add(start), bytes) };
            arguments.push(Literal::from_bytes(ty, bytes)?);
            values.push(b.param(ty, ""));
        }
        let results = b.push(self.op.clone(), &values)?;
        let program = b.finish(&results)?;
        let results = jarrah_hlo_eval::evaluate(&program, &arguments)?;
        for ((x, to), result) in self.results.iter().zip(to).zip(results) {
            let (_, start, bytes) = part(x, self.parts, &range, batch);
            // SAFETY: a step's results are writable, for the bytes of their types; ranges have distinct parts.
            unsafe {
                let to = std::slice::from_raw_parts_mut(to.get().add(start), bytes);
                to.copy_from_slice(result.bytes());
            }
        }
        Ok(())
    }
}

impl Step<Cpu> for Reference {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (shared(frame, &self.operands), shared(frame, &self.results));
        let bytes: usize = self.operands.iter().map(PlacedArray::bytes).sum();
        let tasks = if bytes < SMALL { 1 } else { self.parts.clamp(1, 2 * frame.device.pool.threads()) };
        if tasks == 1 {
            return self.evaluate(0..self.parts, &from, &to);
        }
        let errors: Vec<OnceLock<_>> = (0..tasks).map(|_| OnceLock::new()).collect();
        frame.device.pool.run(tasks, &|task| {
            let range = self.parts * task / tasks..self.parts * (task + 1) / tasks;
            if let Err(error) = self.evaluate(range, &from, &to) {
                let _ = errors[task].set(error);
            }
        });
        errors.into_iter().find_map(OnceLock::into_inner).map_or(Ok(()), Err)
    }

    fn way(&self) -> Way {
        Way::Evaluator
    }
}
