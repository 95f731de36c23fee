use jarrah_base::{Result, Type};
use jarrah_hlo::ops::{Axes, Elementwise, ElementwiseKind, Reduce, Reducer};
use jarrah_hlo::{Op, Program, ProgramRef, Value};

use super::block::{Bound, Outcome, all};
use super::cx::Cx;
use super::elementwise;
use crate::ir::ValueId;
use crate::same::same_expressions;
use crate::templates;

/// The elementwise function that a program applies to its two parameters, in either order.
pub(super) fn folds_with(program: &Program) -> Option<ElementwiseKind> {
    let ([instr], [result], 2) = (program.instrs(), program.results(), program.params().len()) else {
        return None;
    };
    let Op::Elementwise(Elementwise { kind }) = instr.op else { return None };
    let (x, y) = (program.param(0), program.param(1));
    let operands = &instr.operands[..];
    let both = operands == [x, y] || operands == [y, x] && templates::reducer(kind).is_some();
    (both && instr.result() == *result).then_some(kind)
}

pub(super) fn reduce(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let mut axes: Axes = cx.sizes("dimensions")?;
    axes.sort_unstable();
    let count = cx.op.operands.len() / 2;
    if !cx.op.operands.len().is_multiple_of(2) || count == 0 {
        return Err(cx.fail("takes tensors and as many initial values"));
    }
    let region = cx.only_region()?;
    let body = cx.closed(region, None)?;
    let general = cx.flag("jarrah.general")?;
    if count == 1
        && !general
        && let Some(kind) = folds_with(&body)
        && let Some(reducer) = templates::reducer(kind)
        && let Some(outcome) = fold(cx, kind, reducer, &body, &axes)?
    {
        return Ok(outcome);
    }
    if count == 2
        && !general
        && let Some(outcome) = arg_reduce(cx, &body, &axes)?
    {
        return Ok(outcome);
    }
    let operands = promoted(cx, &body)?;
    Ok(all(&cx.push(Reduce { reducer: Reducer::General(body), axes }, &operands)?))
}

/// The operands, tensors and then initial values, converted to the element types of the body.
pub(super) fn promoted(cx: &mut Cx<'_, '_>, body: &Program) -> Result<Vec<Value>> {
    let operands = cx.operands()?;
    let types = body.param_types();
    let mut all = Vec::new();
    for (i, value) in operands.into_iter().enumerate() {
        let to = types.get(i).map_or(cx.ty(value), |ty| *ty).dtype();
        all.push(cx.b().convert(value, to)?);
    }
    Ok(all)
}

/// A reduction of one tensor by an elementwise function, with any initial value; `None` if the named reducer does not
/// fit these element types.
fn fold(
    cx: &mut Cx<'_, '_>,
    kind: ElementwiseKind,
    reducer: Reducer,
    body: &Program,
    axes: &Axes,
) -> Result<Option<Outcome>> {
    let init = cx.op.operands[1];
    let scalar = Type::scalar(body.params()[0].ty.dtype());
    let x = cx.operand(0)?;
    let x = cx.b().convert(x, scalar.dtype())?;
    let reduce = Reduce { reducer, axes: axes.clone() };
    if Op::from(reduce.clone()).infer(&[cx.ty(x)]).is_err() {
        return Ok(None);
    }
    let identity = templates::identity(kind, scalar.dtype())?;
    let neutral = cx.constant_operand(init).is_some_and(|constant| constant == identity);
    let reduced = cx.one(reduce, &[x])?;
    if neutral {
        cx.absorb(init);
        return Ok(Some(all(&[reduced])));
    }
    let init = cx.operand(1)?;
    if cx.ty(init).rank() > 0 {
        let ty = cx.ty(init);
        return Err(cx.fail(format!("the initial value is {ty}, not a scalar")));
    }
    let init = cx.b().convert(init, scalar.dtype())?;
    let start = elementwise::spread(cx, init, cx.ty(reduced))?;
    Ok(Some(all(&[cx.one(Elementwise { kind }, &[start, reduced])?])))
}

/// The argmax or argmin that a reduction of values and positions is, if it is one.
fn arg_reduce(cx: &mut Cx<'_, '_>, body: &ProgramRef, axes: &Axes) -> Result<Option<Outcome>> {
    let (&[_, positions, init, first], &[axis]) = (&cx.op.operands[..], &axes[..]) else {
        return Ok(None);
    };
    let types = body.param_types();
    let (value, index) = (types[0].dtype(), types[1].dtype());
    let x = cx.operand(0)?;
    if !index.is_integer() || cx.ty(x).dtype() != value {
        return Ok(None);
    }
    let is = |largest: bool| {
        templates::arg_reducer(largest, value, index).is_ok_and(|t| same_expressions(body, &t))
    };
    let (largest, kind) = match (is(true), is(false)) {
        (true, _) => (true, ElementwiseKind::Maximum),
        (_, true) => (false, ElementwiseKind::Minimum),
        _ => return Ok(None),
    };
    let neutral = templates::identity(kind, value)?;
    let starts_low = cx.constant_operand(init) == Some(neutral);
    let starts_first = cx.constant_operand(first).is_some_and(|c| c.len() == 1 && c.get_i128(0) == 0);
    if !starts_low || !starts_first || !counts_along(cx, positions, axis) {
        return Ok(None);
    }
    let mut result = [None, None];
    let used: Vec<bool> = cx.op.results.iter().map(|&id| cx.lower.is_used(id)).collect();
    if used.len() != 2 {
        return Ok(None);
    }
    if used[0] {
        let reducer = if largest { Reducer::Max } else { Reducer::Min };
        result[0] = Some(cx.one(Reduce { reducer, axes: axes.clone() }, &[x])?);
    }
    if used[1] || !used[0] {
        let reducer = if largest { Reducer::ArgMax(index) } else { Reducer::ArgMin(index) };
        result[1] = Some(cx.one(Reduce { reducer, axes: axes.clone() }, &[x])?);
    }
    for needless in [positions, init, first] {
        cx.absorb(needless);
    }
    Ok(Some(result.into_iter().collect()))
}

/// Whether a value is an iota along an axis.
fn counts_along(cx: &Cx<'_, '_>, id: ValueId, axis: usize) -> bool {
    match cx.block.bound.get(&id) {
        Some(Bound::Values(leaves)) => {
            let definition = leaves.first().and_then(|&v| cx.block.b.definition(v)).map(|i| &i.op);
            matches!(definition, Some(Op::Iota(iota)) if iota.axis == axis)
        }
        Some(Bound::Implied(op)) => {
            let along = op.attr("iota_dimension").and_then(|a| a.integer());
            op.name() == "stablehlo.iota" && along == i64::try_from(axis).ok()
        }
        _ => false,
    }
}
