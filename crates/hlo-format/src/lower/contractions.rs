use jarrah_base::{DType, ElementKind, Result};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Axes, Comparison, DotGeneral, Iota, Reducer, general_ragged_dot};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::types;
use crate::ir::{Attr, Attributes, ElementTy, Ty};

pub(super) fn dot_general(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [lhs, rhs] = cx.some()?;
    let dot = numbered(cx, cx.fields("dot_dimension_numbers")?)?;
    match cx.op.attr("algorithm") {
        Some(Attr::Struct(_, algorithm)) => by_algorithm(cx, dot, algorithm, lhs, rhs),
        _ => Ok(all(&[contract(cx, dot, lhs, rhs)?])),
    }
}

/// The `DotGeneral` that dimension numbers describe.
fn numbered(cx: &Cx<'_, '_>, fields: &Attributes) -> Result<DotGeneral> {
    Ok(DotGeneral {
        lhs_batch: cx.axes_in(fields, "lhs_batching_dimensions")?,
        rhs_batch: cx.axes_in(fields, "rhs_batching_dimensions")?,
        lhs_contract: cx.axes_in(fields, "lhs_contracting_dimensions")?,
        rhs_contract: cx.axes_in(fields, "rhs_contracting_dimensions")?,
        out: cx.result_dtype(0)?,
    })
}

/// The product, with operands of different types converted to the wider of the two, or to `bf16` where both are multiplied as such. Sums
/// are taken in the result's type if it is wider than the operands'.
fn contract(cx: &mut Cx<'_, '_>, dot: DotGeneral, lhs: Value, rhs: Value) -> Result<Value> {
    let (l, r) = (cx.ty(lhs).dtype(), cx.ty(rhs).dtype());
    let sums = |dtype: DType| dtype.accumulator().size();
    let inexact = matches!(l.kind(), ElementKind::Float | ElementKind::Complex);
    let wide_sums = inexact && l.kind() == dot.out.kind() && sums(dot.out) > sums(l);
    let (lhs, rhs) = if l == r && !wide_sums {
        (lhs, rhs)
    } else {
        let wide = if !wide_sums && l.factor() == DType::BF16 && r.factor() == DType::BF16 {
            DType::BF16
        } else if dot.out.size() >= l.size().max(r.size()) {
            dot.out
        } else if l.size() >= r.size() {
            l
        } else {
            r
        };
        (cx.b().convert(lhs, wide)?, cx.b().convert(rhs, wide)?)
    };
    cx.one(dot, &[lhs, rhs])
}

/// The product with operands rounded to, and sums taken in, the types that an algorithm names. Operands are not
/// rounded if the algorithm splits them into several parts of those types.
fn by_algorithm(
    cx: &mut Cx<'_, '_>,
    dot: DotGeneral,
    algorithm: &Attributes,
    lhs: Value,
    rhs: Value,
) -> Result<Outcome> {
    let dtype = |name: &str| match algorithm.get(name) {
        Some(Attr::Type(Ty::Scalar(element))) => types::storage(element),
        _ => None,
    };
    let tf32 = |name: &str| matches!(algorithm.get(name), Some(Attr::Type(Ty::Scalar(ElementTy::Tf32))));
    // The nineteen bits of tf32 are kept in f32: an algorithm allows more precise operands.
    let precision = |name: &str| if tf32(name) { Some(DType::F32) } else { dtype(name) };
    let number = |name: &str| algorithm.get(name).and_then(Attr::integer).unwrap_or(1);
    // Several narrow products of parts emulate a wide product, which is computed instead.
    let parts = ["lhs_component_count", "rhs_component_count", "num_primitive_operations"];
    let emulated = parts.iter().any(|name| number(name) > 1);
    let out = dot.out;
    let accumulate = precision("accumulation_type");
    let accumulate = accumulate.ok_or_else(|| cx.fail("the algorithm has no `accumulation_type`"))?;
    let sides = [("lhs_precision_type", lhs), ("rhs_precision_type", rhs)];
    let mut operands = Vec::new();
    for (name, value) in sides {
        let to = precision(name).ok_or_else(|| cx.fail(format!("the algorithm has no `{name}`")))?;
        operands.push(cx.b().convert(value, if emulated { accumulate } else { to })?);
    }
    let product = contract(cx, DotGeneral { out: accumulate, ..dot }, operands[0], operands[1])?;
    Ok(all(&[cx.b().convert(product, out)?]))
}

/// The product of operands with one axis cut into ragged groups.
pub(super) fn ragged_dot(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.some()?;
    let fields = cx.fields("ragged_dot_dimension_numbers")?;
    let dot = numbered(cx, fields)?;
    let &[ragged] = &cx.axes_in(fields, "lhs_ragged_dimensions")?[..] else {
        return Err(cx.fail("the left side has one ragged axis"));
    };
    if let Some(before) = dot.lhs_batch.iter().position(|&a| a == ragged) {
        let (lhs, sizes) = (cx.ty(operands[0]), cx.ty(operands[2]));
        let prefix = dot.lhs_batch[..before].iter().map(|&a| lhs.dims().get(a).copied());
        let own = sizes.rank() == before + 1 && prefix.eq(sizes.dims()[..before].iter().copied().map(Some));
        if sizes.rank() != 1 && !own {
            let expected =
                "a vector, or one for each place along the batch axes before the ragged one, is expected";
            return Err(cx.fail(format!("the group sizes are {sizes}; {expected}")));
        }
    }
    let group = cx.axes_in(fields, "rhs_group_dimensions")?.first().copied();
    Ok(all(&[general_ragged_dot(cx.b(), operands, &dot, ragged, group)?]))
}

