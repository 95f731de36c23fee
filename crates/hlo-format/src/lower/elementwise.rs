use jarrah_base::{DType, ElementKind, Literal, Result, Type};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{
    BitcastConvert, BroadcastInDim, Clamp, Compare, Comparison, Convert, Elementwise, ElementwiseKind, Iota,
    Select,
};
use smallvec::SmallVec;

use super::block::{Outcome, all};
use super::cx::Cx;
use super::types;
use crate::ir::{Attr, Dense};

/// The largest tensor of equal elements, in bytes, that becomes a literal; larger ones are broadcast scalars.
const MAX_SPLAT_BYTES: u64 = 1 << 12;

pub(super) fn function(cx: &mut Cx<'_, '_>, kind: ElementwiseKind) -> Result<Outcome> {
    let operands = cx.operands()?;
    apply(cx, kind, &operands)
}

pub(super) fn apply(cx: &mut Cx<'_, '_>, kind: ElementwiseKind, operands: &[Value]) -> Result<Outcome> {
    Ok(all(&[cx.one(Elementwise { kind }, operands)?]))
}

/// `|x| < inf`, which fails for NaN too; `x = x` for a type without infinities.
pub(super) fn is_finite(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    if !has_infinities(cx.ty(x).dtype()) {
        return Ok(all(&[cx.b().compare(Comparison::Eq, x, x)?]));
    }
    let size = cx.b().unary(ElementwiseKind::Abs, x)?;
    let infinite = full_like(cx, x, f64::INFINITY)?;
    Ok(all(&[cx.b().compare(Comparison::Lt, size, infinite)?]))
}

fn has_infinities(dtype: DType) -> bool {
    dtype.float_range().is_some_and(|(_, most)| most == f64::INFINITY)
}

/// `|x| = inf`, or `x = which` where one sign is asked for; `x < x`, which holds nowhere, for a type without infinities.
pub(super) fn is_infinite(cx: &mut Cx<'_, '_>, which: Option<f64>) -> Result<Outcome> {
    let [x] = cx.some()?;
    if !has_infinities(cx.ty(x).dtype()) {
        return Ok(all(&[cx.b().compare(Comparison::Lt, x, x)?]));
    }
    let infinite = full_like(cx, x, which.unwrap_or(f64::INFINITY))?;
    let x = if which.is_none() { cx.b().unary(ElementwiseKind::Abs, x)? } else { x };
    Ok(all(&[cx.b().compare(Comparison::Eq, x, infinite)?]))
}

/// A tensor of the type of `like` full of `value`.
pub(super) fn full_like(cx: &mut Cx<'_, '_>, like: Value, value: f64) -> Result<Value> {
    let ty = cx.ty(like);
    cx.b().full(ty, value)
}

/// The whole tensor of an attribute; `None` if its type is incomplete, or if it is large and all elements are equal.
pub(super) fn literal(dense: &Dense) -> Option<Literal> {
    let ty = types::Leaf(&dense.ty).concrete()?;
    if !dense.is_splat() || ty.rank() == 0 {
        return (dense.value.ty() == ty).then(|| dense.value.clone());
    }
    let bytes = ty.bytes().ok().filter(|&n| n as u64 <= MAX_SPLAT_BYTES)?;
    let element = dense.value.bytes();
    Literal::from_bytes(ty, &element.repeat(bytes / element.len().max(1))).ok()
}

pub(super) fn constant(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let Attr::Dense(dense) = cx.attr("value")? else {
        return Err(cx.fail("the value is no tensor"));
    };
    Ok(all(&[tensor(cx, dense)?]))
}

/// The value of a tensor attribute.
pub(super) fn tensor(cx: &mut Cx<'_, '_>, dense: &Dense) -> Result<Value> {
    if let Some(value) = literal(dense) {
        return cx.constant(value);
    }
    let Some(ty) = types::Leaf(&dense.ty).concrete() else {
        return Err(cx.fail(format!("a constant cannot be {}", types::describe(&dense.ty))));
    };
    if !dense.is_splat() || dense.value.dtype() != ty.dtype() {
        return Err(cx.fail(format!("the value is {}, not {ty}", dense.value.ty())));
    }
    let scalar = cx.constant(dense.value.clone())?;
    cx.b().broadcast_in_dim(scalar, &ty.dims(), &[])
}

