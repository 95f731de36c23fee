//! Constraints of the specification on the scales, zero points and axes of quantized operands and results.

use std::slice;

use jarrah_base::{DType, Result};

use super::{Attr, ElementTy, IrModule, IrOp, Quantized, TensorTy, Ty, ValueId};

/// Checks the quantized types of an op.
pub(super) fn verify(module: &IrModule, op: &IrOp) -> Result<()> {
    let tensors = || op.operands.iter().chain(&op.results).filter_map(|&v| module.ty(v).tensor());
    if !tensors().any(|ty| quantized(ty).is_some()) {
        return Ok(());
    }
    let error = |message: String| Err(module.error(op, message));
    for ty in tensors() {
        if let Some(wrong) = quantized(ty).and_then(out_of_range) {
            return error(wrong);
        }
    }
    let types = |values: &[ValueId]| -> Vec<Option<&TensorTy>> {
        values.iter().map(|&v| module.ty(v).tensor()).collect()
    };
    let (operands, results) = (types(&op.operands), types(&op.results));
    for (i, ty) in operands.iter().enumerate() {
        let by_axis = ty.and_then(quantized).is_some_and(|q| q.axis.is_some());
        if by_axis && !takes_axes(op.name(), i) {
            return error(format!("operand {i} is quantized along an axis, which this op does not take"));
        }
    }
    let wrong = match (op.name(), &operands[..], &results[..]) {
        ("stablehlo.add", &[Some(x), Some(y)], &[Some(z)]) => add([x, y, z]),
        ("stablehlo.broadcast_in_dim" | "stablehlo.dynamic_broadcast_in_dim", &[Some(x), ..], &[Some(y)]) => {
            broadcast(x, y, &op.attr("broadcast_dimensions").and_then(Attr::integers).unwrap_or_default())
        }
        ("stablehlo.transpose", &[Some(x)], &[Some(y)]) => {
            transpose(x, y, &op.attr("permutation").and_then(Attr::integers).unwrap_or_default())
        }
        ("stablehlo.reshape" | "stablehlo.dynamic_reshape", &[Some(x), ..], &[Some(y)]) => reshape(x, y),
        ("stablehlo.convolution" | "stablehlo.dynamic_conv", &[Some(x), Some(k), ..], &[Some(y)]) => {
            product(x, k, y).or_else(|| convolution(op, k, y))
        }
        ("stablehlo.dot_general", &[Some(x), Some(y)], &[Some(z)]) => {
            product(x, y, z).or_else(|| contraction(op, y))
        }
        ("stablehlo.uniform_quantize", &[Some(x)], &[Some(y)]) => quantize(x, y),
        ("stablehlo.reduce" | "stablehlo.reduce_window", ..) => {
            let arguments = op.regions.first().map_or(&[][..], |r| &r.args);
            arguments.iter().zip(&operands).find_map(|(&a, x)| promoted((*x)?, module.ty(a)))
        }
        _ => None,
    };
    wrong.map_or(Ok(()), error)
}

fn quantized(ty: &TensorTy) -> Option<&Quantized> {
    match &ty.element {
        ElementTy::Quantized(quantized) => Some(quantized),
        _ => None,
    }
}

/// Whether operand `index` of an op may have a scale for each index along an axis.
fn takes_axes(name: &str, index: usize) -> bool {
    match name.strip_prefix("stablehlo.") {
        Some("convolution" | "dynamic_conv" | "dot" | "dot_general") => index == 1,
        Some(name) => matches!(
            name,
            "add"
                | "bitcast_convert"
                | "broadcast"
                | "broadcast_in_dim"
                | "case"
                | "composite"
                | "custom_call"
                | "dynamic_broadcast_in_dim"
                | "dynamic_reshape"
                | "get_dimension_size"
                | "get_tuple_element"
                | "if"
                | "infeed"
                | "outfeed"
                | "recv"
                | "reshape"
                | "return"
                | "send"
                | "transpose"
                | "tuple"
                | "uniform_dequantize"
                | "uniform_quantize"
                | "while"
        ),
        None => true,
    }
}

