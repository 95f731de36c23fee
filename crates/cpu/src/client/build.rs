//! From a program and its buffer assignment to steps.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use jarrah_base::{Error, Literal, Location, Result, Source, Type, work};
use jarrah_hlo::ops::KernelForm;
use jarrah_hlo::{Cost, Instr, Op, Program, Value};
use jarrah_runtime::{Label, Way};
use jarrah_tile::LoopKernel;
use rustc_hash::FxHashMap;

use super::frame::{Loc, Prepared, Step};
use super::profile::Costed;
use super::steps;
use crate::vector::{BoxPlan, Plan};
use jarrah_compiler::{Assignment, Contraction, Place};

/// The base of the arena.
pub const ARENA: u32 = 0;
/// The base of memory that belongs to one step for a whole run.
pub const OWN: u32 = 1;
/// The base of scratch that every step may use while it runs.
pub const SHARED: u32 = 2;

/// What all steps of an executable share: bases, constants and scratch.
pub struct Builder {
    /// The number of bases.
    pub bases: u32,
    /// Literals, each with its base.
    pub constants: Vec<(u32, Literal)>,
    /// Bytes at [`OWN`].
    pub own: usize,
    /// Bytes at [`SHARED`].
    pub shared: usize,
    /// The instruction that needs so many, for errors.
    pub needs_shared: Option<Needs>,
    /// The number of threads that run the steps.
    pub threads: usize,
    /// What each step does and costs, by its number.
    pub steps: Vec<Costed>,
    /// The plans of loops, of which a model has the same in each layer.
    plans: FxHashMap<LoopKernel, Arc<Plan>>,
    /// Those of loops before and behind products.
    boxes: FxHashMap<(LoopKernel, Over), Option<Arc<BoxPlan>>>,
}

/// The matrix over whose rows and columns a loop runs.
#[derive(PartialEq, Eq, Hash)]
pub enum Over {
    /// These inputs of it.
    Read(Vec<usize>, [usize; 2]),
    /// Its output, whose rows go to memory this many elements apart.
    Made(usize, [usize; 2]),
}

/// The number of a step that has none yet.
const UNNUMBERED: usize = usize::MAX;

/// An instruction that needs scratch, as an error names it.
pub struct Needs {
    bytes: usize,
    /// The types of the operands.
    pub types: String,
    pub op: String,
    pub location: Option<Location>,
}

/// A program with its buffer assignment.
pub struct Block<'a> {
    pub program: &'a Program,
    pub assignment: &'a Assignment,
    pub params: Vec<Loc>,
    pub results: Vec<Loc>,
    /// Where the program's temporaries start in the arena.
    pub arena: Loc,
}

impl Block<'_> {
    /// The instructions with the places of their operands and results; none of them is a constant.
    pub fn sites(&self) -> Result<Vec<Site<'_>>> {
        let mut locs = self.params.clone();
        let mut sites = Vec::new();
        for (index, instr) in self.program.instrs().iter().enumerate() {
            for value in instr.results() {
                let loc = place(self, &locs, &[], value)?;
                locs.push(loc);
            }
            let array = |v: Value| Array { ty: self.program.ty(v), loc: locs[v.index()] };
            let (operands, results) =
                (instr.operands.iter().map(|&v| array(v)).collect(), instr.results().map(array).collect());
            sites.push(Site { block: self, index, instr, operands, results, kept: None });
        }
        Ok(sites)
    }
}

/// An operand or a result of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    pub ty: Type,
    pub loc: Loc,
}

impl Array {
    pub fn dims(&self) -> Vec<usize> {
        self.ty.extents().collect()
    }

    pub fn size(&self) -> usize {
        self.ty.dtype().size()
    }

    /// The number of bytes.
    pub fn bytes(&self) -> usize {
        self.dims().iter().product::<usize>() * self.size()
    }
}

/// An instruction, with the places of its operands and results.
pub struct Site<'a> {
    pub block: &'a Block<'a>,
    pub index: usize,
    pub instr: &'a Instr,
    pub operands: Vec<Array>,
    pub results: Vec<Array>,
    /// Of a sort whose results only slices read, how many leading elements along its axis these read.
    pub kept: Option<usize>,
}

impl Builder {
    pub fn new(threads: usize) -> Builder {
        Builder {
            bases: SHARED + 1,
            constants: Vec::new(),
            own: 0,
            shared: 0,
            needs_shared: None,
            threads,
            steps: Vec::new(),
            plans: FxHashMap::default(),
            boxes: FxHashMap::default(),
        }
    }

