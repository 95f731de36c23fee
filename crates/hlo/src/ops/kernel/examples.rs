use jarrah_base::{DType, Dims, Literal, Result, Type};

use super::{BlockIndex, BlockSpec, Kernel, KernelOutput, Start};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::ops::{Case, Comparison, DotGeneral, DynamicSlice, Reducer};
use crate::program::Value;
use crate::rules::ProgramRef;

const WHOLE: BlockIndex = BlockIndex::Whole;

fn point(grid: usize) -> BlockIndex {
    BlockIndex::Point { grid }
}

fn block(size: usize, grid: usize) -> BlockIndex {
    BlockIndex::Block { size, grid }
}

fn f32s(dims: &[usize]) -> Type {
    Type::tensor(DType::F32, dims.iter().copied())
}

/// The kernel over `grid`, without state so far, with these blocks and the body that `make` writes.
fn kernel<const N: usize>(
    name: &str,
    grid: &[usize],
    inputs: [(Type, &[BlockIndex]); N],
    outputs: &[(Type, &[BlockIndex], Start)],
    make: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
) -> Result<Kernel> {
    let spec = |axes: &[BlockIndex]| BlockSpec::new(axes.iter().copied());
    let output =
        |&(ty, axes, start): &(Type, &[BlockIndex], Start)| KernelOutput { ty, block: spec(axes), start };
    let mut kernel = Kernel::new(
        Dims::from_slice(grid),
        inputs.iter().map(|(_, axes)| spec(axes)).collect(),
        Vec::new(),
        Builder::new(name).finish(&[])?.into(),
    );
    kernel.outputs = outputs.iter().map(output).collect();
    kernel.body = body(name, &kernel.body_params(&inputs.map(|(ty, _)| ty))?, make)?;
    Ok(kernel)
}

/// A program over parameters of these types.
fn body(
    name: &str,
    params: &[Type],
    make: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
) -> Result<ProgramRef> {
    let mut b = Builder::new(name);
    let params: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    let results = make(&mut b, &params)?;
    Ok(ProgramRef::new(b.finish(&results)?))
}

/// The matrix product of two blocks.
fn product(b: &mut Builder, x: Value, y: Value) -> Result<Value> {
    b.one(DotGeneral::matmul(0, b.ty(x).dtype()), &[x, y])
}

pub(super) fn all() -> Result<Vec<Example>> {
    Ok(vec![
        row_softmax()?,
        positions()?,
        without_points()?,
        blocked_product()?,
        with_scratch()?,
        first_apart()?,
        gather()?,
        in_place()?,
        overlapping()?,
        ragged()?,
        scattered()?,
    ])
}

/// A softmax of each row: one grid point a row.
fn row_softmax() -> Result<Example> {
    let rows = [point(0), WHOLE];
    let array = f32s(&[3, 4]);
    let outputs: [(Type, &[BlockIndex], Start); 1] = [(array, &rows, Start::Fresh)];
    let kernel = kernel("row_softmax", &[3], [(array, &rows)], &outputs, |b, p| {
        let x = p[1];
        let dims = b.ty(x).dims();
        let max = b.reduce(Reducer::Max, x, &[0])?;
        let max = b.broadcast_in_dim(max, &dims, &[])?;
        let shifted = b.sub(x, max)?;
        let e = b.exp(shifted)?;
        let total = b.sum(e, &[0])?;
        let total = b.broadcast_in_dim(total, &dims, &[])?;
        Ok(vec![b.div(e, total)?])
    })?;
    Ok(Example::new("softmax of rows", kernel, vec![varied(&[3, 4], -1.0, 1.0)]))
}

/// Nothing is stored: one result is zeros, the other what it begins as.
fn without_points() -> Result<Example> {
    let (row, sums) = (f32s(&[0, 3]), f32s(&[3]));
    let inputs: [(Type, &[BlockIndex]); 2] = [(row, &[point(0), WHOLE]), (sums, &[WHOLE])];
    let outputs: [(Type, &[BlockIndex], Start); 2] =
        [(sums, &[WHOLE], Start::Fresh), (sums, &[WHOLE], Start::Operand(1))];
    let kernel = kernel("without_points", &[0], inputs, &outputs, |b, p| {
        let sum = b.add(p[1], p[3])?;
        Ok(vec![sum, sum])
    })?;
    Ok(Example::new(
        "a grid without points",
        kernel,
        vec![varied(&[0, 3], -1.0, 1.0), varied(&[3], -1.0, 1.0)],
    ))
}

/// Each element is its position.
fn positions() -> Result<Example> {
    let outputs: [(Type, &[BlockIndex], Start); 1] =
        [(Type::tensor(DType::I32, [5]), &[point(0)], Start::Fresh)];
    let kernel = kernel("positions", &[5], [], &outputs, |_, p| Ok(vec![p[0]]))?;
    Ok(Example::new("positions", kernel, Vec::<Literal>::new()))
}

