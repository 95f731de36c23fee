//! Builds the steps of a program from its buffer assignment.

use jarrah_base::{Result, Source, work};
use jarrah_compiler::Contraction;
use jarrah_hlo::ops::KernelForm;
use jarrah_hlo::{Cost, Op, Program, Value};
use jarrah_runtime::{ObservedStep, StepLabel, Way};
use rustc_hash::FxHashMap;

use crate::backend::{Backend, BoxedSteps, BuiltStep, Needs, StepBuilder};
use crate::place::{Place, PlacedArray, PlacedProgram, StepSite, place};
use crate::{collective, control};

impl<D: Backend> StepBuilder<D> {
    /// The steps of `block`, then copies of results that do not lie in `block.results`.
    ///
    /// # Errors
    /// An instruction has no step here.
    pub fn block(&mut self, block: &PlacedProgram<'_>) -> Result<Vec<BuiltStep<D>>> {
        self::block(self, block)
    }
}

/// The steps of `block`, then copies of results that do not lie in `block.results`.
fn block<D: Backend>(builder: &mut StepBuilder<D>, block: &PlacedProgram<'_>) -> Result<Vec<BuiltStep<D>>> {
    let program = block.program;
    let kept = kept(program);
    let mut locs = block.params.clone();
    let mut constants = vec![None; program.instrs().len()];
    let mut steps = Vec::new();
    for (index, instr) in program.instrs().iter().enumerate() {
        if let Op::Constant(op) = &instr.op {
            let base = builder.base();
            builder.constants.push((base, op.value.clone()));
            constants[index] = Some(Place::base(base));
        }
        for value in instr.results() {
            let loc = place(block, &locs, &constants, value)?;
            locs.push(loc);
        }
        work::step(1 + instr.operands.len() + instr.results().len());
        let array = |v: Value| PlacedArray { ty: program.ty(v), loc: locs[v.index()] };
        let site = StepSite {
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
        let from = PlacedArray { ty: program.ty(value), loc: locs[value.index()] };
        if from.loc != to {
            let (what, types) = ("copy to a result".to_owned(), from.ty.to_string());
            let (scope, line, way) = (String::new(), String::new(), Way::Copy);
            let label = StepLabel { kind: "copy", what, types, scope, line, way };
            let number = number(
                builder,
                ObservedStep { label, flops: 0.0, bytes: 2.0 * from.bytes() as f64, nests: false },
            );
            steps.push(BuiltStep { step: control::copy(from, to), number });
        }
    }
    Ok(steps)
}

/// Registers a step. Returns its number.
fn number<D: Backend>(builder: &mut StepBuilder<D>, step: ObservedStep) -> Option<usize> {
    builder.steps.push(step);
    Some(builder.steps.len() - 1)
}

/// Appends the steps of an instruction.
fn lower<D: Backend>(
    builder: &mut StepBuilder<D>,
    site: &StepSite<'_>,
    steps: &mut Vec<BuiltStep<D>>,
) -> Result<()> {
    let writes_nothing = site.results.iter().all(|r| r.bytes() == 0);
    if writes_nothing && site.instr.op.effects().may_drop() {
        return Ok(());
    }
    let mut own: BoxedSteps<D> = Vec::new();
    match &site.instr.op {
        Op::Collective(op) => own.push(collective::exchange(builder, site, op)?),
        Op::AxisIndex(op) => own.push(collective::coordinate(builder, site, op)),
        _ => D::lower(builder, site, &mut own)?,
    }
    let cost = cost(site);
    for step in own {
        let (label, nests) = (label(site, step.way()), step.nests());
        let number = number(builder, ObservedStep { label, flops: cost.flops, bytes: cost.bytes, nests });
        steps.push(BuiltStep { step, number });
    }
    Ok(())
}

fn cost(site: &StepSite<'_>) -> Cost {
    let types = |arrays: &[PlacedArray]| arrays.iter().map(|a| a.ty).collect::<Vec<_>>();
    site.instr.op.cost(&types(&site.operands), &types(&site.results)).unwrap_or_default()
}

fn kind(site: &StepSite<'_>) -> &'static str {
    match &site.instr.op {
        Op::Kernel(op) if op.form == KernelForm::Contract => match Contraction::of(op).map(|of| of.sizes) {
            Some(Some(_)) => "jarrah.ragged_dot + kernel",
            _ => "dot_general + kernel",
        },
        Op::Kernel(_) => "kernel",
        op => op.name(),
    }
}

fn label(site: &StepSite<'_>, way: Way) -> StepLabel {
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

/// For each sort whose results only slices read, by its index, how many leading elements along its axis these read.
fn kept(program: &Program) -> FxHashMap<usize, usize> {
    let mut kept = FxHashMap::default();
    // The results of sorts, with the index and axis of the sort.
    let mut sorted: FxHashMap<Value, (usize, usize)> = FxHashMap::default();
    for (index, instr) in program.instrs().iter().enumerate() {
        for operand in &instr.operands {
            work::step(1);
            let Some(&(sort, axis)) = sorted.get(operand) else { continue };
            match (&instr.op, kept.get_mut(&sort)) {
                (Op::Slice(slice), Some(most)) => *most = slice.limits[axis].max(*most),
                _ => {
                    kept.remove(&sort);
                }
            }
        }
        if let Op::Sort(op) = &instr.op {
            kept.insert(index, 0);
            sorted.extend(instr.results().map(|v| (v, (index, op.axis))));
        }
    }
    for (sort, _) in program.results().iter().filter_map(|v| sorted.get(v)) {
        kept.remove(sort);
    }
    kept
}
