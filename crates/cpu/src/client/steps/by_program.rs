//! Reductions, scatters and sorts whose combination or order is a program of scalars, which becomes machine code.

use jarrah_base::Result;
use jarrah_hlo::Program;
use jarrah_hlo::ops::{Reduce, Sort};
use jarrah_runtime::Way;

use super::gather::{Addressing, SMALL};
use super::{copy, row_major, scalar_loop};
use crate::client::build::{Array, Site};
use crate::client::frame::{Frame, Step};
use crate::gemm::Shared;
use crate::vector::scalars::{Caller, Compiled, Scalars};

/// Fewer steps of a program than this stay on the calling thread.
const FEW: usize = 1 << 12;

/// The code of `program` for one step after another: the first `carried` parameters and results are values that go from step to
/// step, the others elements, `strides` apart. `None` where something in it has no code.
fn compiled(program: &Program, carried: usize, strides: &[i64]) -> Result<Option<Compiled>> {
    let Some(body) = scalar_loop::kernel(program) else { return Ok(None) };
    Scalars { test: None, body: &body, fixed: 0, carried, strides }.compile()
}

/// The arrays as pointers that tasks share.
fn shared(frame: &Frame<'_>, arrays: &[Array]) -> Vec<Shared<u8>> {
    arrays.iter().map(|array| Shared(frame.at(array.loc))).collect()
}

/// The element at a position.
fn element(array: &Array, start: Shared<u8>, position: isize) -> *mut u8 {
    start.get().wrapping_offset(position * array.size() as isize)
}

/// The offset that row-major position `index` of axes has, by extents and strides.
fn offset(mut index: usize, axes: &[(usize, isize)]) -> isize {
    let mut at = 0;
    for &(extent, stride) in axes.iter().rev() {
        at += (index % extent) as isize * stride;
        index /= extent;
    }
    at
}

fn count(axes: &[(usize, isize)]) -> usize {
    axes.iter().map(|axis| axis.0).product()
}

/// Each result is a chain of steps over the elements it is made of, in row-major order.
struct Folds {
    code: Compiled,
    operands: Vec<Array>,
    results: Vec<Array>,
    /// Extents and strides of the axes that are kept, and of those that are reduced, but for the innermost run of these.
    kept: Vec<(usize, isize)>,
    folded: Vec<(usize, isize)>,
    run: usize,
}

/// A reduction by a program; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub fn reduce(site: &Site<'_>, op: &Reduce, program: &Program) -> Result<Option<Box<dyn Step>>> {
    let inputs = site.operands.len() / 2;
    let Some(first) = site.operands.first() else { return Ok(None) };
    let dims = first.dims();
    let strides = row_major(&dims);
    let (mut kept, mut folded) = (Vec::new(), Vec::<(usize, isize)>::new());
    for (axis, (&extent, &stride)) in dims.iter().zip(&strides).enumerate() {
        match (op.axes.contains(&axis), folded.last_mut()) {
            (false, _) => kept.push((extent, stride)),
            (true, Some(last)) if last.1 == stride * extent as isize => *last = (last.0 * extent, stride),
            (true, _) => folded.push((extent, stride)),
        }
    }
    if folded.iter().any(|axis| axis.0 == 0) {
        folded = vec![(0, 1)];
    }
    let (run, stride) = folded.pop().unwrap_or((1, 1));
    let Some(code) = compiled(program, inputs, &vec![stride as i64; inputs])? else { return Ok(None) };
    let (operands, results) = (site.operands.clone(), site.results.clone());
    Ok(Some(Box::new(Folds { code, operands, results, kept, folded, run })))
}

impl Step for Folds {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (operands, results) = (shared(frame, &self.operands), shared(frame, &self.results));
        let (inputs, initial) = operands.split_at(operands.len() / 2);
        let (rows, runs) = (count(&self.kept), count(&self.folded));
        let tasks = match rows.saturating_mul(runs).saturating_mul(self.run) < FEW {
            true => 1,
            false => rows.min(4 * frame.pool.threads()),
        };
        frame.pool.run(tasks, &|task| {
            let mut caller = self.code.caller();
            for row in rows * task / tasks..rows * (task + 1) / tasks {
                let start = offset(row, &self.kept);
                let there = || self.results.iter().zip(&results).map(|(a, &p)| element(a, p, row as isize));
                // After a run of no steps the results are the initial values.
                for run in 0..runs {
                    let at = start + offset(run, &self.folded);
                    let elements = self.operands.iter().zip(inputs).map(|(a, &p)| element(a, p, at));
                    // SAFETY: elements lie in the operands by extents and strides, results in theirs, each of this task alone.
                    unsafe {
                        if run == 0 {
                            let first = initial.iter().map(|p| p.get());
                            caller.run(first.chain(there()).chain(elements), self.run);
                        } else {
                            caller.run(there().chain(there()).chain(elements), self.run);
                        }
                    }
                }
            }
        });
        Ok(())
    }

    fn way(&self) -> Way {
        Way::MachineCode
    }
}

/// Updates combined one after another with what is there.
struct Combinations {
    code: Compiled,
    addressing: Addressing,
    operands: Vec<Array>,
    updates: Vec<Array>,
    results: Vec<Array>,
}

