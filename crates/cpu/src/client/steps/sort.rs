//! Sorting along an axis.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use jarrah_base::{DType, Element, Result, with_element};
use jarrah_execute::{Place, PlacedArray, Step, StepSite};
use jarrah_hlo::ops::{Sort, SortOrder};

use super::{by_program, offset, reference, row_major, shared};
use crate::client::device::{Cpu, Frame, FramePointers, StepBuilder};
use crate::gemm::Shared;

/// The key of an element and its position.
type Pair = (u64, u32);

/// How the positions of a line are put in order, in scratch: ties keep the order of the operands.
enum Way {
    /// By one key, where only the first few are wanted: the best so far are held.
    Best(unsafe fn(&Lines, isize, *const u8, *mut u8)),
    /// By one key of at most 32 bits: a key and its position are one word.
    Words,
    /// By one key: pairs of key and position.
    Pairs,
    /// By several keys: a row of words each, then the positions.
    Rows,
}

struct Lines {
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    keys: usize,
    descending: bool,
    count: usize,
    /// How many leading elements of each sorted line are read by other instructions.
    kept: usize,
    step: isize,
    /// Extents and strides of the axes that are not sorted.
    outer: Vec<(usize, isize)>,
    way: Way,
    /// Scratch for as many lines as are sorted at once, and the bytes of one.
    scratch: Place,
    each: usize,
    at_once: usize,
}

