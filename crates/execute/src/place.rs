//! The addressed program: instructions with the places of their operands and results, relative to a few bases.

use jarrah_base::{Error, Result, Type};
use jarrah_compiler::{Assignment, MemoryPlace, NestedAssignment};
use jarrah_hlo::{Instr, Program, Value};

/// An address within a run: `offset` bytes after the address that base number `base` is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The number of the base.
    pub base: u32,
    /// The bytes behind it.
    pub offset: usize,
}

impl Place {
    /// The first byte at a base.
    pub fn base(base: u32) -> Place {
        Place { base, offset: 0 }
    }
}

/// The base of the arena.
pub(crate) const ARENA: u32 = 0;
/// The base of memory in which each step has a part of its own for a whole run.
pub const OWN: u32 = 1;
/// The base of scratch that every step may use while it runs.
pub const SHARED: u32 = 2;

/// A program with its buffer assignment.
pub struct PlacedProgram<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where its values lie.
    pub assignment: &'a Assignment,
    /// The places of its parameters.
    pub params: Vec<Place>,
    /// The places of its results.
    pub results: Vec<Place>,
    /// Where the program's temporaries start in the arena.
    pub arena: Place,
}

impl PlacedProgram<'_> {
    /// The instructions with the places of their operands and results; none of them is a constant.
    ///
    /// # Errors
    /// A value has no place.
    pub fn sites(&self) -> Result<Vec<StepSite<'_>>> {
        let mut locs = self.params.clone();
        let mut sites = Vec::new();
        for (index, instr) in self.program.instrs().iter().enumerate() {
            for value in instr.results() {
                let loc = place(self, &locs, &[], value)?;
                locs.push(loc);
            }
            let array = |v: Value| PlacedArray { ty: self.program.ty(v), loc: locs[v.index()] };
            let (operands, results) =
                (instr.operands.iter().map(|&v| array(v)).collect(), instr.results().map(array).collect());
            sites.push(StepSite { block: self, index, instr, operands, results, kept: None });
        }
        Ok(sites)
    }
}

/// An operand or a result of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct PlacedArray {
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub loc: Place,
}

impl PlacedArray {
    /// The extents.
    pub fn dims(&self) -> Vec<usize> {
        self.ty.extents().collect()
    }

    /// The bytes of an element.
    pub fn size(&self) -> usize {
        self.ty.dtype().size()
    }

    /// The number of bytes.
    pub fn bytes(&self) -> usize {
        self.dims().iter().product::<usize>() * self.size()
    }
}

/// An instruction, with the places of its operands and results.
pub struct StepSite<'a> {
    /// The program.
    pub block: &'a PlacedProgram<'a>,
    /// The number of the instruction in the program.
    pub index: usize,
    /// The instruction.
    pub instr: &'a Instr,
    /// Its operands.
    pub operands: Vec<PlacedArray>,
    /// Its results.
    pub results: Vec<PlacedArray>,
    /// The number of leading elements of a sort's axis that are read, if only slices read its results.
    pub kept: Option<usize>,
}

/// The address of a value, given those of earlier values and of constants.
pub(crate) fn place(
    block: &PlacedProgram<'_>,
    locs: &[Place],
    constants: &[Option<Place>],
    value: Value,
) -> Result<Place> {
    let missing = || Error::internal(format!("{value:?} of {} has no place", block.program.name()));
    let place = block.assignment.places.get(value.index()).ok_or_else(missing)?;
    match *place {
        MemoryPlace::Parameter(i) => block.params.get(i).copied(),
        MemoryPlace::Result(j) => block.results.get(j).copied(),
        MemoryPlace::Constant(i) => constants.get(i).copied().flatten(),
        // The processor has one memory.
        MemoryPlace::Temporary { memory: 1.., .. } => None,
        MemoryPlace::Temporary { offset, .. } => {
            Some(Place { base: block.arena.base, offset: block.arena.offset + offset })
        }
        MemoryPlace::Alias(of) => locs.get(of.index()).copied(),
        // The step of the contraction gives the address when it runs.
        MemoryPlace::Made => Some(Place::base(SHARED)),
    }
    .ok_or_else(missing)
}

/// The memory of the programs of an op.
///
/// # Errors
/// There is none.
pub fn nested<'a>(site: &StepSite<'a>) -> Result<&'a NestedAssignment> {
    let lost = || Error::internal("an op with programs, without an assignment of their memory");
    site.block.assignment.nested.get(&site.index).ok_or_else(lost)
}

/// The memory of one of the programs.
///
/// # Errors
/// There is none.
pub fn assignment(nested: &NestedAssignment, index: usize) -> Result<&Assignment> {
    nested.programs.get(index).ok_or_else(|| Error::internal("a program without an assignment"))
}

/// The start of the temporaries of the programs of `site`.
pub fn arena(site: &StepSite<'_>, nested: &NestedAssignment) -> Place {
    Place { offset: site.block.arena.offset + nested.offset, ..site.block.arena }
}

/// The places of arrays.
pub fn locs(arrays: &[PlacedArray]) -> Vec<Place> {
    arrays.iter().map(|a| a.loc).collect()
}