/// A scatter by a program; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub(super) fn scatter(
    site: &Site<'_>,
    addressing: Addressing,
    program: &Program,
) -> Result<Option<Box<dyn Step>>> {
    let inputs = site.results.len();
    let [to, from] = addressing.run.1.map(|stride| stride as i64);
    let strides = [vec![to; inputs], vec![from; inputs], vec![to; inputs]].concat();
    let Some(code) = compiled(program, 0, &strides)? else { return Ok(None) };
    let (operands, updates) = (site.operands[..inputs].to_vec(), site.operands[inputs + 1..].to_vec());
    let results = site.results.clone();
    Ok(Some(Box::new(Combinations { code, addressing, operands, updates, results })))
}

impl Step for Combinations {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        for (from, to) in self.operands.iter().zip(&self.results).filter(|(from, to)| from.loc != to.loc) {
            // SAFETY: operand and result are distinct arrays of one type.
            unsafe { copy::bytes(frame, frame.at(from.loc), frame.at(to.loc), to.bytes()) };
        }
        if self.updates[0].bytes() == 0 || self.results[0].bytes() == 0 {
            return Ok(());
        }
        let addressing = &self.addressing;
        let (length, [to_step, from_step]) = addressing.run;
        let indices = Shared(addressing.indices(frame).cast_mut());
        let (to, from) = (shared(frame, &self.results), shared(frame, &self.updates));
        // Every task applies all updates, in order, to a range of columns that no other task touches.
        let tasks = match self.updates[0].bytes() < SMALL || length < 64 {
            true => 1,
            false => frame.pool.threads().min(length / 32),
        };
        frame.pool.run(tasks, &|task| {
            let columns = length * task / tasks..length * (task + 1) / tasks;
            let first = columns.start as isize;
            let mut caller = self.code.caller();
            for index in 0..addressing.slices() {
                // SAFETY: there are as many index vectors as slices.
                let (start, other, inside) = unsafe { addressing.slice(index, indices.get()) };
                if !inside {
                    continue;
                }
                addressing.runs(start, other, |s, o| {
                    let there = || {
                        let at = s + first * to_step;
                        self.results.iter().zip(&to).map(move |(a, &p)| element(a, p, at))
                    };
                    let at = o + first * from_step;
                    let updates = self.updates.iter().zip(&from).map(|(a, &p)| element(a, p, at));
                    // SAFETY: a window that is inside lies in the results, its updates in theirs; a step reads what is there
                    // before it writes it.
                    unsafe { caller.run(there().chain(updates).chain(there()), columns.len()) };
                });
            }
        });
        Ok(())
    }

    fn way(&self) -> Way {
        Way::MachineCode
    }
}

/// Lines sorted by an order.
struct Sorts {
    order: Compiled,
    operands: Vec<Array>,
    results: Vec<Array>,
    count: usize,
    step: isize,
    lines: Vec<(usize, isize)>,
}

/// A sort by a program that says whether one element comes before another; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub fn sort(site: &Site<'_>, op: &Sort, program: &Program) -> Result<Option<Box<dyn Step>>> {
    let Some(first) = site.operands.first() else { return Ok(None) };
    let dims = first.dims();
    let strides = row_major(&dims);
    let Some(order) = compiled(program, 0, &vec![0; 2 * site.operands.len() + 1])? else { return Ok(None) };
    let others = (0..dims.len()).filter(|&axis| axis != op.axis);
    Ok(Some(Box::new(Sorts {
        order,
        operands: site.operands.clone(),
        results: site.results.clone(),
        count: dims[op.axis],
        step: strides[op.axis],
        lines: others.map(|axis| (dims[axis], strides[axis])).collect(),
    })))
}

impl Sorts {
    /// Sorts the line that begins at `start`.
    ///
    /// # Safety
    /// The pointers are those of operands and results, and the line of the results is the caller's alone.
    unsafe fn line(&self, caller: &mut Caller<'_>, start: isize, from: &[Shared<u8>], to: &[Shared<u8>]) {
        let at = |i: usize| start + i as isize * self.step;
        let mut answer = 0u8;
        let mut comes_before = |a: usize, b: usize| {
            let pairs = self.operands.iter().zip(from);
            let pairs = pairs.flat_map(|(x, &p)| [element(x, p, at(a)), element(x, p, at(b))]);
            // SAFETY: both elements lie in the operands; the answer is a byte.
            unsafe { caller.run(pairs.chain([&raw mut answer]), 1) };
            Ok(answer != 0)
        };
        let order = jarrah_hlo_eval::merge_sort((0..self.count).collect(), &mut comes_before)
            .expect("invariant: the order does not fail");
        for ((x, &from), &to) in self.operands.iter().zip(from).zip(to) {
            for (i, &wanted) in order.iter().enumerate() {
                // SAFETY: both places lie in the line; operands and results do not share memory.
                unsafe {
                    element(x, from, at(wanted)).copy_to_nonoverlapping(element(x, to, at(i)), x.size())
                };
            }
        }
    }
}

impl Step for Sorts {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (shared(frame, &self.operands), shared(frame, &self.results));
        let lines = count(&self.lines);
        let tasks = match lines.saturating_mul(self.count) < FEW {
            true => 1,
            false => lines.min(4 * frame.pool.threads()),
        };
        frame.pool.run(tasks, &|task| {
            let mut caller = self.order.caller();
            for line in lines * task / tasks..lines * (task + 1) / tasks {
                // SAFETY: lines do not meet, and each belongs to one task.
                unsafe { self.line(&mut caller, offset(line, &self.lines), &from, &to) };
            }
        });
        Ok(())
    }

    fn way(&self) -> Way {
        Way::MachineCode
    }
}