/// The error message if a scale or zero point is out of the range of its type.
fn out_of_range(q: &Quantized) -> Option<String> {
    let (low, high) = q.storage.integer_range()?;
    if let Some(zero) = q.zero_points.iter().find(|&&z| !(low..=high).contains(&i128::from(z))) {
        return Some(format!("the zero point {zero} is no {}", q.storage));
    }
    let (smallest, largest) = match q.expressed {
        DType::F16 => (2f64.powi(-24), 65504.0),
        DType::BF16 => (2f64.powi(-133), f64::from(f32::MAX)),
        DType::F32 => (2f64.powi(-149), f64::from(f32::MAX)),
        _ => (f64::from_bits(1), f64::MAX),
    };
    let wrong = q.scales.iter().find(|s| !(smallest..=largest).contains(s))?;
    Some(format!("the scale {wrong:e} is out of the range of {}", q.expressed))
}

/// The error message if both types are quantized per tensor, or both per axis, with different scales or zero points.
fn same(x: &Quantized, y: &Quantized) -> Option<String> {
    let differ = (&x.scales, &x.zero_points) != (&y.scales, &y.zero_points)
        || x.axis.is_none() && (x.storage, x.expressed, x.range) != (y.storage, y.expressed, y.range);
    (x.axis.is_some() == y.axis.is_some() && differ)
        .then(|| "the operand and the result have different scales or zero points".to_owned())
}

fn add(types: [&TensorTy; 3]) -> Option<String> {
    let [Some(x), Some(y), Some(z)] = types.map(quantized) else {
        return Some("either all of operands and result are quantized, or none is".to_owned());
    };
    if x.storage != y.storage || x.storage != z.storage {
        return Some("operands and result are not stored as the same type".to_owned());
    }
    if x.expressed != y.expressed || x.expressed != z.expressed {
        return Some("operands and result do not stand for reals of the same type".to_owned());
    }
    let apart = [x, y].into_iter().any(|q| q.axis.is_some() && q.axis != z.axis);
    let none = x.axis.is_none() && y.axis.is_none() && z.axis.is_some();
    (apart || none).then(|| "operands and result are not quantized along the same axis".to_owned())
}

fn broadcast(x: &TensorTy, y: &TensorTy, dims: &[i64]) -> Option<String> {
    let (from, to) = (quantized(x)?, quantized(y)?);
    let (Some(axis), Some(result)) = (from.axis, to.axis) else { return same(from, to) };
    let place = dims.get(axis as usize).copied()?;
    if place != i64::from(result) {
        return Some(format!(
            "the result is quantized along axis {result}, the operand's axis {axis} becomes axis {place}"
        ));
    }
    let extent = x.dims.as_ref().and_then(|d| *d.get(axis as usize)?);
    if extent != Some(1) {
        return same(from, to);
    }
    let one = |all: &[f64], first: &[f64]| all.iter().all(|s| slice::from_ref(s) == first);
    let zeros = to.zero_points.iter().all(|z| slice::from_ref(z) == from.zero_points);
    (!one(&to.scales, &from.scales) || !zeros)
        .then(|| "the result has other scales or zero points than the operand".to_owned())
}

fn transpose(x: &TensorTy, y: &TensorTy, permutation: &[i64]) -> Option<String> {
    let (from, to) = (quantized(x)?, quantized(y)?);
    same(from, to).or_else(|| {
        let (axis, result) = (from.axis?, to.axis?);
        let source = permutation.get(result as usize).copied()?;
        (source != i64::from(axis)).then(|| {
            format!(
                "the operand is quantized along axis {axis}, the result's axis {result} is its axis {source}"
            )
        })
    })
}

