//! Constraints between the element types and extents of operands and results, where `?` matches any extent.

use jarrah_base::{DType, Result};

use super::{Attr, Definition, ElementTy, IrModule, IrOp, TensorTy, Ty};

/// Whether a value of one type may stand where the other is expected.
pub(super) fn compatible(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Tensor(a), Ty::Tensor(b)) | (Ty::Buffer(a), Ty::Buffer(b)) => {
            elements_fit(&a.element, &b.element) && extents_fit(a, b)
        }
        (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b)),
        _ => a == b,
    }
}

/// Whether this is `tensor<i1>`.
pub(super) fn is_predicate(ty: &Ty) -> bool {
    let Ty::Tensor(t) = ty else { return false };
    t.element == ElementTy::Number(DType::Bool) && t.dims.as_ref().is_none_or(|d| d.is_empty())
}

/// Equal element types, where a quantized one stands for any: what it may be is said by each op's meaning.
fn elements_fit(a: &ElementTy, b: &ElementTy) -> bool {
    a == b || matches!(a, ElementTy::Quantized(_)) || matches!(b, ElementTy::Quantized(_))
}

fn extents_fit(a: &TensorTy, b: &TensorTy) -> bool {
    match (&a.dims, &b.dims) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| extent_fits(*a, *b)),
        _ => true,
    }
}

