//! `jarrah.*` ops, which StableHLO lacks.

use jarrah_base::Result;
use jarrah_hlo::ProgramRef;
use jarrah_hlo::ops::{
    AllGather, Assert, Attention, AttentionKind, AxisIndex, BatchRule, BlockIndex, BlockSpec, CheckpointName,
    CustomRule, CustomTangent, Kernel, LinearSolve, Load, NamedAxis, ProgramId, ReduceScatter, Remat, Rule,
    Saveable, Scan, Store, Threefry2x32, Transposed,
};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::linalg;
use crate::ir::Attr;

/// The largest grid or block extent, so that products do not overflow.
const MAX_GRID: usize = 1 << 31;

pub(super) fn op(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operation: jarrah_hlo::Op = match cx.op.name() {
        "jarrah.scan" => {
            let body = only_program(cx)?;
            let (consts, carry) = (cx.size("consts")?, cx.size("carry")?);
            Scan { body, consts, carry, length: cx.size("length")?, reverse: cx.flag("reverse")? }.into()
        }
        "jarrah.remat" => {
            let body = only_program(cx)?;
            Remat { body, saveable: saveable(cx, cx.attr("saveable")?, 0)? }.into()
        }
        "jarrah.checkpoint_name" => CheckpointName { name: cx.word("name")?.into() }.into(),
        "jarrah.assert" => Assert { message: cx.word("message")?.into() }.into(),
        "jarrah.linear_solve" => linear_solve(cx)?.into(),
        "jarrah.axis_index" => AxisIndex { axis: named_axis(cx)? }.into(),
        "jarrah.all_gather" => AllGather { axis: named_axis(cx)? }.into(),
        "jarrah.reduce_scatter" => ReduceScatter { axis: named_axis(cx)? }.into(),
        "jarrah.custom_rule" => custom_rule(cx)?.into(),
        "jarrah.custom_tangent" => {
            let backward = only_program(cx)?;
            CustomTangent { backward, residuals: cx.size("residuals")?, results: cx.result_types()? }.into()
        }
        "jarrah.threefry2x32" => Threefry2x32.into(),
        "jarrah.attention" => attention(cx)?.into(),
        "jarrah.kernel" => kernel(cx)?.into(),
        "jarrah.load" => Load.into(),
        "jarrah.store" => Store.into(),
        "jarrah.window_arg" => super::windows::window_arg(cx)?.into(),
        "jarrah.program_id" => ProgramId { axis: cx.size("axis")? }.into(),
        _ => return linalg::op(cx),
    };
    let operands = cx.operands()?;
    Ok(all(&cx.push(operation, &operands)?))
}

fn only_program(cx: &mut Cx<'_, '_>) -> Result<ProgramRef> {
    let region = cx.only_region()?;
    cx.closed(region, None)
}

/// The programs of all regions.
fn programs(cx: &mut Cx<'_, '_>) -> Result<Vec<ProgramRef>> {
    let mut programs = Vec::new();
    for i in 0..cx.op.regions.len() {
        let region = cx.region(i)?;
        programs.push(cx.closed(region, None)?);
    }
    Ok(programs)
}

/// How deep policies of checkpoints may hold each other.
const MAX_POLICIES: usize = 16;

