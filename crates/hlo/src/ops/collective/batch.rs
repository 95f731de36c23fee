//! Batches of collectives, along one of their axes or along another one.

use jarrah_base::{Literal, Result};

use super::super::Reducer;
use super::definition::rows;
use super::{AxisGroups, Collective, CollectiveKind, NamedAxis};
use crate::program::Value;
use crate::rules::*;

/// The rule.
pub(super) fn collective(op: &Collective, cx: &mut BatchCx<'_>) -> Result<Batched> {
    let mut mapped = None;
    for (at, axis) in op.over.axes.iter().enumerate() {
        if axis.is_mapped(cx)? {
            mapped = Some(at);
        }
    }
    let Some(at) = mapped else { return along_another(op, cx) };
    if op.over.groups.is_none() {
        let (outer, inner) = (&op.over.axes[..at], &op.over.axes[at + 1..]);
        if let Some(result) = along(op, cx, outer, inner)? {
            return Ok(result);
        }
    }
    let definition = op.definition(cx.ty(0))?;
    match batch_by_definition(cx, &definition)? {
        Batch::Results(results) if results.len() == 1 => Ok(results[0]),
        _ => Err(jarrah_base::Error::internal("a collective has another number of results")),
    }
}

/// `x` with its first two axes exchanged.
fn exchanged(cx: &mut BatchCx<'_>, x: Value) -> Result<Value> {
    cx.b.move_axis(x, 1, 0)
}

/// The batch of an op that speaks of other axes.
fn along_another(op: &Collective, cx: &mut BatchCx<'_>) -> Result<Batched> {
    let Batched { value, batched } = cx.operands[0];
    if !batched {
        return Ok(Batched::no(cx.b.one(op.clone(), &[value])?));
    }
    let value = match &op.kind {
        CollectiveKind::AllReduce(_) | CollectiveKind::Permute(_) => cx.b.one(op.clone(), &[value])?,
        CollectiveKind::AllGather => {
            let stacked = cx.b.one(op.clone(), &[value])?;
            exchanged(cx, stacked)?
        }
        CollectiveKind::ReduceScatter(_) => {
            let slices = exchanged(cx, value)?;
            cx.b.one(op.clone(), &[slices])?
        }
        CollectiveKind::AllToAll => {
            let slices = exchanged(cx, value)?;
            let slices = cx.b.one(op.clone(), &[slices])?;
            exchanged(cx, slices)?
        }
    };
    Ok(Batched::yes(value))
}

/// The operands of all elements combined.
fn combined(cx: &mut BatchCx<'_>, reducer: &Reducer) -> Result<Value> {
    let Batched { value, batched } = cx.operands[0];
    match (batched, reducer) {
        (false, Reducer::Add) => cx.b.scale(value, cx.size as f64),
        (false, Reducer::Max | Reducer::Min | Reducer::And | Reducer::Or) if cx.size > 0 => Ok(value),
        _ => {
            let value = cx.batched(0)?;
            cx.b.reduce(reducer.clone(), value, &[0])
        }
    }
}

/// The batch of an op over all positions along `outer` axes, the mapped one, and `inner` axes; `None` where it is made by its definition.
fn along(
    op: &Collective,
    cx: &mut BatchCx<'_>,
    outer: &[NamedAxis],
    inner: &[NamedAxis],
) -> Result<Option<Batched>> {
    let rest = AxisGroups::axes(outer.iter().chain(inner).cloned().collect());
    let alone = rest.axes.is_empty();
    let count = |axes: &[NamedAxis]| axes.iter().map(|axis| axis.size).product::<usize>();
    let (outer, size, inner) = (count(outer), cx.size, count(inner));
    let others = |kind: CollectiveKind| Collective { kind, over: rest.clone() };
    Ok(Some(match &op.kind {
        CollectiveKind::AllReduce(reducer) => {
            let sum = combined(cx, reducer)?;
            Batched::no(match alone {
                true => sum,
                false => cx.b.one(others(op.kind.clone()), &[sum])?,
            })
        }
        CollectiveKind::AllGather => {
            let value = cx.batched(0)?;
            if alone {
                return Ok(Some(Batched::no(value)));
            }
            let ty = cx.ty(0);
            let all = cx.b.one(others(CollectiveKind::AllGather), &[value])?;
            let all = cx.b.reshape(all, &[&[outer, inner, size], &ty.dims()[..]].concat())?;
            let all = cx.b.move_axis(all, 2, 1)?;
            Batched::no(cx.b.reshape(all, &[&[outer * size * inner], &ty.dims()[..]].concat())?)
        }
        CollectiveKind::ReduceScatter(reducer) => {
            let sum = combined(cx, reducer)?;
            if alone {
                return Ok(Some(Batched::yes(sum)));
            }
            let slice = cx.b.ty(sum).without_leading().dims();
            let sum = cx.b.reshape(sum, &[&[outer, size, inner], &slice[..]].concat())?;
            let sum = cx.b.move_axis(sum, 1, 2)?;
            let sum = cx.b.reshape(sum, &[&[outer * inner, size], &slice[..]].concat())?;
            Batched::yes(cx.b.one(others(op.kind.clone()), &[sum])?)
        }
        CollectiveKind::AllToAll if alone => {
            let value = cx.batched(0)?;
            Batched::yes(exchanged(cx, value)?)
        }
        CollectiveKind::Permute(sources) if alone => {
            let value = cx.batched(0)?;
            let zeros = cx.b.zeros(cx.ty(0).with_leading(1))?;
            let padded = cx.b.concatenate(&[value, zeros], 0)?;
            let sources: Vec<i32> = sources.iter().map(|s| s.map_or(size as i32, |s| s as i32)).collect();
            let sources = cx.b.constant(Literal::from_slice(&[sources.len()], &sources)?)?;
            Batched::yes(rows(cx.b, padded, sources)?)
        }
        CollectiveKind::AllToAll | CollectiveKind::Permute(_) => return Ok(None),
    }))
}
