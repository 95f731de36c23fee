//! Elementwise kernels that run on boxes of a matrix, before or after another kernel.

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
use super::row_blocks::RowBlocks;
use super::rows::unravel;
use crate::gemm::{RowBlock, prefetch};

/// The bytes of a line of the caches.
const LINE: usize = 64;

/// An elementwise kernel over the rows and columns of a dense matrix that it reads or makes, ready to run on any box of them.
pub struct BoxPlan {
    pub(super) plan: Plan,
    /// Whether the kernel makes the matrix, in other memory than the matrix's own.
    makes: bool,
    /// The number of rows of the matrix, if the loop goes through it panel by panel: its rows are those of the first panel, then
    /// those of the next, and its columns those of a panel.
    pub(super) in_panels: Option<usize>,
    /// The inputs with the most elements to read, among inputs whose columns are adjacent, and their maps.
    largest: Vec<(usize, Map)>,
    /// The loop compiled to compute row blocks, by their form and the loop of the scales.
    row_blocks: Mutex<FxHashMap<(RowBlock, Option<LoopKernel>), Option<Arc<RowBlocks>>>>,
}

impl BoxPlan {
    /// `kernel`, whose `inputs` are the matrix, as a loop over the matrix's rows and columns; `None` if it is not an elementwise
    /// kernel over the matrix's elements.
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
    /// The errors of [`LoopKernel::verify`].
    pub fn new(kernel: &LoopKernel, inputs: &[usize], rows: usize, cols: usize) -> Result<Option<BoxPlan>> {
        kernel.verify()?;
        let Some(kernel) = BoxPlan::over(kernel, inputs, rows, cols) else { return Ok(None) };
        BoxPlan::planned(kernel, false, None)
    }

    /// Prepares `kernel`, whose one output is the matrix, to make boxes of it in memory whose rows are `apart` elements apart; `None`
    /// if it is no elementwise kernel that makes such a matrix.
    ///
    /// # Errors
    /// The errors of [`LoopKernel::verify`].
    pub fn making(kernel: &LoopKernel, rows: usize, cols: usize, apart: usize) -> Result<Option<BoxPlan>> {
        kernel.verify()?;
        let Some((mut kernel, in_panels)) = BoxPlan::makes(kernel, rows, cols) else { return Ok(None) };
        // Within a row, elements stay adjacent.
        let panels = usize::from(in_panels.is_some());
        for stride in kernel.stores.iter_mut().flat_map(|store| store.map.rows.iter_mut().skip(panels)) {
            *stride = *stride / cols.max(1) as i64 * apart as i64;
        }
        BoxPlan::planned(kernel, true, in_panels)
    }

    /// Whether `kernel`, whose one output is the matrix, is an elementwise kernel that makes it.
    pub fn makes_over(kernel: &LoopKernel, rows: usize, cols: usize) -> bool {
        BoxPlan::makes(kernel, rows, cols).is_some()
    }

    /// `kernel`, whose one output is the matrix, as a loop over rows and columns, or, if its inputs lie in panels of columns,
    /// over panels, rows, and the columns of a panel; `None` if it is not an elementwise kernel that makes the matrix.
    fn makes(kernel: &LoopKernel, rows: usize, cols: usize) -> Option<(LoopKernel, Option<usize>)> {
        let is_made = |kernel: &LoopKernel, cols| match &kernel.stores[..] {
            [store] => is_dense(&store.map, &kernel.outer, cols),
            _ => false,
        };
        if let Some(kernel) = BoxPlan::over(kernel, &[], rows, cols) {
            return is_made(&kernel, cols).then_some((kernel, None));
        }
        let wide = collapse(kernel).cols;
        let panels = cols.checked_div(wide).filter(|panels| *panels > 1 && panels * wide == cols)?;
        let mut kernel = BoxPlan::over(kernel, &[], rows * panels, wide)?;
        if !is_made(&kernel, wide) || kernel.outer.last() != Some(&panels) {
            return None;
        }
        panels_first(&mut kernel);
        Some((kernel, Some(rows)))
    }

