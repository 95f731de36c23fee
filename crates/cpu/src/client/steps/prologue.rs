//! Prologues of products: loops that compute an operand as the product reads it.

use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{DType, Result, Type};
use jarrah_execute::{Place, StepSite};
use jarrah_hlo::ops::{DotGeneral, Kernel};
use smallvec::SmallVec;

use super::{merged_stride, row_major};
use crate::client::device::{Frame, FramePointers, StepBuilder};
use crate::client::plans::Over;
use crate::gemm::{FusedRows, Prologue, RowBlock};
use crate::vector::{BoxPlan, RowBlocks};

/// A loop that computes an operand of a product, and where the loop's inputs are.
#[derive(Clone)]
pub struct LoopPrologue {
    pub plan: Arc<BoxPlan>,
    pub inputs: Vec<Place>,
    lines: Lines,
    /// The distance between the lines that it writes, in elements.
    pub stride: usize,
    /// Its machine code for row blocks, if there is any.
    row_blocks: Option<(RowBlock, Arc<RowBlocks>)>,
}

/// An operand as lines of neighbouring elements, which are its rows or its columns.
#[derive(Clone, Copy)]
pub struct Lines {
    pub count: usize,
    pub places: usize,
    /// Whether there is a line for each position of the contracted axes, instead of the free axes.
    pub of_contracted: bool,
}

impl Lines {
    /// The lines of operand `side` of a product; `None` if neither the contracted nor the free axes are neighbours throughout.
    pub fn of(dot: &DotGeneral, ty: Type, side: usize) -> Option<Lines> {
        let dims: Vec<usize> = ty.extents().collect();
        let (free, contract) = match side {
            0 => (dot.lhs_free(dims.len()), &dot.lhs_contract),
            _ => (dot.rhs_free(dims.len()), &dot.rhs_contract),
        };
        let extent = |axes: &[usize]| axes.iter().map(|&a| dims[a]).product::<usize>();
        let (f, k) = (extent(&free), extent(contract));
        let strides = row_major(&dims);
        let apart = (merged_stride(&dims, &strides, &free)?, merged_stride(&dims, &strides, contract)?);
        let lines = |places: usize, of_contracted| Lines {
            count: dims.iter().product::<usize>() / places,
            places,
            of_contracted,
        };
        match apart {
            _ if f <= 1 || k <= 1 => None,
            (free, 1) if free == k as isize => Some(lines(k, false)),
            (1, contract) if contract == f as isize => Some(lines(f, true)),
            _ => None,
        }
    }
}

/// The addresses of a loop's arrays, shared by the tasks of a product.
pub struct Pointers {
    pub inputs: SmallVec<[*const u8; 8]>,
    pub outputs: SmallVec<[*mut u8; 4]>,
}

impl Pointers {
    pub fn new(frame: &Frame<'_>, inputs: &[Place], outputs: &[Place]) -> Pointers {
        Pointers {
            inputs: inputs.iter().map(|&l| frame.at(l).cast_const()).collect(),
            outputs: outputs.iter().map(|&l| frame.at(l)).collect(),
        }
    }
}

// SAFETY: plain addresses; each task touches the elements of its own parts of the product.
unsafe impl Sync for Pointers {}

impl LoopPrologue {
    /// The loop `kernel` at `site` as the prologue of an operand in `lines`, `stride` elements from one to the next; `None` if the loop runs on
    /// no boxes.
    pub fn new(
        b: &mut StepBuilder,
        site: &StepSite<'_>,
        kernel: &Kernel,
        lines: Option<Lines>,
        stride: usize,
    ) -> Result<Option<LoopPrologue>> {
        let types: Vec<Type> = site.operands.iter().map(|o| o.ty).collect();
        let (Some(lines), Some(loops)) = (lines, jarrah_tile::lower_to_one(kernel, &types)) else {
            return Ok(None);
        };
        let over = Over::Made(stride, [lines.count, lines.places]);
        let inputs = site.operands.iter().map(|a| a.loc).collect();
        Ok(b.plans.boxes(loops, over)?.map(|plan| LoopPrologue {
            plan,
            inputs,
            lines,
            stride,
            row_blocks: None,
        }))
    }

