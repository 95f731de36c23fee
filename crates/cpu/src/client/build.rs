//! Builds the steps of a program from its buffer assignment.

use jarrah_base::{Error, Result, Source, Type, work};
use jarrah_compiler::Contraction;
use jarrah_hlo::ops::{KernelForm, Reducer};
use jarrah_hlo::{Cost, Op, Value, family};
use jarrah_runtime::{StepLabel, Way};

use super::frame::{Loc, Prepared, Step};
use super::profile::Costed;
use super::site::{Array, Block, Needs, Site, StepBuilder, place};
use super::steps;

/// The number of a step that has not been numbered yet.
const UNNUMBERED: usize = usize::MAX;

/// The steps of `block`, then copies of results that do not lie in `block.results`.
pub fn block(builder: &mut StepBuilder, block: &Block<'_>) -> Result<Vec<Prepared>> {
    let program = block.program;
    let kept = steps::sort::kept(program);
    let mut locs = block.params.clone();
    let mut constants = vec![None; program.instrs().len()];
    let mut steps = Vec::new();
    for (index, instr) in program.instrs().iter().enumerate() {
        if let Op::Constant(op) = &instr.op {
            let base = builder.base();
            builder.constants.push((base, op.value.clone()));
            constants[index] = Some(Loc::base(base));
        }
        for value in instr.results() {
            let loc = place(block, &locs, &constants, value)?;
            locs.push(loc);
        }
        work::step(1 + instr.operands.len() + instr.results().len());
        let array = |v: Value| Array { ty: program.ty(v), loc: locs[v.index()] };
        let site = Site {
            block,
            index,
            instr,
            operands: instr.operands.iter().map(|&v| array(v)).collect(),
            results: instr.results().map(array).collect(),
            kept: kept.get(&index).copied(),
        };
        let built = lower(builder, &site, &mut steps);
        // A nested program that needs more scratch has recorded it already.
        if builder.needs_shared.as_ref().map_or(0, |needs| needs.bytes) < builder.shared {
            let types: Vec<String> = site.operands.iter().map(|o| o.ty.to_string()).collect();
            builder.needs_shared = Some(Needs {
                bytes: builder.shared,
                types: types.join(", "),
                op: jarrah_compiler::what_it_does(instr),
                location: instr.source.location,
            });
        }
        built.map_err(|error| {
            let error = error.op(instr.op.called());
            match instr.source.location {
                Some(location) => error.at(location),
                None => error,
            }
        })?;
    }
    for (&value, &to) in program.results().iter().zip(&block.results) {
        let from = Array { ty: program.ty(value), loc: locs[value.index()] };
        if from.loc != to {
            let (what, types) = ("copy to a result".to_owned(), from.ty.to_string());
            let (scope, line, way) = (String::new(), String::new(), Way::Copy);
            let label = StepLabel { kind: "copy", what, types, scope, line, way };
            let number = number(builder, Costed { label, flops: 0.0, bytes: 2.0 * from.bytes() as f64 });
            steps.push(Prepared { step: steps::copy::whole(from, to), number });
        }
    }
    Ok(steps)
}

/// Registers a step. Returns its number.
fn number(builder: &mut StepBuilder, step: Costed) -> usize {
    builder.steps.push(step);
    builder.steps.len() - 1
}

