use jarrah_base::Result;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{ConvAxes, Convolution};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::windows;
use crate::ir::Attributes;

pub(super) fn convolution(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [lhs, rhs] = cx.some()?;
    let rank = cx.ty(lhs).rank().saturating_sub(2);
    let (low, high) = windows::padding(cx, rank)?;
    Ok(all(&[with_padding(cx, lhs, rhs, low, high)?]))
}

/// A convolution whose padding is an operand.
pub(super) fn dynamic(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let (lhs, rhs) = (cx.operand(0)?, cx.operand(1)?);
    let padding = cx.operand(2)?;
    let known = cx.block.known(padding, &mut cx.lower.work).filter(|p| p.dtype().is_integer());
    let pairs = known.map(|p| (0..p.len()).map(|i| p.get_i128(i) as i64).collect::<Vec<i64>>());
    let pairs = pairs.filter(|p| p.len() == 2 * cx.ty(lhs).rank().saturating_sub(2));
    let Some(pairs) = pairs.filter(|p| p.iter().all(|n| n.unsigned_abs() <= 1 << 40)) else {
        return Err(cx.fail("the padding is not known before the program runs, or no pair for each axis"));
    };
    let (low, high) = windows::sides(&pairs);
    Ok(all(&[with_padding(cx, lhs, rhs, low, high)?]))
}

fn with_padding(cx: &mut Cx<'_, '_>, lhs: Value, rhs: Value, low: Vec<i64>, high: Vec<i64>) -> Result<Value> {
    let numbers = cx.fields("dimension_numbers")?;
    let spatial = low.len();
    let reversed = cx.sizes_or("window_reversal", spatial, 0)?;
    let out = cx.result_dtype(0)?;
    let convolution = Convolution {
        lhs_axes: axes(
            cx,
            numbers,
            ["input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"],
        )?,
        rhs_axes: axes(
            cx,
            numbers,
            [
                "kernel_output_feature_dimension",
                "kernel_input_feature_dimension",
                "kernel_spatial_dimensions",
            ],
        )?,
        out_axes: axes(
            cx,
            numbers,
            ["output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"],
        )?,
        strides: cx.sizes_or("window_strides", spatial, 1)?,
        low: low.into(),
        high: high.into(),
        lhs_dilations: cx.sizes_or("lhs_dilation", spatial, 1)?,
        rhs_dilations: cx.sizes_or("rhs_dilation", spatial, 1)?,
        reversed: reversed.iter().map(|&r| r != 0).collect(),
        feature_groups: cx.size_in(&cx.op.attributes, "feature_group_count")?.unwrap_or(1),
        batch_groups: cx.size_in(&cx.op.attributes, "batch_group_count")?.unwrap_or(1),
        out,
    };
    // The product is computed in the widest of the three types.
    let (l, r) = (cx.ty(lhs).dtype(), cx.ty(rhs).dtype());
    let wide = [l, r, out].into_iter().max_by_key(|d| d.bits()).unwrap_or(out);
    if l == r && wide == out {
        return cx.one(convolution, &[lhs, rhs]);
    }
    let (lhs, rhs) = (cx.b().convert(lhs, wide)?, cx.b().convert(rhs, wide)?);
    let result = cx.one(Convolution { out: wide, ..convolution }, &[lhs, rhs])?;
    cx.b().convert(result, out)
}

/// The batch, feature and spatial axes of an operand or result; a kernel has its output features as the batch.
fn axes(cx: &Cx<'_, '_>, numbers: &Attributes, [batch, feature, spatial]: [&str; 3]) -> Result<ConvAxes> {
    let axis = |name: &str| cx.size_in(numbers, name).map(|axis| axis.unwrap_or(0));
    Ok(ConvAxes { batch: axis(batch)?, feature: axis(feature)?, spatial: cx.axes_in(numbers, spatial)? })
}