/// Sorts by keys, or by an order that is a program, which goes through the reference evaluator where it has no code.
///
/// # Errors
/// There is no executable memory.
pub fn step(b: &mut StepBuilder, site: &StepSite<'_>, op: &Sort) -> Result<Box<dyn Step<Cpu>>> {
    let (keys, descending) = match &op.order {
        SortOrder::Ascending { keys } => (*keys, false),
        SortOrder::Descending { keys } => (*keys, true),
        SortOrder::General(order) => {
            let step = by_program::sort(site, op, order)?;
            return Ok(step.unwrap_or_else(|| reference::step(site)));
        }
    };
    let dims = site.operands[0].dims();
    let kept = site.kept.unwrap_or(dims[op.axis]);
    let strides = row_major(&dims);
    let others = (0..dims.len()).filter(|&a| a != op.axis);
    let outer: Vec<(usize, isize)> = others.map(|a| (dims[a], strides[a])).collect();
    let way = Way::new(site.operands[0].ty.dtype(), keys, kept, dims[op.axis]);
    let at_once = b.plans.threads.min(outer.iter().map(|o| o.0).product());
    let each = way.scratch(keys, kept, dims[op.axis]).next_multiple_of(64);
    Ok(Box::new(Lines {
        operands: site.operands.clone(),
        results: site.results.clone(),
        keys,
        descending,
        count: dims[op.axis],
        kept,
        step: strides[op.axis],
        outer,
        way,
        scratch: b.shared(each.saturating_mul(at_once)),
        each,
        at_once,
    }))
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

/// [`key`] in 32 bits, of elements that have no more.
fn narrow_key<T: Element>(x: T, dtype: DType) -> u32 {
    if !dtype.is_float() {
        return x.to_i128() as u32 ^ if dtype == DType::U32 { 0 } else { 1 << 31 };
    }
    let x = x.to_f64() as f32;
    if x.is_nan() {
        return u32::MAX;
    }
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Sorts entries, each unique because it holds its position, and leaves the positions at the start of `room`.
///
/// # Safety
/// `room` is the caller's alone, aligned for `E`, and has place for `count` entries.
unsafe fn sorted<E: Copy + Ord>(
    room: *mut u8,
    count: usize,
    entry: impl Fn(usize) -> E,
    position: impl Fn(E) -> u32,
) {
    let entries = room.cast::<E>();
    // SAFETY: the caller's contract; every entry is written before the slice is made.
    unsafe {
        (0..count).for_each(|i| entries.add(i).write(entry(i)));
        std::slice::from_raw_parts_mut(entries, count).sort_unstable();
        positions(room, count, position);
    }
}

/// Writes the positions of the first `count` entries over their start.
///
/// # Safety
/// `room` holds the entries, which are no smaller than a position.
unsafe fn positions<E: Copy>(room: *mut u8, count: usize, position: impl Fn(E) -> u32) {
    for i in 0..count {
        // SAFETY: the caller's contract; a position lies on entries that have been read.
        unsafe { room.cast::<u32>().add(i).write(position(room.cast::<E>().add(i).read())) };
    }
}

impl Way {
    fn new(dtype: DType, keys: usize, kept: usize, count: usize) -> Way {
        macro_rules! best {
            ($($dtype:ident: $t:ty)*) => {
                match dtype {
                    $(DType::$dtype => Some(Way::Best(Lines::best::<$t>)),)*
                    _ => None,
                }
            };
        }
        let best = best! {
            Bool: u8 I8: i8 I16: i16 I32: i32 I64: i64 U8: u8 U16: u16 U32: u32 U64: u64
            BF16: jarrah_base::bf16 F16: jarrah_base::f16 F32: f32 F64: f64
        };
        match (keys, best) {
            (1, Some(best)) if (1..=count / 8).contains(&kept) => best,
            (1, _) if dtype.size() <= 4 => Way::Words,
            (1, _) => Way::Pairs,
            _ => Way::Rows,
        }
    }

    /// The bytes of scratch that a line takes.
    fn scratch(&self, keys: usize, kept: usize, count: usize) -> usize {
        match self {
            Way::Best(_) => held(kept).saturating_mul(size_of::<Pair>()),
            Way::Words => count.saturating_mul(size_of::<u64>()),
            Way::Pairs => count.saturating_mul(size_of::<Pair>()),
            Way::Rows => count.saturating_mul(keys.saturating_mul(size_of::<u64>()) + size_of::<u32>()),
        }
    }
}

/// How many pairs [`Lines::best`] holds before it drops those that are not among the first `kept`.
fn held(kept: usize) -> usize {
    (2 * kept).max(64)
}

impl Lines {
    /// The key bits that are inverted, so that the last comes first.
    fn flip(&self) -> u64 {
        if self.descending { u64::MAX } else { 0 }
    }

    /// Writes to `room` the positions of the first `kept` elements, in order, of a line with one key.
    ///
    /// # Safety
    /// The line at `base` lies in the first operand, given by its first element and of type `T`; `room` is the
    /// caller's alone, and as large as [`Way::scratch`] says.
    unsafe fn best<T: Element + PartialOrd>(&self, base: isize, from: *const u8, room: *mut u8) {
        /// Elements that are skipped together if none of them comes before the last one kept.
        const CHUNK: usize = 64;
        let (from, flip) = (from.cast::<T>(), self.flip());
        // SAFETY: the caller's contract.
        let at = |i: usize| unsafe { from.offset(base + i as isize * self.step).read() };
        // Keys with their positions; no element left out comes before the last one kept.
        // SAFETY: the caller's contract; scratch is initialised and aligned.
        let held = unsafe { std::slice::from_raw_parts_mut(room.cast::<Pair>(), held(self.kept)) };
        let mut count = 0;
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
                held[count] = (key, i as u32);
                count += 1;
                if count == held.len() {
                    held.select_nth_unstable(self.kept - 1);
                    count = self.kept;
                    let (limit, position) = held[self.kept - 1];
                    last = Some((limit, at(position as usize)));
                }
            }
        }
        held[..count].sort_unstable();
        // SAFETY: the pairs are no longer used as such.
        unsafe { positions(room, self.kept, |(_, i): Pair| i) };
    }

    /// Sorts a line.
    ///
    /// # Safety
    /// The line at `base` lies in every operand and result, given by their first elements; `room` is the caller's
    /// alone, and as large as [`Way::scratch`] says.
    unsafe fn line(&self, base: isize, from: &[Shared<u8>], to: &[Shared<u8>], room: *mut u8) {
        let dtype = self.operands[0].ty.dtype();
        let flip = self.flip();
        let mut count = self.count;
        match self.way {
            Way::Best(best) => {
                // SAFETY: the caller's contract.
                unsafe { best(self, base, from[0].get(), room) };
                count = self.kept;
            }
            Way::Words => with_element!(dtype, T => {
                let at = |i: usize| from[0].get().cast::<T>().wrapping_offset(base + i as isize * self.step);
                let entry = |i: usize| {
                    // SAFETY: the caller's contract.
                    let key = narrow_key(unsafe { at(i).read() }, dtype) ^ flip as u32;
                    u64::from(key) << 32 | i as u64
                };
                // SAFETY: the caller's contract.
                unsafe { sorted(room, count, entry, |word| word as u32) };
            }),
            Way::Pairs => with_element!(dtype, T => {
                let at = |i: usize| from[0].get().cast::<T>().wrapping_offset(base + i as isize * self.step);
                // SAFETY: the caller's contract.
                let entry = |i: usize| (key(unsafe { at(i).read() }, dtype) ^ flip, i as u32);
                // SAFETY: the caller's contract.
                unsafe { sorted(room, count, entry, |(_, i): Pair| i) };
            }),
            // SAFETY: the caller's contract.
            Way::Rows => unsafe { self.by_rows(base, from, room) },
        }
        // SAFETY: each way has written as many positions.
        let order = unsafe { std::slice::from_raw_parts(room.cast::<u32>().cast_const(), count) };
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

    /// Writes to `room` the positions of all elements of a line in the order of several keys.
    ///
    /// # Safety
    /// As [`Lines::line`].
    unsafe fn by_rows(&self, base: isize, from: &[Shared<u8>], room: *mut u8) {
        let (count, flip) = (self.count, self.flip());
        // The rows first: they are aligned to more than the positions, which come to lie where the rows were.
        let rows = room.cast::<u64>();
        for (row, (x, from)) in self.operands[..self.keys].iter().zip(from).enumerate() {
            let dtype = x.ty.dtype();
            with_element!(dtype, T => {
                let at = |i: usize| from.get().cast::<T>().wrapping_offset(base + i as isize * self.step);
                for i in 0..count {
                    // SAFETY: the caller's contract.
                    unsafe { rows.add(row * count + i).write(key(at(i).read(), dtype) ^ flip) };
                }
            });
        }
        // SAFETY: the rows were written, and there is room for the positions after them.
        let (rows, order) = unsafe {
            let order = rows.add(self.keys * count).cast::<u32>();
            (0..count).for_each(|i| order.add(i).write(i as u32));
            let rows = std::slice::from_raw_parts(rows.cast_const(), self.keys * count);
            (rows, std::slice::from_raw_parts_mut(order, count))
        };
        order.sort_unstable_by(|&a, &b| {
            let first =
                rows.chunks_exact(count).map(|k| k[a as usize].cmp(&k[b as usize])).find(|o| o.is_ne());
            first.unwrap_or_else(|| a.cmp(&b))
        });
        let order = order.as_ptr();
        // SAFETY: the rows are no longer used; a line with a key has room for its positions twice.
        unsafe { order.copy_to(room.cast::<u32>(), count) };
    }
}

impl Step<Cpu> for Lines {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (shared(frame, &self.operands), shared(frame, &self.results));
        let lines: usize = self.outer.iter().map(|o| o.0).product();
        let (scratch, next) = (Shared(frame.at(self.scratch)), AtomicUsize::new(0));
        frame.device.pool.run(self.at_once, &|task| {
            let room = scratch.get().wrapping_add(task * self.each);
            loop {
                let line = next.fetch_add(1, Relaxed);
                if line >= lines {
                    return;
                }
                // SAFETY: lines of dense arrays are disjoint; operands and results are distinct arrays; the room is
                // this task's alone.
                unsafe { self.line(offset(line, &self.outer), &from, &to, room) };
            }
        });
        Ok(())
    }

    fn way(&self) -> jarrah_runtime::Way {
        jarrah_runtime::Way::Routine
    }
}
