use jarrah_base::{DType, Result};
use jarrah_hlo::ops::{Iota, Slice, Sort, SortOrder};
use jarrah_hlo::{ProgramRef, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use crate::same::same_expressions;
use crate::templates;

/// Comparators of more operands than this are not tried for every number of keys.
const MAX_KEYS: usize = 16;

/// The order that a comparator of elements of these types is.
pub(super) fn order(comparator: ProgramRef, dtypes: &[DType], general: bool) -> SortOrder {
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
    let comparator = cx.closed(region, None)?;
    let operands = cx.operands()?;
    let axis = match cx.op.attr("dimension").map(|a| a.integer()) {
        // Negative axes count from the end; without one it is the last.
        None => -1,
        Some(Some(axis)) => axis,
        Some(None) => return Err(cx.fail("`dimension` is no axis")),
    };
    let rank = operands.first().map_or(0, |&v| cx.ty(v).rank()) as i64;
    let Some(axis) = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok() else {
        return Err(cx.fail(format!("there is no axis {axis}")));
    };
    let dtypes: Vec<_> = operands.iter().map(|&v| cx.ty(v).dtype()).collect();
    let order = order(comparator, &dtypes, cx.flag("jarrah.general")?);
    let stable = cx.flag("is_stable")?;
    Ok(all(&cx.push(Sort { axis, stable, order }, &operands)?))
}

/// The `k` largest elements along the last axis, and their positions.
pub(super) fn top_k(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let k = cx.size("k")?;
    largest(cx, x, k, SortOrder::Descending { keys: 1 })
}

/// The first `k` elements along the last axis in some order, and their positions.
pub(super) fn largest(cx: &mut Cx<'_, '_>, x: Value, k: usize, order: SortOrder) -> Result<Outcome> {
    let index = cx.result_dtype(1)?;
    let ty = cx.ty(x);
    let Some(axis) = ty.rank().checked_sub(1) else {
        return Err(cx.fail("the operand is a scalar"));
    };
    let positions = cx.one(Iota { ty: ty.with_dtype(index), axis }, &[])?;
    let sorted = cx.push(Sort { axis, stable: true, order }, &[x, positions])?;
    first(cx, &sorted, axis, k)
}

/// The first `k` elements of each along an axis.
pub(super) fn first(cx: &mut Cx<'_, '_>, values: &[Value], axis: usize, k: usize) -> Result<Outcome> {
    let mut results = Vec::new();
    for &value in values {
        let mut limits = jarrah_base::concrete(cx.ty(value).dims())?;
        limits[axis] = k;
        let (starts, strides) = (limits.iter().map(|_| 0).collect(), limits.iter().map(|_| 1).collect());
        results.push(cx.one(Slice { starts, limits, strides }, &[value])?);
    }
    Ok(all(&results))
}
