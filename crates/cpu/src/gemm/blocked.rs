//! Blocked products: `C[i, j] += A[i, k] B[k, j]` for blocks `i` of rows, `j` of columns and `k` of K, each small enough for a level of the
//! cache, and both operands packed as microkernels read them.
//!
//! Tasks are rectangles of C. A task packs what it reads of A and B itself, so that no task waits for another, unless B lies in
//! panels already or is small enough to be read in place, or all of A is packed before the tasks.

use std::ops::Range;

use super::block::{BlockOfB, STAGED};
use super::context::{Context, DEPTH, SumRows};
use super::element::{Rounded, Streamed, Unit};
use super::matrix::Matrix;
use super::source::OperandSource;
use super::{Gemm, SMALL, Shared, packed, run};
use crate::buffers::Scratch;
use crate::threads::ThreadPool;

/// The most bytes of B packed at a time by one thread for itself.
const LOCAL_B: usize = 512 << 10;

/// The least number of columns of B that one thread packs at a time for itself, so that rows are read in long pieces. A is packed
/// once for each such range of columns.
pub(crate) const LOCAL_COLUMNS: usize = 512;

/// The most bytes of a B that is read in place.
const IN_PLACE: usize = 128 << 10;

/// The most bytes of A that are packed before the tasks: they stay in the last-level cache.
const AHEAD: usize = 16 << 20;

/// The number of pieces of columns from which on it is faster to pack A once before the tasks than once for each piece.
const AGAIN: usize = 3;

/// A right operand as the tasks find it.
enum Right<'a, T: super::Factor> {
    /// Microkernels read it where it lies.
    Ready(BlockOfB<T>),
    /// Tasks pack it.
    Unpacked(Matrix<'a, T>),
}

/// The right operand of a product of the batch. A small one in memory is read in place if its elements are units.
fn right<'a, T: Streamed, O: Rounded<Acc = T::Acc>>(cx: &Context<'a, T, O>, batch: usize) -> Right<'a, T> {
    match cx.g.b {
        OperandSource::Panels(b) => {
            Right::Ready(BlockOfB::Packed { ptr: b.of_batch(batch), first: 0, top: 0, depth: cx.units })
        }
        OperandSource::Memory(b)
            if T::EXACT && b.col == 1 && cx.units * cx.g.n * size_of::<T::Unit>() <= IN_PLACE =>
        {
            Right::Ready(BlockOfB::InPlace(b.view(batch)))
        }
        OperandSource::Memory(b) => Right::Unpacked(Matrix::Memory(b.view(batch))),
        OperandSource::Prologue(prologue) => {
            Right::Unpacked(Matrix::Computed { prologue, batch, row: 0, col: 0 })
        }
    }
}

/// Computes a product of any shape.
///
/// # Safety
/// As for [`gemm`](super::gemm()).
pub(super) unsafe fn blocked<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &ThreadPool,
) {
    let (g, first) = (cx.g, right(cx, 0));
    let work = 2 * g.m * g.n * g.k.max(1);
    if matches!(first, Right::Ready(BlockOfB::InPlace(_))) && (g.batch == 1 || work >= 8 * SMALL) {
        for batch in 0..g.batch {
            if let Right::Ready(b) = right(cx, batch) {
                // SAFETY: forwarded.
                unsafe { shared(cx, pool, batch, 0..g.n, b) };
            }
        }
        return;
    }
    let work = work * g.batch;
    let (high, wide) = part(cx, packing(&g.b), if work < SMALL { 1 } else { pool.threads() });
    let (down, across) = (g.m.div_ceil(high), g.n.div_ceil(wide));
    let pieces = match first {
        Right::Ready(BlockOfB::InPlace(_)) => 1,
        Right::Ready(BlockOfB::Packed { .. }) if cx.in_place => across,
        Right::Ready(BlockOfB::Packed { .. }) => across.max(g.n.div_ceil(STAGED)),
        Right::Unpacked(_) => across.max(g.n.div_ceil(local_columns(cx, wide))),
    };
    let rows = pack_rows(cx, pool, high, pieces);
    let cx = cx.with_rows(rows.as_ref());
    run(pool, g.batch * down * across, work, &|task| {
        let (batch, at) = (task / (down * across), task % (down * across));
        let (top, first) = (at / across * high, at % across * wide);
        let (rows, cols) = (top..(top + high).min(g.m), first..(first + wide).min(g.n));
        // SAFETY: each task computes rows and columns of its own; see `gemm`.
        unsafe {
            match right(&cx, batch) {
                Right::Ready(b) => cx.rows(batch, rows, cols, b),
                Right::Unpacked(b) => packed_in_pieces(&cx, batch, rows, cols, b),
            }
        }
    });
}