fn reshape(x: &TensorTy, y: &TensorTy) -> Option<String> {
    let (from, to) = (quantized(x)?, quantized(y)?);
    same(from, to).or_else(|| {
        let (axis, result) = (from.axis? as usize, to.axis? as usize);
        let (before, after) = (x.dims.as_ref()?, y.dims.as_ref()?);
        let (n, m) = (before.get(axis)?, after.get(result)?);
        if n.zip(*m).is_some_and(|(n, m)| n != m) {
            return Some("the axes along which operand and result are quantized have other extents".into());
        }
        let product = |dims: &[Option<u64>]| dims.iter().try_fold(1u64, |n, d| n.checked_mul((*d)?));
        let apart = product(&before[..axis])? != product(&after[..result])?;
        apart.then(|| {
            "as many elements must stand before the axis of the scales in the operand as in the result".into()
        })
    })
}

/// The error message if the quantized types break the constraints on contractions and convolutions.
fn product(x: &TensorTy, y: &TensorTy, z: &TensorTy) -> Option<String> {
    let Some(right) = quantized(y) else {
        return Some("the right operand must be quantized if the left one or the result is".to_owned());
    };
    let wrong = match (quantized(x), quantized(z)) {
        (Some(left), Some(_)) if left.storage != right.storage => {
            "the operands are not stored as the same type"
        }
        (Some(left), Some(result))
            if left.expressed != right.expressed || left.expressed != result.expressed =>
        {
            "operands and result do not stand for reals of the same type"
        }
        (Some(_), Some(result)) if right.axis.is_none() && result.axis.is_some() => {
            "the result is quantized along an axis and the right operand is not"
        }
        (Some(_), Some(_)) => return None,
        (None, None) => {
            let real = ElementTy::Number(right.expressed);
            if x.element == real && z.element == real {
                return None;
            }
            "the left operand and the result must be of the reals that the right operand stands for"
        }
        _ => "the left operand and the result must both be quantized, or neither",
    };
    Some(wrong.to_owned())
}

fn convolution(op: &IrOp, kernel: &TensorTy, result: &TensorTy) -> Option<String> {
    let Some(Attr::Struct(_, numbers)) = op.attr("dimension_numbers") else { return None };
    let named = [
        ("kernel", kernel, "kernel_output_feature_dimension"),
        ("result", result, "output_feature_dimension"),
    ];
    named.into_iter().find_map(|(what, ty, field)| {
        let axis = i64::from(quantized(ty)?.axis?);
        // Fields at their default, which is zero, are left out.
        let features = numbers.get(field).and_then(Attr::integer).unwrap_or(0);
        (axis != features).then(|| {
            format!("the {what} is quantized along axis {axis}, its output features are axis {features}")
        })
    })
}

fn contraction(op: &IrOp, rhs: &TensorTy) -> Option<String> {
    let right = quantized(rhs)?;
    if let Some(zero) = right.zero_points.iter().find(|&&z| z != 0) {
        return Some(format!("the zero point of the right operand must be 0, not {zero}"));
    }
    let axis = i64::from(right.axis?);
    let Some(Attr::Struct(_, numbers)) = op.attr("dot_dimension_numbers") else { return None };
    let contracted = numbers.get("rhs_contracting_dimensions").and_then(Attr::integers).unwrap_or_default();
    contracted
        .contains(&axis)
        .then(|| format!("the right operand is quantized along axis {axis}, which is contracted"))
}

fn quantize(x: &TensorTy, y: &TensorTy) -> Option<String> {
    let to = quantized(y)?.expressed;
    let from = match &x.element {
        ElementTy::Number(dtype) => *dtype,
        _ => quantized(x)?.expressed,
    };
    (from != to).then(|| format!("the result stands for {to}, the operand for {from}"))
}

/// The error message if an argument of a reducing region stands for another type than its operand does.
fn promoted(operand: &TensorTy, argument: &Ty) -> Option<String> {
    let (from, to) = (quantized(operand)?, quantized(argument.tensor()?)?);
    (from.expressed != to.expressed).then(|| {
        format!("an argument of the region stands for {}, its operand for {}", to.expressed, from.expressed)
    })
}
