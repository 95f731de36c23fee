//! Products with the loops before and behind them: prologues that compute operands, and an epilogue.

use jarrah_base::{DType, Error, Result, Type};
use jarrah_compiler::{Contraction, ContractionPart, is_strided};
use jarrah_execute::{PlacedProgram, Step, StepSite, arena, assignment, locs, nested};
use jarrah_hlo::ops::{DotGeneral, Kernel, RaggedDot};
use jarrah_hlo::{Op, Program};
use smallvec::SmallVec;

use super::dot::{Groups, has_matrices, runs, step};
use super::prologue::{Lines, LoopPrologue};
use super::{kernel, ragged};
use crate::client::device::{Cpu, StepBuilder};
use crate::gemm::{GroupScales, LOCAL_COLUMNS, PROLOGUE_SCALES_STRIDE, PROLOGUE_STRIDE};
use crate::vector::BoxPlan;

/// The bytes of an operand that stays in the second-level cache: it may as well be there before the product.
const RESIDENT: usize = 128 << 10;

/// Whether a product runs `contraction`'s loops on parts: one of matrices of floats, loops that make its operands line by line,
/// and a loop over its elements in order.
pub fn contracts(contraction: &Contraction<'_>, body: &Program) -> bool {
    let Contraction { prologues, operands, dot, sizes, groups, value, epilogue, .. } = contraction;
    let (lhs, rhs) = (body.ty(operands[0]), body.ty(operands[1]));
    let out = body.ty(*value);
    let extent = |ty: Type, axes: &[usize]| axes.iter().map(|&axis| ty.dim(axis)).product::<usize>();
    let (n, k) = (extent(rhs, &dot.rhs_free(rhs.rank())), extent(lhs, &dot.lhs_contract));
    let runs = has_matrices(lhs.dtype(), out.dtype()) && runs(dot, [lhs, rhs]);
    // Loops see a complex number as its parts.
    if !runs || lhs.dtype().is_complex() || n <= 1 || k == 0 {
        return false;
    }
    // One product over the axes of groups and of their elements, which are neighbours on both sides.
    let merged = merged(dot);
    let in_groups = || {
        let scales = body.ty(operands[2]);
        dot.lhs_batch.len() == 1
            && dot.lhs_contract.len() == 1
            && GroupScales::fit(lhs.dtype(), k)
            && [dot.out, out.dtype(), scales.dtype()] == [DType::F32; 3]
            && scales.dim(0) == rhs.dim(dot.rhs_batch[0])
            && scales.extents().skip(1).product::<usize>() == n
            && is_strided(&merged, [lhs, rhs]) == [true; 2]
    };
    // Of a product of groups of rows, the matrices and their scales are made.
    let of_rows = || {
        let types: Vec<Type> = contraction.product.operands.iter().map(|&v| body.ty(v)).collect();
        let scaled = types.len() == 3 || RaggedDot::scales_sums(&types);
        prologues[0].is_none() && epilogue.is_none() && scaled
    };
    if groups.is_some() && !in_groups() || sizes.is_some() && !of_rows() {
        return false;
    }
    let dot = if groups.is_some() { &merged } else { dot };
    let lowered = |part: &ContractionPart<'_>| {
        let types: Vec<Type> = part.instr.operands.iter().map(|&v| body.ty(v)).collect();
        jarrah_tile::lower_to_one(part.kernel, &types)
    };
    let makes = |(side, part): (usize, &Option<ContractionPart<'_>>)| {
        let Some(part) = part else { return true };
        if side == 2 {
            let groups = body.ty(operands[2]).extents().product::<usize>() / n;
            return lowered(part).is_some_and(|loops| BoxPlan::makes_over(&loops, groups, n));
        }
        let ty = [lhs, rhs][side];
        // The right operand is made about once. The left one is made for each range of columns: that may take a twentieth of the
        // product's time.
        let work =
            || part.kernel.body.instrs().iter().map(|i| jarrah_tile::work(&i.op) as usize).sum::<usize>();
        ty.bytes().is_ok_and(|bytes| bytes > RESIDENT || groups.is_some())
            && (side == 1 || n.div_ceil(LOCAL_COLUMNS) * work() * 40 <= n)
            && Lines::of(dot, ty, side).is_some_and(|lines| {
                lowered(part).is_some_and(|loops| BoxPlan::makes_over(&loops, lines.count, lines.places))
            })
    };
    let rows = out.extents().product::<usize>() / n;
    let follows = |part: &ContractionPart<'_>| {
        lowered(part).is_some_and(|loops| BoxPlan::over(&loops, &contraction.reads(body), rows, n).is_some())
    };
    prologues.iter().enumerate().all(makes) && epilogue.iter().all(follows)
}

