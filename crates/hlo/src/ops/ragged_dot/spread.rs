//! Products of groups along any axes of arrays of any rank.

use jarrah_base::{DType, Dims, Error, Result};
use smallvec::{SmallVec, smallvec};

use crate::builder::Builder;
use crate::ops::{
    Axes, Comparison, DotGeneral, ElementwiseKind, GroupMatrices, RaggedDot, RaggedKind, ReduceWindow,
    Reducer, Window,
};
use crate::program::Value;

/// `dot` with the axis `ragged` of the left side cut into consecutive groups of `group_sizes` (CHLO, `ragged_dot`).
///
/// The role of the ragged axis decides:
/// * free: group `g` is multiplied with the slice `g` of the right side along its axis `group`;
/// * contracted: each group gives a product of its own, along a new first axis of the result;
/// * a batch axis: the groups change nothing.
///
/// `group_sizes` has the group axis last, and axes for the batch and for what comes before the ragged axis in front, or
/// none of these. What lies behind the last group is left out: zero where the axis is free.
///
/// # Errors
/// An axis is none of the operand's, or as [`Builder::push`].
pub fn general_ragged_dot(
    b: &mut Builder,
    [lhs, rhs, group_sizes]: [Value; 3],
    dot: &DotGeneral,
    ragged: usize,
    group: Option<usize>,
) -> Result<Value> {
    let (l, r, sizes) = (b.ty(lhs), b.ty(rhs), b.ty(group_sizes));
    let plain = RaggedDot::takes(l.dtype(), dot.out) && l.dtype() == r.dtype();
    let matrices = dot.lhs_batch.is_empty() && l.rank() == 2 && sizes.rank() == 1 && ragged < 2;
    let sides = match (&dot.lhs_contract[..], &dot.rhs_contract[..], group) {
        _ if !plain || !matrices => None,
        (&[inner], &[other], Some(group))
            if inner + ragged == 1 && r.rank() == 3 && other != group && other.max(group) < 3 =>
        {
            let free = 3 - group - other;
            let (lie, order) = match other > free {
                true => (GroupMatrices::Transposed, [group, free, other]),
                false => (GroupMatrices::Plain, [group, other, free]),
            };
            Some((RaggedKind::Rows(lie), b.transpose(rhs, &order)?))
        }
        (&[inner], &[other], None) if inner == ragged && r.rank() == 2 && other < 2 => {
            Some((RaggedKind::Contracted, b.transpose(rhs, &[other, 1 - other])?))
        }
        _ => None,
    };
    let Some((kind, rhs)) = sides else {
        return dense_ragged_dot(b, [lhs, rhs, group_sizes], dot, ragged, group);
    };
    let lhs = b.transpose(lhs, &[ragged, 1 - ragged])?;
    let mut sizes_in = group_sizes;
    if sizes.dtype() != DType::I32 {
        // No array has more rows than an i32 counts in a group: larger sizes count as that, and negative ones as 0.
        if sizes.dtype().bits() >= 32 {
            let (most, zeros) = (b.full(sizes, f64::from(i32::MAX))?, b.zeros(sizes)?);
            sizes_in = b.binary(ElementwiseKind::Minimum, sizes_in, most)?;
            sizes_in = b.binary(ElementwiseKind::Maximum, sizes_in, zeros)?;
        }
        sizes_in = b.convert(sizes_in, DType::I32)?;
    }
    b.one(RaggedDot { kind, out: dot.out }, &[lhs, rhs, sizes_in])
}

