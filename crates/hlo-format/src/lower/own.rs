//! `jarrah.*` ops, which StableHLO lacks.

use jarrah_base::{Result, Type};
use jarrah_hlo::ProgramRef;
use jarrah_hlo::ops::{
    Assert, Attention, AttentionInputs, AttentionKind, AttentionMoves, AxisGroups, AxisIndex, BatchRule,
    BlockIndex, BlockSpec, CheckpointName, Collective, CollectiveKind, CustomRule, CustomTangent,
    GroupMatrices, Kernel, KernelForm, KernelOutput, LinearSolve, NamedAxis, RaggedDot, RaggedKind, Reducer,
    Remat, Rule, Saveable, Scan, Start, Threefry2x32, TransposedSolve,
};

use smallvec::SmallVec;

use super::block::{Outcome, all};
use super::cx::Cx;
use super::linalg;
use super::types::Leaf;
use crate::ir::{Attr, Ty};

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
        "jarrah.all_reduce"
        | "jarrah.all_gather"
        | "jarrah.reduce_scatter"
        | "jarrah.all_to_all"
        | "jarrah.permute" => collective(cx)?.into(),
        "jarrah.custom_rule" => custom_rule(cx)?.into(),
        "jarrah.custom_tangent" => {
            let backward = only_program(cx)?;
            CustomTangent { backward, residuals: cx.size("residuals")?, results: cx.result_types()? }.into()
        }
        "jarrah.threefry2x32" => Threefry2x32.into(),
        "jarrah.attention" => attention(cx)?.into(),
        "jarrah.ragged_dot" => ragged_dot(cx)?.into(),
        "jarrah.kernel" => kernel(cx)?.into(),
        "jarrah.window_arg" => super::windows::window_arg(cx)?.into(),
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
            (matvec, solve, Some(TransposedSolve { matvec: back.clone(), solve: solve_back.clone() }))
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

