//! Elementwise kernels on part of their rows and columns, before or behind another kernel.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use jarrah_base::Result;
use jarrah_tile::{Axis, Inst, LoopKernel, Map};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::body::Isa;
use super::collapse::collapse;
use super::frame::{Buffers, Frame, Tile, with_scratch};
use super::plan::{Plan, Shape, TILE, Tier};
use super::rows::unravel;
use super::streaming::Streaming;
use crate::gemm::Streaming as Units;

/// An elementwise kernel over the rows and columns of a dense matrix that it reads or makes, ready to run on any box of them.
pub struct BoxPlan {
    pub(super) plan: Plan,
    /// Whether it makes the matrix, somewhere else than in the matrix's own memory.
    makes: bool,
    /// The loop as one that multiplies what it makes, by the rows of the other operand and the units of a call.
    streaming: Mutex<FxHashMap<(usize, Units), Option<Arc<Streaming>>>>,
}

impl BoxPlan {
    /// `kernel`, whose `inputs` are the matrix, over rows and columns; `None` if it is no elementwise kernel over the matrix's
    /// elements.
    pub fn over(kernel: &LoopKernel, inputs: &[usize], rows: usize, cols: usize) -> Option<LoopKernel> {
        let mut kernel = collapse(kernel);
        if kernel.is_column()
            || kernel.body.iter().any(Inst::is_reduction)
            || !split_columns(&mut kernel, cols)
            || kernel.outer.iter().product::<usize>() != rows
            || kernel.stores.iter().any(|s| s.map.col == 0 && cols != 1)
        {
            return None;
        }
        let mut reads = kernel.body.iter().filter_map(|inst| match inst {
            Inst::Load { input, map, .. } if inputs.contains(input) => Some(map),
            _ => None,
        });
        reads.all(|map| is_dense(map, &kernel.outer, cols)).then_some(kernel)
    }

    /// Prepares `kernel`, whose `inputs` are the matrix; `None` if it is no elementwise kernel over its elements.
    ///
    /// # Errors
    /// What [`LoopKernel::verify`] finds.
    pub fn new(kernel: &LoopKernel, inputs: &[usize], rows: usize, cols: usize) -> Result<Option<BoxPlan>> {
        kernel.verify()?;
        let Some(kernel) = BoxPlan::over(kernel, inputs, rows, cols) else { return Ok(None) };
        BoxPlan::planned(kernel, false)
    }

    /// Prepares `kernel`, whose one output is the matrix, to make boxes of it in memory whose rows are `apart` elements apart; `None`
    /// if it is no elementwise kernel that makes such a matrix.
    ///
    /// # Errors
    /// What [`LoopKernel::verify`] finds.
    pub fn making(kernel: &LoopKernel, rows: usize, cols: usize, apart: usize) -> Result<Option<BoxPlan>> {
        kernel.verify()?;
        let Some(mut kernel) = BoxPlan::making_over(kernel, rows, cols) else { return Ok(None) };
        for stride in kernel.stores.iter_mut().flat_map(|store| &mut store.map.rows) {
            *stride = *stride / cols.max(1) as i64 * apart as i64;
        }
        BoxPlan::planned(kernel, true)
    }

    /// `kernel`, whose one output is the matrix, over rows and columns; `None` if it is no elementwise kernel that makes it.
    pub fn making_over(kernel: &LoopKernel, rows: usize, cols: usize) -> Option<LoopKernel> {
        let kernel = BoxPlan::over(kernel, &[], rows, cols)?;
        let [store] = &kernel.stores[..] else { return None };
        is_dense(&store.map, &kernel.outer, cols).then_some(kernel)
    }

