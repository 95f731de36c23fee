//! Quantized tensors: integers that represent the reals `(integer - zero_point) * scale`.

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::ops::{Axes, Clamp, ElementwiseKind};
use jarrah_hlo::{Builder, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::{dispatch, types};
use crate::ir::Quantized;

/// Builds an op with quantized operands or results.
pub(super) fn op(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let all = cx.op.operands.iter().chain(&cx.op.results);
    let parameters: Vec<&Quantized> =
        all.filter_map(|&id| types::quantized(cx.lower.module.ty(id))).collect();
    let alike = parameters.windows(2).all(|pair| same_meaning(pair[0], pair[1]));
    let as_stored = match treatment(cx.op.name()) {
        Treatment::Stored => true,
        Treatment::StoredIfAlike => alike,
        Treatment::Real => false,
    };
    if as_stored {
        return dispatch::plain(cx);
    }
    cx.real = true;
    let outcome = dispatch::plain(cx)?;
    cx.real = false;
    let mut results = Outcome::new();
    let stated = cx.results()?;
    for (i, value) in outcome.into_iter().enumerate() {
        let leaf = stated.get(i).ok_or_else(|| cx.fail(format!("lacks result {i}")))?;
        let quantized = match leaf.tensor().element {
            crate::ir::ElementTy::Quantized(ref quantized) => Some(quantized),
            _ => None,
        };
        results.push(match (value, quantized) {
            (Some(value), Some(quantized)) => Some(quantize(cx.b(), value, quantized)?),
            (value, _) => value,
        });
    }
    Ok(results)
}

/// How an op is built on quantized operands.
enum Treatment {
    /// On the stored integers.
    Stored,
    /// On the stored integers if all are quantized alike, else on reals.
    StoredIfAlike,
    /// On the reals they represent.
    Real,
}

fn treatment(name: &str) -> Treatment {
    match name {
        "stablehlo.bitcast_convert"
        | "stablehlo.case"
        | "stablehlo.composite"
        | "stablehlo.constant"
        | "stablehlo.custom_call"
        | "stablehlo.get_dimension_size"
        | "stablehlo.if"
        | "stablehlo.map"
        | "stablehlo.optimization_barrier"
        | "stablehlo.reduce"
        | "stablehlo.reduce_window"
        | "stablehlo.scatter"
        | "stablehlo.select_and_scatter"
        | "stablehlo.sort"
        | "stablehlo.tuple"
        | "stablehlo.uniform_dequantize"
        | "stablehlo.uniform_quantize"
        | "stablehlo.while" => Treatment::Stored,
        "stablehlo.all_gather"
        | "stablehlo.all_to_all"
        | "stablehlo.broadcast"
        | "stablehlo.broadcast_in_dim"
        | "stablehlo.collective_broadcast"
        | "stablehlo.collective_permute"
        | "stablehlo.concatenate"
        | "stablehlo.dynamic_broadcast_in_dim"
        | "stablehlo.dynamic_gather"
        | "stablehlo.dynamic_pad"
        | "stablehlo.dynamic_reshape"
        | "stablehlo.dynamic_slice"
        | "stablehlo.dynamic_update_slice"
        | "stablehlo.gather"
        | "stablehlo.pad"
        | "stablehlo.real_dynamic_slice"
        | "stablehlo.reshape"
        | "stablehlo.reverse"
        | "stablehlo.select"
        | "stablehlo.slice"
        | "stablehlo.transpose" => Treatment::StoredIfAlike,
        name if name.starts_with("stablehlo.") || name.starts_with("chlo.") => Treatment::Real,
        _ => Treatment::Stored,
    }
}

/// Whether equal integers represent equal reals; an axis may have moved or been broadcast.
fn same_meaning(a: &Quantized, b: &Quantized) -> bool {
    let parts = |q: &Quantized| (q.storage, q.range, q.expressed, q.axis.is_some());
    parts(a) == parts(b) && (a.axis.is_some() || a.scales == b.scales && a.zero_points == b.zero_points)
}

/// One number per entry of the quantized axis, broadcast to the extents of `like`.
fn spread(
    b: &mut Builder,
    numbers: &[f64],
    dtype: DType,
    quantized: &Quantized,
    like: Value,
) -> Result<Value> {
    let dims = b.ty(like).dims();
    let Some(axis) = quantized.axis.map(|axis| axis as usize) else {
        let scalar =
            b.constant(Literal::full(Type::scalar(dtype), numbers.first().copied().unwrap_or(0.0))?)?;
        return b.broadcast_in_dim(scalar, &dims, &[]);
    };
    let mut row = Vec::new();
    for &number in numbers {
        let one = b.constant(Literal::full(Type::tensor(dtype, [1]), number)?)?;
        row.push(one);
    }
    let row = b.concatenate(&row, 0)?;
    b.broadcast_in_dim(row, &dims, &Axes::from_slice(&[axis]))
}

/// `(x - zero_point) * scale` for stored `x`.
pub(super) fn dequantize(b: &mut Builder, x: Value, quantized: &Quantized) -> Result<Value> {
    let zeros: Vec<f64> = quantized.zero_points.iter().map(|&z| z as f64).collect();
    let centred = if zeros.iter().all(|&z| z == 0.0) {
        x
    } else {
        let wide = if quantized.storage.size() < 4 { DType::I32 } else { DType::I64 };
        let x = b.convert(x, wide)?;
        let zeros = spread(b, &zeros, wide, quantized, x)?;
        b.sub(x, zeros)?
    };
    let real = b.convert(centred, quantized.expressed)?;
    let scales = spread(b, &quantized.scales, quantized.expressed, quantized, real)?;
    b.mul(real, scales)
}

/// `round(clamp(least, x / scale + zero_point, greatest))`, ties to even.
pub(super) fn quantize(b: &mut Builder, x: Value, quantized: &Quantized) -> Result<Value> {
    let dtype = quantized.expressed;
    let x = b.convert(x, dtype)?;
    let scales = spread(b, &quantized.scales, dtype, quantized, x)?;
    let mut scaled = b.div(x, scales)?;
    let zeros: Vec<f64> = quantized.zero_points.iter().map(|&z| z as f64).collect();
    if zeros.iter().any(|&z| z != 0.0) {
        let zeros = spread(b, &zeros, dtype, quantized, scaled)?;
        scaled = b.add(scaled, zeros)?;
    }
    let ty = b.ty(x);
    let (least, greatest) = (quantized.range.0 as f64, quantized.range.1 as f64);
    let (least, greatest) = (b.full(ty, least)?, b.full(ty, greatest)?);
    let clamped = b.one(Clamp, &[least, scaled, greatest])?;
    let rounded = b.unary(ElementwiseKind::RoundNearestEven, clamped)?;
    b.convert(rounded, quantized.storage)
}

pub(super) fn uniform_dequantize(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let Some(quantized) = types::quantized(cx.lower.module.ty(cx.op.operands[0])) else {
        return Err(cx.fail("the operand is not quantized"));
    };
    Ok(all(&[dequantize(cx.b(), x, quantized)?]))
}

/// Quantizes reals, or integers that are quantized in another way.
pub(super) fn uniform_quantize(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [mut x] = cx.some()?;
    let module = cx.lower.module;
    if let Some(quantized) = types::quantized(module.ty(cx.op.operands[0])) {
        x = dequantize(cx.b(), x, quantized)?;
    }
    let Some(quantized) = cx.op.results.first().and_then(|&id| types::quantized(module.ty(id))) else {
        return Err(cx.fail("the result is not quantized"));
    };
    Ok(all(&[quantize(cx.b(), x, quantized)?]))
}
