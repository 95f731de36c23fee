//! Kernels: as vector loops, or block by block where they are no such loop.

use std::sync::Arc;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel, Load, Reduce, Store};
use jarrah_hlo::{Builder as Body, Op, Value};
use smallvec::SmallVec;

use super::row_major;
use crate::client::build::{Array, Block, Builder, Site};
use crate::client::frame::{Frame, Loc, Prepared, Step};
use crate::client::layout::lay_out;
use crate::copy::copy;
use crate::vector::Plan;

/// A vector loop.
struct Loop {
    plan: Plan,
    inputs: Vec<Loc>,
    outputs: Vec<Loc>,
}

impl Step for Loop {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let inputs: SmallVec<[*const u8; 8]> =
            self.inputs.iter().map(|&l| frame.at(l).cast_const()).collect();
        let outputs: SmallVec<[*mut u8; 4]> = self.outputs.iter().map(|&l| frame.at(l)).collect();
        // SAFETY: the loop was made for arrays of these types, which are aligned and hold valid elements; an output
        // lies on an input only where each iteration reads what it alone writes.
        unsafe { self.plan.run(frame.pool, &inputs, &outputs) };
        Ok(())
    }
}

fn vector_loop(kernel: &Kernel, operands: &[Array], results: &[Array]) -> Result<Option<Box<dyn Step>>> {
    let types: Vec<Type> = operands.iter().map(|o| o.ty).collect();
    let Some(loops) = jarrah_tile::lower(kernel, &types) else { return Ok(None) };
    let locs = |arrays: &[Array]| arrays.iter().map(|a| a.loc).collect();
    Ok(Some(Box::new(Loop { plan: Plan::new(&loops)?, inputs: locs(operands), outputs: locs(results) })))
}

pub fn kernel(b: &mut Builder, site: &Site<'_>, op: &Kernel) -> Result<Box<dyn Step>> {
    match vector_loop(op, &site.operands, &site.results)? {
        Some(step) => Ok(step),
        None => blocks(b, site, op),
    }
}

/// An elementwise-like op or a reduction outside a kernel, as a kernel of one grid point.
pub fn single(site: &Site<'_>) -> Result<Box<dyn Step>> {
    let (mut inputs, mut outputs) = (site.operands.clone(), site.results.clone());
    let mut op = site.instr.op.clone();
    if let Op::Reduce(reduce) = &mut op {
        merge_axes(Arc::make_mut(reduce), &mut inputs[0], &mut outputs[0]);
    }
    let mut body = Body::new(op.name());
    let mut references: Vec<Value> = Vec::new();
    for array in inputs.iter().chain(&outputs) {
        references.push(body.param(Type::reference(array.ty.dtype(), array.dims()), ""));
    }
    let mut operands = Vec::new();
    for &reference in &references[..inputs.len()] {
        operands.push(body.one(Load, &[reference])?);
    }
    let values = body.push(op, &operands)?;
    for (&reference, value) in references[inputs.len()..].iter().zip(values) {
        body.push(Store, &[reference, value])?;
    }
    let whole = |a: &Array| BlockSpec::whole(a.ty.rank());
    let kernel = Kernel {
        grid: SmallVec::new(),
        inputs: inputs.iter().map(whole).collect(),
        outputs: outputs.iter().map(|r| (r.ty, whole(r))).collect(),
        body: body.finish(&[])?.into(),
    };
    match vector_loop(&kernel, &inputs, &outputs)? {
        Some(step) => Ok(step),
        None => Ok(super::reference::step(site)),
    }
}

/// Merges adjacent axes that are all reduced or all kept.
fn merge_axes(op: &mut Reduce, operand: &mut Array, result: &mut Array) {
    use jarrah_hlo::ops::Reducer::{ArgMax, ArgMin};
    if matches!(op.reducer, ArgMax(_) | ArgMin(_)) {
        return;
    }
    let mut groups: Vec<(usize, bool)> = Vec::new();
    for (axis, extent) in operand.dims().into_iter().enumerate() {
        let folded = op.axes.contains(&axis);
        match groups.last_mut() {
            Some((merged, like)) if *like == folded => *merged *= extent,
            _ => groups.push((extent, folded)),
        }
    }
    op.axes = groups.iter().enumerate().filter(|(_, (_, folded))| *folded).map(|(i, _)| i).collect();
    operand.ty = operand.ty.with_dims(groups.iter().map(|(extent, _)| *extent));
    result.ty = result.ty.with_dims(groups.iter().filter(|(_, folded)| !folded).map(|(extent, _)| *extent));
}

/// A kernel whose body runs step by step on copied blocks.
struct Blocks {
    grid: Vec<usize>,
    inputs: Vec<BlockCopy>,
    outputs: Vec<BlockCopy>,
    /// The grid axes of the body's `ProgramId`s, and where the body reads them.
    ids: Vec<(usize, Loc)>,
    steps: Vec<Prepared>,
}

