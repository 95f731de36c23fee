//! Column reductions.

use jarrah_base::{Error, Result};
use jarrah_tile::Inst;

use super::body::{Args, Kernel};
use super::fold::{CHUNK, LANES};
use super::frame::{Buffers, Frame, Tile, with_scratch};
use super::plan::{Plan, Source, reductions, round};
use super::rows::{share, tasks, unravel};
use super::runnable::Runnable;
use super::table::{self, Folds};
use crate::threads::ThreadPool;

/// The number of columns of a task, whose lanes stay in the L1 cache.
const COLS: usize = 256;

pub(super) struct Columns {
    body: Runnable,
    epilogue: Runnable,
    folds: Vec<Fold>,
    /// The number of levels of lanes: one for each factor of [`CHUNK`] in the extent.
    levels: usize,
    rows: usize,
    element: usize,
}

struct Fold {
    folds: Folds,
    compute: usize,
}

fn call(kernel: Kernel, args: Args) {
    // SAFETY: all callers pass lanes and results of this task's scratch, laid out for `cols` columns.
    unsafe { kernel(&args) }
}

impl Columns {
    pub fn compile(source: &Source<'_>) -> Result<Columns> {
        let kernel = source.kernel;
        let n = kernel.body.len();
        let found = reductions(source)?;
        let mut result: Vec<Option<u16>> = vec![None; n];
        let mut folds = Vec::new();
        for (k, r) in found.iter().enumerate() {
            result[r.inst] = Some(k as u16);
            let Inst::Reduce(f, x) = kernel.body[r.inst] else {
                return Err(Error::internal("loop kernel: a column reduction folds with reducers only"));
            };
            let of = source.types[x.index()].0;
            let f = table::folds(source.isa, f, of)
                .ok_or_else(|| Error::internal(format!("loop kernel: no code for reduce {f} on {of}")))?;
            folds.push(Fold { folds: f, compute: r.compute.size() });
        }
        let insts: Vec<usize> = found.iter().map(|r| r.inst).collect();
        let stores: Vec<usize> = (0..kernel.stores.len()).collect();
        let none = vec![None; n];
        let last = kernel.rank() - 1;
        let body = source.program(&insts, &[], &none, &result, Some(last))?;
        let epilogue = source.program(&[], &stores, &result, &none, None)?;
        let extent: usize = kernel.reduce.iter().product();
        let mut levels = 1;
        let mut reach = CHUNK;
        while reach < extent {
            levels += 1;
            reach = reach.saturating_mul(CHUNK);
        }
        let element = source.element().max(8);
        let cols = kernel.cols.clamp(1, COLS);
        let elements = match &body {
            Runnable::Steps(steps) => source.tile_elements(steps.tiles),
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(_) => CHUNK * cols,
        };
        let rows = (elements / cols / LANES * LANES).max(LANES);
        Ok(Columns { body, epilogue, folds, levels, rows, element })
    }

    pub fn programs(&self) -> [&Runnable; 2] {
        [&self.body, &self.epilogue]
    }

    /// # Safety
    /// `Plan::run`'s promise.
    pub unsafe fn run(&self, plan: &Plan, pool: &ThreadPool, buffers: &Buffers<'_>) {
        let kernel = &plan.kernel;
        let outer: usize = kernel.outer.iter().product();
        let extent: usize = kernel.reduce.iter().product();
        let steps = self.body.cost(plan) + self.epilogue.cost(plan);
        let cost = extent.saturating_mul(kernel.cols).saturating_mul(steps);
        // If there are few columns, tasks get narrow blocks of them.
        let even = if tasks(2, outer * cost / 2, pool) == 1 {
            COLS
        } else {
            (kernel.cols * outer).div_ceil(pool.threads() * 2).next_multiple_of(16)
        };
        let cols = even.clamp(16, COLS);
        let blocks = kernel.cols.div_ceil(cols);
        let units = outer * blocks;
        let tasks = tasks(units, cost / blocks.max(1), pool);
        // Machine code uses no tiles, and the code after the reduction computes one row.
        let rows = if self.body.is_native() { 1 } else { self.rows };
        let tile_bytes = round(rows * cols * self.element);
        let row_bytes = round(rows * self.element);
        let lane_bytes: Vec<usize> = self.folds.iter().map(|f| round(LANES * cols * f.compute)).collect();
        let lanes_total: usize = lane_bytes.iter().sum::<usize>() * self.levels;
        let program_bytes =
            self.body.scratch(tile_bytes, row_bytes).max(self.epilogue.scratch(tile_bytes, row_bytes));
        let given_bytes = round(cols * self.element);
        // The last block of scratch receives the folded row of a level on its way to the next.
        let bytes = program_bytes + lanes_total + given_bytes * (self.folds.len() + 1);
        pool.run(tasks, &|t| {
            with_scratch(bytes, |scratch| {
                let mut at = program_bytes;
                let mut take = |bytes: usize| {
                    at += bytes;
                    scratch.wrapping_add(at - bytes)
                };
                let lanes: Vec<Vec<*mut u8>> =
                    (0..self.levels).map(|_| lane_bytes.iter().map(|&b| take(b)).collect()).collect();
                let given: Vec<*mut u8> = self.folds.iter().map(|_| take(given_bytes)).collect();
                let row = take(given_bytes);
                for unit in share(units, tasks, t) {
                    let first = unit % blocks * cols;
                    let block = Block { first, cols: cols.min(kernel.cols - first), outer: unit / blocks };
                    let task = Task { columns: self, plan, lanes: &lanes, given: &given, row };
                    // SAFETY: the scratch has the parts just laid out; units are distinct columns.
                    unsafe { task.run(&block, scratch, tile_bytes, row_bytes, buffers) };
                }
            });
        });
    }
}