/// A constant with the extents of the operand.
pub(super) fn constant_like(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [like] = cx.some()?;
    let ty = Type::scalar(cx.result_dtype(0)?);
    let value = match cx.attr("value")? {
        Attr::Float(x, _) => Literal::full(ty, *x)?,
        Attr::Integer(n, _) => {
            Literal::from_bytes(ty, n.to_le_bytes().get(..ty.dtype().size()).unwrap_or(&[]))?
        }
        Attr::Bool(b) => Literal::full(ty, f64::from(*b))?,
        Attr::Dense(dense) if dense.value.ty() == ty => dense.value.clone(),
        _ => return Err(cx.fail("the value is no scalar")),
    };
    let scalar = cx.constant(value)?;
    let dims = cx.ty(like).dims();
    Ok(all(&[cx.b().broadcast_in_dim(scalar, &dims, &[])?]))
}

pub(super) fn iota(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let axis = cx.size("iota_dimension")?;
    let ty = cx.result_type(0)?;
    Ok(all(&[cx.one(Iota { ty, axis }, &[])?]))
}

/// The `Compare` that an op's attributes describe.
pub(super) fn comparison(cx: &Cx<'_, '_>, operand: Type) -> Result<Compare> {
    let comparison = match cx.word("comparison_direction")? {
        "EQ" => Comparison::Eq,
        "NE" => Comparison::Ne,
        "LT" => Comparison::Lt,
        "LE" => Comparison::Le,
        "GT" => Comparison::Gt,
        "GE" => Comparison::Ge,
        other => return Err(cx.fail(format!("`{other}` is no comparison"))),
    };
    let kind = cx.optional_word("compare_type")?.unwrap_or("NOTYPE");
    let is_float =
        !matches!(operand.dtype().kind(), ElementKind::Signed | ElementKind::Unsigned | ElementKind::Bool);
    let fits = match kind {
        "NOTYPE" => true,
        "FLOAT" => is_float,
        "TOTALORDER" => operand.dtype().is_float(),
        "SIGNED" => operand.dtype().kind() == ElementKind::Signed,
        "UNSIGNED" => matches!(operand.dtype().kind(), ElementKind::Unsigned | ElementKind::Bool),
        other => return Err(cx.fail(format!("`{other}` is no kind of comparison"))),
    };
    if !fits {
        return Err(cx.fail(format!("a comparison of kind {kind} does not fit {operand}")));
    }
    Ok(Compare { comparison, total_order: kind == "TOTALORDER" })
}

pub(super) fn compare(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x, y] = cx.some()?;
    let compare = comparison(cx, cx.ty(x))?;
    Ok(all(&[cx.one(compare, &[x, y])?]))
}

pub(super) fn select(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [predicate, on_true, on_false] = cx.some()?;
    let predicate = cx.broadcast_scalar(predicate, on_true)?;
    Ok(all(&[cx.one(Select, &[predicate, on_true, on_false])?]))
}

pub(super) fn clamp(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [low, x, high] = cx.some()?;
    let low = cx.broadcast_scalar(low, x)?;
    let high = cx.broadcast_scalar(high, x)?;
    Ok(all(&[cx.one(Clamp, &[low, x, high])?]))
}

/// An op that has no attributes to read.
pub(super) fn of_types(cx: &mut Cx<'_, '_>, op: impl Into<jarrah_hlo::Op>) -> Result<Outcome> {
    let operands = cx.operands()?;
    Ok(all(&[cx.one(op, &operands)?]))
}

pub(super) fn convert(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let to = cx.result_dtype(0)?;
    if let Some(before) = cx.before(x, cx.ty(x).with_dtype(to)) {
        return Ok(all(&[before]));
    }
    Ok(all(&[cx.one(Convert { to }, &[x])?]))
}

pub(super) fn bitcast_convert(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let to = cx.result_dtype(0)?;
    Ok(all(&[cx.one(BitcastConvert { to }, &[x])?]))
}

/// A scalar broadcast to the extents of a type.
pub(super) fn spread(cx: &mut Cx<'_, '_>, scalar: Value, ty: Type) -> Result<Value> {
    let dims = ty.dims();
    if dims.is_empty() {
        Ok(scalar)
    } else {
        cx.one(BroadcastInDim { dims, axes: SmallVec::new() }, &[scalar])
    }
}