/// A matrix product whose blocks are added up along the last grid axis.
fn blocked_product() -> Result<Example> {
    let (x, y) = (f32s(&[4, 6]), f32s(&[6, 4]));
    let inputs: [(Type, &[BlockIndex]); 2] =
        [(x, &[block(2, 0), block(3, 2)]), (y, &[block(3, 2), block(2, 1)])];
    let outputs: [(Type, &[BlockIndex], Start); 1] =
        [(f32s(&[4, 4]), &[block(2, 0), block(2, 1)], Start::Zeros)];
    let mut kernel = kernel("blocked_product", &[2, 2, 2], inputs, &outputs, |b, p| {
        let part = product(b, p[3], p[4])?;
        Ok(vec![b.add(p[5], part)?])
    })?;
    kernel.arbitrary[2] = true;
    let operands = vec![varied(&[4, 6], -1.0, 1.0), varied(&[6, 4], 0.5, 1.5)];
    Ok(Example::new("accumulation along an arbitrary axis", kernel, operands))
}

/// Sums of what came before, kept in a scratch array that is zero at the start of each row of the grid.
fn with_scratch() -> Result<Example> {
    let ty = f32s(&[2, 6]);
    let axes = [point(0), block(2, 1)];
    let mut kernel =
        kernel("with_scratch", &[2, 3], [(ty, &axes)], &[(ty, &axes, Start::Fresh)], |_, p| Ok(vec![p[2]]))?;
    kernel.arbitrary[1] = true;
    kernel.scratch = vec![f32s(&[])];
    kernel.body = body("with_scratch", &kernel.body_params(&[ty])?, |b, p| {
        let dims = b.ty(p[2]).dims();
        let before = b.broadcast_in_dim(p[3], &dims, &[])?;
        let y = b.add(p[2], before)?;
        let y = b.mul(y, y)?;
        let sum = b.sum(p[2], &[0])?;
        Ok(vec![y, b.add(p[3], sum)?])
    })?;
    Ok(Example::new("a scratch array", kernel, vec![varied(&[2, 6], -1.0, 1.0)]))
}

/// A matrix product that begins at its first block with a branch on the position, as people write it, in a scratch array.
fn first_apart() -> Result<Example> {
    let (x, y) = (f32s(&[2, 6]), f32s(&[6, 3]));
    let inputs: [(Type, &[BlockIndex]); 2] = [(x, &[WHOLE, block(2, 0)]), (y, &[block(2, 0), WHOLE])];
    let outputs: [(Type, &[BlockIndex], Start); 1] = [(f32s(&[2, 3]), &[WHOLE, WHOLE], Start::Fresh)];
    let mut kernel = kernel("first_apart", &[3], inputs, &outputs, |b, p| Ok(vec![product(b, p[1], p[2])?]))?;
    let sums = f32s(&[2, 3]);
    (kernel.arbitrary[0], kernel.scratch) = (true, vec![sums]);
    let bias = body("bias", &[sums, f32s(&[2, 2])], |b, p| {
        let bias = b.sum(p[1], &[1])?;
        Ok(vec![b.broadcast_in_dim(bias, &[2, 3], &[0])?])
    })?;
    let go_on = body("go_on", &[sums, f32s(&[2, 2])], |_, p| Ok(vec![p[0]]))?;
    kernel.body = body("first_apart", &kernel.body_params(&[x, y])?, |b, p| {
        let before = b.one(Case { branches: vec![bias, go_on] }, &[p[0], p[3], p[1]])?;
        let part = product(b, p[1], p[2])?;
        let sum = b.add(before, part)?;
        Ok(vec![sum, sum])
    })?;
    let operands = vec![varied(&[2, 6], -1.0, 1.0), varied(&[6, 3], 0.5, 1.5)];
    Ok(Example::new("a branch at the first point", kernel, operands))
}

/// The rows of a table that a prefetched list names; one of them is outside.
fn gather() -> Result<Example> {
    let (list, table) = (Type::tensor(DType::I32, [4]), f32s(&[5, 3]));
    let outputs = [KernelOutput::fresh(f32s(&[4, 3]), BlockSpec::new([point(0), WHOLE]))];
    let map = body("row", &[Type::scalar(DType::I32), list], |b, p| {
        let sizes = Dims::from_slice(&[1]);
        let row = b.one(DynamicSlice { sizes }, &[p[1], p[0]])?;
        Ok(vec![b.reshape(row, &[])?])
    })?;
    let mut kernel = Kernel {
        prefetch: 1,
        inputs: vec![BlockSpec::new([BlockIndex::PointAt { result: 0 }, WHOLE])],
        outputs: outputs.into(),
        map: Some(map),
        ..Kernel::new(Dims::from_slice(&[4]), Vec::new(), Vec::new(), Builder::new("").finish(&[])?.into())
    };
    kernel.body = body("gather", &kernel.body_params(&[list, table])?, |b, p| Ok(vec![b.exp(p[2])?]))?;
    let operands = vec![ints(&[4], &[2, 0, 7, 2]), varied(&[5, 3], -1.0, 1.0)];
    Ok(Example::new("rows that a prefetched list names", kernel, operands))
}

