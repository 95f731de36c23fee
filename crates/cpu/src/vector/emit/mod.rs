//! Vector loops as machine code: the second tier, beside the interpreter of tiles.
//!
//! A task (see [`lower::Task`]) becomes blocks of vector instructions over groups of sixteen elements, the same for both
//! widths ([`graph`], [`values`], [`math`]); blocks become instructions with registers ([`alloc`]); loops go around them
//! ([`function`]); [`arena`] holds the bytes. Every value is computed by the operations of the interpreter, in its order, so
//! that the bits are equal.
//!
//! ```text
//! Task      part of a kernel: a row kernel, one level of a kernel with few long rows, a column reduction or the kernel behind it
//!   |  lower      per-row values, and a loop over columns for each level of reductions    lower, values, math
//! Block     nodes in SSA form, each one vector instruction on a group of 16 elements, and effects        graph, ops
//!   |  alloc      registers, four groups side by side where they suffice, memory operands
//! function  loops around the blocks, a tail under a mask, constants behind the code                      function, asm, arena
//! ```
//!
//! * A group is one register of 512 bits or two of 256, so sums have the lanes that the contract fixes on both widths.
//! * Where the ends of loops take a good part of a row's time, the function works on up to four rows side by side, each in its
//!   own order, and then on the remaining rows one by one.
//! * A loop stores a value that a later loop needs if it is dear (`exp`), and lets that loop recompute it if it is cheap.
//! * Stores wait for every load of their group and level, so one function serves outputs in new memory and in place. Outputs
//!   larger than the caches are written around them.
//! * A function without a vector sequence (`power` of `f64`) is a call of the interpreter's, a vector at a time; one with a
//!   sequence for a range (`sine` up to 2³⁰) makes the call, far from the loop, where an element is outside (`calls`).
//! * Instructions of a block come in the order in which its values were made, each for all groups before the next: four
//!   independent chains, which a processor executes out of order. A list scheduler (longest path first) was tried instead: within
//!   5 % for most functions and 5 % faster for `erf`, but 2 to 18 % slower for `exp`, `log` and `sine`, and 2.4 times slower for
//!   `power`, whose values no longer fit in registers.

mod alloc;
mod arena;
mod asm;
mod calls;
mod function;
mod graph;
mod lower;
mod math;
mod ops;
mod scalars;
mod values;

use jarrah_base::Result;

pub(super) use lower::{Source, Task};
pub(super) use scalars::{EmittedLoop, LoopCall};

use super::frame::{Buffers, Tile};
use alloc::{COLUMNS, FIRST_COLUMN, INDICES, LANE, MOST_DIMS, ROWS, SCRATCH, STREAM};

/// Machine code for a task.
pub(super) struct Emitted {
    code: arena::Code,
    pointers: Vec<lower::Pointer>,
    /// Bytes of the frame, aligned to 64.
    pub frame: usize,
}

/// The number of fields of a function's table before the pointers.
const HEADER: usize = INDICES + MOST_DIMS;

/// The machine code for a task, `None` if something in it has none.
///
/// # Errors
/// There is no executable memory.
pub(super) fn compile(task: &Task<'_>, wide: bool, beyond: &Beyond) -> Result<Option<Emitted>> {
    let Some((lowered, asm, rows)) = assemble(task, wide, beyond) else { return Ok(None) };
    let layout = alloc::Layout::new(&lowered.shared);
    let code = arena::Code::new(&[asm.encode()?])?;
    Ok(Some(Emitted { code, frame: layout.frame(rows), pointers: lowered.pointers }))
}

/// The machine code for a task as text.
pub(super) fn text(task: &Task<'_>, wide: bool, beyond: &Beyond) -> Option<String> {
    Some(assemble(task, wide, beyond)?.1.text())
}

/// The number of instructions of each part of the machine code for a task.
pub(super) fn counts(task: &Task<'_>, wide: bool, beyond: &Beyond) -> Option<Vec<(String, usize)>> {
    Some(assemble(task, wide, beyond)?.1.counts())
}

/// The number of pointers of a call that need no heap allocation.
const POINTERS: usize = 96;

/// The bytes of a page of memory, within which hardware prefetchers work.
const PAGE: u32 = 4096;

/// From more rows than this on, multiplying takes longer than reading the weights.
const MANY_ROWS: usize = 4;

/// The number of bytes ahead of its loads that a loop prefetches data which the caches do not hold.
const BYTES_AHEAD: i32 = 2048;
/// The number of rows ahead that a column reduction prefetches.
const ROWS_AHEAD: i64 = 8;

/// The inputs and outputs of more bytes than the caches hold.
#[derive(Default)]
pub(super) struct Beyond {
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
}

