//! Reductions, windows, scatters and sorts whose combination or order is a program of scalars, which becomes machine code.

use jarrah_base::Result;
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::Program;
use jarrah_hlo::ops::{Cumulative, Reduce, ReduceWindow, Sort, Window};
use jarrah_runtime::Way;

use super::gather::{Addressing, SMALL};
use super::{copy, offset, row_major, scalar_loop, shared};
use crate::client::device::{Cpu, Frame, FramePointers};
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

/// The element at a position.
fn element(array: &PlacedArray, start: Shared<u8>, position: isize) -> *mut u8 {
    start.get().wrapping_offset(position * array.size() as isize)
}

fn count(axes: &[(usize, isize)]) -> usize {
    axes.iter().map(|axis| axis.0).product()
}

/// Each result is a chain of steps over the elements it is made of, in row-major order.
struct Folds {
    code: Compiled,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    /// Extents and strides of the axes that are kept, and of those that are reduced, but for the innermost run of these.
    kept: Vec<(usize, isize)>,
    folded: Vec<(usize, isize)>,
    run: usize,
}

/// A reduction by a program; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub fn reduce(site: &StepSite<'_>, op: &Reduce, program: &Program) -> Result<Option<Box<dyn Step<Cpu>>>> {
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

impl Step<Cpu> for Folds {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (operands, results) = (shared(frame, &self.operands), shared(frame, &self.results));
        let (inputs, initial) = operands.split_at(operands.len() / 2);
        let (rows, runs) = (count(&self.kept), count(&self.folded));
        let tasks = match rows.saturating_mul(runs).saturating_mul(self.run) < FEW {
            true => 1,
            false => rows.min(4 * frame.device.pool.threads()),
        };
        frame.device.pool.run(tasks, &|task| {
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
    operands: Vec<PlacedArray>,
    updates: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
}

/// A scatter by a program; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub(super) fn scatter(
    site: &StepSite<'_>,
    addressing: Addressing,
    program: &Program,
) -> Result<Option<Box<dyn Step<Cpu>>>> {
    let inputs = site.results.len();
    let [to, from] = addressing.run.1.map(|stride| stride as i64);
    let strides = [vec![to; inputs], vec![from; inputs], vec![to; inputs]].concat();
    let Some(code) = compiled(program, 0, &strides)? else { return Ok(None) };
    let (operands, updates) = (site.operands[..inputs].to_vec(), site.operands[inputs + 1..].to_vec());
    let results = site.results.clone();
    Ok(Some(Box::new(Combinations { code, addressing, operands, updates, results })))
}

impl Step<Cpu> for Combinations {
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
            false => frame.device.pool.threads().min(length / 32),
        };
        frame.device.pool.run(tasks, &|task| {
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
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    count: usize,
    step: isize,
    lines: Vec<(usize, isize)>,
}

/// A sort by a program that says whether one element comes before another; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub fn sort(site: &StepSite<'_>, op: &Sort, program: &Program) -> Result<Option<Box<dyn Step<Cpu>>>> {
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

impl Step<Cpu> for Sorts {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (shared(frame, &self.operands), shared(frame, &self.results));
        let lines = count(&self.lines);
        let tasks = match lines.saturating_mul(self.count) < FEW {
            true => 1,
            false => lines.min(4 * frame.device.pool.threads()),
        };
        frame.device.pool.run(tasks, &|task| {
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

/// Each result is a chain of steps over the places of a window, in row-major order: its elements, and the initial values where it
/// lies outside of the operands or between their elements.
struct Windows {
    code: Compiled,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    window: Window,
    dims: Vec<usize>,
    counts: Vec<usize>,
    strides: Vec<isize>,
    cumulative: Option<Cumulative>,
}

/// The addresses of the arrays of a run over windows.
struct Pointers<'a> {
    inputs: &'a [Shared<u8>],
    initial: &'a [Shared<u8>],
    results: &'a [Shared<u8>],
}

/// A reduction of windows by a program; `None` where it has no code.
///
/// # Errors
/// There is no executable memory.
pub fn windows(
    site: &StepSite<'_>,
    op: &ReduceWindow,
    program: &Program,
) -> Result<Option<Box<dyn Step<Cpu>>>> {
    let inputs = site.results.len();
    let (mut dims, mut counts, mut window) =
        (site.operands[0].dims(), site.results[0].dims(), op.window.clone());
    if dims.is_empty() {
        (dims, counts, window) = (vec![1], vec![1], Window::new(&[1]));
    }
    let strides = row_major(&dims);
    let cumulative = window.cumulative(&dims)?.filter(|along| !along.from_end);
    // Steps run along the axis of growing windows, else along the last one.
    let step = match cumulative {
        Some(along) => strides[along.axis] as i64,
        None => window.dilations[dims.len() - 1] as i64,
    };
    let Some(code) = compiled(program, inputs, &vec![step; inputs])? else { return Ok(None) };
    let (operands, results) = (site.operands.clone(), site.results.clone());
    Ok(Some(Box::new(Windows { code, operands, results, window, dims, counts, strides, cumulative })))
}

impl Windows {
    /// Goes on with a chain: `steps` steps from the values at `first`, whose last values are those of result `to`, over elements from
    /// `at` on, or without it over initial values.
    ///
    /// # Safety
    /// The pointers are those of the operands and results, in which the elements lie, and the result is the caller's alone.
    unsafe fn go_on(
        &self,
        caller: &mut Caller<'_>,
        p: &Pointers<'_>,
        first: Option<usize>,
        to: usize,
        at: Option<isize>,
        steps: usize,
    ) {
        let there = |position: usize| {
            let results = self.results.iter().zip(p.results);
            results.map(move |(array, &start)| element(array, start, position as isize))
        };
        let initial = || p.initial.iter().map(|p| p.get());
        // SAFETY: the caller's promise.
        unsafe {
            match (first, at) {
                (None, None) => caller.run(initial().chain(there(to)).chain(initial()), steps),
                (Some(first), None) => caller.run(there(first).chain(there(to)).chain(initial()), steps),
                (first, Some(at)) => {
                    let elements =
                        self.operands.iter().zip(p.inputs).map(|(array, &p)| element(array, p, at));
                    match first {
                        None => caller.run(initial().chain(there(to)).chain(elements), steps),
                        Some(first) => caller.run(there(first).chain(there(to)).chain(elements), steps),
                    }
                }
            }
        }
    }

    /// Whether the program makes initial values of initial values.
    ///
    /// # Safety
    /// As for [`Windows::go_on`].
    unsafe fn keeps_initial(&self, caller: &mut Caller<'_>, p: &Pointers<'_>) -> bool {
        let mut made = vec![[0u64; 2]; p.initial.len()];
        let initial = || p.initial.iter().map(|p| p.get());
        let to: Vec<*mut u8> = made.iter_mut().map(|value| value.as_mut_ptr().cast()).collect();
        // SAFETY: each value has the room of its type, which has at most 16 bytes.
        unsafe {
            caller.run(initial().chain(to.iter().copied()).chain(initial()), 1);
            let same = |((array, &to), from): ((&PlacedArray, &*mut u8), *mut u8)| {
                std::slice::from_raw_parts(to, array.size()) == std::slice::from_raw_parts(from, array.size())
            };
            self.results.iter().zip(&to).zip(initial()).all(same)
        }
    }

    /// The windows of a line along the axis of growing windows: each goes on where the one before ended.
    ///
    /// # Safety
    /// As for [`Windows::go_on`], for all results of the line.
    unsafe fn grow(&self, caller: &mut Caller<'_>, p: &Pointers<'_>, along: Cumulative, line: usize) {
        let (extent, count) = (self.dims[along.axis], self.counts[along.axis]);
        let inner: usize = self.dims[along.axis + 1..].iter().product();
        let (outer, lane) = (line / inner, line % inner);
        let at = |i: usize, extent: usize| (outer * extent + i) * inner + lane;
        let mut reached = 0;
        for i in 0..count {
            let bound = (along.reach + i as i128).max(0) as usize;
            let (to, inside) = (at(i, count), bound.min(extent));
            let before = i.checked_sub(1).map(|i| at(i, count));
            // SAFETY: the elements lie in the line.
            unsafe {
                let steps = inside.saturating_sub(reached);
                let from = at(reached.min(extent - 1), extent) as isize;
                self.go_on(caller, p, before, to, Some(from), steps);
                for _ in reached.max(extent)..bound {
                    self.go_on(caller, p, Some(to), to, None, 1);
                }
            }
            reached = bound;
        }
    }

    /// The window that has result `to`.
    ///
    /// # Safety
    /// As for [`Windows::go_on`].
    unsafe fn one(&self, caller: &mut Caller<'_>, p: &Pointers<'_>, to: usize) {
        let (window, rank) = (&self.window, self.dims.len());
        let last = rank - 1;
        let (mut index, mut rest) = (vec![0; rank], to);
        for axis in (0..rank).rev() {
            index[axis] = rest % self.counts[axis];
            rest /= self.counts[axis];
        }
        // The element at a place along an axis, where there is one.
        let place = |axis: usize, k: usize| -> Option<usize> {
            let base = window.base_dilations[axis] as i128;
            let start = index[axis] as i128 * window.strides[axis] as i128 - i128::from(window.low[axis]);
            let at = start + k as i128 * window.dilations[axis] as i128;
            let element = usize::try_from(at / base).ok().filter(|_| at >= 0 && at % base == 0)?;
            (element < self.dims[axis]).then_some(element)
        };
        let rows: usize = window.sizes[..last].iter().product();
        let mut first = None;
        for row in 0..rows {
            let (mut rest, mut start) = (row, Some(0));
            for axis in (0..last).rev() {
                let element = place(axis, rest % window.sizes[axis]);
                rest /= window.sizes[axis];
                start = start.zip(element).map(|(at, i)| at + i as isize * self.strides[axis]);
            }
            let mut k = 0;
            while k < window.sizes[last] {
                let at = start.zip(place(last, k)).map(|(at, i)| at + i as isize);
                let more = |k: usize| at.is_some() && place(last, k).is_some();
                let mut steps = 1;
                while window.base_dilations[last] == 1 && k + steps < window.sizes[last] && more(k + steps) {
                    steps += 1;
                }
                // SAFETY: the elements lie in the operands, a dilation apart along the last axis.
                unsafe { self.go_on(caller, p, first, to, at, steps) };
                first = Some(to);
                k += steps;
            }
        }
        if first.is_none() {
            // SAFETY: as above.
            unsafe { self.go_on(caller, p, None, to, None, 0) };
        }
    }
}

impl Step<Cpu> for Windows {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (operands, results) = (shared(frame, &self.operands), shared(frame, &self.results));
        let (inputs, initial) = operands.split_at(results.len());
        let p = Pointers { inputs, initial, results: &results };
        // SAFETY: the pointers are the step's.
        let grows = self.cumulative.filter(|along| {
            self.dims[along.axis] > 0 && unsafe { self.keeps_initial(&mut self.code.caller(), &p) }
        });
        let all: usize = self.counts.iter().product();
        let pieces = grows.map_or(all, |along| all / self.counts[along.axis].max(1));
        let each = all.saturating_mul(self.window.sizes.iter().product());
        let tasks = if each < FEW { 1 } else { pieces.min(4 * frame.device.pool.threads()) };
        frame.device.pool.run(tasks, &|task| {
            let mut caller = self.code.caller();
            for piece in pieces * task / tasks..pieces * (task + 1) / tasks {
                // SAFETY: the pointers are the step's, and each piece has results of its own.
                unsafe {
                    match grows {
                        Some(along) => self.grow(&mut caller, &p, along, piece),
                        None => self.one(&mut caller, &p, piece),
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