    /// Compiles the loop to compute row blocks, which a product of `m` rows of `k` elements of this type multiplies or packs: see
    /// [`RowBlock::of`]. In `groups`, each of so many elements, sums have scales, which the prologue `scales` computes, or which lie in
    /// rows so far apart.
    ///
    /// # Errors
    /// There is no executable memory.
    pub fn fuse(
        &mut self,
        dtype: DType,
        [m, k]: [usize; 2],
        groups: Option<(usize, usize)>,
        scales: Option<&LoopPrologue>,
    ) -> Result<()> {
        let block = RowBlock::of(dtype, [m, k], self.plan.panel().is_some(), groups);
        let Some(block) = block.filter(|_| self.lines.of_contracted) else { return Ok(()) };
        let compiled = self.plan.row_blocks(scales.map(|scales| &*scales.plan), block)?;
        if let Some(scales) = scales.filter(|_| compiled.as_ref().is_some_and(|c| c.computes_scales)) {
            self.inputs.extend(&scales.inputs);
        }
        self.row_blocks = compiled.map(|compiled| (block, compiled));
        Ok(())
    }

    /// The addresses of its inputs.
    pub fn reads(&self, frame: &Frame<'_>) -> Pointers {
        Pointers::new(frame, &self.inputs, &[])
    }

    /// The prologue of operands of a batch, `batch` elements apart, of which the first begins at element `first`, on the inputs at `reads`.
    pub fn bind<'a>(
        &'a self,
        reads: &'a Pointers,
        side: Side,
        first: isize,
        batch: isize,
    ) -> BoundPrologue<'a> {
        BoundPrologue { of: self, reads, side, first, batch }
    }
}

/// The side of a product that an operand is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// A prologue while a step runs.
pub struct BoundPrologue<'a> {
    of: &'a LoopPrologue,
    reads: &'a Pointers,
    side: Side,
    /// The element at which the first operand of the batch begins.
    first: isize,
    /// The distance between operands of the batch, in elements.
    batch: isize,
}

impl BoundPrologue<'_> {
    /// The first line of an operand of the batch, counted in the loop's lines.
    fn line(&self, number: usize) -> usize {
        (self.first + number as isize * self.batch) as usize / self.of.lines.places
    }
}

impl<T> Prologue<T> for BoundPrologue<'_> {
    fn by_columns(&self) -> bool {
        self.of.lines.of_contracted == (self.side == Side::Left)
    }

    fn stride(&self) -> usize {
        self.of.stride
    }

    unsafe fn write(&self, batch: usize, lines: Range<usize>, places: Range<usize>, to: *mut T) {
        let (of, inputs) = (self.of, &self.reads.inputs);
        let (first, next) = (self.line(batch) + lines.start, self.line(batch) + lines.end);
        // Parts of lines lie apart in memory, where the processor prefetches nothing by itself; whole lines follow one another.
        if places.len() < of.lines.places {
            of.plan.prefetch(next..next + lines.len(), places.clone(), inputs);
        }
        // The loop counts from the operand's first element.
        let to = to.wrapping_sub(first * of.stride + places.start);
        // SAFETY: the product asks for blocks of its operand, for which there is room and which overlap nothing; the loop's
        // inputs are operands of the step.
        unsafe { of.plan.run(first..first + lines.len(), places, inputs, &[to.cast()]) };
    }

    fn fused(&self) -> Option<FusedRows> {
        let (block, compiled) = self.of.row_blocks.as_ref()?;
        let (computes_scales, panel) = (compiled.computes_scales, self.of.plan.panel());
        Some(FusedRows { block: *block, computes_scales, panel })
    }

    unsafe fn run(
        &self,
        batch: usize,
        (row, blocks): (usize, usize),
        cols: Range<usize>,
        factors: *mut u8,
        to: &[*mut u8],
    ) {
        let Some((_, compiled)) = &self.of.row_blocks else { return };
        let rows = (self.line(batch) + row, blocks);
        // SAFETY: as in `write`, of row blocks.
        unsafe { compiled.run(&self.of.plan, rows, cols, &self.reads.inputs, factors, to) };
    }
}
