//! Rewrites that keep every bit.
//!
//! One walk in program order, so operands are simplified before their readers. `x + 0` is not simplified for floats
//! because of -0.0, but `x - 0` and `x + -0.0` are.

mod arithmetic;
mod bits;
mod contraction;
mod movement;

use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Instr, Op, Program, Results, Value};
use smallvec::smallvec;

use crate::loops::{self, Hoisted};
use crate::rebuild::{Memo, rebuild};

pub fn run(program: &Program) -> Result<Program> {
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    let uses = program.use_counts();
    rebuild(program, |b, instr, operands| {
        let nested = memo.apply_inside(&instr.op, pass)?;
        let op = nested.as_ref().unwrap_or(&instr.op);
        if let Some(results) = control(b, op, operands)? {
            return Ok(results);
        }
        if let Some(results) = empty(b, program, instr, op, operands)? {
            return Ok(results);
        }
        if instr.results().len() == 1
            && op.effects().is_pure()
            && let Some(value) =
                rewrite(b, op, operands, instr.operands.first().is_some_and(|v| uses[v.index()] == 1))?
        {
            return Ok(smallvec![value]);
        }
        match nested {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        }
    })
}

/// `op(x) = []` where no result has an element, and the identity where a reduction or contraction runs over no
/// element.
fn empty(
    b: &mut Builder,
    program: &Program,
    instr: &Instr,
    op: &Op,
    operands: &[Value],
) -> Result<Option<Results>> {
    if !op.effects().is_pure() || matches!(op, Op::Constant(_)) {
        return Ok(None);
    }
    let types: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
    let mut results = Results::new();
    if nothing(&types)? {
        for ty in types {
            results.push(b.constant(Literal::zeros(ty)?)?);
        }
        return Ok(Some(results));
    }
    let identity = match op {
        Op::Reduce(reduce) if nothing(&b.types(operands[..1].as_ref()))? => match reduce.reducer {
            Reducer::ArgMax(_) | Reducer::ArgMin(_) | Reducer::General(_) => None,
            // The sum is 0 rounded to the type, NaN where the type has no zero.
            Reducer::Add => Some(Literal::full(Type::scalar(types[0].dtype()), 0.0)?),
            _ => Some(reduce.reducer.identity(types[0].dtype())?),
        },
        Op::DotGeneral(_) if nothing(&b.types(operands[..1].as_ref()))? => {
            Some(Literal::full(Type::scalar(types[0].dtype()), 0.0)?)
        }
        _ => None,
    };
    let Some(identity) = identity else { return Ok(None) };
    let scalar = b.constant(identity)?;
    Ok(Some(smallvec![b.broadcast_in_dim(scalar, &types[0].dims(), &[])?]))
}

/// Whether there are types, all of tensors without elements.
fn nothing(types: &[Type]) -> Result<bool> {
    for ty in types {
        if ty.elements()? > 0 {
            return Ok(false);
        }
    }
    Ok(!types.is_empty())
}

/// A simpler value for an instruction with one result; `once` says that nothing else uses operand 0.
fn rewrite(b: &mut Builder, op: &Op, operands: &[Value], once: bool) -> Result<Option<Value>> {
    match op {
        Op::Constant(constant) => spread(b, constant),
        Op::Elementwise(e) => arithmetic::elementwise(b, e.kind, operands),
        Op::Select(_) => arithmetic::select(b, operands),
        Op::Convert(convert) => arithmetic::convert(b, convert.to, operands[0]),
        Op::BitcastConvert(convert) => arithmetic::bitcast(b, convert.to, operands[0]),
        Op::BroadcastInDim(broadcast) => movement::broadcast(b, broadcast, operands[0]),
        Op::Reshape(reshape) => movement::reshape(b, &reshape.dims, operands[0]),
        Op::TransposeAxes(transpose) => movement::transpose(b, &transpose.permutation, operands[0], once),
        Op::Slice(slice) => movement::slice(b, slice, operands[0]),
        Op::Reverse(reverse) => movement::reverse(b, reverse, operands[0]),
        Op::Concatenate(_) if operands.len() == 1 => Ok(Some(operands[0])),
        Op::Concatenate(join) => bits::concatenate(b, join.axis, operands),
        Op::Pad(pad) => movement::pad(pad, operands[0]),
        Op::DotGeneral(dot) => contraction::dot(b, dot, operands),
        // reduce(x, no axes) = x
        Op::Reduce(reduce) if reduce.axes.is_empty() => Ok(match reduce.reducer {
            Reducer::ArgMax(_) | Reducer::ArgMin(_) | Reducer::General(_) => None,
            _ => Some(operands[0]),
        }),
        _ => Ok(None),
    }
}

/// `constant([c, c, ..]) = broadcast(c)`
fn spread(b: &mut Builder, constant: &Constant) -> Result<Option<Value>> {
    let ty = constant.value.ty();
    if ty.rank() == 0 {
        return Ok(None);
    }
    let Some(scalar) = constant.value.splat() else { return Ok(None) };
    let scalar = b.constant(scalar)?;
    Ok(Some(b.broadcast_in_dim(scalar, &ty.dims(), &[])?))
}

/// Branches on a constant, and carries that a loop does not change.
fn control(b: &mut Builder, op: &Op, operands: &[Value]) -> Result<Option<Results>> {
    match op {
        // case(k, f, x) = f[k](x)
        Op::Case(case) => {
            let Some(index) = scalar(b, operands[0]) else { return Ok(None) };
            let last = case.branches.len() - 1;
            let branch = usize::try_from(index.get_i128(0)).unwrap_or(last).min(last);
            Ok(Some(b.inline(&case.branches[branch], &operands[1..])?.into()))
        }
        // scan(c -> c) = c
        Op::Scan(scan) => {
            let Some((scan, order, results)) = loops::hoist_invariant_carries(scan)? else { return Ok(None) };
            let reordered: Vec<Value> = order.iter().map(|&i| operands[i]).collect();
            let drops = scan.body.results().is_empty() && scan.body.effects().may_drop();
            let made = if drops { Results::new() } else { b.push(scan, &reordered)? };
            let place = |hoisted: Hoisted| match hoisted {
                Hoisted::Operand(i) => operands[i],
                Hoisted::Result(i) => made[i],
            };
            Ok(Some(results.into_iter().map(place).collect()))
        }
        _ => Ok(None),
    }
}

/// The scalar that `value` repeats, if it is a constant.
fn scalar(b: &Builder, value: Value) -> Option<Literal> {
    let mut instr = b.definition(value)?;
    loop {
        match &instr.op {
            Op::Constant(constant) if constant.value.len() == 1 => return constant.value.splat(),
            Op::BroadcastInDim(_) | Op::Reshape(_) => instr = b.definition(instr.operands[0])?,
            _ => return None,
        }
    }
}