struct Block {
    first: usize,
    cols: usize,
    outer: usize,
}

struct Task<'a> {
    columns: &'a Columns,
    plan: &'a Plan,
    lanes: &'a [Vec<*mut u8>],
    given: &'a [*mut u8],
    row: *mut u8,
}

impl Task<'_> {
    /// # Safety
    /// `Plan::run`'s promise; the parts of the scratch are distinct.
    unsafe fn run(
        &self,
        block: &Block,
        scratch: *mut u8,
        tile_bytes: usize,
        row_bytes: usize,
        buffers: &Buffers<'_>,
    ) {
        let kernel = &self.plan.kernel;
        let outer_rank = kernel.outer.len();
        let cols = block.cols;
        for level in self.lanes {
            for (fold, &lanes) in self.columns.folds.iter().zip(level) {
                let args = self.args(lanes, std::ptr::null(), fold.compute, cols);
                call(fold.folds.reset, Args { rows: LANES, ..args });
            }
        }
        let mut index = vec![0usize; kernel.rank()];
        unravel(block.outer, &kernel.outer, &mut index[..outer_rank]);
        let last = *kernel.reduce.last().unwrap_or(&0);
        let prefixes: usize = kernel.reduce[..kernel.reduce.len() - 1].iter().product();
        let mut counts = vec![0usize; self.columns.levels];
        let mut frame = Frame::new(&self.columns.body, scratch, tile_bytes, row_bytes, &self.lanes[0]);
        // SAFETY: tiles have `rows` × `cols` elements; the rest is the caller's promise.
        unsafe {
            frame.fill(self.plan.isa, self.columns.rows * cols);
            for prefix in 0..prefixes {
                let rank = kernel.rank();
                unravel(prefix, &kernel.reduce[..kernel.reduce.len() - 1], &mut index[outer_rank..rank - 1]);
                let mut r = 0;
                while r < last {
                    let rows = self.columns.rows.min(last - r).min(CHUNK - counts[0]);
                    index[rank - 1] = r;
                    let tile = Tile {
                        index: &index,
                        run: Some(rank - 1),
                        rows,
                        first_col: block.first,
                        cols,
                        row: 0,
                        chunk: 0,
                        chunks: 1,
                        lane: counts[0],
                    };
                    frame.run(&tile, buffers);
                    r += rows;
                    counts[0] += rows;
                    if counts[0] == CHUNK && self.columns.levels > 1 {
                        self.carry(0, &mut counts, cols);
                    }
                }
            }
        }
        for level in 0..self.columns.levels - 1 {
            if counts[level] > 0 {
                self.carry(level, &mut counts, cols);
            }
        }
        let top = &self.lanes[self.columns.levels - 1];
        for ((fold, &lanes), &given) in self.columns.folds.iter().zip(top).zip(self.given) {
            let base = i64::from(prefixes * last <= LANES);
            call(fold.folds.collapse, Args { rows: 1, base, ..self.args(given, lanes, fold.compute, cols) });
        }
        index[outer_rank..].fill(0);
        let tile = Tile {
            index: &index,
            run: None,
            rows: 1,
            first_col: block.first,
            cols,
            row: 0,
            chunk: 0,
            chunks: 1,
            lane: 0,
        };
        let mut frame = Frame::new(&self.columns.epilogue, scratch, tile_bytes, row_bytes, &[]);
        // SAFETY: as above; the results have `cols` elements each.
        unsafe {
            frame.fill(self.plan.isa, cols);
            frame.run(&tile, &Buffers { given: self.given, ..*buffers });
        }
    }

    /// Folds the lanes of a level into one row, and adds the row to the next level.
    fn carry(&self, level: usize, counts: &mut [usize], cols: usize) {
        for (k, fold) in self.columns.folds.iter().enumerate() {
            let lanes = self.lanes[level][k];
            call(
                fold.folds.collapse_level,
                Args { rows: 1, ..self.args(self.row, lanes, fold.compute, cols) },
            );
            let next = self.lanes[level + 1][k];
            let args = self.args(next, self.row, fold.compute, cols);
            call(fold.folds.accumulate_level, Args { rows: 1, base: counts[level + 1] as i64, ..args });
        }
        counts[level] = 0;
        counts[level + 1] += 1;
        if counts[level + 1] == CHUNK && level + 2 < counts.len() {
            self.carry(level + 1, counts, cols);
        }
    }

    fn args(&self, dst: *mut u8, src: *const u8, compute: usize, cols: usize) -> Args {
        let pitch = (cols * compute) as isize;
        Args {
            rows: 0,
            cols,
            dst,
            dst_pitch: pitch,
            dst_step: 0,
            src: [src, std::ptr::null(), std::ptr::null(), std::ptr::null()],
            pitch: [pitch; 4],
            src_step: 0,
            base: 0,
            dst2: std::ptr::null_mut(),
        }
    }
}