/// Appends the steps of an instruction.
// A table: a row for each op.
fn lower(builder: &mut StepBuilder, site: &Site<'_>, steps: &mut Vec<Prepared>) -> Result<()> {
    let writes_nothing = site.results.iter().all(|r| r.bytes() == 0);
    if writes_nothing && site.instr.op.effects().may_drop() {
        return Ok(());
    }
    let before = steps.len();
    let mut push = |step: Box<dyn Step>| {
        steps.push(Prepared { step, number: UNNUMBERED });
    };
    match &site.instr.op {
        Op::Constant(_) => {}
        Op::Elementwise(_) if site.operands[0].ty.dtype().is_complex() && !has_loop(site) => {
            push(steps::scalars::step(site))
        }
        _ if lacks_code(site) => push(steps::reference::step(site)),
        Op::Reshape(_) | Op::OptimizationBarrier(_) | Op::CheckpointName(_) | Op::BitcastConvert(_) => {
            for (from, to) in site.operands.iter().zip(&site.results) {
                if from.loc != to.loc {
                    push(steps::copy::whole(*from, to.loc));
                }
            }
        }
        Op::Elementwise(_) if !has_loop(site) => push(steps::scalars::step(site)),
        Op::Elementwise(_)
        | Op::Compare(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Convert(_)
        | Op::ReducePrecision(_)
        | Op::Complex(_)
        | Op::Real(_)
        | Op::Imag(_)
        | Op::Iota(_)
        | Op::Threefry2x32(_) => push(steps::kernel::single(builder, site)?),
        Op::Reduce(op) => match &op.reducer {
            Reducer::General(program) => push(
                steps::by_program::reduce(site, op, program)?.unwrap_or_else(|| steps::reference::step(site)),
            ),
            _ => push(steps::kernel::single(builder, site)?),
        },
        Op::Kernel(op) if op.form == KernelForm::Contract => {
            steps::contraction::contract(builder, site, op)?.into_iter().for_each(push);
        }
        Op::Kernel(op) => push(steps::kernel::kernel(builder, site, op)?),
        Op::BroadcastInDim(op) => push(steps::copy::broadcast(site, op)),
        Op::TransposeAxes(op) => push(steps::copy::transpose(site, op)),
        Op::Reverse(op) => push(steps::copy::reverse(site, op)),
        Op::Slice(op) => push(steps::copy::slice(site, op)),
        Op::Pad(op) => push(steps::copy::pad(site, op)),
        Op::Concatenate(op) => push(steps::copy::concatenate(site, op)),
        Op::DynamicSlice(op) => push(steps::dynamic::slice(site, op)),
        Op::DynamicUpdateSlice(_) => push(steps::dynamic::update(site)),
        Op::Gather(op) => push(steps::gather::step(site, op)?),
        Op::Scatter(op) => push(steps::scatter::step(site, op)?),
        Op::Convolution(op) => push(steps::convolution::step(builder, site, op)?),
        Op::DotGeneral(op) => push(Box::new(steps::dot::step(builder, site, op)?)),
        Op::ReduceWindow(op) => push(steps::window::reduce(site, op)?),
        Op::WindowArg(op) => push(steps::window::arg(site, op)?),
        Op::Sort(op) => push(steps::sort::step(builder, site, op)?),
        family!(LinearAlgebra) | family!(Transform) | Op::Assert(_) => push(steps::reference::step(site)),
        Op::CustomCall(op) => push(steps::custom_call::step(site, op)),
        Op::RaggedDot(op) => push(steps::ragged::step(site, op, None, None)?),
        Op::Attention(op) => push(steps::attention::step(site, op)),
        Op::While(op) => push(steps::control::repeat(builder, site, op)?),
        Op::Case(op) => push(steps::control::case(builder, site, op)?),
        Op::Scan(op) => push(steps::control::scan(builder, site, op)?),
        Op::Call(_) | Op::Remat(_) | Op::CustomRule(_) | Op::LinearSolve(_) => {
            return Err(Error::internal("a call is left, which the compiler should have inlined"));
        }
        Op::AxisIndex(op) => return Err(op.axis.unbound()),
        Op::AllGather(op) => return Err(op.axis.unbound()),
        Op::ReduceScatter(op) => return Err(op.axis.unbound()),
        Op::CustomTangent(_) => {
            let error = "the tangent of a custom backward rule cannot be computed";
            return Err(Error::program(error)
                .help("use grad or vjp, or give the function a forward rule with custom_jvp"));
        }
    }
    let cost = cost(site);
    for step in &mut steps[before..] {
        // The steps of an inlined program have their numbers already.
        if step.number == UNNUMBERED {
            let label = label(site, step.step.way());
            step.number = number(builder, Costed { label, flops: cost.flops, bytes: cost.bytes });
        }
    }
    Ok(())
}

/// Whether the instruction has an element type for which this crate has no code. Ops that move whole arrays or run programs
/// take every type.
fn lacks_code(site: &Site<'_>) -> bool {
    let known = |array: &Array| jarrah_tile::DTYPES.contains(&array.ty.dtype());
    match &site.instr.op {
        Op::Attention(op) => {
            let types: Vec<Type> = site.operands.iter().map(|operand| operand.ty).collect();
            !steps::attention::has_kernels(op, &types)
        }
        Op::Gather(_) => site.operands[0].size() > size_of::<u64>(),
        Op::Constant(_)
        | family!(Movement)
        | family!(Indexing)
        | family!(Loop)
        | family!(Call)
        | family!(Collective)
        | family!(Marker)
        | family!(Host)
        | family!(Fused) => false,
        // Products, of which the compiler leaves only those that have matrices.
        Op::DotGeneral(_) => false,
        Op::BitcastConvert(op) => !op.keeps_bytes(site.operands[0].ty.dtype()),
        // Elements of every type are combined and compared one at a time; `window.rs` gives the evaluator the windows it lacks.
        family!(Reduction) => false,
        // Elementwise ops that are no loop run element by element.
        Op::Elementwise(_) => false,
        _ => !has_loop(site) && !site.operands.iter().chain(&site.results).all(known),
    }
}

/// Whether the instruction alone can run as a vector loop.
fn has_loop(site: &Site<'_>) -> bool {
    let types = |arrays: &[Array]| arrays.iter().map(|array| array.ty).collect::<Vec<_>>();
    jarrah_tile::has_op(&site.instr.op, &types(&site.operands), &types(&site.results))
}

fn cost(site: &Site<'_>) -> Cost {
    let types = |arrays: &[Array]| arrays.iter().map(|a| a.ty).collect::<Vec<_>>();
    site.instr.op.cost(&types(&site.operands), &types(&site.results)).unwrap_or_default()
}

fn kind(site: &Site<'_>) -> &'static str {
    match &site.instr.op {
        Op::Kernel(op) if op.form == KernelForm::Contract => match Contraction::of(op).map(|of| of.sizes) {
            Some(Some(_)) => "jarrah.ragged_dot + kernel",
            _ => "dot_general + kernel",
        },
        Op::Kernel(_) => "kernel",
        op => op.name(),
    }
}

fn label(site: &Site<'_>, way: Way) -> StepLabel {
    let types: Vec<String> = site.results.iter().map(|r| r.ty.to_string()).collect();
    let source = &site.instr.source;
    let mut lines = vec![line(source)];
    if let Op::Kernel(op) = &site.instr.op
        && let Some(contraction) = Contraction::of(op)
    {
        lines = contraction.parts().map(|part| line(&part.source)).collect();
        lines.dedup();
    }
    StepLabel {
        kind: kind(site),
        what: jarrah_compiler::what_it_does(site.instr),
        types: types.join(" "),
        scope: source.scope.path().to_owned(),
        line: lines.join(" -> "),
        way,
    }
}

fn line(source: &Source) -> String {
    source.location.map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()))
}