/// [`general_ragged_dot`] as a product over all groups, in which what is outside of a group is zero.
pub(super) fn dense_ragged_dot(
    b: &mut Builder,
    [lhs, rhs, group_sizes]: [Value; 3],
    dot: &DotGeneral,
    ragged: usize,
    group: Option<usize>,
) -> Result<Value> {
    if dot.lhs_batch.contains(&ragged) {
        return b.one(dot.clone(), &[lhs, rhs]);
    }
    let up = |axes: &[usize]| -> Axes { axes.iter().map(|a| a + 1).collect() };
    let with_first = |axes: &[usize]| -> Axes { [0].into_iter().chain(axes.iter().map(|a| a + 1)).collect() };
    let before =
        |axes: &[usize], axis: usize| -> Axes { axes.iter().copied().take_while(|&a| a != axis).collect() };
    if let Some(at) = dot.lhs_contract.iter().position(|&a| a == ragged) {
        let of_rhs =
            dot.rhs_contract.get(at).copied().ok_or_else(|| {
                Error::program("the sides contract different numbers of axes").op("ragged_dot")
            })?;
        let left: Axes = dot.lhs_batch.iter().copied().chain(before(&dot.lhs_contract, ragged)).collect();
        let right: Axes = dot.rhs_batch.iter().copied().chain(before(&dot.rhs_contract, of_rhs)).collect();
        let lhs = grouped(b, lhs, ragged, group_sizes, &left)?;
        let rhs = grouped(b, rhs, of_rhs, group_sizes, &right)?;
        let each = DotGeneral {
            lhs_batch: with_first(&dot.lhs_batch),
            rhs_batch: with_first(&dot.rhs_batch),
            lhs_contract: up(&dot.lhs_contract),
            rhs_contract: up(&dot.rhs_contract),
            out: dot.out,
        };
        return b.one(each, &[lhs, rhs]);
    }
    let Some(group) = group else {
        return Err(
            Error::program("the right side has no group axis, a free ragged axis needs one").op("ragged_dot")
        );
    };
    let free = dot.lhs_free(b.ty(lhs).rank());
    let prefix: Axes = dot.lhs_batch.iter().copied().chain(before(&free, ragged)).collect();
    let lhs = grouped(b, lhs, ragged, group_sizes, &prefix)?;
    let all = DotGeneral {
        lhs_batch: up(&dot.lhs_batch),
        rhs_batch: dot.rhs_batch.clone(),
        lhs_contract: up(&dot.lhs_contract).into_iter().chain([0]).collect(),
        rhs_contract: dot.rhs_contract.iter().copied().chain([group]).collect(),
        out: dot.out,
    };
    b.one(all, &[lhs, rhs])
}

/// `x` for each group, along a new first axis, zero outside the group's part of `axis`.
fn grouped(b: &mut Builder, x: Value, axis: usize, sizes: Value, prefix: &[usize]) -> Result<Value> {
    let (ty, sizes_ty) = (b.ty(x), b.ty(sizes));
    let wrong = || {
        let text =
            format!("group sizes {sizes_ty} have neither one axis nor those of {ty} before its axis {axis}");
        Error::program(text).op("ragged_dot")
    };
    if axis >= ty.rank() || sizes_ty.rank() != 1 && sizes_ty.rank() != prefix.len() + 1 {
        return Err(wrong());
    }
    let prefix = if sizes_ty.rank() == 1 { &[] } else { prefix };
    let groups = sizes_ty.dims().last().copied().ok_or_else(wrong)?;
    let sizes = b.convert(sizes, DType::I64)?;
    let last = sizes_ty.rank() - 1;
    let mut window = Window::new(&vec![1; sizes_ty.rank()]);
    window.sizes[last] = groups.max(1);
    window.low[last] = window.sizes[last] as i64 - 1;
    let ends = b.one(ReduceWindow { reducer: Reducer::Add, window }, &[sizes])?;
    let starts = b.sub(ends, sizes)?;
    let dims: Dims = [groups].into_iter().chain(ty.extents()).collect();
    // The group axis comes first, then the others in the order they have in `x`.
    let mut places: SmallVec<[(usize, usize); 6]> = smallvec![(0, last)];
    places.extend(prefix.iter().enumerate().map(|(i, &a)| (a + 1, i)));
    places.sort_unstable();
    let (axes, order): (Axes, Axes) = places.into_iter().unzip();
    let spread = |b: &mut Builder, v: Value| -> Result<Value> {
        let v = b.transpose(v, &order)?;
        b.broadcast_in_dim(v, &dims, &axes)
    };
    let (starts, ends) = (spread(b, starts)?, spread(b, ends)?);
    let position = b.iota(b.ty(starts), axis + 1)?;
    let behind = b.compare(Comparison::Ge, position, starts)?;
    let ahead = b.compare(Comparison::Lt, position, ends)?;
    let inside = b.binary(ElementwiseKind::And, behind, ahead)?;
    let x = b.broadcast_leading(x, groups)?;
    let zeros = b.zeros(b.ty(x))?;
    b.select(inside, x, zeros)
}
