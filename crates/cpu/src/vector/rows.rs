//! Row kernels.

use super::body::Args;
use super::fold::CHUNK;
use super::frame::{Buffers, Frame, Tile, with_scratch};
use super::plan::{Combine, Passes, Plan, Tiles};
use super::runnable::Runnable;
use crate::threads::ThreadPool;

/// Elements times steps below which waking workers costs more than it saves.
const SMALL: usize = 1 << 16;
/// Tasks per thread: enough that a delayed worker's share is small.
const SHARE: usize = 8;

/// Splits `units` of work, each of `cost` element-steps, into tasks.
pub(super) fn tasks(units: usize, cost: usize, pool: &ThreadPool) -> usize {
    if pool.threads() == 1 || units.saturating_mul(cost) < SMALL {
        1
    } else {
        units.min(pool.threads() * SHARE)
    }
}

/// The units of task `t` of `tasks`.
pub(super) fn share(units: usize, tasks: usize, t: usize) -> std::ops::Range<usize> {
    units * t / tasks..units * (t + 1) / tasks
}

/// Indices along the outer dimensions of row `row`, row-major.
pub(super) fn unravel(mut row: usize, extents: &[usize], index: &mut [usize]) {
    for (i, &extent) in index.iter_mut().zip(extents).rev() {
        *i = row % extent.max(1);
        row /= extent.max(1);
    }
}

/// # Safety
/// `Plan::run`'s promise.
pub(super) unsafe fn run_tiles(plan: &Plan, tiles: &Tiles, pool: &ThreadPool, buffers: &Buffers<'_>) {
    let kernel = &plan.kernel;
    let rank = kernel.outer.len();
    let last = kernel.outer[rank - 1];
    let row_blocks = last.div_ceil(tiles.rows);
    let col_blocks = kernel.cols.div_ceil(tiles.cols.max(1)).max(1);
    let prefixes: usize = kernel.outer[..rank - 1].iter().product();
    let units = prefixes * row_blocks * col_blocks;
    let cost = tiles.rows * tiles.cols * tiles.program.cost(plan);
    let tasks = tasks(units, cost, pool);
    pool.run(tasks, &|t| {
        let bytes = tiles.program.scratch(tiles.tile_bytes, tiles.row_bytes);
        with_scratch(bytes, |scratch| {
            let mut frame = Frame::new(&tiles.program, scratch, tiles.tile_bytes, tiles.row_bytes, &[]);
            let mut index = [0usize; 16];
            let mut long = vec![0usize; if rank > 16 { rank } else { 0 }];
            let index = if rank > 16 { &mut long[..] } else { &mut index[..rank] };
            // SAFETY: the scratch is as long as the program says for the largest tile; the rest is the caller's
            // promise, and units are distinct rows and columns.
            unsafe {
                frame.fill(plan.isa, (tiles.rows * tiles.cols).max(1));
                for unit in share(units, tasks, t) {
                    let (block, prefix) =
                        (unit % (row_blocks * col_blocks), unit / (row_blocks * col_blocks));
                    let (row, col) = (block / col_blocks * tiles.rows, block % col_blocks * tiles.cols);
                    unravel(prefix, &kernel.outer[..rank - 1], &mut index[..rank - 1]);
                    index[rank - 1] = row;
                    let tile = Tile {
                        index,
                        run: Some(rank - 1),
                        rows: tiles.rows.min(last - row),
                        first_col: col,
                        cols: tiles.cols.min(kernel.cols - col),
                        row: 0,
                        chunk: 0,
                        chunks: 1,
                        lane: 0,
                    };
                    frame.run(&tile, buffers);
                }
            }
        });
    });
}

