use jarrah_base::Result;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Axes, Concatenate, Pad, Reshape, Reverse, Slice, TransposeAxes};
use smallvec::SmallVec;

use super::block::{Outcome, all};
use super::cx::Cx;

pub(super) fn reshape(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let ty = cx.result_type(0)?;
    if let Some(before) = cx.before(x, ty) {
        return Ok(all(&[before]));
    }
    Ok(all(&[cx.one(Reshape { dims: SmallVec::from_slice(&ty.dims()) }, &[x])?]))
}

pub(super) fn transpose(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let permutation = cx.sizes("permutation")?;
    Ok(all(&[cx.one(TransposeAxes { permutation }, &[x])?]))
}

pub(super) fn reverse(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let mut axes: Axes = cx.sizes("dimensions")?;
    axes.sort_unstable();
    Ok(all(&[cx.one(Reverse { axes }, &[x])?]))
}

pub(super) fn slice(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let starts = cx.sizes("start_indices")?;
    let limits = cx.sizes("limit_indices")?;
    let strides = cx.sizes("strides")?;
    Ok(all(&[cx.one(Slice { starts, limits, strides }, &[x])?]))
}

pub(super) fn pad(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x, padding] = cx.some()?;
    let low = cx.numbers("edge_padding_low")?;
    let high = cx.numbers("edge_padding_high")?;
    let interior = cx.sizes("interior_padding")?;
    Ok(all(&[padded(cx, x, padding, &low, &high, &interior)?]))
}

/// `x` with `padding` around it and between its elements.
pub(super) fn padded(
    cx: &mut Cx<'_, '_>,
    x: Value,
    padding: Value,
    low: &[i64],
    high: &[i64],
    interior: &[usize],
) -> Result<Value> {
    for (axis, (extent, &between)) in cx.ty(x).extents().zip(interior).enumerate() {
        // Extents and padding are below 2^40, so only this product can be too large.
        let extent = extent as u128 * (between as u128 + 1);
        if extent > 1 << 50 {
            return Err(cx.fail(format!("axis {axis} becomes too large")));
        }
    }
    let (low, high, interior) = (low.into(), high.into(), SmallVec::from_slice(interior));
    cx.one(Pad { low, high, interior }, &[x, padding])
}

pub(super) fn concatenate(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.operands()?;
    let axis = cx.size("dimension")?;
    Ok(all(&[cx.one(Concatenate { axis }, &operands)?]))
}