/// An array and the copy of its current block.
struct BlockCopy {
    array: Array,
    spec: BlockSpec,
    strides: Vec<isize>,
    block: Loc,
    block_dims: Vec<usize>,
}

fn blocks(b: &mut Builder, site: &Site<'_>, op: &Kernel) -> Result<Box<dyn Step>> {
    let mut copies = Vec::new();
    let specs = op.inputs.iter().chain(op.outputs.iter().map(|(_, spec)| spec));
    let arrays = site.operands.iter().chain(&site.results);
    for ((array, spec), reference) in arrays.zip(specs).zip(op.body.param_types()) {
        let block = Array { ty: reference, loc: b.own(reference.bytes()?) };
        copies.push(BlockCopy {
            array: *array,
            spec: spec.clone(),
            strides: row_major(&array.dims()),
            block: block.loc,
            block_dims: block.dims(),
        });
    }
    // Each `ProgramId` becomes a parameter, so that the body is an ordinary program.
    let mut body = Body::like(&op.body);
    let mut map: Vec<Value> = op.body.param_values().collect();
    let mut ids = Vec::new();
    for instr in op.body.instrs() {
        let operands: Vec<Value> = instr.operands.iter().map(|v| map[v.index()]).collect();
        if let Op::ProgramId(id) = &instr.op {
            map.push(body.param(op.body.ty(instr.result()), ""));
            ids.push((id.axis, b.own(size_of::<i32>())));
        } else {
            map.extend(body.copy(&op.body, instr, &operands));
        }
    }
    let body = body.finish(&[])?;
    let assignment = lay_out(&body)?;
    let arena = b.own(assignment.arena);
    let params = copies.iter().map(|c| c.block).chain(ids.iter().map(|(_, loc)| *loc)).collect();
    let steps =
        b.block(&Block { program: &body, assignment: &assignment, params, results: Vec::new(), arena })?;
    let outputs = copies.split_off(op.inputs.len());
    Ok(Box::new(Blocks { grid: op.grid.to_vec(), inputs: copies, outputs, ids, steps }))
}

impl BlockCopy {
    /// Copies the part of the array that a grid point sees to the block, or (`back`) the block to the array; a
    /// block is 0 outside the array.
    fn run(&self, frame: &Frame<'_>, position: &[usize], back: bool) -> Result<()> {
        let dims = self.array.dims();
        let mut offset = 0;
        let (mut extents, mut strides) = (Vec::new(), Vec::new());
        for (axis, &index) in self.spec.axes.iter().enumerate() {
            let along = |grid: usize| {
                let lacks = || Error::internal(format!("the grid has no axis {grid}"));
                position.get(grid).copied().ok_or_else(lacks)
            };
            let (start, seen) = match index {
                BlockIndex::Whole => (0, Some(dims[axis])),
                BlockIndex::Block { size, grid } => {
                    let start = size * along(grid)?;
                    (start, Some(size.min(dims[axis].saturating_sub(start))))
                }
                BlockIndex::Point { grid } => (along(grid)?, None),
                BlockIndex::First => (0, None),
            };
            offset += start * self.strides[axis] as usize;
            if let Some(seen) = seen {
                extents.push(seen);
                strides.push(self.strides[axis]);
            }
        }
        let size = self.array.size();
        let inside = frame.at(self.array.loc).wrapping_add(offset * size);
        let (block, block_strides) = (frame.at(self.block), row_major(&self.block_dims));
        // SAFETY: the extents are cut to the array and to the block, which are distinct memory.
        unsafe {
            if back {
                copy(frame.pool, size, &extents, block, &block_strides, inside, &strides);
            } else {
                if extents != self.block_dims {
                    block.write_bytes(0, self.block_dims.iter().product::<usize>() * size);
                }
                copy(frame.pool, size, &extents, inside, &strides, block, &block_strides);
            }
        }
        Ok(())
    }
}

impl Step for Blocks {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let points: usize = self.grid.iter().product();
        let mut position = vec![0; self.grid.len()];
        for point in 0..points {
            let mut rest = point;
            for (at, &extent) in position.iter_mut().zip(&self.grid).rev() {
                *at = rest % extent;
                rest /= extent;
            }
            for input in &self.inputs {
                input.run(frame, &position, false)?;
            }
            for output in &self.outputs {
                let bytes = output.block_dims.iter().product::<usize>() * output.array.size();
                // SAFETY: the block is memory of this step alone.
                unsafe { frame.at(output.block).write_bytes(0, bytes) };
            }
            for &(axis, loc) in &self.ids {
                let id = i32::try_from(position[axis]);
                let id = id.map_err(|_| Error::program("the grid is too large for i32"))?;
                // SAFETY: the four bytes are memory of this step alone, 64-byte aligned.
                unsafe { frame.at(loc).cast::<i32>().write(id) };
            }
            frame.run(&self.steps)?;
            for output in &self.outputs {
                output.run(frame, &position, true)?;
            }
        }
        Ok(())
    }

    fn nests(&self) -> bool {
        true
    }
}