/// The policy of a checkpoint: its name, or a list of it and of what it holds.
fn saveable(cx: &Cx<'_, '_>, attr: &Attr, depth: usize) -> Result<Saveable> {
    let wrong = || cx.fail("`saveable` is no policy of a checkpoint");
    let (kind, held) = match attr {
        Attr::String(kind) => (kind, &[][..]),
        Attr::Array(list) => match &list[..] {
            [Attr::String(kind), held @ ..] if depth < MAX_POLICIES => (kind, held),
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    };
    let names = || -> Result<Vec<Box<str>>> {
        let name = |attr: &Attr| match attr {
            Attr::String(name) => Ok(Box::from(&**name)),
            _ => Err(wrong()),
        };
        held.iter().map(name).collect()
    };
    Ok(match &**kind {
        "nothing" => Saveable::Nothing,
        "dots" => Saveable::Dots,
        "dots_with_no_batch_dims" => Saveable::DotsWithNoBatchDims,
        "names" => Saveable::Names(names()?),
        "names_but" => Saveable::NamesBut(names()?),
        "all_but" => Saveable::AllBut(names()?),
        "either" => {
            let held = held.iter().map(|policy| saveable(cx, policy, depth + 1));
            Saveable::Either(held.collect::<Result<_>>()?)
        }
        _ => return Err(wrong()),
    })
}

fn linear_solve(cx: &mut Cx<'_, '_>) -> Result<LinearSolve> {
    let (programs, consts) = (programs(cx)?, cx.size("consts")?);
    let (matvec, solve, transpose) = match &programs[..] {
        [matvec, solve] => (matvec, solve, None),
        [matvec, solve, back, solve_back] => {
            (matvec, solve, Some(Transposed { matvec: back.clone(), solve: solve_back.clone() }))
        }
        _ => {
            let error = format!("a linear solve has two or four regions, not {}", programs.len());
            return Err(cx.fail(error));
        }
    };
    Ok(LinearSolve { matvec: matvec.clone(), solve: solve.clone(), transpose, consts })
}

fn named_axis(cx: &Cx<'_, '_>) -> Result<NamedAxis> {
    Ok(NamedAxis { name: cx.word("axis")?.into(), size: cx.size("size")? })
}

fn custom_rule(cx: &mut Cx<'_, '_>) -> Result<CustomRule> {
    let programs = programs(cx)?;
    let captures = cx.size("captures")?;
    match (cx.word("rule")?, &programs[..]) {
        ("jvp", [primal, rule]) => {
            Ok(CustomRule { primal: primal.clone(), rule: Rule::Jvp(rule.clone()), captures })
        }
        ("tangent", [primal, rule]) => {
            Ok(CustomRule { primal: primal.clone(), rule: Rule::Tangent(rule.clone()), captures })
        }
        ("vjp", [primal, forward, backward]) => {
            let rule = Rule::Vjp { forward: forward.clone(), backward: backward.clone() };
            Ok(CustomRule { primal: primal.clone(), rule, captures })
        }
        ("transpose", [primal, rule]) => {
            Ok(CustomRule { primal: primal.clone(), rule: Rule::Transpose(rule.clone()), captures })
        }
        ("batch", [primal]) => {
            Ok(CustomRule { primal: primal.clone(), rule: Rule::Batch(BatchRule::lost()), captures })
        }
        (rule, programs) => Err(cx.fail(format!(
            "`{rule}` with {} regions is no rule: batch has one, jvp, tangent and transpose two, vjp three",
            programs.len()
        ))),
    }
}

fn attention(cx: &Cx<'_, '_>) -> Result<Attention> {
    let kind = match cx.word("kind")? {
        "forward" => AttentionKind::Forward,
        "tangent" => AttentionKind::Tangent,
        "transpose" => AttentionKind::Transpose,
        other => return Err(cx.fail(format!("`{other}` is no kind of attention"))),
    };
    let Attr::Float(scale, _) = cx.attr("scale")? else {
        return Err(cx.fail("the attribute `scale` is no number"));
    };
    Ok(Attention { kind, scale_bits: scale.to_bits(), causal: cx.flag("causal")? })
}

fn kernel(cx: &mut Cx<'_, '_>) -> Result<Kernel> {
    let body = only_program(cx)?;
    let grid = cx.sizes("grid")?;
    if grid.iter().any(|&g| g > MAX_GRID) {
        return Err(cx.fail("the grid is too large"));
    }
    let inputs = block_specs(cx, "inputs")?;
    let specs = block_specs(cx, "outputs")?;
    let types = cx.result_types()?;
    if specs.len() != types.len() {
        return Err(cx.fail(format!("`outputs` has {} entries for {} results", specs.len(), types.len())));
    }
    Ok(Kernel { grid, inputs, outputs: types.into_iter().zip(specs).collect(), body })
}

/// One block specification per array, each a list with an entry per axis.
fn block_specs(cx: &Cx<'_, '_>, name: &str) -> Result<Vec<BlockSpec>> {
    let wrong = || cx.fail(format!("`{name}` is no list of lists of axes"));
    let Attr::Array(arrays) = cx.attr(name)? else { return Err(wrong()) };
    let mut specs = Vec::new();
    for array in arrays {
        let Attr::Array(axes) = array else { return Err(wrong()) };
        let axes = axes.iter().map(|axis| block_index(cx, axis)).collect::<Result<_>>()?;
        specs.push(BlockSpec { axes });
    }
    Ok(specs)
}

/// `"whole"`, `"first"`, `{point = 0}` or `{block = 8, grid = 0}`.
fn block_index(cx: &Cx<'_, '_>, axis: &Attr) -> Result<BlockIndex> {
    match axis {
        Attr::String(text) if &**text == "whole" => Ok(BlockIndex::Whole),
        Attr::String(text) if &**text == "first" => Ok(BlockIndex::First),
        Attr::Dictionary(fields) => {
            let size = |name: &str| cx.size_in(fields, name);
            match (size("block")?, size("grid")?, size("point")?) {
                (Some(size), Some(grid), None) if size <= MAX_GRID => Ok(BlockIndex::Block { size, grid }),
                (None, None, Some(grid)) => Ok(BlockIndex::Point { grid }),
                _ => Err(cx.fail("an axis has `block` and `grid`, or `point`")),
            }
        }
        _ => Err(cx.fail("an axis is \"whole\", \"first\", a point or a block")),
    }
}