fn extent_fits(a: Option<u64>, b: Option<u64>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Ops whose operands and results have one shape, besides the elementwise functions.
const ONE_SHAPE: &[&str] = &[
    "chlo._asin_acos_kernel",
    "chlo.is_inf",
    "chlo.is_neg_inf",
    "chlo.is_pos_inf",
    "stablehlo.cholesky",
    "stablehlo.compare",
    "stablehlo.complex",
    "stablehlo.convert",
    "stablehlo.imag",
    "stablehlo.is_finite",
    "stablehlo.real",
    "stablehlo.reduce_precision",
    "stablehlo.reverse",
    "stablehlo.uniform_dequantize",
    "stablehlo.uniform_quantize",
];

/// Ops of [`ONE_SHAPE`] whose results have another element type than their operands.
const OTHER_ELEMENTS: &[&str] = &[
    "chlo.is_inf",
    "chlo.is_neg_inf",
    "chlo.is_pos_inf",
    "stablehlo.abs",
    "stablehlo.compare",
    "stablehlo.complex",
    "stablehlo.convert",
    "stablehlo.imag",
    "stablehlo.is_finite",
    "stablehlo.real",
    "stablehlo.uniform_dequantize",
    "stablehlo.uniform_quantize",
];

/// Ops that move elements: the first operand and the results have one element type.
const MOVES: &[&str] = &[
    "stablehlo.broadcast",
    "stablehlo.broadcast_in_dim",
    "stablehlo.concatenate",
    "stablehlo.dynamic_broadcast_in_dim",
    "stablehlo.dynamic_gather",
    "stablehlo.dynamic_pad",
    "stablehlo.dynamic_reshape",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.gather",
    "stablehlo.pad",
    "stablehlo.real_dynamic_slice",
    "stablehlo.reshape",
    "stablehlo.set_dimension_size",
    "stablehlo.slice",
    "stablehlo.transpose",
];

/// Ops of [`MOVES`] that keep the rank.
const KEEPS_RANK: &[&str] = &[
    "stablehlo.concatenate",
    "stablehlo.dynamic_pad",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.pad",
    "stablehlo.real_dynamic_slice",
    "stablehlo.set_dimension_size",
    "stablehlo.slice",
    "stablehlo.transpose",
];

/// Checks that the types of an op fit together.
pub(super) fn verify(module: &IrModule, op: &IrOp) -> Result<()> {
    let name = op.name();
    let wrong = |message: String| Err(module.error(op, message));
    let tensor = |v: &super::ValueId| module.ty(*v).tensor();
    let operands: Vec<&TensorTy> = op.operands.iter().filter_map(tensor).collect();
    let results: Vec<&TensorTy> = op.results.iter().filter_map(tensor).collect();
    if ONE_SHAPE.contains(&name) || Definition::function(name).is_some() {
        let all: Vec<&TensorTy> = operands.iter().chain(&results).copied().collect();
        if all.len() != op.operands.len() + op.results.len() {
            return wrong("operands and results are tensors".into());
        }
        if all.windows(2).any(|pair| !extents_fit(pair[0], pair[1])) {
            return wrong("operands and results have different shapes".into());
        }
        let same = if OTHER_ELEMENTS.contains(&name) { &operands } else { &all };
        if same.windows(2).any(|pair| !elements_fit(&pair[0].element, &pair[1].element)) {
            return wrong("operands and results have different element types".into());
        }
        if matches!(name, "stablehlo.compare" | "stablehlo.is_finite")
            && results.iter().any(|r| r.element != ElementTy::Number(DType::Bool))
        {
            return wrong("the elements of the result are i1".into());
        }
    }
    let (Some(first), Some(result)) = (operands.first(), results.first()) else {
        return without_operands(module, op, &results);
    };
    if MOVES.contains(&name) && !elements_fit(&first.element, &result.element) {
        return wrong("operand and result have different element types".into());
    }
    let rank = |t: &TensorTy| t.dims.as_ref().map(|d| d.len());
    if KEEPS_RANK.contains(&name)
        && let (Some(a), Some(b)) = (rank(first), rank(result))
        && a != b
    {
        return wrong(format!("an operand of rank {a} gives a result of rank {a}, not {b}"));
    }
    match name {
        "stablehlo.select" => select(module, op, &operands, result),
        "stablehlo.broadcast_in_dim" | "stablehlo.dynamic_broadcast_in_dim" => {
            broadcast(module, op, first, result)
        }
        "stablehlo.transpose" => transpose(module, op, first, result),
        "stablehlo.reshape" => {
            let count = |t: &TensorTy| t.dims.as_ref()?.iter().try_fold(1u64, |n, d| n.checked_mul((*d)?));
            match (count(first), count(result)) {
                (Some(a), Some(b)) if a != b => wrong(format!("{a} elements become {b}")),
                _ => Ok(()),
            }
        }
        "stablehlo.slice" => lengths(module, op, &["start_indices", "limit_indices", "strides"], rank(first)),
        "stablehlo.pad" => {
            lengths(module, op, &["edge_padding_low", "edge_padding_high", "interior_padding"], rank(first))
        }
        _ => Ok(()),
    }
}

fn without_operands(module: &IrModule, op: &IrOp, results: &[&TensorTy]) -> Result<()> {
    if op.name() == "stablehlo.iota"
        && let [result] = results
        && let (Some(dims), Some(axis)) = (&result.dims, op.attr("iota_dimension").and_then(Attr::integer))
        && !(0..dims.len() as i64).contains(&axis)
    {
        return Err(module.error(op, format!("the result has no axis {axis}")));
    }
    Ok(())
}

fn select(module: &IrModule, op: &IrOp, operands: &[&TensorTy], result: &TensorTy) -> Result<()> {
    let [predicate, on_true, on_false] = operands else { return Ok(()) };
    if predicate.element != ElementTy::Number(DType::Bool) {
        return Err(module.error(op, "the predicate has elements of type i1"));
    }
    let scalar = predicate.dims.as_ref().is_some_and(|d| d.is_empty());
    let fits = |t: &TensorTy| extents_fit(t, result) && elements_fit(&t.element, &result.element);
    if !fits(on_true) || !fits(on_false) || !scalar && !extents_fit(predicate, result) {
        return Err(module.error(op, "operands and result have different types"));
    }
    Ok(())
}

fn broadcast(module: &IrModule, op: &IrOp, operand: &TensorTy, result: &TensorTy) -> Result<()> {
    let axes = op.attr("broadcast_dimensions").and_then(Attr::integers).unwrap_or_default();
    let (Some(from), Some(to)) = (&operand.dims, &result.dims) else { return Ok(()) };
    if axes.len() != from.len() {
        let message = format!("{} broadcast dimensions for an operand of rank {}", axes.len(), from.len());
        return Err(module.error(op, message));
    }
    let mut taken = vec![false; to.len()];
    for (axis, extent) in axes.iter().zip(from) {
        let slot = usize::try_from(*axis).ok().and_then(|a| Some((taken.get_mut(a)?, to[a])));
        let Some((taken, target)) = slot else {
            return Err(module.error(op, format!("the result has no axis {axis}")));
        };
        if std::mem::replace(taken, true) {
            return Err(module.error(op, format!("axis {axis} is given twice")));
        }
        if *extent != Some(1) && !extent_fits(*extent, target) {
            return Err(module.error(op, format!("an extent does not fit axis {axis} of the result")));
        }
    }
    Ok(())
}

fn transpose(module: &IrModule, op: &IrOp, operand: &TensorTy, result: &TensorTy) -> Result<()> {
    let permutation = op.attr("permutation").and_then(Attr::integers).unwrap_or_default();
    let (Some(from), Some(to)) = (&operand.dims, &result.dims) else { return Ok(()) };
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..from.len() as i64) {
        return Err(module.error(op, format!("{permutation:?} is no permutation of {} axes", from.len())));
    }
    if permutation.iter().zip(to).any(|(axis, to)| !extent_fits(from[*axis as usize], *to)) {
        return Err(module.error(op, "the extents of the result are not those of the operand, permuted"));
    }
    Ok(())
}

fn lengths(module: &IrModule, op: &IrOp, names: &[&str], rank: Option<usize>) -> Result<()> {
    for name in names {
        let length = op.attr(name).and_then(Attr::integers).unwrap_or_default().len();
        if rank.is_some_and(|r| r != length) {
            return Err(module.error(op, format!("{name} has {length} entries, one for each axis is needed")));
        }
    }
    Ok(())
}
