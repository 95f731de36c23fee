//! Ops whose shapes depend on values: the values are computed while the program is built, and the ops become static.

use jarrah_base::{Dims, Literal, Result, Type};
use jarrah_hlo::ops::{Axes, DynamicSlice, Elementwise, ElementwiseKind, Iota, Reshape, Slice};
use jarrah_hlo::{Builder, Op, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::{broadcasting, indexing, movement, types};
use crate::ir::{IrModule, IrOp, Ty};

/// The most elements of a list of extents.
const MAX_RANK: usize = 1 << 10;

/// The most instructions that are compared to see whether two values are equal.
const MAX_COMPARED: usize = 1 << 10;

/// Whether a type in the function itself leaves an extent open, or an op computes one; not in those it calls.
pub(super) fn mentions_unknown_shapes(module: &IrModule, op: &IrOp) -> bool {
    let unknown = |ty: &Ty| match ty {
        Ty::Tensor(tensor) | Ty::Buffer(tensor) => types::Leaf(tensor).concrete().is_none(),
        Ty::Tuple(_) | Ty::Future(_) => true,
        _ => false,
    };
    let mut found = false;
    for inner in op.regions.iter().flat_map(|r| &r.ops) {
        let name = inner.name();
        found |= matches!(name, "stablehlo.real_dynamic_slice" | "stablehlo.set_dimension_size")
            || name.starts_with("stablehlo.dynamic_")
                && !matches!(name, "stablehlo.dynamic_slice" | "stablehlo.dynamic_update_slice")
            || inner
                .text("call_target_name")
                .is_some_and(|t| t.contains("dynamic") || t == "shape_assertion")
            || inner.results.iter().any(|&v| unknown(module.ty(v)));
        found |= mentions_unknown_shapes(module, inner);
    }
    found || op.regions.iter().flat_map(|r| &r.args).any(|&v| unknown(module.ty(v)))
}

impl<'a> Cx<'_, 'a> {
    /// The contents of a value that is a number or a list of numbers, if they are known.
    pub fn known_numbers(&mut self, value: Value) -> Option<Vec<i64>> {
        let ty = self.ty(value);
        if ty.rank() > 1 || !ty.dtype().is_integer() || ty.elements().ok()? > MAX_RANK {
            return None;
        }
        let known = self.block.known(value, &mut self.lower.work)?;
        let numbers = (0..known.len()).map(|i| i64::try_from(known.get_i128(i)).ok());
        numbers.collect::<Option<Vec<i64>>>().filter(|l| l.iter().all(|n| n.unsigned_abs() <= 1 << 40))
    }

    /// As [`Cx::known_numbers`], for the operand `index`; an error if its contents are not known.
    pub fn needed_numbers(&mut self, index: usize) -> Result<Vec<i64>> {
        let value = self.operand(index)?;
        let numbers = self.known_numbers(value);
        numbers.ok_or_else(|| {
            self.fail(format!(
                "operand {index}, which the result's shape depends on, is not known before the program runs"
            ))
            .help("give the types of the arguments, and the values of those that say extents")
        })
    }

    /// As [`Cx::needed_numbers`], for numbers that are not negative.
    pub fn needed_sizes(&mut self, index: usize) -> Result<Dims> {
        let numbers = self.needed_numbers(index)?;
        let sizes: Option<Dims> = numbers.iter().map(|&n| usize::try_from(n).ok()).collect();
        sizes.ok_or_else(|| self.fail(format!("operand {index} has the negative number in {numbers:?}")))
    }

    /// The extents of the only result: the stated ones if complete, else the contents of operand `index`.
    pub fn needed_dims(&mut self, index: usize) -> Result<Dims> {
        if let Some(ty) = self.result(0)?.concrete() {
            self.stated_extents(ty, index)?;
            return Ok(ty.dims());
        }
        self.needed_sizes(index)
    }

    /// Checks that the operand `index`, if its contents are known, has the stated extents.
    pub fn stated_extents(&mut self, stated: Type, index: usize) -> Result<()> {
        let value = self.operand(index)?;
        let Some(numbers) = self.known_numbers(value) else { return Ok(()) };
        let extents = stated.extents().map(Ok);
        match extents.eq(numbers.iter().map(|&n| usize::try_from(n))) {
            true => Ok(()),
            false => {
                Err(self.fail(format!("operand {index} says the extents {numbers:?}, {stated} is stated")))
            }
        }
    }
}