/// Adds to an operand in its place, where a condition holds.
fn in_place() -> Result<Example> {
    let ty = f32s(&[6]);
    let axes = [block(3, 0)];
    let mut kernel =
        kernel("in_place", &[2], [(ty, &axes), (ty, &axes)], &[(ty, &axes, Start::Operand(1))], |b, p| {
            let zeros = b.zeros_like(p[1])?;
            let above = b.compare(Comparison::Gt, p[1], zeros)?;
            let sum = b.mul(p[3], p[1])?;
            Ok(vec![b.select(above, sum, p[3])?])
        })?;
    kernel.flops = Some(12);
    let operands = vec![varied(&[6], -1.0, 1.0), varied(&[6], 0.5, 1.5)];
    Ok(Example::new("a result that begins as an operand", kernel, operands))
}

/// Sums of windows that overlap: blocks begin at elements that the map counts, the first and last reach outside.
fn overlapping() -> Result<Example> {
    let (x, y) = (f32s(&[6]), f32s(&[4]));
    let map = body("start", &[Type::scalar(DType::I32)], |b, p| {
        let (two, one) = (b.scalar(2i32)?, b.scalar(1i32)?);
        let start = b.mul(p[0], two)?;
        Ok(vec![b.sub(start, one)?])
    })?;
    let window = [BlockIndex::At { size: 3, unit: 1, result: 0 }];
    let outputs: [(Type, &[BlockIndex], Start); 1] = [(y, &[point(0)], Start::Fresh)];
    let mut kernel = kernel("overlapping", &[4], [(x, &window)], &outputs, |b, p| {
        let square = b.mul(p[1], p[1])?;
        Ok(vec![b.sum(square, &[0])?])
    })?;
    kernel.map = Some(map);
    Ok(Example::new("windows that overlap", kernel, vec![varied(&[6], -1.0, 1.0)]))
}

/// Two blocks of four for five elements: the last block reaches outside.
fn ragged() -> Result<Example> {
    let ty = f32s(&[5]);
    let axes = [block(4, 0)];
    let outputs: [(Type, &[BlockIndex], Start); 1] = [(ty, &axes, Start::Fresh)];
    let kernel = kernel("ragged", &[2], [(ty, &axes)], &outputs, |b, p| {
        let total = b.sum(p[1], &[0])?;
        let dims = b.ty(p[1]).dims();
        let total = b.broadcast_in_dim(total, &dims, &[])?;
        Ok(vec![b.mul(p[1], total)?])
    })?;
    Ok(Example::new("a last block that reaches outside", kernel, vec![varied(&[5], -1.0, 1.0)]))
}

/// Adds rows to those of a table that the map names: several points store the same row, one of them outside.
fn scattered() -> Result<Example> {
    let (list, rows, table) = (Type::tensor(DType::I32, [4]), f32s(&[4, 2]), f32s(&[3, 2]));
    let map = body("row", &[Type::scalar(DType::I32), list], |b, p| {
        let row = b.one(DynamicSlice { sizes: Dims::from_slice(&[1]) }, &[p[1], p[0]])?;
        Ok(vec![b.reshape(row, &[])?])
    })?;
    let place = BlockSpec::new([BlockIndex::At { size: 1, unit: 1, result: 0 }, WHOLE]);
    let mut kernel = Kernel {
        prefetch: 1,
        inputs: vec![BlockSpec::new([point(0), WHOLE])],
        outputs: vec![KernelOutput { ty: table, block: place, start: Start::Zeros }],
        map: Some(map),
        ..Kernel::new(Dims::from_slice(&[4]), Vec::new(), Vec::new(), Builder::new("").finish(&[])?.into())
    };
    kernel.body = body("scattered", &kernel.body_params(&[list, rows])?, |b, p| {
        let row = b.reshape(p[2], &[1, 2])?;
        Ok(vec![b.add(p[3], row)?])
    })?;
    let operands = vec![ints(&[4], &[2, 0, -1, 2]), varied(&[4, 2], -1.0, 1.0)];
    Ok(Example::new("rows added where a map says", kernel, operands))
}
