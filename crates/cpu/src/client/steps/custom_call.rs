//! Calls of host code, on the memory of the program that runs.

use jarrah_base::{Error, Result, Source};
use jarrah_execute::{PlacedArray, Step, StepSite, control};
use jarrah_hlo::host::{CallOperand, CallResult};
use jarrah_hlo::ops;
use jarrah_runtime::Way;

use crate::client::device::{Cpu, Frame, FramePointers};

struct CustomCall {
    op: ops::CustomCall,
    /// The name of the call in messages.
    called: String,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    /// Copies of operands whose result does not lie in their memory.
    copies: Vec<Box<dyn Step<Cpu>>>,
    source: Source,
}

/// The call, on the thread that runs the program.
pub fn step(site: &StepSite<'_>, op: &ops::CustomCall) -> Box<dyn Step<Cpu>> {
    let mut copies = Vec::new();
    for alias in &op.aliases {
        let (from, to) = (site.operands[alias.operand], site.results[alias.result].loc);
        if from.loc != to {
            copies.push(control::copy(from, to));
        }
    }
    let (operands, results) = (site.operands.clone(), site.results.clone());
    let called = site.instr.op.called().to_owned();
    Box::new(CustomCall { op: op.clone(), called, operands, results, copies, source: site.instr.source })
}

impl Step<Cpu> for CustomCall {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        for copy in &self.copies {
            copy.run(frame)?;
        }
        let is_aliased = |i: usize| self.op.aliases.iter().any(|alias| alias.operand == i);
        let operand = |(i, x): (usize, &PlacedArray)| {
            let count = if is_aliased(i) { 0 } else { x.bytes() };
            // SAFETY: a step's operands are readable for the bytes of their types while it runs. None of them
            // overlaps a result but those with an alias, of which nothing is given.
            CallOperand { ty: x.ty, bytes: unsafe { slice(frame.at(x.loc), count) } }
        };
        let operands = self.operands.iter().enumerate().map(operand).collect();
        let output = |x: &PlacedArray| {
            // SAFETY: a step's results are writable for the bytes of their types while it runs, and disjoint.
            CallResult { ty: x.ty, bytes: unsafe { slice_mut(frame.at(x.loc), x.bytes()) } }
        };
        let results = self.results.iter().map(output).collect();
        self.op.run(operands, results).map_err(|error| self.explain(error))
    }

    fn way(&self) -> Way {
        Way::Host
    }
}

impl CustomCall {
    fn explain(&self, error: Error) -> Error {
        let error = error.op(self.called.as_str());
        self.source.location.map_or(error.clone(), |location| error.at(location))
    }
}

/// The bytes at `start`, which may be anything if there are none.
///
/// # Safety
/// As [`std::slice::from_raw_parts`] if `count` is not zero.
unsafe fn slice<'a>(start: *const u8, count: usize) -> &'a [u8] {
    match count {
        0 => &[],
        // SAFETY: the caller's contract.
        _ => unsafe { std::slice::from_raw_parts(start, count) },
    }
}

/// The bytes at `start`, which may be anything if there are none.
///
/// # Safety
/// As [`std::slice::from_raw_parts_mut`] if `count` is not zero.
unsafe fn slice_mut<'a>(start: *mut u8, count: usize) -> &'a mut [u8] {
    match count {
        0 => &mut [],
        // SAFETY: the caller's contract.
        _ => unsafe { std::slice::from_raw_parts_mut(start, count) },
    }
}
