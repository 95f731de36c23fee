//! One device in the place of a mesh: manual computations become maps over the axes of their meshes.

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::ManualComputation;
use jarrah_hlo::sharding::TensorSharding;
use jarrah_hlo::{Builder, Op, Operands, Program, ProgramRef, Value};

use crate::batch::{Batching, batch_along};

/// The program in which one device computes what each device of a mesh does in a manual computation: its parts of the operands are the
/// elements of a batch, and its collectives are along the axes of the batch.
///
/// # Errors
/// An op on the way cannot be batched; a manual computation is cut along parts of axes.
pub fn on_one_device(program: &Program) -> Result<Program> {
    if !program.names_axes() {
        return Ok(program.clone());
    }
    let mut b = Builder::like(program);
    let mut map: Vec<Value> = program.param_values().collect();
    for instr in program.instrs() {
        b.set_source(instr.source);
        let operands: Operands = instr.operands.iter().map(|v| map[v.index()]).collect();
        match &instr.op {
            Op::ManualComputation(op) => map.extend(mapped(&mut b, op, &operands)?),
            op if op.names_axes() && !op.programs().is_empty() => {
                let inner = op.programs().into_iter().map(|inner| on_one_device(inner).map(ProgramRef::from));
                let inner: Vec<ProgramRef> = inner.collect::<Result<_>>()?;
                map.extend(b.push(op.with_programs(&inner), &operands)?);
            }
            _ => map.extend(b.copy(program, instr, &operands)),
        }
    }
    let results: Vec<Value> = program.results().iter().map(|v| map[v.index()]).collect();
    b.finish(&results)
}

/// The axes of the mesh that cut each dimension of a tensor.
fn cuts(op: &ManualComputation, sharding: &TensorSharding) -> Result<Vec<Vec<usize>>> {
    sharding.dims.iter().map(|dim| op.cut(dim)).collect()
}

/// The axes of the mesh that cut a tensor, in the order of the mesh.
fn cutting(cuts: &[Vec<usize>]) -> Vec<usize> {
    let mut axes: Vec<usize> = cuts.iter().flatten().copied().collect();
    axes.sort_unstable();
    axes
}

fn mapped(b: &mut Builder, op: &ManualComputation, operands: &[Value]) -> Result<Vec<Value>> {
    let mesh = op.mesh.axes();
    if op.operands.iter().chain(&op.results).any(|sharding| !sharding.unreduced.is_empty()) {
        return Err(Error::program("values that are not reduced are not supported on one device"));
    }
    let given: Vec<Vec<Vec<usize>>> = op.operands.iter().map(|dims| cuts(op, dims)).collect::<Result<_>>()?;
    let wanted: Vec<Vec<Vec<usize>>> = op.results.iter().map(|dims| cuts(op, dims)).collect::<Result<_>>()?;
    let mut args = Vec::new();
    for (&operand, cuts) in operands.iter().zip(&given) {
        args.push(parts(b, op, operand, cuts)?);
    }
    let mut body = on_one_device(&op.body)?;
    // The axes of the mesh that each result has in front.
    let mut leading: Vec<Vec<usize>> = vec![Vec::new(); wanted.len()];
    let manual = (0..mesh.len()).filter(|&at| op.axes.contains(&mesh[at].name));
    for at in manual.rev() {
        let batched: Vec<bool> =
            given.iter().map(|cuts| cuts.iter().flatten().any(|&axis| axis == at)).collect();
        let force: Vec<bool> =
            wanted.iter().map(|cuts| cuts.iter().flatten().any(|&axis| axis == at)).collect();
        let batching = Batching { axis: Some(&mesh[at].name), one_by_one: false };
        let (next, mask) = batch_along(&body, mesh[at].size, batching, &batched, &force)?;
        for (leading, _) in leading.iter_mut().zip(mask).filter(|(_, batched)| *batched) {
            leading.insert(0, at);
        }
        body = next;
    }
    let results = b.inline(&body, &args)?;
    let mut wholes = Vec::new();
    for ((result, leading), cuts) in results.into_iter().zip(leading).zip(&wanted) {
        wholes.push(whole(b, op, result, leading, cuts)?);
    }
    Ok(wholes)
}

/// The parts of a tensor, along new axes in front that are those of the mesh which cut it.
fn parts(b: &mut Builder, op: &ManualComputation, x: Value, cuts: &[Vec<usize>]) -> Result<Value> {
    let mesh = op.mesh.axes();
    let (mut dims, mut axes, mut local) = (Vec::new(), Vec::new(), Vec::new());
    for (extent, cut) in b.ty(x).extents().zip(cuts) {
        let mut rest = extent;
        for &axis in cut {
            axes.push((axis, dims.len()));
            dims.push(mesh[axis].size);
            rest /= mesh[axis].size;
        }
        local.push(dims.len());
        dims.push(rest);
    }
    axes.sort_unstable();
    let order: Vec<usize> = axes.into_iter().map(|(_, at)| at).chain(local).collect();
    let cut = b.reshape(x, &dims)?;
    b.transpose(cut, &order)
}

/// The tensor of which `x` has the parts, along axes of the mesh in front. Along those that do not cut it, the parts are equal.
fn whole(
    b: &mut Builder,
    op: &ManualComputation,
    mut x: Value,
    mut leading: Vec<usize>,
    cuts: &[Vec<usize>],
) -> Result<Value> {
    let axes = cutting(cuts);
    while let Some(at) = leading.iter().position(|axis| !axes.contains(axis)) {
        leading.remove(at);
        let mut dims = b.ty(x).dims().to_vec();
        dims.remove(at);
        let first = b.slice_axis(x, at, 0, 1)?;
        x = b.reshape(first, &dims)?;
    }
    let local: Vec<usize> = b.ty(x).extents().skip(axes.len()).collect();
    let (mut order, mut dims) = (Vec::new(), Vec::new());
    for (dim, (cut, &extent)) in cuts.iter().zip(&local).enumerate() {
        order.extend(cut.iter().filter_map(|axis| axes.iter().position(|other| other == axis)));
        order.push(axes.len() + dim);
        dims.push(extent * cut.iter().map(|&axis| op.mesh.axes()[axis].size).product::<usize>());
    }
    let moved = b.transpose(x, &order)?;
    b.reshape(moved, &dims)
}
