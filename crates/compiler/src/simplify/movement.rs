use jarrah_base::{Dims, Result};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Value};

/// The axes of extents other than one.
fn long_axes(dims: &[usize]) -> impl Iterator<Item = usize> {
    dims.iter().enumerate().filter(|(_, d)| **d != 1).map(|(i, _)| i)
}

pub fn broadcast(b: &mut Builder, op: &BroadcastInDim, x: Value) -> Result<Option<Value>> {
    let ty = b.ty(x);
    // broadcast(x) = x
    if ty.dims() == op.dims {
        return Ok(Some(x));
    }
    // broadcast(x) = reshape(x) where nothing is repeated
    if ty.rank() > 0 && ty.elements()? == op.dims.iter().product::<usize>() {
        return Ok(Some(b.reshape(x, &op.dims)?));
    }
    let Some(instr) = b.definition(x) else { return Ok(None) };
    match (&instr.op, &instr.operands[..]) {
        // broadcast(broadcast(x)) = broadcast(x)
        (Op::BroadcastInDim(inner), &[from]) => {
            let axes: Axes = inner.axes.iter().map(|&a| op.axes[a]).collect();
            Ok(Some(b.broadcast_in_dim(from, &op.dims, &axes)?))
        }
        // broadcast(reshape(x)) = broadcast(x) where the reshape only adds or drops axes of extent one
        (Op::Reshape(_), &[from]) => {
            let from_ty = b.ty(from);
            let (dims, from_dims) = (ty.dims(), from_ty.dims());
            let (outer, inner) = (long_axes(&dims), long_axes(&from_dims));
            if !outer.map(|a| dims[a]).eq(inner.map(|a| from_dims[a]))
                || long_axes(&from_ty.dims()).count() != from_ty.rank()
            {
                return Ok(None);
            }
            let axes: Axes = long_axes(&ty.dims()).map(|a| op.axes[a]).collect();
            Ok(Some(b.broadcast_in_dim(from, &op.dims, &axes)?))
        }
        _ => Ok(None),
    }
}

pub fn reshape(b: &mut Builder, dims: &[usize], x: Value) -> Result<Option<Value>> {
    // reshape(x) = x
    if *b.ty(x).dims() == *dims {
        return Ok(Some(x));
    }
    let Some(instr) = b.definition(x) else { return Ok(None) };
    match (&instr.op, &instr.operands[..]) {
        // reshape(reshape(x)) = reshape(x)
        (Op::Reshape(_), &[from]) => Ok(Some(b.reshape(from, dims)?)),
        // reshape(broadcast(scalar)) = broadcast(scalar)
        (Op::BroadcastInDim(_), &[from]) if b.ty(from).rank() == 0 => {
            Ok(Some(b.broadcast_in_dim(from, dims, &[])?))
        }
        (Op::Constant(constant), _) => {
            let value = constant.value.reshape(dims)?;
            Ok(Some(b.constant(value)?))
        }
        _ => Ok(None),
    }
}