pub(super) fn broadcast_in_dim(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let x = cx.operand(0)?;
    let dims = cx.needed_dims(1)?;
    let axes: Axes = cx.sizes("broadcast_dimensions")?;
    Ok(all(&[broadcasting::to(cx, x, &dims, axes)?]))
}

pub(super) fn reshape(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let x = cx.operand(0)?;
    let dims = cx.needed_dims(1)?;
    Ok(all(&[cx.one(Reshape { dims }, &[x])?]))
}

pub(super) fn iota(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let dims = cx.needed_dims(0)?;
    let axis = cx.size("iota_dimension")?;
    let ty = Type::tensor(cx.result_dtype(0)?, dims);
    Ok(all(&[cx.one(Iota { ty, axis }, &[])?]))
}

pub(super) fn pad(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let (x, padding) = (cx.operand(0)?, cx.operand(1)?);
    let low = cx.needed_numbers(2)?;
    let high = cx.needed_numbers(3)?;
    let interior = cx.needed_sizes(4)?;
    Ok(all(&[movement::padded(cx, x, padding, &low, &high, &interior)?]))
}

pub(super) fn gather(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let (operand, indices) = (cx.operand(0)?, cx.operand(1)?);
    let sizes = cx.needed_sizes(2)?;
    let gather = indexing::numbered(cx, sizes)?;
    Ok(all(&[cx.one(gather, &[operand, indices])?]))
}

/// A slice whose bounds are values; if only its extents are known, a `DynamicSlice`.
pub(super) fn slice(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let (x, start, limit) = (cx.operand(0)?, cx.operand(1)?, cx.operand(2)?);
    let strides = cx.needed_sizes(3)?;
    let rank = cx.ty(x).rank();
    if strides.len() != rank || strides.contains(&0) {
        return Err(cx.fail("a stride is 0, or their number is not that of the axes"));
    }
    if cx.known_numbers(start).is_some() && cx.known_numbers(limit).is_some() {
        let (starts, limits) = (cx.needed_sizes(1)?, cx.needed_sizes(2)?);
        return Ok(all(&[cx.one(Slice { starts, limits, strides }, &[x])?]));
    }
    // The span from the first to the last element taken.
    let sizes: Dims = match (cx.result(0)?.concrete(), distance(cx, start, limit)) {
        (Some(ty), _) => {
            let taken = ty.extents().zip(&strides);
            taken.map(|(n, &s)| n.max(1).saturating_sub(1) * s + usize::from(n > 0)).collect()
        }
        (None, Some(sizes)) => sizes,
        (None, None) => {
            cx.needed_sizes(1)?;
            cx.needed_sizes(2)?
        }
    };
    if sizes.len() != rank {
        return Err(cx.fail(format!("{} extents for {rank} axes", sizes.len())));
    }
    let mut operands = vec![x];
    for axis in 0..rank {
        let one = cx.b().slice(start, &[axis], &[axis + 1])?;
        operands.push(cx.b().reshape(one, &[])?);
    }
    let block = cx.one(DynamicSlice { sizes: sizes.clone() }, &operands)?;
    if strides.iter().all(|&s| s == 1) {
        return Ok(all(&[block]));
    }
    let starts = sizes.iter().map(|_| 0).collect();
    Ok(all(&[cx.one(Slice { starts, limits: sizes, strides }, &[block])?]))
}

