//! Programs that combine numbers, computed in `f64`.

use std::sync::Arc;

use jarrah_base::{DType, Literal, Result, Type};

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::ElementwiseKind;
use crate::program::{Program, Value};
use crate::rules::ProgramRef;

/// Whether elements of this type are summed and multiplied in `f64`, one after another, and rounded once.
fn is_narrow(dtype: DType) -> bool {
    dtype.is_float() && dtype != DType::F64
}

/// Whether the function rounds its result.
fn rounds(kind: ElementwiseKind) -> bool {
    use ElementwiseKind::*;
    !matches!(
        kind,
        Abs | Negate
            | Sign
            | Floor
            | Ceil
            | RoundNearestEven
            | RoundNearestAfz
            | Maximum
            | Minimum
            | Conj
            | Not
            | And
            | Or
            | Xor
    )
}

/// Whether each op means in `f64` what it means in a narrower float, but for rounding: functions of numbers, comparisons and choices.
fn may_widen(body: &Program) -> bool {
    body.instrs().iter().all(|instr| match &instr.op {
        Op::Elementwise(op) => op.kind != ElementwiseKind::NextAfter,
        Op::Constant(_) | Op::Compare(_) | Op::Select(_) | Op::Clamp(_) | Op::BroadcastInDim(_) => true,
        Op::Call(call) => may_widen(&call.callee),
        Op::CustomRule(op) => may_widen(&op.primal),
        _ => false,
    })
}

/// Whether an op rounds a number of a narrow float.
fn is_rounding(body: &Program) -> bool {
    body.instrs().iter().any(|instr| match &instr.op {
        Op::Elementwise(op) => {
            rounds(op.kind) && instr.results().any(|result| is_narrow(body.ty(result).dtype()))
        }
        Op::Call(call) => is_rounding(&call.callee),
        Op::CustomRule(op) => is_rounding(&op.primal),
        _ => false,
    })
}

/// The program that combines values and elements in `f64` where `body` does in narrower floats; `None` where nothing is rounded, or an op
/// depends on the type.
///
/// # Errors
/// As [`Builder::push`].
pub fn widened(body: &ProgramRef) -> Result<Option<ProgramRef>> {
    let types = body.param_types();
    let apart =
        types.iter().any(|ty| ty.dtype().is_complex()) || !types.iter().any(|ty| is_narrow(ty.dtype()));
    if apart || !is_rounding(body) || !may_widen(body) {
        return Ok(None);
    }
    let mut b = Builder::new(body.name());
    let params: Vec<Value> = types.iter().map(|&ty| b.param(doubled(ty), "")).collect();
    let results = inlined(&mut b, body, &params)?;
    Ok(Some(Arc::new(b.finish(&results)?)))
}

/// The type of the numbers in `f64` that are computed with in the place of narrower floats.
pub fn doubled(ty: Type) -> Type {
    if is_narrow(ty.dtype()) { ty.with_dtype(DType::F64) } else { ty }
}

/// The instructions of `body` over wide values.
fn inlined(b: &mut Builder, body: &Program, args: &[Value]) -> Result<Vec<Value>> {
    let mut values = args.to_vec();
    for instr in body.instrs() {
        let operands: Vec<Value> = instr.operands.iter().map(|v| values[v.index()]).collect();
        match &instr.op {
            Op::Constant(constant) if is_narrow(constant.value.dtype()) => {
                let value = Literal::from_f64s(doubled(constant.value.ty()), &constant.value.to_f64_vec())?;
                values.push(b.constant(value)?);
            }
            Op::Call(call) => values.extend(inlined(b, &call.callee, &operands)?),
            Op::CustomRule(op) => values.extend(inlined(b, &op.primal, &operands)?),
            op => values.extend(b.push(op.clone(), &operands)?),
        }
    }
    Ok(body.results().iter().map(|v| values[v.index()]).collect())
}