    /// Prepares a loop without reductions that makes a matrix, to run in the interpreter.
    ///
    /// # Errors
    /// The errors of [`LoopKernel::verify`].
    #[cfg_attr(
        not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
        allow(dead_code, reason = "only machine code looks values up")
    )]
    pub(super) fn interpreted(kernel: LoopKernel) -> Result<Option<BoxPlan>> {
        BoxPlan::of(Plan::collapsed(kernel, Isa::detect(), Tier::Interpreter, TILE)?, true, None)
    }

    fn planned(kernel: LoopKernel, makes: bool, in_panels: Option<usize>) -> Result<Option<BoxPlan>> {
        let plan = Plan::collapsed(kernel, Isa::detect(), Tier::best(Isa::detect()), TILE)?;
        BoxPlan::of(plan, makes, in_panels)
    }

    fn of(plan: Plan, makes: bool, in_panels: Option<usize>) -> Result<Option<BoxPlan>> {
        let tiles = [false, true].iter().all(|&overlaps| matches!(plan.shape(overlaps), Shape::Tiles(_)));
        let largest = largest(&plan.kernel);
        Ok(tiles.then(|| BoxPlan { plan, makes, largest, in_panels, row_blocks: Mutex::default() }))
    }

    /// The number of columns of a panel, if the loop goes through the matrix panel by panel.
    pub fn panel(&self) -> Option<usize> {
        self.in_panels.map(|_| self.plan.kernel.cols)
    }

    /// The parts of a box: the loop's rows and columns, and the box's first column that they begin at.
    pub(super) fn parts(
        &self,
        rows: Range<usize>,
        cols: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, Range<usize>, usize)> {
        let wide = if self.in_panels.is_some() { self.plan.kernel.cols } else { usize::MAX };
        let each = self.in_panels.unwrap_or(0);
        let panels = if cols.is_empty() { 0..0 } else { cols.start / wide..(cols.end - 1) / wide + 1 };
        panels.map(move |panel| {
            let first = panel.saturating_mul(wide);
            let part = cols.start.max(first) - first..(cols.end - first).min(wide);
            let rows = panel * each + rows.start..panel * each + rows.end;
            (rows, part.clone(), first + part.start)
        })
    }

    /// The loop compiled to compute row blocks, with scales made by `scales`; compiled once; see [`RowBlocks::new`].
    ///
    /// # Errors
    /// As [`RowBlocks::new`].
    pub fn row_blocks(&self, scales: Option<&BoxPlan>, block: RowBlock) -> Result<Option<Arc<RowBlocks>>> {
        let mut known = self.row_blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (block, scales.map(|scales| scales.plan.kernel.clone()));
        if let Some(compiled) = known.get(&key) {
            return Ok(compiled.clone());
        }
        let compiled = RowBlocks::new(self, scales, block)?.map(Arc::new);
        known.insert(key, compiled.clone());
        Ok(compiled)
    }

    /// Runs the kernel on the rows and columns of a box, on the calling thread. A kernel that makes the matrix stores the element
    /// of row r and column c `r * apart + c` elements behind the output's address.
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
        for (rows, cols, _) in self.parts(rows, cols) {
            // SAFETY: the caller's promise, of a part of the box.
            unsafe { self.run_part(rows, cols, inputs, outputs) };
        }
    }

    /// Prefetches the part of the largest inputs that the kernel reads for a box; rows beyond the last one are left out.
    pub fn prefetch(&self, rows: Range<usize>, cols: Range<usize>, inputs: &[*const u8]) {
        let kernel = &self.plan.kernel;
        let all = self.in_panels.unwrap_or_else(|| kernel.outer.iter().product());
        let mut index: SmallVec<[usize; 8]> = smallvec![0; kernel.outer.len()];
        for (rows, cols, _) in self.parts(rows.start.min(all)..rows.end.min(all), cols) {
            for (input, map) in &self.largest {
                let size = kernel.inputs[*input].size();
                let (line, mut last) = (LINE / size, None);
                for row in rows.clone() {
                    unravel(row, &kernel.outer, &mut index);
                    let by_row = map.rows.iter().zip(&index).map(|(&stride, &i)| stride * i as i64);
                    let first = (map.offset + by_row.sum::<i64>()) as isize;
                    // Several rows may be made from one row of an input, such as packed codes.
                    if last.replace(first) != Some(first) {
                        let at = |col: usize| (first + col as isize) * size as isize;
                        let columns = (cols.start..cols.end).step_by(line);
                        columns.for_each(|col| prefetch(inputs[*input].wrapping_offset(at(col))));
                    }
                }
            }
        }
    }

    /// As [`run`](Self::run), for a range of the loop's own rows and columns.
    ///
    /// # Safety
    /// As for `run`.
    unsafe fn run_part(
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

/// The inputs of which a kernel reads the most elements, among those whose columns are adjacent, and their maps.
fn largest(kernel: &LoopKernel) -> Vec<(usize, Map)> {
    let rows = |map: &Map| {
        let extents = kernel.outer.iter().zip(&map.rows);
        extents.map(|(&extent, &stride)| if stride == 0 { 1 } else { extent }).product::<usize>()
    };
    let loads = || {
        kernel.body.iter().filter_map(|inst| match inst {
            Inst::Load { input, map, .. } if map.col == 1 => Some((*input, map)),
            _ => None,
        })
    };
    let most = loads().map(|(_, map)| rows(map)).max();
    loads().filter(|(_, map)| Some(rows(map)) == most).map(|(input, map)| (input, map.clone())).collect()
}

/// Splits the columns into rows of `cols` columns. Returns whether that is possible.
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

/// Moves the last dimension, that of panels, in front of the others.
fn panels_first(kernel: &mut LoopKernel) {
    let dims = kernel.outer.len();
    kernel.outer.rotate_right(1);
    for inst in &mut kernel.body {
        match inst {
            Inst::Load { map, .. } => map.rows.rotate_right(1),
            Inst::Iota { axis: Axis::Row(d), .. } => *d = (*d + 1) % dims,
            _ => {}
        }
    }
    kernel.stores.iter_mut().for_each(|store| store.map.rows.rotate_right(1));
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
