//! What steps are made of: instructions with the places of their operands, and what all steps of an executable share.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use jarrah_base::{Error, Literal, Location, Result, Type};
use jarrah_compiler::{Assignment, Place};
use jarrah_hlo::{Instr, Program, Value};
use jarrah_tile::LoopKernel;
use rustc_hash::FxHashMap;

use super::frame::{Loc, Prepared};
use super::profile::Costed;
use crate::vector::{BoxPlan, Plan};

/// The base of the arena.
pub const ARENA: u32 = 0;
/// The base of memory that belongs to one step for a whole run.
pub const OWN: u32 = 1;
/// The base of scratch that every step may use while it runs.
pub const SHARED: u32 = 2;

/// What all steps of an executable share: bases, constants and scratch.
pub struct StepBuilder {
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
    /// What makes steps of a block: those of loops and branches have the steps of their programs inside.
    lower: Lower,
}

/// Makes the steps of a block.
pub type Lower = fn(&mut StepBuilder, &Block<'_>) -> Result<Vec<Prepared>>;

/// The matrix over whose rows and columns a loop runs.
#[derive(PartialEq, Eq, Hash)]
pub enum Over {
    /// These inputs of it.
    Read(Vec<usize>, [usize; 2]),
    /// Its output, whose rows go to memory this many elements apart.
    Made(usize, [usize; 2]),
}

/// An instruction that needs scratch, as an error names it.
pub struct Needs {
    pub bytes: usize,
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

impl StepBuilder {
    pub fn new(threads: usize, lower: Lower) -> StepBuilder {
        StepBuilder {
            bases: SHARED + 1,
            constants: Vec::new(),
            own: 0,
            shared: 0,
            needs_shared: None,
            threads,
            steps: Vec::new(),
            plans: FxHashMap::default(),
            boxes: FxHashMap::default(),
            lower,
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
    ///
    /// # Errors
    /// An instruction has no step here.
    pub fn block(&mut self, block: &Block<'_>) -> Result<Vec<Prepared>> {
        (self.lower)(self, block)
    }
}

/// The place of a value, of those before it and of constants.
pub fn place(block: &Block<'_>, locs: &[Loc], constants: &[Option<Loc>], value: Value) -> Result<Loc> {
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
