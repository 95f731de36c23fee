//! Sorting along an axis.

use std::cmp::Ordering;

use jarrah_base::{DType, Element, Result, with_element, work};
use jarrah_hlo::ops::{Sort, SortOrder};
use jarrah_hlo::{Op, Program, Value};
use rustc_hash::FxHashMap;

use super::{reference, row_major};
use crate::client::build::{Array, Site};
use crate::client::frame::{Frame, Step};
use crate::gemm::Shared;

struct Lines {
    operands: Vec<Array>,
    results: Vec<Array>,
    keys: usize,
    descending: bool,
    count: usize,
    /// How many leading elements of each sorted line are read by other instructions.
    kept: usize,
    step: isize,
    /// Extents and strides of the axes that are not sorted.
    outer: Vec<(usize, isize)>,
}

/// Sorts by keys; an order that is a program goes through the reference evaluator.
pub fn step(site: &Site<'_>, op: &Sort) -> Box<dyn Step> {
    let (keys, descending) = match &op.order {
        SortOrder::Ascending { keys } => (*keys, false),
        SortOrder::Descending { keys } => (*keys, true),
        SortOrder::General(_) => return reference::step(site),
    };
    let dims = site.operands[0].dims();
    let kept = site.kept.unwrap_or(dims[op.axis]);
    let strides = row_major(&dims);
    let others = (0..dims.len()).filter(|&a| a != op.axis);
    Box::new(Lines {
        operands: site.operands.clone(),
        results: site.results.clone(),
        keys,
        descending,
        count: dims[op.axis],
        kept,
        step: strides[op.axis],
        outer: others.map(|a| (dims[a], strides[a])).collect(),
    })
}

/// For each sort whose results only slices read, by its index, how many leading elements along its axis these read.
pub fn kept(program: &Program) -> FxHashMap<usize, usize> {
    let mut kept = FxHashMap::default();
    // The results of sorts, with the index and axis of the sort.
    let mut sorted: FxHashMap<Value, (usize, usize)> = FxHashMap::default();
    for (index, instr) in program.instrs().iter().enumerate() {
        for operand in &instr.operands {
            work::step(1);
            let Some(&(sort, axis)) = sorted.get(operand) else { continue };
            match (&instr.op, kept.get_mut(&sort)) {
                (Op::Slice(slice), Some(most)) => *most = slice.limits[axis].max(*most),
                _ => {
                    kept.remove(&sort);
                }
            }
        }
        if let Op::Sort(op) = &instr.op {
            kept.insert(index, 0);
            sorted.extend(instr.results().map(|v| (v, (index, op.axis))));
        }
    }
    for (sort, _) in program.results().iter().filter_map(|v| sorted.get(v)) {
        kept.remove(sort);
    }
    kept
}

