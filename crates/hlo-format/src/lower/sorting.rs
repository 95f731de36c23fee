use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::ops::{BitcastConvert, Comparison, Convert, ElementwiseKind, Iota, Slice, Sort, SortOrder};
use jarrah_hlo::{Op, Program, ProgramRef, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use crate::same::same_expressions;
use crate::templates;

/// A comparator of more operands than this is not compared with every number of keys.
const MAX_KEYS: usize = 16;

/// The operands sorted by a comparator: by a named order if the comparator implements one.
///
/// A comparator that only compares one operand with `LT` or `GT` becomes a named order of a key in front. By `TOTALORDER` the key is
/// the integers of the float's total order. By `FLOAT` it is the operand itself: the two differ where there are NaNs alone, among
/// which such a comparator gives no order.
pub(super) fn sorted(
    cx: &mut Cx<'_, '_>,
    (axis, stable): (usize, bool),
    comparator: ProgramRef,
    operands: &[Value],
    general: bool,
) -> Result<Vec<Value>> {
    let dtypes: Vec<_> = operands.iter().map(|&v| cx.ty(v).dtype()).collect();
    let mut operands = operands.to_vec();
    let count = operands.len();
    let mut order = order(comparator, &dtypes, general);
    if let SortOrder::General(comparator) = &order
        && !general
        && let Some(Bare { operand, total, descending }) = bare(comparator)
    {
        let x = operands[operand];
        let key = if total { total_order(cx, x)? } else { x };
        if operand != 0 || key != x {
            operands.insert(0, key);
        }
        order = if descending { SortOrder::Descending { keys: 1 } } else { SortOrder::Ascending { keys: 1 } };
    }
    let keys = operands.len() - count;
    Ok(cx.push(Sort { axis, stable, order }, &operands)?[keys..].to_vec())
}

/// A comparator that compares one operand and looks at no other.
struct Bare {
    operand: usize,
    total: bool,
    descending: bool,
}

/// The single strict comparison of real numbers that a comparator `a0, b0, a1, b1, ...` returns.
fn bare(comparator: &Program) -> Option<Bare> {
    let [result] = comparator.results() else { return None };
    let instr = comparator.instrs().iter().find(|instr| instr.results().any(|v| v == *result))?;
    let Op::Compare(compare) = &instr.op else { return None };
    let mut at = instr.operands.iter().map(|v| comparator.param_values().position(|p| p == *v));
    let (x, y) = (at.next()??, at.next()??);
    if x ^ 1 != y || comparator.param_types()[x].dtype().is_complex() {
        return None;
    }
    let descending = match compare.comparison {
        Comparison::Lt => x > y,
        Comparison::Gt => x < y,
        _ => return None,
    };
    Some(Bare { operand: x / 2, total: compare.total_order, descending })
}

/// The named order that a comparator of these types implements, or else the comparator.
fn order(comparator: ProgramRef, dtypes: &[DType], general: bool) -> SortOrder {
    let most = if general { 0 } else { dtypes.len().min(MAX_KEYS) };
    for keys in 1..=most {
        for descending in [false, true] {
            let template = templates::comparator(dtypes, keys, descending);
            if template.is_ok_and(|t| same_expressions(&comparator, &t)) {
                return match descending {
                    false => SortOrder::Ascending { keys },
                    true => SortOrder::Descending { keys },
                };
            }
        }
    }
    SortOrder::General(comparator)
}

pub(super) fn sort(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let region = cx.only_region()?;
    let (comparator, captured) = cx.scalar_program(region, 2)?;
    let mut operands = cx.operands()?;
    let results = operands.len();
    // What the comparator uses from outside travels as further operands, alike everywhere.
    if let Some(&like) = operands.first() {
        for scalar in captured {
            operands.push(cx.broadcast_scalar(scalar, like)?);
        }
    }
    let axis = match cx.op.attr("dimension").map(|a| a.integer()) {
        // Negative axes count from the end; the default is the last.
        None => -1,
        Some(Some(axis)) => axis,
        Some(None) => return Err(cx.fail("`dimension` is no axis")),
    };
    let rank = operands.first().map_or(0, |&v| cx.ty(v).rank()) as i64;
    let Some(axis) = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok() else {
        return Err(cx.fail(format!("there is no axis {axis}")));
    };
    let (stable, general) = (cx.flag("is_stable")?, cx.flag("jarrah.general")?);
    Ok(all(&sorted(cx, (axis, stable), comparator, &operands, general)?[..results]))
}

/// The `k` largest elements along the last axis, and their positions.
pub(super) fn top_k(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let k = cx.size("k")?;
    extreme(cx, x, k, true)
}

/// The `k` largest or smallest elements along the last axis, and their positions; floats in their total order.
pub(super) fn extreme(cx: &mut Cx<'_, '_>, x: Value, k: usize, largest: bool) -> Result<Outcome> {
    let index = cx.result_dtype(1)?;
    let ty = cx.ty(x);
    let Some(axis) = ty.rank().checked_sub(1) else {
        return Err(cx.fail("the operand is a scalar"));
    };
    let positions = cx.one(Iota { ty: ty.with_dtype(index), axis }, &[])?;
    let mut operands = vec![x, positions];
    let key = total_order(cx, x)?;
    if key != x {
        operands.insert(0, key);
    }
    let order = if largest { SortOrder::Descending { keys: 1 } } else { SortOrder::Ascending { keys: 1 } };
    let sorted = cx.push(Sort { axis, stable: true, order }, &operands)?;
    first(cx, &sorted[operands.len() - 2..], axis, k)
}

/// Integers in the total order of floats: for negative floats, all bits but the sign flipped. Integers are their own key.
///
/// Floats of fewer than 16 bits are widened first: their formats differ in where NaN stands among the bits.
fn total_order(cx: &mut Cx<'_, '_>, mut x: Value) -> Result<Value> {
    let mut dtype = cx.ty(x).dtype();
    if !dtype.is_float() {
        return Ok(x);
    }
    if dtype.bits() < 16 {
        dtype = DType::F32;
        x = cx.one(Convert { to: dtype }, &[x])?;
    }
    let to = match dtype.bits() {
        16 => DType::I16,
        32 => DType::I32,
        _ => DType::I64,
    };
    let bits = cx.one(BitcastConvert { to }, &[x])?;
    let zeros = cx.b().zeros_like(bits)?;
    let negative = cx.b().compare(Comparison::Lt, bits, zeros)?;
    let most = to.integer_range().map_or(0, |(_, most)| most);
    let most = Literal::from_bytes(Type::scalar(to), &most.to_le_bytes()[..to.size()])?;
    let most = cx.constant(most)?;
    let most = cx.broadcast_scalar(most, bits)?;
    let turned = cx.b().binary(ElementwiseKind::Xor, bits, most)?;
    cx.b().select(negative, turned, bits)
}

/// The first `k` elements of each value along an axis.
pub(super) fn first(cx: &mut Cx<'_, '_>, values: &[Value], axis: usize, k: usize) -> Result<Outcome> {
    let mut results = Vec::new();
    for &value in values {
        let mut limits = cx.ty(value).dims();
        limits[axis] = k;
        let (starts, strides) = (limits.iter().map(|_| 0).collect(), limits.iter().map(|_| 1).collect());
        results.push(cx.one(Slice { starts, limits, strides }, &[value])?);
    }
    Ok(all(&results))
}