pub fn transpose(b: &mut Builder, permutation: &[usize], x: Value, once: bool) -> Result<Option<Value>> {
    let ty = b.ty(x);
    // transpose(x) = reshape(x) where only axes of extent one move past others
    let moved: Axes = permutation.iter().copied().filter(|&a| ty.dim(a) != 1).collect();
    if moved.windows(2).all(|w| w[0] < w[1]) {
        let dims: Dims = permutation.iter().map(|&a| ty.dim(a)).collect();
        return Ok(Some(b.reshape(x, &dims)?));
    }
    let Some(instr) = b.definition(x) else { return Ok(None) };
    match (&instr.op, &instr.operands[..]) {
        // transpose(transpose(x)) = transpose(x)
        (Op::TransposeAxes(inner), &[from]) => {
            let order: Axes = permutation.iter().map(|&a| inner.permutation[a]).collect();
            Ok(Some(b.transpose(from, &order)?))
        }
        // transpose(broadcast(x)) = broadcast(x) where the axes of x keep their order
        (Op::BroadcastInDim(inner), &[from]) => {
            let place = |axis: usize| permutation.iter().position(|&p| p == axis);
            let axes: Option<Axes> = inner.axes.iter().map(|&a| place(a)).collect();
            let Some(axes) = axes.filter(|axes| axes.windows(2).all(|w| w[0] < w[1])) else {
                return Ok(None);
            };
            let dims: Dims = permutation.iter().map(|&a| ty.dim(a)).collect();
            Ok(Some(b.broadcast_in_dim(from, &dims, &axes)?))
        }
        // transpose(dot(x, y)) = dot(y, x) where it exchanges the free axes of the operands: products of real numbers
        // commute. Not where the dot itself is used too.
        (Op::DotGeneral(dot), &[lhs, rhs]) if once => {
            let (lhs_ty, rhs_ty) = (b.ty(lhs), b.ty(rhs));
            let (batch, left) = (dot.lhs_batch.len(), dot.lhs_free(lhs_ty.rank()).len());
            let exchanged = (0..batch).chain(batch + left..ty.rank()).chain(batch..batch + left);
            let real = !lhs_ty.dtype().is_complex();
            if !real || lhs_ty.dtype() != rhs_ty.dtype() || !exchanged.eq(permutation.iter().copied()) {
                return Ok(None);
            }
            let flipped = DotGeneral {
                lhs_batch: dot.rhs_batch.clone(),
                rhs_batch: dot.lhs_batch.clone(),
                lhs_contract: dot.rhs_contract.clone(),
                rhs_contract: dot.lhs_contract.clone(),
                out: dot.out,
            };
            Ok(Some(b.one(flipped, &[rhs, lhs])?))
        }
        _ => Ok(None),
    }
}

pub fn slice(b: &mut Builder, op: &Slice, x: Value) -> Result<Option<Value>> {
    let ty = b.ty(x);
    let dims = ty.dims();
    // slice(x) = x where all is taken
    if op.starts.iter().all(|&s| s == 0) && op.limits == dims && op.strides.iter().all(|&s| s == 1) {
        return Ok(Some(x));
    }
    let Some(instr) = b.definition(x) else { return Ok(None) };
    match (&instr.op, &instr.operands[..]) {
        // slice(slice(x)) = slice(x)
        (Op::Slice(inner), &[from]) => {
            let at = |axis: usize, i: usize| inner.starts[axis] + i * inner.strides[axis];
            let starts: Dims = op.starts.iter().enumerate().map(|(a, &s)| at(a, s)).collect();
            let limits = op
                .limits
                .iter()
                .enumerate()
                .map(|(a, &l)| if l > op.starts[a] { at(a, l - 1) + 1 } else { starts[a] });
            let limits = limits.collect();
            let strides = op.strides.iter().zip(&inner.strides).map(|(a, b)| a * b).collect();
            Ok(Some(b.one(Slice { starts, limits, strides }, &[from])?))
        }
        // slice(broadcast(scalar)) = broadcast(scalar)
        (Op::BroadcastInDim(_), &[from]) if b.ty(from).rank() == 0 => {
            let result = Op::from(op.clone()).infer(&[ty])?[0];
            Ok(Some(b.broadcast_in_dim(from, &result.dims(), &[])?))
        }
        _ => Ok(None),
    }
}

/// `reverse(x) = x` along axes of extent one.
pub fn reverse(b: &mut Builder, op: &Reverse, x: Value) -> Result<Option<Value>> {
    let ty = b.ty(x);
    let axes: Axes = op.axes.iter().copied().filter(|&a| ty.dim(a) != 1).collect();
    if axes.is_empty() {
        return Ok(Some(x));
    }
    if axes.len() == op.axes.len() { Ok(None) } else { Ok(Some(b.one(Reverse { axes }, &[x])?)) }
}

/// `pad(x) = x` where nothing is added or removed.
pub fn pad(op: &Pad, x: Value) -> Result<Option<Value>> {
    let nothing = op.low.iter().chain(&op.high).all(|&n| n == 0) && op.interior.iter().all(|&n| n == 0);
    Ok(nothing.then_some(x))
}