/// # Safety
/// `Plan::run`'s promise.
pub(super) unsafe fn run_passes(plan: &Plan, passes: &Passes, pool: &ThreadPool, buffers: &Buffers<'_>) {
    let kernel = &plan.kernel;
    let rows: usize = kernel.outer.iter().product();
    let chunks = kernel.cols.div_ceil(CHUNK);
    // Words, so that every element type is aligned.
    let words = |elements: usize, size: usize| vec![0u64; (elements * size).div_ceil(8)];
    let mut given: Vec<Vec<u64>> = passes.reductions.iter().map(|r| words(rows, r.result.size())).collect();
    let mut partial: Vec<Vec<u64>> =
        passes.reductions.iter().map(|r| words(rows * chunks, r.compute.size())).collect();
    let mut index: Vec<Vec<u64>> = passes
        .reductions
        .iter()
        .map(|r| words(if matches!(r.kind, Combine::Arg(_)) { rows * chunks } else { 0 }, 4))
        .collect();
    let pointers =
        |v: &mut Vec<Vec<u64>>| v.iter_mut().map(|v| v.as_mut_ptr().cast::<u8>()).collect::<Vec<_>>();
    let (given, partial, index) = (pointers(&mut given), pointers(&mut partial), pointers(&mut index));
    let buffers = Buffers { given: &given, partial: &partial, partial_index: &index, ..*buffers };
    for (level, program) in passes.levels.iter().enumerate() {
        let Some(program) = program else { continue };
        // SAFETY: the caller's promise; results of reductions have an element per row and chunk.
        unsafe { pass(plan, passes, program, (rows, chunks, kernel.cols), pool, &buffers) };
        for (k, r) in passes.reductions.iter().enumerate().filter(|(_, r)| r.level == level) {
            let compute = r.compute.size() as isize;
            let args = Args {
                rows,
                cols: chunks,
                dst: given[k],
                dst_pitch: r.result.size() as isize,
                dst_step: 0,
                src: [partial[k], index[k], std::ptr::null(), std::ptr::null()],
                pitch: [chunks as isize * compute, chunks as isize * 4, 0, 0],
                src_step: 0,
                base: 0,
                dst2: std::ptr::null_mut(),
            };
            if let Combine::Fold(f) | Combine::Arg(f) = r.kind {
                // SAFETY: the partial results have `rows` × `chunks` elements, all written by the pass.
                unsafe { f(&args) };
            }
        }
    }
    if let Some(program) = &passes.per_row {
        // SAFETY: as above; the program touches no columns.
        unsafe { pass(plan, passes, program, (rows, 1, 1), pool, &buffers) };
    }
}

/// # Safety
/// `Plan::run`'s promise; `buffers` has the results and partial results of the reductions.
unsafe fn pass(
    plan: &Plan,
    passes: &Passes,
    program: &Runnable,
    (rows, chunks, cols): (usize, usize, usize),
    pool: &ThreadPool,
    buffers: &Buffers<'_>,
) {
    let kernel = &plan.kernel;
    let rank = kernel.outer.len();
    let units = rows * chunks;
    let tasks = tasks(units, cols.min(CHUNK) * program.cost(plan), pool);
    pool.run(tasks, &|t| {
        with_scratch(program.scratch(passes.tile_bytes, passes.row_bytes), |scratch| {
            let mut frame = Frame::new(program, scratch, passes.tile_bytes, passes.row_bytes, &[]);
            let mut index = vec![0usize; rank];
            // SAFETY: the scratch is as long as the program says for a chunk; units are distinct.
            unsafe {
                frame.fill(plan.isa, cols.min(CHUNK));
                for unit in share(units, tasks, t) {
                    let (row, chunk) = (unit / chunks, unit % chunks);
                    unravel(row, &kernel.outer, &mut index);
                    let tile = Tile {
                        index: &index,
                        run: Some(rank - 1),
                        rows: 1,
                        first_col: chunk * CHUNK,
                        cols: CHUNK.min(cols - chunk * CHUNK),
                        row,
                        chunk,
                        chunks,
                        lane: 0,
                    };
                    frame.run(&tile, buffers);
                }
            }
        });
    });
}
