//! Reductions and selections over windows, in the order of the reference evaluator.

use jarrah_base::{DType, Result, Type};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::ops::{ReduceWindow, Reducer, Run, Window, WindowArg};
use jarrah_runtime::Way;

use super::gather::SMALL;
use super::{by_program, reference, row_major};
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::gemm::Shared;
use crate::vector::Kernel;
use crate::vector::window::{self, Growing, Lanes};

/// From so many inner elements per position of `axis` on, vector lanes run along the inner axes, else along the
/// windows.
const ENOUGH: usize = 8;

/// Windows over a tensor.
struct Windows {
    kernel: Kernel<Lanes>,
    operand: PlacedArray,
    result: PlacedArray,
    window: Window,
    /// The reducer's identity, aligned: a scalar of the operand's type.
    first: [u64; 2],
    /// The last axis along which a window is more than one element.
    axis: usize,
    dims: Vec<usize>,
    counts: Vec<usize>,
    strides: Vec<isize>,
    /// The windows along `axis` that lie wholly inside the operand.
    whole: std::ops::Range<usize>,
}

/// A step for a reduction of windows. A reducer that is a program goes through the reference evaluator where it has no code.
pub fn reduce(site: &StepSite<'_>, op: &ReduceWindow) -> Result<Box<dyn Step<Cpu>>> {
    let (operand, result) = (site.operands[0], site.results[0]);
    let dtype = operand.ty.dtype();
    if result.bytes() == 0 {
        return Ok(reference::step(site));
    }
    if let Reducer::General(program) = &op.reducer {
        return Ok(by_program::windows(site, op, program)?.unwrap_or_else(|| reference::step(site)));
    }
    let Some(kind) = op.reducer.elementwise() else { return Ok(reference::step(site)) };
    let first = scalar(&op.reducer, dtype)?;
    if let Some(along) = op.window.cumulative(&operand.dims())? {
        return Ok(match window::grow(kind, dtype) {
            Some(kernel) => Box::new(Lines { kernel, operand, result, first, along }),
            None => reference::step(site),
        });
    }
    match window::fold(kind, dtype) {
        Some(kernel) => Ok(Box::new(Windows::new(kernel, operand, result, op.window.clone(), first))),
        None => Ok(reference::step(site)),
    }
}

/// The kernel of a selection by comparison, where there is one.
fn selection(op: &WindowArg, operand: Type) -> Option<Kernel<Lanes>> {
    let countable = operand.elements().is_ok_and(|n| n <= i32::MAX as usize) && op.to == DType::I32;
    window::arg(op.select.comparison().filter(|_| countable)?, operand.dtype())
}

/// Whether a selection is a step; others become their definition.
pub fn selects(op: &WindowArg, operand: Type) -> bool {
    selection(op, operand).is_some()
}

/// A step for a selection by comparison.
pub fn arg(site: &StepSite<'_>, op: &WindowArg) -> Result<Box<dyn Step<Cpu>>> {
    let (operand, result) = (site.operands[0], site.results[0]);
    match selection(op, operand.ty).filter(|_| result.bytes() > 0) {
        Some(kernel) => Ok(Box::new(Windows::new(kernel, operand, result, op.window.clone(), [0; 2]))),
        None => Ok(reference::step(site)),
    }
}

/// The identity of a reducer, in aligned memory.
fn scalar(reducer: &Reducer, dtype: DType) -> Result<[u64; 2]> {
    let mut bytes = [0; 16];
    bytes[..dtype.size()].copy_from_slice(reducer.identity(dtype)?.bytes());
    let (low, high) = bytes.split_at(8);
    let word = |half: &[u8]| half.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    Ok([word(low).to_le(), word(high).to_le()])
}

impl Windows {
    fn new(
        kernel: Kernel<Lanes>,
        operand: PlacedArray,
        result: PlacedArray,
        mut window: Window,
        first: [u64; 2],
    ) -> Windows {
        let (mut dims, mut counts) = (operand.dims(), result.dims());
        if dims.is_empty() {
            (dims, counts, window) = (vec![1], vec![1], Window::new(&[1]));
        }
        let last = dims.len() - 1;
        let axis = (0..=last).rev().find(|&a| !window.is_trivial(a)).unwrap_or(last);
        let wide = |n: usize| n as i128;
        let (stride, low) = (wide(window.strides[axis]), i128::from(window.low[axis]));
        let room = wide(dims[axis]) - 1 - wide(window.sizes[axis] - 1) * wide(window.dilations[axis]) + low;
        let (mut from, mut to) = ((low.max(0) + stride - 1) / stride, 0);
        if room >= 0 && window.base_dilations[axis] == 1 {
            to = (room / stride + 1).min(wide(counts[axis]));
        }
        from = from.min(to);
        let whole = from as usize..to as usize;
        let strides = row_major(&dims);
        Windows { kernel, operand, result, window, first, axis, dims, counts, strides, whole }
    }

    fn along(&self, axis: usize, i: usize) -> Run {
        self.window.run(axis, self.dims[axis], i)
    }

    /// Fills `places` with the offsets of a window's elements along the axes before `axis`, for window number
    /// `position` there.
    fn places(&self, mut position: usize, places: &mut Vec<usize>, spare: &mut Vec<usize>) {
        places.clear();
        places.push(0);
        let mut index = vec![0; self.axis];
        for axis in (0..self.axis).rev() {
            index[axis] = position % self.counts[axis];
            position /= self.counts[axis];
        }
        for (axis, i) in index.into_iter().enumerate() {
            let (run, stride) = (self.along(axis, i), self.strides[axis] as usize);
            spare.clear();
            for &at in &*places {
                spare.extend((0..run.count).map(|k| at + (run.first + k * run.step) * stride));
            }
            std::mem::swap(places, spare);
        }
    }