/// A product with the loops before and behind it, part by part; those that have no plan for parts run before or behind the
/// product.
pub fn contract(b: &mut StepBuilder, site: &StepSite<'_>, op: &Kernel) -> Result<Vec<Box<dyn Step<Cpu>>>> {
    let body: &Program = &op.body;
    let malformed = || Error::internal("a contraction that is no product with loops");
    let contraction = Contraction::of(op).ok_or_else(malformed)?;
    let nested = nested(site)?;
    let block = PlacedProgram {
        program: body,
        assignment: assignment(nested, 0)?,
        params: locs(&site.operands),
        results: locs(&site.results),
        arena: arena(site, nested),
    };
    let mut sites = block.sites()?;
    let product = contraction.product;
    let at = sites.iter().position(|site| std::ptr::eq(site.instr, product)).ok_or_else(malformed)?;
    let in_groups = contraction.groups.is_some();
    let merged = merged(&contraction.dot);
    let dot = if in_groups { &merged } else { &contraction.dot };
    // The scales stand beside the other operands, and the sum of groups in the place of a group's.
    if in_groups {
        let (scales, value) = (sites[at + 1].operands[0], sites[at + 2].results[0]);
        sites[at].operands.push(scales);
        sites[at].results[0] = value;
    }
    let mut steps: Vec<Box<dyn Step<Cpu>>> = Vec::new();
    let mut prologues = [None, None, None];
    // The sizes of groups of rows stand before the scales.
    let places = if contraction.sizes.is_some() { [0, 1, 3] } else { [0, 1, 2] };
    let right = sites[at].operands[1].ty;
    let columns: usize = dot.rhs_free(right.rank()).iter().map(|&axis| right.dim(axis)).product();
    for (side, part) in contraction.prologues.iter().enumerate() {
        let Some(part) = part else { continue };
        let place = places[side];
        let ty = sites[at].operands[place].ty;
        let (lines, stride) = match side {
            2 => {
                let count = ty.extents().product::<usize>() / columns.max(1);
                let lines = Lines { count, places: columns, of_contracted: true };
                (Some(lines), PROLOGUE_SCALES_STRIDE)
            }
            _ => (Lines::of(dot, ty, side), PROLOGUE_STRIDE),
        };
        prologues[side] = LoopPrologue::new(b, &sites[part.index], part.kernel, lines, stride)?;
        // Scales that lie in panels are made a panel at a time, one group right behind the other.
        if side == 2
            && let Some(panel) = prologues[side].as_ref().and_then(|prologue| prologue.plan.panel())
        {
            prologues[side] = LoopPrologue::new(b, &sites[part.index], part.kernel, lines, panel)?;
        }
        if prologues[side].is_none() {
            let loc = b.own(sites[at].operands[place].bytes());
            sites[part.index].results[0].loc = loc;
            sites[at].operands[place].loc = loc;
            steps.push(kernel::kernel(b, &sites[part.index], part.kernel)?);
        }
    }
    let [lhs, rhs, scales] = prologues;
    if let Op::RaggedDot(op) = &product.op {
        steps.push(ragged::step(&sites[at], op, rhs, scales)?);
        return Ok(steps);
    }
    let product = step(b, &sites[at], dot)?;
    let groups = in_groups.then(|| {
        let array = sites[at].operands[2];
        Groups { each: product.k / array.ty.dim(0).max(1), scales: array, prologue: scales }
    });
    let product = product.with_prologues([lhs, rhs], groups)?;
    let fused = match &contraction.epilogue {
        Some(part) => {
            let fused = product.with_epilogue(b, &sites[part.index], part.kernel, contraction.reads(body))?;
            fused.ok_or((part.kernel, part.index))
        }
        None => Ok(product.clone()),
    };
    match fused {
        Ok(fused) => steps.push(Box::new(fused)),
        Err((kernel, index)) => {
            steps.push(Box::new(product));
            steps.push(kernel::kernel(b, &sites[index], kernel)?);
        }
    }
    Ok(steps)
}

/// The product of all groups at once: their axis is contracted in front of that of their elements.
fn merged(dot: &DotGeneral) -> DotGeneral {
    let merged = |batch: &[usize], contract: &[usize]| batch.iter().chain(contract).copied().collect();
    DotGeneral {
        lhs_batch: SmallVec::new(),
        rhs_batch: SmallVec::new(),
        lhs_contract: merged(&dot.lhs_batch, &dot.lhs_contract),
        rhs_contract: merged(&dot.rhs_batch, &dot.rhs_contract),
        out: dot.out,
    }
}
