//! The inputs of building steps: instructions with the places of their operands, and the state that all steps of an executable
//! share.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use jarrah_base::{Error, Literal, Location, Result, Type};
use jarrah_compiler::{Assignment, MemoryPlace};
use jarrah_hlo::{Instr, Program, Value};
use jarrah_tile::LoopKernel;
use rustc_hash::FxHashMap;

use super::frame::{Loc, Prepared};
use super::profile::Costed;
use crate::vector::{BoxPlan, Plan};

/// The base of the arena.
pub const ARENA: u32 = 0;
/// The base of memory in which each step has a part of its own for a whole run.
pub const OWN: u32 = 1;
/// The base of scratch that every step may use while it runs.
pub const SHARED: u32 = 2;

/// The state shared by building all steps of an executable: bases, constants and scratch.
pub struct StepBuilder {
    /// The number of bases.
    pub bases: u32,
    /// The constants, each with its base.
    pub constants: Vec<(u32, Literal)>,
    /// Bytes at [`OWN`].
    pub own: usize,
    /// Bytes at [`SHARED`].
    pub shared: usize,
    /// The instruction that needs the most scratch, for errors.
    pub needs_shared: Option<Needs>,
    /// The number of threads that run the steps.
    pub threads: usize,
    /// The label and the cost of each step, by its number.
    pub steps: Vec<Costed>,
    /// The plans of loops, shared by equal loops, such as those of a model's layers.
    plans: FxHashMap<LoopKernel, Arc<Plan>>,
    /// The plans of loops that run before or after products, on parts of their operands and results.
    boxes: FxHashMap<(LoopKernel, Over), Option<Arc<BoxPlan>>>,
    /// The function that builds the steps of a block; steps of loops and branches call it for their nested programs.
    lower: Lower,
}

/// Builds the steps of a block.
pub type Lower = fn(&mut StepBuilder, &Block<'_>) -> Result<Vec<Prepared>>;

/// The matrix over whose rows and columns a loop runs.
#[derive(PartialEq, Eq, Hash)]
pub enum Over {
    /// The loop reads the matrix through these inputs; its extents.
    Read(Vec<usize>, [usize; 2]),
    /// The loop makes the matrix as its output, with rows this many elements apart in memory; its extents.
    Made(usize, [usize; 2]),
}

/// The names of an instruction that needs scratch, for errors.
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
    /// The number of leading elements of a sort's axis that are read, if only slices read its results.
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

/// The address of a value, given those of earlier values and of constants.
pub fn place(block: &Block<'_>, locs: &[Loc], constants: &[Option<Loc>], value: Value) -> Result<Loc> {
    let missing = || Error::internal(format!("{value:?} of {} has no place", block.program.name()));
    let place = block.assignment.places.get(value.index()).ok_or_else(missing)?;
    match *place {
        MemoryPlace::Parameter(i) => block.params.get(i).copied(),
        MemoryPlace::Result(j) => block.results.get(j).copied(),
        MemoryPlace::Constant(i) => constants.get(i).copied().flatten(),
        // The processor has one memory.
        MemoryPlace::Temporary { memory: 1.., .. } => None,
        MemoryPlace::Temporary { offset, .. } => {
            Some(Loc { base: block.arena.base, offset: block.arena.offset + offset })
        }
        MemoryPlace::Alias(of) => locs.get(of.index()).copied(),
        // The step of the contraction gives the address when it runs.
        MemoryPlace::Made => Some(Loc::base(SHARED)),
    }
    .ok_or_else(missing)
}