/// The product of vectors and matrices: the last axis of `lhs` with the first axis of `rhs`.
pub(super) fn dot(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [lhs, rhs] = cx.some()?;
    let out = cx.result_dtype(0)?;
    let rank = cx.ty(lhs).rank();
    if rank == 0 || rank > 2 || !(1..=2).contains(&cx.ty(rhs).rank()) {
        let (l, r) = (cx.ty(lhs), cx.ty(rhs));
        return Err(cx.fail(format!("takes vectors and matrices, not {l} and {r}")));
    }
    let dot = DotGeneral {
        lhs_batch: Axes::new(),
        rhs_batch: Axes::new(),
        lhs_contract: Axes::from_slice(&[rank - 1]),
        rhs_contract: Axes::from_slice(&[0]),
        out,
    };
    Ok(all(&[contract(cx, dot, lhs, rhs)?]))
}

/// The labels of each operand and of the result: `ab`, `bc` and `ac` of `ab,bc->ac`.
fn terms(cx: &Cx<'_, '_>, operands: usize) -> Result<(Vec<Vec<char>>, Vec<char>)> {
    let config = cx.word("einsum_config")?;
    let wrong = || cx.fail(format!("`{config}` is no sum of products of {operands} operands"));
    let (left, right) = config.split_once("->").ok_or_else(wrong)?;
    let labels = |term: &str| -> Vec<char> { term.chars().filter(|c| !c.is_whitespace()).collect() };
    let inputs: Vec<Vec<char>> = left.split(',').map(labels).collect();
    let output = labels(right);
    let letters = inputs.iter().chain([&output]).all(|t| t.iter().all(|c| c.is_ascii_alphabetic()));
    if inputs.len() != operands || !letters {
        return Err(wrong());
    }
    Ok((inputs, output))
}

/// `x` with distinct labels, all of them `kept`: other axes are summed over, and of axes with one label the diagonal
/// is taken.
fn distinct(
    cx: &mut Cx<'_, '_>,
    mut x: Value,
    labels: &[char],
    kept: impl Fn(char) -> bool,
) -> Result<(Value, Vec<char>)> {
    if cx.ty(x).rank() != labels.len() {
        let ty = cx.ty(x);
        return Err(cx.fail(format!("{} labels for {ty}", labels.len())));
    }
    let mut labels = labels.to_vec();
    while let Some(second) = (1..labels.len()).find(|&i| labels[..i].contains(&labels[i])) {
        let first = labels.iter().position(|&l| l == labels[second]).unwrap_or(0);
        let ty = cx.ty(x).with_dtype(DType::I32);
        let i = cx.one(Iota { ty, axis: first }, &[])?;
        let j = cx.one(Iota { ty, axis: second }, &[])?;
        let diagonal = cx.b().compare(Comparison::Eq, i, j)?;
        let zeros = cx.b().zeros_like(x)?;
        let only = cx.b().select(diagonal, x, zeros)?;
        x = cx.b().sum(only, &[second])?;
        labels.remove(second);
    }
    let summed: Axes = (0..labels.len()).filter(|&i| !kept(labels[i])).collect();
    x = cx.b().reduce(Reducer::Add, x, &summed)?;
    labels.retain(|&l| kept(l));
    Ok((x, labels))
}

/// The axes of `x`, labelled `labels`, transposed to the order of `wanted`.
fn arrange(cx: &mut Cx<'_, '_>, x: Value, labels: &[char], wanted: &[char]) -> Result<Value> {
    let order: Option<Axes> = wanted.iter().map(|w| labels.iter().position(|l| l == w)).collect();
    match order.filter(|order| order.len() == labels.len()) {
        Some(order) => cx.b().transpose(x, &order),
        None => Err(cx.fail("the result has a label twice, or one that no operand has")),
    }
}

pub(super) fn einsum(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [lhs, rhs] = cx.some()?;
    let (inputs, output) = terms(cx, 2)?;
    let (lhs, l) = distinct(cx, lhs, &inputs[0], |c| output.contains(&c) || inputs[1].contains(&c))?;
    let (rhs, r) = distinct(cx, rhs, &inputs[1], |c| output.contains(&c) || inputs[0].contains(&c))?;
    let at = |list: &[char], label: char| list.iter().position(|&c| c == label);
    let shared: Vec<char> = l.iter().copied().filter(|c| r.contains(c)).collect();
    let axes = |list: &[char], batch: bool| -> Axes {
        shared.iter().filter(|c| output.contains(c) == batch).filter_map(|&c| at(list, c)).collect()
    };
    let dot = DotGeneral {
        lhs_batch: axes(&l, true),
        rhs_batch: axes(&r, true),
        lhs_contract: axes(&l, false),
        rhs_contract: axes(&r, false),
        out: cx.result_dtype(0)?,
    };
    let product = contract(cx, dot, lhs, rhs)?;
    let batch = shared.iter().filter(|c| output.contains(c));
    let free = l.iter().chain(&r).filter(|c| !shared.contains(c));
    let labels: Vec<char> = batch.chain(free).copied().collect();
    Ok(all(&[arrange(cx, product, &labels, &output)?]))
}

pub(super) fn unary_einsum(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let (inputs, output) = terms(cx, 1)?;
    let (x, labels) = distinct(cx, x, &inputs[0], |c| output.contains(&c))?;
    Ok(all(&[arrange(cx, x, &labels, &output)?]))
}
