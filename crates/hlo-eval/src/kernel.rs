use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel};
use smallvec::{SmallVec, smallvec};

use crate::copy::{View, copy_box, walk};
use crate::machine::{Datum, Machine};

/// Runs the body at each grid point in row-major order.
///
/// The part of a last block that reaches outside its array reads as zero, and what is stored there is dropped.
pub fn kernel(machine: &mut Machine<'_>, op: &Kernel, operands: &[Literal]) -> Result<Vec<Literal>> {
    let mut results = Vec::with_capacity(op.outputs.len());
    for (ty, _) in &op.outputs {
        results.push(Literal::zeros(*ty)?);
    }
    let references = op.body.param_types();
    let mut points: Vec<usize> = Vec::new();
    walk(&op.grid, [&View::dense(&op.grid)], |[at]| points.push(at));
    for point in points {
        let mut position: SmallVec<[usize; 6]> = smallvec![0; op.grid.len()];
        let mut rest = point;
        for (axis, &extent) in op.grid.iter().enumerate().rev() {
            position[axis] = rest % extent;
            rest /= extent;
        }
        let first = machine.blocks.len();
        let inputs = operands.iter().zip(&op.inputs);
        let outputs = results.iter().zip(op.outputs.iter().map(|(_, spec)| spec));
        let mut arguments = Vec::with_capacity(references.len());
        for ((array, spec), &reference) in inputs.chain(outputs).zip(&references) {
            let mut block = Literal::zeros(Type::tensor(reference.dtype(), reference.dims()))?;
            let part = Part::new(spec, &array.dims(), &block.dims(), &position)?;
            copy_box(&mut block, &part.block, array, &part.array, &part.extents)?;
            arguments.push(Datum::Block(machine.blocks.len(), reference));
            machine.blocks.push(block);
        }
        let around = std::mem::replace(&mut machine.position, position.to_vec());
        let ran = machine.run(&op.body, arguments);
        machine.position = around;
        let blocks = machine.blocks.split_off(first);
        ran?;
        for ((result, (_, spec)), block) in results.iter_mut().zip(&op.outputs).zip(&blocks[operands.len()..])
        {
            let part = Part::new(spec, &result.dims(), &block.dims(), &position)?;
            copy_box(result, &part.array, block, &part.block, &part.extents)?;
        }
    }
    Ok(results)
}

/// The part of an array that a grid point sees.
struct Part {
    array: View,
    block: View,
    /// The extents of what lies inside the array.
    extents: SmallVec<[usize; 6]>,
}

impl Part {
    fn new(spec: &BlockSpec, array: &[usize], block: &[usize], position: &[usize]) -> Result<Part> {
        let (mut starts, mut kept) = (SmallVec::<[usize; 6]>::new(), SmallVec::<[usize; 6]>::new());
        let mut extents = SmallVec::new();
        let along = |grid: usize| {
            position.get(grid).copied().ok_or_else(|| Error::internal(format!("the grid has no axis {grid}")))
        };
        for (axis, (&index, &extent)) in spec.axes.iter().zip(array).enumerate() {
            let (start, seen) = match index {
                BlockIndex::Whole => (0, Some(extent)),
                BlockIndex::Block { size, grid } => {
                    let start = size * along(grid)?;
                    (start, Some(size.min(extent.saturating_sub(start))))
                }
                BlockIndex::Point { grid } => (along(grid)?, None),
                BlockIndex::First => (0, None),
            };
            starts.push(start);
            if let Some(seen) = seen {
                kept.push(axis);
                extents.push(seen);
            }
        }
        Ok(Part { array: View::dense(array).at(starts).axes(&kept), block: View::dense(block), extents })
    }
}

fn block_of<'a>(machine: &'a mut Machine<'_>, reference: &Datum) -> Result<&'a mut Literal> {
    let index = reference.block()?;
    machine.blocks.get_mut(index).ok_or_else(|| Error::internal("a reference outlived its kernel"))
}

/// The whole block.
pub fn load(machine: &mut Machine<'_>, operands: &[Datum]) -> Result<Vec<Literal>> {
    Ok(vec![block_of(machine, &operands[0])?.clone()])
}

/// Replaces the whole block.
pub fn store(machine: &mut Machine<'_>, mut operands: Vec<Datum>) -> Result<Vec<Literal>> {
    let value = operands.pop().ok_or_else(|| Error::internal("nothing to store"))?.tensor()?;
    *block_of(machine, &operands[0])? = value;
    Ok(Vec::new())
}

/// The position along a grid axis.
pub fn program_id(machine: &Machine<'_>, axis: usize) -> Result<Literal> {
    let position = machine.position.get(axis);
    let position = position.ok_or_else(|| Error::program(format!("there is no grid axis {axis} here")))?;
    let position = i32::try_from(*position).map_err(|_| Error::program("the grid is too large for i32"))?;
    Ok(Literal::scalar(position))
}