/// The relative time to pack an element, 1 for an element in memory.
fn packing<T: super::Factor>(source: &OperandSource<'_, T>) -> usize {
    if matches!(source, OperandSource::Prologue(_)) { 8 } else { 1 }
}

/// The rows and columns of a task, such that the threads are done soonest: a task packs its rows of A and its columns of B, and
/// the last task is waited for. Threads may differ in speed, so two or four tasks for each thread may be better than one.
fn part<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    b: usize,
    threads: usize,
) -> (usize, usize) {
    let (g, rows, panel) = (cx.g, cx.kernels.rows(), cx.kernels.cols());
    let a = packing(&g.a);
    let mut best = (usize::MAX, g.m.max(1), g.n.max(1));
    for tasks in if threads == 1 { vec![1] } else { vec![threads, 2 * threads, 4 * threads] } {
        let each = tasks.div_ceil(g.batch);
        let mut down = 1;
        while down <= each {
            let high = g.m.div_ceil(down).next_multiple_of(rows);
            let wide = g.n.div_ceil(each.div_ceil(down)).next_multiple_of(panel);
            let count = g.batch * g.m.div_ceil(high) * g.n.div_ceil(wide);
            // For each unit of K, computing a row of a tile takes about as long as packing one row or column; making an element
            // takes longer.
            let time = high * wide / panel + high * a + wide * b;
            let cost = count.div_ceil(threads) * time + time / 8;
            if cost < best.0 {
                best = (cost, high, wide);
            }
            down *= 2;
        }
    }
    (best.1, best.2)
}

/// The number of columns of B that one thread packs at a time for itself, of its `most` columns.
fn local_columns<T: Streamed, O: Rounded<Acc = T::Acc>>(cx: &Context<'_, T, O>, most: usize) -> usize {
    let (panel, size) = (cx.kernels.cols(), size_of::<T::Unit>());
    let least = if cx.g.scales.is_some() { LOCAL_COLUMNS / 2 } else { LOCAL_COLUMNS };
    (LOCAL_B / (cx.units.max(1) * size) / panel * panel).max(least).min(most)
}

/// Packs all rows of A, if that is less work than packing them again for each of `pieces` pieces of the columns; `high` is the
/// number of rows of a task.
fn pack_rows<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &ThreadPool,
    high: usize,
    pieces: usize,
) -> Option<Scratch> {
    let (g, len) = (cx.g, cx.packed_rows());
    if pieces < AGAIN || g.m <= cx.kernels.rows() || g.batch * len * size_of::<T::Unit>() > AHEAD {
        return None;
    }
    let mut memory = Scratch::new::<T::Unit>(g.batch * len);
    let to = Shared(memory.ptr::<T::Unit>());
    let (each, down) = (high.min(g.m).div_ceil(cx.high()), g.m.div_ceil(high));
    // SAFETY: each task writes the rows of one tile.
    run(pool, g.batch * down * each, 2 * g.m * g.n * g.k.max(1) * g.batch, &|task| unsafe {
        let (batch, at) = (task / (down * each), task % (down * each));
        let (first, last) = (at / each * high, (at / each * high + high).min(g.m));
        let top = first + at % each * cx.high();
        if top < last {
            cx.pack(batch, top..(top + cx.high()).min(last), to.get());
        }
    });
    Some(memory)
}

