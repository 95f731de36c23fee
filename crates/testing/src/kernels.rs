//! Random kernels: any kinds of blocks, starts, scratch arrays, maps and orders of points.

use jarrah_base::{DType, Dims, Literal, Result, Type};
use jarrah_hlo::ops::{
    BlockIndex, BlockSpec, DynamicSlice, ElementwiseKind, Kernel, KernelOutput, Reducer, Sort, SortOrder,
    Start,
};
use jarrah_hlo::{Builder, ProgramRef, Value};

use crate::programs::{Rng, random_literal};

/// A kernel over `f32` arrays that verifies, and operands for it.
///
/// # Errors
/// As [`Builder::push`].
pub fn random_kernel(rng: &mut Rng) -> Result<(Kernel, Vec<Literal>)> {
    let grid: Vec<usize> = (0..1 + rng.below(3)).map(|_| 1 + rng.below(4)).collect();
    let body = Builder::new("").finish(&[])?.into();
    let mut kernel = Kernel::new(Dims::from_slice(&grid), Vec::new(), Vec::new(), body);
    kernel.arbitrary = grid.iter().map(|_| rng.below(2) == 0).collect();
    kernel.prefetch = rng.below(2);
    let list = Literal::from_slice(&[5], &[2, -1, 0, 3, 1])?;
    let mut types = vec![list.ty(); kernel.prefetch];
    let mut operands = vec![list; kernel.prefetch];
    if rng.below(2) == 0 {
        kernel.map = Some(map(&grid, &types)?);
    }
    let may_find = kernel.map.is_some();
    for _ in 0..rng.below(4) {
        let (ty, block) = array(rng, &grid, may_find);
        types.push(ty);
        operands.push(random_literal(ty, rng)?);
        kernel.inputs.push(block);
    }
    // Some have no state, so that they have transposes that are kernels.
    let stateless = rng.below(3) == 0;
    for _ in 0..1 + rng.below(2) {
        let (mut ty, mut block) = if stateless { apart(rng, &grid) } else { array(rng, &grid, may_find) };
        let mut start = [Start::Fresh, Start::Zeros][rng.below(2)];
        if stateless {
            start = Start::Fresh;
        } else if rng.below(3) == 0 && !kernel.inputs.is_empty() {
            let i = rng.below(kernel.inputs.len());
            let wanted = Start::Operand(kernel.prefetch + i);
            if kernel.outputs.iter().all(|output| output.start != wanted) {
                (ty, block, start) = (types[kernel.prefetch + i], kernel.inputs[i].clone(), wanted);
            }
        }
        for (g, in_order) in kernel.arbitrary.iter_mut().enumerate() {
            *in_order |= !block.is_found() && grid[g] > 1 && !block.moves_along(g);
        }
        kernel.outputs.push(KernelOutput { ty, block, start });
    }
    for _ in 0..if stateless { 0 } else { rng.below(3) } {
        let dims: Vec<usize> = (0..rng.below(3)).map(|_| 1 + rng.below(3)).collect();
        kernel.scratch.push(Type::tensor(DType::F32, dims));
    }
    kernel.body = body_of(rng, &kernel.body_params(&types)?, &kernel.body_results()?)?;
    Ok((kernel, operands))
}

/// A number for each axis of the grid, from the position along it and, where there is one, from the list.
fn map(grid: &[usize], prefetched: &[Type]) -> Result<ProgramRef> {
    let mut b = Builder::new("map");
    let position: Vec<Value> = grid.iter().map(|_| b.param(Type::scalar(DType::I32), "")).collect();
    let list = prefetched.first().map(|&ty| b.param(ty, ""));
    let mut results = Vec::new();
    for (i, at) in position.into_iter().enumerate() {
        let scale = b.scalar([1i32, 2, -1][i % 3])?;
        let mut start = b.mul(at, scale)?;
        if let Some(list) = list {
            let one = b.one(DynamicSlice { sizes: Dims::from_slice(&[1]) }, &[list, at])?;
            let one = b.reshape(one, &[])?;
            start = b.add(start, one)?;
        }
        results.push(start);
    }
    Ok(b.finish(&results)?.into())
}

/// An array of up to three axes, and its blocks.
fn array(rng: &mut Rng, grid: &[usize], may_find: bool) -> (Type, BlockSpec) {
    let (mut dims, mut axes) = (Vec::new(), Vec::new());
    for _ in 0..rng.below(4) {
        let (size, g) = (1 + rng.below(4), rng.below(grid.len()));
        let (index, extent) = match rng.below(if may_find { 6 } else { 4 }) {
            0 => (BlockIndex::Whole, size),
            1 | 2 => {
                let extent = (size * grid[g]).saturating_sub(rng.below(size + 2)).max(1);
                (BlockIndex::Block { size, grid: g }, extent)
            }
            3 => (BlockIndex::Point { grid: g }, grid[g]),
            4 => (BlockIndex::At { size, unit: 1 + rng.below(size), result: g }, 1 + rng.below(9)),
            _ => (BlockIndex::PointAt { result: g }, 1 + rng.below(5)),
        };
        dims.push(extent);
        axes.push(index);
    }
    (Type::tensor(DType::F32, dims), BlockSpec::new(axes))
}

/// An array of which each point has a block that no other has.
fn apart(rng: &mut Rng, grid: &[usize]) -> (Type, BlockSpec) {
    let (mut dims, mut axes) = (Vec::new(), Vec::new());
    for (grid, &extent) in grid.iter().enumerate() {
        let size = 1 + rng.below(4);
        match rng.below(2) {
            0 => (dims.push(extent), axes.push(BlockIndex::Point { grid })),
            _ => (dims.push(size * extent), axes.push(BlockIndex::Block { size, grid })),
        };
    }
    (Type::tensor(DType::F32, dims), BlockSpec::new(axes))
}

/// A body in which any result may depend on any parameter.
fn body_of(rng: &mut Rng, params: &[Type], results: &[Type]) -> Result<ProgramRef> {
    let mut b = Builder::new("body");
    let params: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    let mut scalars = Vec::new();
    for &param in &params {
        let value = b.convert(param, DType::F32)?;
        let axes: Vec<usize> = (0..b.ty(param).rank()).collect();
        scalars.push(b.reduce(Reducer::Max, value, &axes)?);
    }
    let mut returned = Vec::new();
    for &ty in results {
        let alike: Vec<Value> = params.iter().copied().filter(|&param| b.ty(param) == ty).collect();
        let mut x = b.broadcast_in_dim(scalars[rng.below(scalars.len())], &ty.dims(), &[])?;
        for _ in 0..rng.below(3) {
            if alike.is_empty() {
                break;
            }
            let y = alike[rng.below(alike.len())];
            x = match rng.below(6) {
                0 => b.add(x, y)?,
                1 => b.sub(y, x)?,
                2 => b.mul(x, y)?,
                3 => b.binary(ElementwiseKind::Maximum, x, y)?,
                4 if ty.rank() > 0 => {
                    let order = SortOrder::Ascending { keys: 1 };
                    let sorted = b.one(Sort { axis: 0, stable: true, order }, &[y])?;
                    b.add(x, sorted)?
                }
                _ => y,
            };
        }
        returned.push(x);
    }
    Ok(b.finish(&returned)?.into())
}