fn assemble(task: &Task<'_>, wide: bool, beyond: &Beyond) -> Option<(lower::Lowered, asm::Assembler, usize)> {
    let mut lowered = lower::lower(task, wide)?;
    for a in &mut lowered.shared.accesses {
        let graph::Base::Pointer(p) = a.base else { continue };
        match &lowered.pointers[usize::from(p)].source {
            Source::Output(output, _) => {
                a.stream = beyond.outputs.contains(output) && a.dtype.size() >= 4 && a.stride == 1;
            }
            // The rows of the next call are prefetched, unless they are adjacent: sequential reads arrive by themselves.
            Source::Input(_, map) if a.stride == 1 && task.calls.is_some() => {
                let calls = task.calls.as_ref();
                let next = calls.map_or(&[][..], |calls| &calls.next);
                let elements: i64 = map.rows.iter().zip(next).map(|(&stride, &by)| stride * by as i64).sum();
                let in_panels = calls.filter(|calls| calls.in_panels);
                let behind = in_panels.map_or(0, |calls| calls.count() * task.kernel.cols) as u64;
                let bytes = elements.saturating_mul(a.dtype.size() as i64);
                let apart = |bytes: &i32| {
                    elements.unsigned_abs() > behind && (PAGE..1 << 30).contains(&bytes.unsigned_abs())
                };
                a.ahead = i32::try_from(bytes).ok().filter(apart).unwrap_or(0);
                // Lines of a panel follow one another, each of several rows. Where they are multiplied by many rows, that takes longer than they
                // take to arrive: they are asked for two calls ahead, into the first-level cache.
                let many = in_panels.is_some_and(|calls| calls.rows() > MANY_ROWS);
                if many
                    && bytes > 0
                    && elements.unsigned_abs() <= behind
                    && a.offset % function::LINE as i32 == 0
                {
                    a.ahead = i32::try_from(2 * bytes).unwrap_or(0);
                }
            }
            Source::Input(input, _) if beyond.inputs.contains(input) && a.stride == 1 => {
                // A task of a column reduction reads a few columns of each row, so later rows are prefetched.
                let rows = lowered.pointers[usize::from(p)].pitch.saturating_mul(ROWS_AHEAD);
                let rows = i32::try_from(rows).ok().filter(|&rows| task.kernel.is_column() && rows != 0);
                // The lines of a row are added to it.
                a.ahead = rows.filter(|&rows| rows.unsigned_abs() < 1 << 30).unwrap_or(BYTES_AHEAD);
            }
            _ => {}
        }
    }
    let streams = lowered.shared.accesses.iter().any(|a| a.stream);
    let (asm, rows) = function::assemble(&lowered, task, streams)?;
    Some((lowered, asm, rows))
}

impl Emitted {
    /// Runs the code on one tile.
    ///
    /// # Safety
    /// As for [`super::frame::Frame::run`]; `scratch` is aligned to 64 bytes and has [`Emitted::frame`] bytes, `lanes`
    /// are as the task's column reduction has them.
    pub unsafe fn run(
        &self,
        tile: &Tile<'_>,
        buffers: &Buffers<'_>,
        lanes: &[*mut u8],
        scratch: *mut u8,
        stream: bool,
    ) {
        if tile.rows == 0 {
            return;
        }
        let mut table = [0u64; HEADER + POINTERS];
        let mut long = Vec::new();
        let table = if self.pointers.len() > POINTERS {
            long.resize(HEADER + self.pointers.len(), 0u64);
            &mut long[..]
        } else {
            &mut table[..]
        };
        table[ROWS] = tile.rows as u64;
        table[COLUMNS] = tile.cols as u64;
        table[FIRST_COLUMN] = tile.first_col as u64;
        table[SCRATCH] = scratch.addr() as u64;
        table[LANE] = (tile.lane % graph::GROUP) as u64;
        for (to, &index) in table[INDICES..HEADER].iter_mut().zip(tile.index) {
            *to = index as u64;
        }
        let mut aligned = stream;
        for (to, p) in table[HEADER..].iter_mut().zip(&self.pointers) {
            let at = |base: *mut u8, elements: i64| base.wrapping_offset(elements as isize * p.size as isize);
            let mapped = |map: &jarrah_tile::Map| {
                let rows = tile.index.iter().zip(&map.rows).map(|(&i, &s)| i as i64 * s).sum::<i64>();
                map.offset + map.col * tile.first_col as i64 + rows
            };
            let address = match &p.source {
                Source::Input(i, map) => at(buffers.inputs[*i].cast_mut(), mapped(map)),
                Source::Output(o, map) => {
                    let address = at(buffers.outputs[*o], mapped(map));
                    aligned &= address.addr().is_multiple_of(64) && (tile.rows == 1 || p.pitch % 64 == 0);
                    address
                }
                Source::Given(g) => at(buffers.given[usize::from(*g)], tile.row as i64),
                Source::Partial(k) => {
                    at(buffers.partial[usize::from(*k)], (tile.row * tile.chunks + tile.chunk) as i64)
                }
                Source::PartialIndex(k) => {
                    at(buffers.partial_index[usize::from(*k)], (tile.row * tile.chunks + tile.chunk) as i64)
                }
                Source::Chain(r) => at(lanes[usize::from(*r)], tile.first_col as i64),
                Source::Factor(f) => at(buffers.given[0], i64::from(*f)),
                Source::Panel(words) => at(lanes[0], tile.first_col as i64 + i64::from(*words)),
                Source::Lanes(l) => at(lanes[usize::from(*l)], (tile.lane % graph::GROUP * tile.cols) as i64),
            };
            *to = address.addr() as u64;
        }
        table[STREAM] = u64::from(aligned);
        // SAFETY: the code follows the platform's calling convention, takes the table alone, and reaches what the table
        // and the task's maps say, which the caller has promised.
        unsafe {
            let run: unsafe extern "sysv64" fn(*mut u64) = std::mem::transmute(self.code.entry(0));
            run(table.as_mut_ptr());
        }
    }
}
