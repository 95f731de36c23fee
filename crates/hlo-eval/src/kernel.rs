use jarrah_base::{Literal, Result};
use jarrah_hlo::ops::{BlockSpec, Kernel, Start};
use smallvec::{SmallVec, smallvec};

use crate::copy::{View, copy_box};
use crate::machine::Machine;

/// Runs the body at each grid point in row-major order.
///
/// The part of a block that reaches outside its array reads as zero, and what is stored there is dropped.
pub fn kernel(machine: &mut Machine<'_>, op: &Kernel, operands: &[Literal]) -> Result<Vec<Literal>> {
    let mut results = Vec::with_capacity(op.outputs.len());
    for output in &op.outputs {
        results.push(match output.start {
            Start::Fresh | Start::Zeros => Literal::zeros(output.ty)?,
            Start::Operand(i) => operands[i].clone(),
        });
    }
    if op.grid.contains(&0) {
        return Ok(results);
    }
    let (whole, blocked) = operands.split_at(op.prefetch);
    let types = op.body.param_types();
    let zeros = || -> Result<Vec<Literal>> { op.scratch.iter().map(|&ty| Literal::zeros(ty)).collect() };
    let independent = op.independent_axes();
    let held: Vec<usize> = op.held().collect();
    let mut scratch = Vec::new();
    let mut position: SmallVec<[usize; 6]> = smallvec![0; op.grid.len()];
    loop {
        if position[independent..].iter().all(|&at| at == 0) {
            scratch = zeros()?;
        }
        let mut arguments: Vec<Literal> = position.iter().map(|&at| Literal::scalar(at as i32)).collect();
        arguments.extend_from_slice(whole);
        let found: Vec<i32> = match &op.map {
            Some(map) => {
                machine.run(map, arguments.clone())?.iter().map(|start| start.get_i128(0) as i32).collect()
            }
            None => Vec::new(),
        };
        let inputs = blocked.iter().zip(&op.inputs);
        let outputs = held.iter().map(|&i| (&results[i], &op.outputs[i].block));
        for (array, spec) in inputs.chain(outputs) {
            let mut block = Literal::zeros(types[arguments.len()])?;
            let part = Part::new(spec, &array.dims(), &position, &found);
            copy_box(&mut block, &part.block, array, &part.array, &part.extents)?;
            arguments.push(block);
        }
        arguments.append(&mut scratch);
        let mut blocks = machine.run(&op.body, arguments)?;
        scratch = blocks.split_off(results.len());
        for ((result, output), block) in results.iter_mut().zip(&op.outputs).zip(&blocks) {
            let part = Part::new(&output.block, &result.dims(), &position, &found);
            copy_box(result, &part.array, block, &part.block, &part.extents)?;
        }
        // The next position in row-major order.
        let Some(axis) = (0..op.grid.len()).rev().find(|&axis| position[axis] + 1 < op.grid[axis]) else {
            return Ok(results);
        };
        position[axis] += 1;
        position[axis + 1..].fill(0);
    }
}

/// The part of an array that a grid point sees.
struct Part {
    array: View,
    block: View,
    /// The extents of what lies inside the array.
    extents: SmallVec<[usize; 6]>,
}

impl Part {
    fn new(spec: &BlockSpec, array: &[usize], position: &[usize], found: &[i32]) -> Part {
        let starts = spec.starts(position, found);
        let (mut from, mut into) = (SmallVec::<[usize; 6]>::new(), SmallVec::<[usize; 6]>::new());
        let (mut kept, mut extents) = (SmallVec::<[usize; 6]>::new(), SmallVec::<[usize; 6]>::new());
        let mut block = SmallVec::<[usize; 6]>::new();
        let mut is_outside = false;
        for (axis, ((index, &extent), &start)) in spec.axes.iter().zip(array).zip(&starts).enumerate() {
            let size = index.size(extent);
            let first = start.clamp(0, extent as i64);
            let last = start.saturating_add(size.unwrap_or(1) as i64).clamp(first, extent as i64);
            from.push(first as usize);
            match size {
                Some(size) => {
                    kept.push(axis);
                    block.push(size);
                    into.push((first.saturating_sub(start).max(0) as usize).min(size));
                    extents.push((last - first) as usize);
                }
                None => is_outside |= first == last,
            }
        }
        if is_outside {
            extents.fill(0);
            // A block of one element has no axis that says that it is empty.
            extents.push(0);
        }
        let (mut array, mut block) = (View::dense(array).at(from).axes(&kept), View::dense(&block).at(into));
        if is_outside {
            array.strides.push(0);
            block.strides.push(0);
        }
        Part { array, block, extents }
    }
}