/// One task: packs its columns of B piece by piece and multiplies all rows with each.
///
/// # Safety
/// The rows and columns of C are this task's own; B has these columns.
unsafe fn packed_in_pieces<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    batch: usize,
    rows: Range<usize>,
    cols: Range<usize>,
    b: Matrix<'_, T>,
) {
    let (size, units) = (size_of::<T::Unit>(), cx.units.max(1));
    let width = local_columns(cx, cols.len());
    // A product with scales needs all of K at once.
    let depth = match cx.g.scales {
        Some(_) => units,
        None => (LOCAL_B / (width * size) / DEPTH * DEPTH).clamp(DEPTH, units.max(DEPTH)).min(units),
    };
    // The sums of parts of K are kept outside of C until K is complete: rows of C are in different pages, and may be of another
    // type.
    let apart = depth < units;
    let height = T::Unit::TOGETHER;
    let mut scratch = Scratch::new::<T::Unit>(packed::len(cx.kernels, depth * height, width));
    let mut sums = Scratch::new::<T::Acc>(if apart { rows.len() * width } else { 0 });
    let sums = SumRows { first: sums.ptr::<T::Acc>(), stride: width };
    for first in cols.clone().step_by(width) {
        let cols = first..(first + width).min(cols.end);
        let Gemm { batch: products, m, n, k, a, b: right, scales, .. } = *cx.g;
        let gathered = Gemm {
            batch: products,
            m,
            n,
            k,
            a,
            b: right,
            c: sums.first.wrapping_sub(rows.start * width + first),
            c_row: width,
            c_batch: 0,
            accumulate: false,
            scales,
        };
        let gathering = Context { rows: cx.rows, ..Context::new(cx.isa, &gathered, None) };
        for top in (0..units).step_by(depth) {
            let depth = depth.min(units - top);
            let lines = (depth * height).min(k - (top * height).min(k));
            let block = BlockOfB::Packed { ptr: scratch.ptr(), first, top, depth: depth.min(cx.units) };
            // SAFETY: the scratch holds the packed columns, the sums these rows of them; the rest is the caller's contract.
            unsafe {
                let from = b.from(top * height, first);
                packed::pack_range(cx.isa, from, lines, cols.len(), 0..cols.len(), 0..depth, scratch.ptr());
                match apart {
                    true => gathering.rows(batch, rows.clone(), cols.clone(), block),
                    false => cx.rows(batch, rows.clone(), cols.clone(), block),
                }
            }
        }
        if apart {
            // SAFETY: the sums of these rows and columns are complete.
            unsafe { cx.finish(batch, rows.clone(), cols, Some(sums)) };
        }
    }
}

/// Computes the columns `cols` of one product with all threads, with a B that is ready in `b`.
///
/// # Safety
/// As for [`Context::rows`].
unsafe fn shared<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &ThreadPool,
    batch: usize,
    cols: Range<usize>,
    b: BlockOfB<T>,
) {
    let g = cx.g;
    let (rows, panel) = (cx.kernels.rows(), cx.kernels.cols());
    let work = 2 * g.m * cols.len() * g.k.max(1);
    let threads = pool.threads();
    if work < SMALL {
        // SAFETY: the one task has all rows and columns to itself.
        unsafe { cx.rows(batch, 0..g.m, cols, b) };
        return;
    }
    let target = if threads == 1 { 1 } else { (work / SMALL).clamp(threads, 4 * threads) };
    let down = g.m.div_ceil(g.m.div_ceil(target).clamp(8 * rows, 16 * rows));
    let high = g.m.div_ceil(down).next_multiple_of(rows);
    let down = g.m.div_ceil(high);
    let wide = cols.len().div_ceil(target.div_ceil(down)).next_multiple_of(panel).max(2 * panel);
    let across = cols.len().div_ceil(wide);
    // SAFETY: each task computes rows and columns of its own; see `gemm`.
    run(pool, down * across, work, &|task| unsafe {
        let top = task / across * high;
        let left = cols.start + task % across * wide;
        cx.rows(batch, top..(top + high).min(g.m), left..(left + wide).min(cols.end), b);
    });
}