    /// The plan of a loop.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(&mut self, loops: LoopKernel) -> Result<Arc<Plan>> {
        match self.plans.entry(loops) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => {
                let plan = Arc::new(Plan::new(place.key())?);
                Ok(place.insert(plan).clone())
            }
        }
    }

    /// The plan of a loop before or behind a product; `None` if it runs on no boxes.
    ///
    /// # Errors
    /// As [`BoxPlan::new`].
    pub fn boxes(&mut self, loops: LoopKernel, over: Over) -> Result<Option<Arc<BoxPlan>>> {
        match self.boxes.entry((loops, over)) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => {
                let plan = match place.key() {
                    (loops, Over::Read(inputs, [rows, cols])) => BoxPlan::new(loops, inputs, *rows, *cols)?,
                    (loops, Over::Made(apart, [rows, cols])) => BoxPlan::making(loops, *rows, *cols, *apart)?,
                };
                Ok(place.insert(plan.map(Arc::new)).clone())
            }
        }
    }

    /// A new base, which the run or a step binds.
    pub fn base(&mut self) -> u32 {
        self.bases += 1;
        self.bases - 1
    }

    /// Reserves memory of a step that keeps its contents for the whole run.
    pub fn own(&mut self, bytes: usize) -> Loc {
        let offset = self.own;
        let taken = bytes.checked_next_multiple_of(64).unwrap_or(usize::MAX);
        self.own = self.own.saturating_add(taken);
        Loc { base: OWN, offset }
    }

    /// Reserves scratch, whose contents are lost when the step ends.
    pub fn shared(&mut self, bytes: usize) -> Loc {
        self.shared = self.shared.max(bytes);
        Loc::base(SHARED)
    }

    /// The steps of `block`, then copies of results that do not lie in `block.results`.
    pub fn block(&mut self, block: &Block<'_>) -> Result<Vec<Prepared>> {
        let program = block.program;
        let kept = steps::sort::kept(program);
        let mut locs = block.params.clone();
        let mut constants = vec![None; program.instrs().len()];
        let mut steps = Vec::new();
        for (index, instr) in program.instrs().iter().enumerate() {
            if let Op::Constant(op) = &instr.op {
                let base = self.base();
                self.constants.push((base, op.value.clone()));
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
            let built = self.instr(&site, &mut steps);
            // What a nested program needs is named already.
            if self.needs_shared.as_ref().map_or(0, |needs| needs.bytes) < self.shared {
                let types: Vec<String> = site.operands.iter().map(|o| o.ty.to_string()).collect();
                self.needs_shared = Some(Needs {
                    bytes: self.shared,
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
                let label = Label { kind: "copy", what, types, scope, line, way };
                let number = self.number(Costed { label, flops: 0.0, bytes: 2.0 * from.bytes() as f64 });
                steps.push(Prepared { step: steps::copy::whole(from, to), number });
            }
        }
        Ok(steps)
    }

    /// The number of a further step.
    fn number(&mut self, step: Costed) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Appends the steps of an instruction.
    fn instr(&mut self, site: &Site<'_>, steps: &mut Vec<Prepared>) -> Result<()> {
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
            Op::Elementwise(_) if site.operands[0].ty.dtype().is_complex() => {
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
            Op::Elementwise(op) if !jarrah_tile::has_loop(op.kind) => push(steps::scalars::step(site)),
            Op::Elementwise(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Convert(_)
            | Op::Iota(_)
            | Op::Threefry2x32(_) => push(steps::kernel::single(self, site)?),
            Op::Reduce(op) => match &op.reducer {
                jarrah_hlo::ops::Reducer::General(program) => push(
                    steps::by_program::reduce(site, op, program)?
                        .unwrap_or_else(|| steps::reference::step(site)),
                ),
                _ => push(steps::kernel::single(self, site)?),
            },
            Op::Kernel(op) if op.form == KernelForm::Contract => {
                steps::dot::contract(self, site, op)?.into_iter().for_each(push);
            }
            Op::Kernel(op) => push(steps::kernel::kernel(self, site, op)?),
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
            Op::Convolution(op) => push(steps::convolution::step(self, site, op)?),
            Op::DotGeneral(op) => push(Box::new(steps::dot::step(self, site, op)?)),
            Op::ReducePrecision(_) => push(steps::reference::step(site)),
            Op::Complex(_) | Op::Real(_) | Op::Imag(_) => push(steps::scalars::step(site)),
            Op::ReduceWindow(op) => push(steps::window::reduce(site, op)?),
            Op::WindowArg(op) => push(steps::window::arg(site, op)?),
            Op::Sort(op) => push(steps::sort::step(self, site, op)?),
            Op::Fft(_)
            | Op::RngBitGenerator(_)
            | Op::Cholesky(_)
            | Op::TriangularSolve(_)
            | Op::Lu(_)
            | Op::Qr(_)
            | Op::Geqrf(_)
            | Op::HouseholderProduct(_)
            | Op::Eigh(_)
            | Op::Svd(_)
            | Op::Eig(_)
            | Op::Schur(_)
            | Op::Hessenberg(_)
            | Op::Tridiagonal(_)
            | Op::TridiagonalSolve(_)
            | Op::Assert(_) => push(steps::reference::step(site)),
            Op::CustomCall(op) => push(steps::custom_call::step(site, op)),
            Op::Attention(op) => push(steps::attention::step(site, op)),
            Op::While(op) => push(steps::control::repeat(self, site, op)?),
            Op::Case(op) => push(steps::control::case(self, site, op)?),
            Op::Scan(op) => push(steps::control::scan(self, site, op)?),
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
                step.number = self.number(Costed { label, flops: cost.flops, bytes: cost.bytes });
            }
        }
        Ok(())
    }
}

/// Whether the instruction needs an element type that has no code here. Ops that move whole arrays or run programs
/// take every type.
fn lacks_code(site: &Site<'_>) -> bool {
    let known = |array: &Array| jarrah_tile::DTYPES.contains(&array.ty.dtype());
    match &site.instr.op {
        Op::Constant(_)
        | Op::Kernel(_)
        | Op::Reshape(_)
        | Op::OptimizationBarrier(_)
        | Op::While(_)
        | Op::Case(_)
        | Op::Scan(_)
        | Op::Call(_)
        | Op::Remat(_)
        | Op::CustomRule(_)
        | Op::CustomTangent(_)
        | Op::LinearSolve(_)
        | Op::CheckpointName(_)
        | Op::Assert(_)
        | Op::AxisIndex(_)
        | Op::AllGather(_)
        | Op::ReduceScatter(_)
        | Op::CustomCall(_)
        // Ops that only move elements, of any type.
        | Op::BroadcastInDim(_)
        | Op::TransposeAxes(_)
        | Op::Reverse(_)
        | Op::Slice(_)
        | Op::Pad(_)
        | Op::Concatenate(_)
        | Op::DynamicSlice(_)
        | Op::DynamicUpdateSlice(_)
        | Op::Complex(_)
        | Op::Real(_)
        | Op::Imag(_) => false,
        Op::DotGeneral(_) => site.operands[0].ty.dtype().is_complex(),
        Op::Gather(_) => site.operands[0].size() > size_of::<u64>(),
        Op::BitcastConvert(op) => !op.keeps_bytes(site.operands[0].ty.dtype()),
        _ => !site.operands.iter().chain(&site.results).all(known),
    }
}

fn cost(site: &Site<'_>) -> Cost {
    let types = |arrays: &[Array]| arrays.iter().map(|a| a.ty).collect::<Vec<_>>();
    site.instr.op.cost(&types(&site.operands), &types(&site.results)).unwrap_or_default()
}

fn kind(site: &Site<'_>) -> &'static str {
    match &site.instr.op {
        Op::Kernel(op) if op.form == KernelForm::Contract => "dot_general + kernel",
        Op::Kernel(_) => "kernel",
        op => op.name(),
    }
}

fn label(site: &Site<'_>, way: Way) -> Label {
    let types: Vec<String> = site.results.iter().map(|r| r.ty.to_string()).collect();
    let source = &site.instr.source;
    let mut lines = vec![line(source)];
    if let Op::Kernel(op) = &site.instr.op
        && let Some(contraction) = Contraction::of(op)
    {
        lines = contraction.parts().map(|part| line(&part.source)).collect();
        lines.dedup();
    }
    Label {
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

fn place(block: &Block<'_>, locs: &[Loc], constants: &[Option<Loc>], value: Value) -> Result<Loc> {
    let missing = || Error::internal(format!("{value:?} of {} has no place", block.program.name()));
    let place = block.assignment.places.get(value.index()).ok_or_else(missing)?;
    match *place {
        Place::Parameter(i) => block.params.get(i).copied(),
        Place::Result(j) => block.results.get(j).copied(),
        Place::Constant(i) => constants.get(i).copied().flatten(),
        // The processor has one memory.
        Place::Temporary { memory: 1.., .. } => None,
        Place::Temporary { offset, .. } => {
            Some(Loc { base: block.arena.base, offset: block.arena.offset + offset })
        }
        Place::Alias(of) => locs.get(of.index()).copied(),
        // Whoever runs the contraction says where.
        Place::Made => Some(Loc::base(SHARED)),
    }
    .ok_or_else(missing)
}