    /// Runs the kernel on windows that begin at `run` along the last axis.
    ///
    /// # Safety
    /// The windows and their results, the first of them the element `to`, lie in the arrays.
    unsafe fn lanes(&self, arrays: (*const u8, *mut u8), places: &[usize], run: Run, lane: Lane, to: usize) {
        let inner = self.strides[self.axis] as usize;
        let lanes = Lanes {
            src: arrays.0,
            dst: arrays.1.wrapping_add(to * self.result.size()),
            first: self.first.as_ptr().cast(),
            places,
            base: run.first * inner + lane.offset,
            run: (run.step * inner, run.count),
            count: lane.count,
            steps: lane.steps,
        };
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&lanes) };
    }

    /// Computes the windows `range` along `axis`, at window number `position` along the axes before.
    ///
    /// # Safety
    /// The arrays are the step's, and no one else writes these results.
    unsafe fn windows(
        &self,
        arrays: (*const u8, *mut u8),
        places: &[usize],
        position: usize,
        range: std::ops::Range<usize>,
    ) {
        let inner = self.strides[self.axis] as usize;
        let line = position * self.counts[self.axis];
        let stride = self.window.strides[self.axis];
        let mut i = range.start;
        while i < range.end {
            let run = match self.whole.contains(&i) {
                true => Run {
                    first: (i * stride).wrapping_add_signed(-self.window.low[self.axis] as isize),
                    step: self.window.dilations[self.axis],
                    count: self.window.sizes[self.axis],
                },
                false => self.along(self.axis, i),
            };
            let to = (line + i) * inner;
            // SAFETY: the runs of a window lie on the tensor, and those of whole windows are equally far apart.
            unsafe {
                if inner < ENOUGH && self.whole.contains(&i) {
                    let count = self.whole.end.min(range.end) - i;
                    for offset in 0..inner {
                        let lane = Lane { offset, count, steps: (stride * inner, inner) };
                        self.lanes(arrays, places, run, lane, to + offset);
                    }
                    i += count;
                    continue;
                }
                self.lanes(arrays, places, run, Lane { offset: 0, count: inner, steps: (1, 1) }, to);
            }
            i += 1;
        }
    }
}

/// Windows side by side: the first one's offset, their number, and the distances between windows and between results.
struct Lane {
    offset: usize,
    count: usize,
    steps: (usize, usize),
}

impl Step<Cpu> for Windows {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let lines: usize = self.counts[..self.axis].iter().product();
        let count = self.counts[self.axis];
        let tasks = if self.result.bytes() < SMALL { 1 } else { 4 * frame.device.pool.threads() };
        let parts = tasks.div_ceil(lines).min(count);
        let pieces = lines * parts;
        let tasks = tasks.min(pieces);
        let (src, dst) = (Shared(frame.at(self.operand.loc)), Shared(frame.at(self.result.loc)));
        frame.device.pool.run(tasks, &|task| {
            let (mut places, mut spare) = (Vec::new(), Vec::new());
            let mut known = None;
            for piece in pieces * task / tasks..pieces * (task + 1) / tasks {
                let (line, part) = (piece / parts, piece % parts);
                if known != Some(line) {
                    self.places(line, &mut places, &mut spare);
                    known = Some(line);
                }
                let range = count * part / parts..count * (part + 1) / parts;
                // SAFETY: pieces have distinct results.
                unsafe { self.windows((src.get(), dst.get()), &places, line, range) };
            }
        });
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Routine
    }
}

/// Cumulative windows: along one axis, all begin at its first element or all end at its last.
struct Lines {
    kernel: Kernel<Growing>,
    operand: PlacedArray,
    result: PlacedArray,
    first: [u64; 2],
    along: jarrah_hlo::ops::Cumulative,
}

impl Step<Cpu> for Lines {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        /// Lines per task, a multiple of what the kernels take at once.
        const LINES: usize = 64;
        let (dims, counts) = (self.operand.dims(), self.result.dims());
        let axis = self.along.axis;
        let extents = (dims[axis], counts[axis]);
        let outer: usize = dims[..axis].iter().product();
        let step: usize = dims[axis + 1..].iter().product();
        // Lines lie side by side along the axes after the reduced one, or along those before it if there are none.
        let (groups, lines, steps) =
            if step == 1 { (1, outer, (extents.0, extents.1)) } else { (outer, step, (1, 1)) };
        let size = self.operand.size();
        let (src, dst) = (Shared(frame.at(self.operand.loc)), Shared(frame.at(self.result.loc)));
        let length = LINES.min(lines.div_ceil(frame.device.pool.threads()).next_multiple_of(4));
        let parts = lines.div_ceil(length);
        frame.device.pool.run(groups * parts, &|task| {
            let (group, line) = (task / parts, task % parts * length);
            let at = |extent: usize, between: usize| (group * extent * step + line * between) * size;
            let growing = Growing {
                src: src.get().wrapping_add(at(extents.0, steps.0)),
                dst: dst.get().wrapping_add(at(extents.1, steps.1)),
                first: self.first.as_ptr().cast(),
                extents,
                step,
                count: length.min(lines - line),
                steps,
                along: self.along,
            };
            // SAFETY: the lines lie in the arrays, and have distinct results.
            unsafe { (self.kernel)(&growing) };
        });
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Routine
    }
}