    /// A loop without reductions that makes a matrix, for steps of the interpreter.
    ///
    /// # Errors
    /// What [`LoopKernel::verify`] finds.
    #[cfg_attr(
        not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
        allow(dead_code, reason = "only machine code looks values up")
    )]
    pub(super) fn interpreted(kernel: LoopKernel) -> Result<Option<BoxPlan>> {
        BoxPlan::of(Plan::collapsed(kernel, Isa::detect(), Tier::Interpreter, TILE)?, true)
    }

    fn planned(kernel: LoopKernel, makes: bool) -> Result<Option<BoxPlan>> {
        BoxPlan::of(Plan::collapsed(kernel, Isa::detect(), Tier::best(Isa::detect()), TILE)?, makes)
    }

    fn of(plan: Plan, makes: bool) -> Result<Option<BoxPlan>> {
        let tiles = [false, true].iter().all(|&overlaps| matches!(plan.shape(overlaps), Shape::Tiles(_)));
        Ok(tiles.then(|| BoxPlan { plan, makes, streaming: Mutex::default() }))
    }

    /// The loop as one that multiplies the rows it makes, made once; see [`Streaming::new`].
    ///
    /// # Errors
    /// As [`Streaming::new`].
    pub fn streaming(&self, rows: usize, units: Units) -> Result<Option<Arc<Streaming>>> {
        let mut known = self.streaming.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(streaming) = known.get(&(rows, units)) {
            return Ok(streaming.clone());
        }
        let streaming = Streaming::new(self, rows, units)?.map(Arc::new);
        known.insert((rows, units), streaming.clone());
        Ok(streaming)
    }

    /// Runs the kernel on the rows and columns of a box, on the calling thread. One that makes the matrix stores the element of row
    /// r and column c `r * apart + c` elements behind the output's address.
    ///
    /// # Safety
    /// As for [`Plan::run`], of the elements of the box. What is made overlaps no input.
    pub unsafe fn run(
        &self,
        rows: Range<usize>,
        cols: Range<usize>,
        inputs: &[*const u8],
        outputs: &[*mut u8],
    ) {
        let plan = &self.plan;
        let overlaps = !self.makes && plan.overlaps(inputs, outputs);
        let Shape::Tiles(tiles) = plan.shape(overlaps) else { return };
        let buffers =
            Buffers { inputs, outputs, given: &[], partial: &[], partial_index: &[], stream: false };
        let extents = &plan.kernel.outer;
        let rank = extents.len();
        let last = extents[rank - 1];
        with_scratch(tiles.program.scratch(tiles.tile_bytes, tiles.row_bytes), |scratch| {
            let mut frame = Frame::new(&tiles.program, scratch, tiles.tile_bytes, tiles.row_bytes, &[]);
            let mut index: SmallVec<[usize; 8]> = smallvec![0; rank];
            // SAFETY: the scratch is as long as the program says for the largest tile; the rest is the caller's
            // promise.
            unsafe {
                frame.fill(plan.isa, (tiles.rows * tiles.cols).max(1));
                let mut row = rows.start;
                while row < rows.end {
                    let count = tiles.rows.min(rows.end - row).min(last - row % last);
                    unravel(row, extents, &mut index);
                    for first_col in cols.clone().step_by(tiles.cols) {
                        let tile = Tile {
                            index: &index,
                            run: Some(rank - 1),
                            rows: count,
                            first_col,
                            cols: tiles.cols.min(cols.end - first_col),
                            row: 0,
                            chunk: 0,
                            chunks: 1,
                            lane: 0,
                        };
                        frame.run(&tile, &buffers);
                    }
                    row += count;
                }
            }
        });
    }
}

/// Makes the columns `cols` long by splitting them; whether that is possible.
fn split_columns(kernel: &mut LoopKernel, cols: usize) -> bool {
    if kernel.cols == cols {
        return true;
    }
    let ramps = kernel.body.iter().any(|i| matches!(i, Inst::Iota { axis: Axis::Cols, .. }));
    if ramps || cols == 0 || !kernel.cols.is_multiple_of(cols) {
        return false;
    }
    kernel.outer.push(kernel.cols / cols);
    kernel.cols = cols;
    let loads = kernel.body.iter_mut().filter_map(|inst| match inst {
        Inst::Load { map, .. } => Some(map),
        _ => None,
    });
    for map in loads.chain(kernel.stores.iter_mut().map(|s| &mut s.map)) {
        map.rows.push(map.col * cols as i64);
    }
    true
}

/// Whether the map is that of a dense row-major array of the iteration space.
fn is_dense(map: &Map, outer: &[usize], cols: usize) -> bool {
    let mut stride = cols as i64;
    let mut dense = map.offset == 0 && (map.col == 1 || cols == 1);
    for (&extent, &have) in outer.iter().zip(&map.rows).rev() {
        dense &= have == stride || extent == 1;
        stride *= extent as i64;
    }
    dense
}