fn collective(cx: &Cx<'_, '_>) -> Result<Collective> {
    let wrong = |name: &str| cx.fail(format!("`{name}` is not that of a collective"));
    let (Attr::Array(names), sizes) = (cx.attr("axes")?, cx.sizes("sizes")?) else {
        return Err(wrong("axes"));
    };
    let names: Option<Vec<&str>> =
        names.iter().map(|name| if let Attr::String(name) = name { Some(&**name) } else { None }).collect();
    let names = names.filter(|names| names.len() == sizes.len()).ok_or_else(|| wrong("axes"))?;
    let axis = |(name, &size): (&str, &usize)| NamedAxis { name: name.into(), size };
    let axes = names.into_iter().zip(&sizes).map(axis).collect();
    let numbers = |list: &Attr, name: &str| -> Result<Box<[u32]>> {
        let numbers: Option<_> =
            list.integers().and_then(|list| list.iter().map(|&n| u32::try_from(n).ok()).collect());
        numbers.ok_or_else(|| wrong(name))
    };
    let groups = match cx.op.attr("groups") {
        None => None,
        Some(Attr::Array(groups)) => {
            let groups = groups.iter().map(|group| numbers(group, "groups"));
            Some(groups.collect::<Result<Box<[_]>>>()?)
        }
        Some(_) => return Err(wrong("groups")),
    };
    let reducer = || {
        let word = cx.word("reducer")?;
        let known = Reducer::COMBINING.iter().find(|r| r.elementwise().is_some_and(|f| f.name() == word));
        known.cloned().ok_or_else(|| wrong("reducer"))
    };
    let kind = match cx.op.name() {
        "jarrah.all_reduce" => CollectiveKind::AllReduce(reducer()?),
        "jarrah.all_gather" => CollectiveKind::AllGather,
        "jarrah.reduce_scatter" => CollectiveKind::ReduceScatter(reducer()?),
        "jarrah.all_to_all" => CollectiveKind::AllToAll,
        _ => {
            let sources = cx.numbers("sources")?;
            CollectiveKind::Permute(sources.iter().map(|&source| u32::try_from(source).ok()).collect())
        }
    };
    Ok(Collective { kind, over: AxisGroups { axes, groups } })
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

fn ragged_dot(cx: &Cx<'_, '_>) -> Result<RaggedDot> {
    let kind = match cx.word("kind")? {
        "rows" => RaggedKind::Rows(GroupMatrices::Plain),
        "rows_transposed" => RaggedKind::Rows(GroupMatrices::Transposed),
        "rows_in_panels" => RaggedKind::Rows(GroupMatrices::Panels),
        "contracted" => RaggedKind::Contracted,
        other => {
            let error = format!(
                "`{other}` is no kind of a ragged product: rows, rows_transposed, rows_in_panels, contracted"
            );
            return Err(cx.fail(error));
        }
    };
    Ok(RaggedDot { kind, out: cx.result_dtype(0)? })
}

fn attention(cx: &Cx<'_, '_>) -> Result<Attention> {
    let wrong = |name: &str, what: &str| cx.fail(format!("the attribute `{name}` is no {what}"));
    let number = |name: &str| match cx.op.attr(name) {
        None => Ok(None),
        Some(Attr::Float(x, _)) => Ok(Some(x.to_bits())),
        Some(_) => Err(wrong(name, "number")),
    };
    let bound = |name: &str| match cx.op.attr(name) {
        None => Ok(None),
        Some(_) => u32::try_from(cx.size(name)?).map(Some).map_err(|_| wrong(name, "number of keys")),
    };
    let words = |name: &str| -> Result<Vec<&str>> {
        let Some(attr) = cx.op.attr(name) else { return Ok(Vec::new()) };
        let Attr::Array(list) = attr else { return Err(wrong(name, "list")) };
        let mut words = Vec::new();
        for attr in list {
            let Attr::String(word) = attr else { return Err(wrong(name, "list of words")) };
            words.push(&**word);
        }
        Ok(words)
    };
    let mut moves = AttentionMoves::default();
    for word in words("moves")? {
        match word {
            "bias" => moves.bias = true,
            "sinks" => moves.sinks = true,
            other => return Err(cx.fail(format!("`{other}` has no tangent of its own: bias, sinks"))),
        }
    }
    let kind = match cx.word("kind")? {
        "forward" => AttentionKind::Forward,
        "tangent" => AttentionKind::Tangent(moves),
        "transpose" => AttentionKind::Transpose(moves),
        other => return Err(cx.fail(format!("`{other}` is no kind of attention"))),
    };
    let inputs =
        AttentionInputs::from_names(words("inputs")?).ok_or_else(|| wrong("inputs", "list of operands"))?;
    Ok(Attention {
        kind,
        scale_bits: number("scale")?.ok_or_else(|| cx.fail("the attribute `scale` is missing"))?,
        softcap_bits: number("softcap")?,
        hidden_bits: number("hidden")?.unwrap_or(f64::NEG_INFINITY.to_bits()),
        apart: cx.flag("apart")?,
        before: bound("before")?,
        after: bound("after")?,
        inputs,
    })
}

fn kernel(cx: &mut Cx<'_, '_>) -> Result<Kernel> {
    let (body, map) = match &programs(cx)?[..] {
        [body] => (body.clone(), None),
        [body, map] => (body.clone(), Some(map.clone())),
        regions => {
            return Err(
                cx.fail(format!("a kernel has a body and may have a map, not {} regions", regions.len()))
            );
        }
    };
    let grid = cx.sizes("grid")?;
    if grid.iter().any(|&g| g > MAX_GRID) {
        return Err(cx.fail("the grid is too large"));
    }
    let mut arbitrary = SmallVec::from_elem(false, grid.len());
    for axis in cx.sizes_or("arbitrary", 0, 0)? {
        match arbitrary.get_mut(axis) {
            Some(in_order) => *in_order = true,
            None => return Err(cx.fail(format!("the grid has no axis {axis}, which is arbitrary"))),
        }
    }
    let (specs, types, starts) = (block_specs(cx, "outputs")?, cx.result_types()?, starts(cx)?);
    if specs.len() != types.len() || starts.as_ref().is_some_and(|starts| starts.len() != types.len()) {
        return Err(
            cx.fail(format!("`outputs` or `starts` has not an entry for each of {} results", types.len()))
        );
    }
    let starts = starts.unwrap_or_else(|| vec![Start::Fresh; types.len()]);
    let outputs = types.into_iter().zip(specs).zip(starts);
    let form = match cx.optional_word("form")? {
        None | Some("steps") => KernelForm::Steps,
        Some("loop") => KernelForm::Loop,
        Some("contract") => KernelForm::Contract,
        Some(form) => return Err(cx.fail(format!("`{form}` is no form of a kernel: steps, loop, contract"))),
    };
    let flops = match cx.op.attr("flops") {
        None => None,
        Some(Attr::Integer(flops, _)) if u64::try_from(*flops).is_ok() => Some(*flops as u64),
        Some(_) => return Err(cx.fail("`flops` is no natural number")),
    };
    Ok(Kernel {
        grid,
        arbitrary,
        prefetch: cx.size_in(&cx.op.attributes, "prefetch")?.unwrap_or(0),
        inputs: block_specs(cx, "inputs")?,
        outputs: outputs.map(|((ty, block), start)| KernelOutput { ty, block, start }).collect(),
        scratch: scratch(cx)?,
        map,
        flops,
        form,
        body,
    })
}

/// The initial content of each result: `"fresh"`, `"zeros"` or `{operand = 1}`.
fn starts(cx: &Cx<'_, '_>) -> Result<Option<Vec<Start>>> {
    let wrong = || cx.fail("`starts` is no list of \"fresh\", \"zeros\" and operands");
    let starts = match cx.op.attr("starts") {
        None => return Ok(None),
        Some(Attr::Array(starts)) => starts,
        Some(_) => return Err(wrong()),
    };
    let start = |start: &Attr| match start {
        Attr::String(text) if &**text == "fresh" => Ok(Start::Fresh),
        Attr::String(text) if &**text == "zeros" => Ok(Start::Zeros),
        Attr::Dictionary(fields) => cx.size_in(fields, "operand")?.map(Start::Operand).ok_or_else(wrong),
        _ => Err(wrong()),
    };
    starts.iter().map(start).collect::<Result<_>>().map(Some)
}

/// The types of the scratch arrays.
fn scratch(cx: &Cx<'_, '_>) -> Result<Vec<Type>> {
    let wrong = || cx.fail("`scratch` is no list of tensor types");
    let types = match cx.op.attr("scratch") {
        None => return Ok(Vec::new()),
        Some(Attr::Array(types)) => types,
        Some(_) => return Err(wrong()),
    };
    let ty = |ty: &Attr| match ty {
        Attr::Type(Ty::Tensor(tensor)) => Leaf(tensor).concrete().ok_or_else(wrong),
        _ => Err(wrong()),
    };
    types.iter().map(ty).collect()
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

/// `"whole"`, `"first"`, `{point = 0}`, `{block = 8, grid = 0}`, `{point_at = 0}` or `{at = 0, size = 8, unit = 1}`.
fn block_index(cx: &Cx<'_, '_>, axis: &Attr) -> Result<BlockIndex> {
    match axis {
        Attr::String(text) if &**text == "whole" => Ok(BlockIndex::Whole),
        Attr::String(text) if &**text == "first" => Ok(BlockIndex::First),
        Attr::Dictionary(fields) => {
            let size = |name: &str| cx.size_in(fields, name);
            let largest = size("block")?.or(size("size")?).into_iter().chain(size("unit")?).max();
            if largest.is_some_and(|largest| largest > MAX_GRID) {
                return Err(cx.fail("a block is too large"));
            }
            let names: Vec<&str> = fields.iter().map(|(name, _)| &**name).collect();
            let named = |name: &str| -> Result<usize> { Ok(size(name)?.unwrap_or_default()) };
            match names[..] {
                ["block", "grid"] => Ok(BlockIndex::Block { size: named("block")?, grid: named("grid")? }),
                ["point"] => Ok(BlockIndex::Point { grid: named("point")? }),
                ["at", "size", "unit"] => {
                    Ok(BlockIndex::At { size: named("size")?, unit: named("unit")?, result: named("at")? })
                }
                ["point_at"] => Ok(BlockIndex::PointAt { result: named("point_at")? }),
                _ => Err(cx
                    .fail("an axis has `block` and `grid`, `point`, `point_at`, or `at`, `size` and `unit`")),
            }
        }
        _ => Err(cx.fail("an axis is \"whole\", \"first\", a point or a block")),
    }
}