/// An integer that orders as the element does: NaN is last and equal to NaN, -0 equals 0.
fn key<T: Element>(x: T, dtype: DType) -> u64 {
    if !dtype.is_float() {
        return (x.to_i128() as i64 as u64) ^ if dtype == DType::U64 { 0 } else { 1 << 63 };
    }
    let x = x.to_f64();
    if x.is_nan() {
        return u64::MAX;
    }
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The keys of a line of an operand.
///
/// # Safety
/// The line lies in the operand.
unsafe fn keys(dtype: DType, ptr: *const u8, base: isize, step: isize, count: usize) -> Vec<u64> {
    with_element!(dtype, T => {
        let at = |i: usize| ptr.cast::<T>().wrapping_offset(base + i as isize * step);
        // SAFETY: the caller's contract.
        (0..count).map(|i| key(unsafe { at(i).read() }, dtype)).collect()
    })
}

impl Lines {
    /// The positions of the first `kept` elements, in order, of a line with one key.
    ///
    /// # Safety
    /// The line at `base` lies in the first operand, given by its first element.
    unsafe fn best(&self, base: isize, from: *const u8) -> Vec<u32> {
        macro_rules! of {
            ($($dtype:ident: $t:ty)*) => {
                match self.operands[0].ty.dtype() {
                    // SAFETY: the caller's contract.
                    $(DType::$dtype => unsafe { self.best_of::<$t>(base, from.cast()) },)*
                    // SAFETY: the caller's contract.
                    _ => unsafe { self.order(base, &[Shared(from.cast_mut())]) },
                }
            };
        }
        of! {
            Bool: u8 I8: i8 I16: i16 I32: i32 I64: i64 U8: u8 U16: u16 U32: u32 U64: u64
            BF16: jarrah_base::bf16 F16: jarrah_base::f16 F32: f32 F64: f64
        }
    }

    /// # Safety
    /// As [`Lines::best`].
    unsafe fn best_of<T: Element + PartialOrd>(&self, base: isize, from: *const T) -> Vec<u32> {
        /// Elements that are skipped together if none of them comes before the last one kept.
        const CHUNK: usize = 64;
        let room = (2 * self.kept).max(64);
        let flip = if self.descending { u64::MAX } else { 0 };
        // SAFETY: the caller's contract.
        let at = |i: usize| unsafe { from.offset(base + i as isize * self.step).read() };
        // Keys with their positions; no element left out comes before the last one kept.
        let mut held: Vec<(u64, u32)> = Vec::with_capacity(room);
        let mut last: Option<(u64, T)> = None;
        for start in (0..self.count).step_by(CHUNK) {
            let end = self.count.min(start + CHUNK);
            if let Some((_, last)) = last {
                // Written so that NaN is false: it never skips a chunk and is compared by its key.
                let behind = |x: T| if self.descending { x <= last } else { x >= last };
                let all = match self.step {
                    // SAFETY: the caller's contract.
                    1 => {
                        unsafe { std::slice::from_raw_parts(from.offset(base + start as isize), end - start) }
                            .iter()
                            .fold(true, |all, &x| all & behind(x))
                    }
                    _ => (start..end).all(|i| behind(at(i))),
                };
                if all {
                    continue;
                }
            }
            for i in start..end {
                let key = key(at(i), T::DTYPE) ^ flip;
                if last.is_some_and(|(limit, _)| key >= limit) {
                    continue;
                }
                held.push((key, i as u32));
                if held.len() == room {
                    held.select_nth_unstable(self.kept - 1);
                    held.truncate(self.kept);
                    let (limit, position) = held[self.kept - 1];
                    last = Some((limit, at(position as usize)));
                }
            }
        }
        held.sort_unstable();
        held.truncate(self.kept);
        held.into_iter().map(|(_, i)| i).collect()
    }

    /// # Safety
    /// The line at `base` lies in every operand and result, given by their first elements.
    unsafe fn line(&self, base: isize, from: &[Shared<u8>], to: &[Shared<u8>]) {
        let order = match self.keys == 1 && (1..=self.count / 8).contains(&self.kept) {
            // SAFETY: the caller's contract.
            true => unsafe { self.best(base, from[0].get()) },
            // SAFETY: the caller's contract.
            false => unsafe { self.order(base, from) },
        };
        for ((x, from), to) in self.operands.iter().zip(from).zip(to) {
            with_element!(x.ty.dtype(), T => {
                let (from, to) = (from.get().cast::<T>(), to.get().cast::<T>());
                for (i, &source) in order.iter().enumerate() {
                    // SAFETY: the caller's contract.
                    unsafe {
                        let value = from.offset(base + source as isize * self.step).read();
                        to.offset(base + i as isize * self.step).write(value);
                    }
                }
            });
        }
    }

    /// The positions of all elements of a line in order.
    ///
    /// # Safety
    /// The line at `base` lies in every operand, given by its first element.
    unsafe fn order(&self, base: isize, from: &[Shared<u8>]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.count as u32).collect();
        let mut all = Vec::new();
        for (x, from) in self.operands[..self.keys].iter().zip(from) {
            // SAFETY: the caller's contract.
            all.push(unsafe { keys(x.ty.dtype(), from.get(), base, self.step, self.count) });
        }
        let compare = |a: u32, b: u32| {
            let first = all.iter().map(|k| k[a as usize].cmp(&k[b as usize])).find(|o| o.is_ne());
            first.unwrap_or(Ordering::Equal)
        };
        match self.descending {
            false => order.sort_by(|&a, &b| compare(a, b)),
            true => order.sort_by(|&a, &b| compare(b, a)),
        }
        order
    }
}

impl Step for Lines {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let pointers = |arrays: &[Array]| arrays.iter().map(|a| Shared(frame.at(a.loc))).collect::<Vec<_>>();
        let (from, to) = (pointers(&self.operands), pointers(&self.results));
        let lines: usize = self.outer.iter().map(|o| o.0).product();
        frame.pool.run(lines, &|line| {
            let (mut rest, mut base) = (line, 0);
            for &(extent, stride) in self.outer.iter().rev() {
                base += (rest % extent) as isize * stride;
                rest /= extent;
            }
            // SAFETY: lines of dense arrays are disjoint; operands and results are distinct arrays.
            unsafe { self.line(base, &from, &to) };
        });
        Ok(())
    }
}