/// `limit - start`, if the limit is the start plus something known.
fn distance(cx: &mut Cx<'_, '_>, start: Value, limit: Value) -> Option<Dims> {
    let instr = cx.block.b.definition(limit)?;
    let Op::Elementwise(Elementwise { kind: ElementwiseKind::Add }) = instr.op else { return None };
    let &[a, b] = &instr.operands[..] else { return None };
    let mut steps = MAX_COMPARED;
    let other = if same_value(cx.b(), a, start, &mut steps) {
        b
    } else if same_value(cx.b(), b, start, &mut steps) {
        a
    } else {
        return None;
    };
    cx.known_numbers(other)?.into_iter().map(|n| usize::try_from(n).ok()).collect()
}

/// Whether two values are certainly equal: computed by the same ops from the same values.
fn same_value(b: &Builder, x: Value, y: Value, steps: &mut usize) -> bool {
    if x == y {
        return true;
    }
    let (Some(p), Some(q)) = (b.definition(x), b.definition(y)) else { return false };
    let place = |instr: &jarrah_hlo::Instr, value| instr.results().position(|v| v == value);
    if *steps == 0 || p.op != q.op || p.operands.len() != q.operands.len() || place(p, x) != place(q, y) {
        return false;
    }
    *steps -= 1;
    p.op.effects().is_pure() && p.operands.iter().zip(&q.operands).all(|(&x, &y)| same_value(b, x, y, steps))
}

pub(super) fn get_dimension_size(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let axis = cx.size("dimension")?;
    let ty = cx.ty(x);
    let extent = ty.extents().nth(axis).and_then(|n| i32::try_from(n).ok());
    let extent =
        extent.ok_or_else(|| cx.fail(format!("axis {axis} of {ty} has no extent that fits an i32")))?;
    Ok(all(&[cx.constant(Literal::scalar(extent))?]))
}

/// The leading elements along an axis: a bounded axis becomes its actual extent.
pub(super) fn set_dimension_size(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let x = cx.operand(0)?;
    let axis = cx.size("dimension")?;
    let &[size] = &cx.needed_sizes(1)?[..] else {
        return Err(cx.fail("the extent is no scalar"));
    };
    let ty = cx.ty(x);
    match ty.extents().nth(axis) {
        Some(extent) if size == extent => Ok(all(&[x])),
        Some(extent) if size < extent => Ok(all(&[cx.b().slice_axis(x, axis, 0, size)?])),
        _ => Err(cx.fail(format!("axis {axis} of {ty} cannot have the extent {size}"))),
    }
}

/// The smallest shapes that broadcast alike: axes of extent one in all shapes are dropped, and axes joined.
pub(super) fn minimum_broadcast_shapes(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let mut shapes = Vec::new();
    for i in 0..cx.op.operands.len() {
        shapes.push(cx.needed_numbers(i)?);
    }
    let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
    // Axes are counted from the last; neighbours are joined if the same shapes have extent one along both.
    let mut joined: Vec<Vec<i64>> = vec![Vec::new(); shapes.len()];
    let mut before: Option<Vec<bool>> = None;
    for axis in 0..rank {
        let extents: Vec<i64> =
            shapes.iter().map(|s| s.len().checked_sub(axis + 1).map_or(1, |i| s[i])).collect();
        let ones: Vec<bool> = extents.iter().map(|&n| n == 1).collect();
        if ones.iter().all(|&one| one) {
            continue;
        }
        let same = before.as_ref() == Some(&ones);
        for (list, extent) in joined.iter_mut().zip(extents) {
            match list.last_mut() {
                Some(last) if same => *last = last.saturating_mul(extent),
                _ => list.push(extent),
            }
        }
        before = Some(ones);
    }
    let mut results = Vec::new();
    for (i, mut list) in joined.into_iter().enumerate() {
        while list.last() == Some(&1) {
            list.pop();
        }
        list.reverse();
        let dtype = cx.result_dtype(i)?;
        let literal = Literal::from_slice(&[list.len()], &list)?;
        let value = cx.constant(literal)?;
        results.push(cx.b().convert(value, dtype)?);
    }
    Ok(all(&results))
}
