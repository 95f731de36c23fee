//! The steps that every device has: copies, and loops and branches, which are lists of steps inside a step.

use jarrah_base::{Error, Result};
use jarrah_compiler::{Carry as Kept, NestedAssignment};
use jarrah_hlo::ops::{Case, Scan, While};
use jarrah_runtime::Way;

use crate::backend::{Backend, BackendAddress, BuiltStep, Frame, Step, StepBuilder};
use crate::place::{Place, PlacedArray, PlacedProgram, StepSite, arena, assignment, locs, nested};

/// A copy of a whole array.
struct Copy {
    from: PlacedArray,
    to: Place,
}

/// The step that copies an array to a place that is not its own.
pub fn copy<D: Backend>(from: PlacedArray, to: Place) -> Box<dyn Step<D>> {
    Box::new(Copy { from, to })
}

impl<D: Backend> Step<D> for Copy {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        D::copy(frame, frame.address(self.from.loc), frame.address(self.to), self.from.bytes())
    }

    fn way(&self) -> Way {
        Way::Copy
    }
}

/// A branch on an index.
struct Branches<D: Backend> {
    index: PlacedArray,
    branches: Vec<Branch<D>>,
}

struct Branch<D: Backend> {
    /// Operands that the branch takes where results are: from where, to where, and the bytes.
    moved: Vec<(Place, Place, usize)>,
    steps: Vec<BuiltStep<D>>,
}

/// The step of a branch.
///
/// # Errors
/// A step of a branch cannot be built.
pub fn case<D: Backend>(b: &mut StepBuilder<D>, site: &StepSite<'_>, op: &Case) -> Result<Box<dyn Step<D>>> {
    let nested = nested(site)?;
    let operands = &site.operands[1..];
    let in_place = nested.in_place();
    let mut params = locs(operands);
    for &(i, j) in &in_place {
        params[i] = site.results[j].loc;
    }
    let mut branches = Vec::new();
    for (i, program) in op.branches.iter().enumerate() {
        let uses = program.use_counts();
        let elsewhere = |i: &usize| uses[*i] > 0 && operands[*i].loc != params[*i];
        let moved = in_place.iter().map(|(i, _)| *i).filter(elsewhere);
        let moved = moved.map(|i| (operands[i].loc, params[i], operands[i].bytes())).collect();
        let steps = b.block(&PlacedProgram {
            program,
            assignment: assignment(nested, i)?,
            params: params.clone(),
            results: locs(&site.results),
            arena: arena(site, nested),
        })?;
        branches.push(Branch { moved, steps });
    }
    Ok(Box::new(Branches { index: site.operands[0], branches }))
}

impl<D: Backend> Step<D> for Branches<D> {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        let index = usize::try_from(D::integer(frame, &self.index)?).ok();
        let chosen = index.and_then(|i| self.branches.get(i)).or(self.branches.last());
        let chosen = chosen.ok_or_else(|| Error::internal("a case without branches"))?;
        for &(from, to, bytes) in &chosen.moved {
            let (from, to) = (frame.address(from), frame.address(to));
            if from != to {
                D::copy(frame, from, to, bytes)?;
            }
        }
        frame.run(&chosen.steps)
    }

    fn way(&self) -> Way {
        Way::Control
    }

    fn nests(&self) -> bool {
        true
    }
}

/// A loop's carry.
struct Carry {
    initial: Place,
    /// The buffer of the loop's result, which holds the carry at first.
    home: Place,
    /// The second buffer, if the body cannot update the carry in place.
    spare: Option<Place>,
    bytes: usize,
    /// The bases that the body reads from and writes to; equal where the carry stays in place.
    bases: (u32, u32),
}

impl Carry {
    fn all<D: Backend>(
        b: &mut StepBuilder<D>,
        site: &StepSite<'_>,
        initial: &[PlacedArray],
        nested: &NestedAssignment,
    ) -> Result<Vec<Carry>> {
        if nested.carry.len() != initial.len() {
            return Err(Error::internal("the carries of a loop are not those of its assignment"));
        }
        let arena = site.block.arena;
        let carries = initial.iter().zip(&site.results).zip(&nested.carry).map(|((x, result), kept)| {
            let spare = match *kept {
                Kept::InPlace => None,
                Kept::Double { offset, .. } => Some(Place { offset: arena.offset + offset, ..arena }),
            };
            let read = b.base();
            let write = if spare.is_some() { b.base() } else { read };
            Carry { initial: x.loc, home: result.loc, spare, bytes: result.bytes(), bases: (read, write) }
        });
        Ok(carries.collect())
    }

    fn start<D: Backend>(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        let (from, home) = (frame.address(self.initial), frame.address(self.home));
        if from != home {
            D::copy(frame, from, home, self.bytes)?;
        }
        frame.bind(self.bases.0, home);
        if let Some(spare) = self.spare {
            let spare = frame.address(spare);
            frame.bind(self.bases.1, spare);
        }
        Ok(())
    }

    /// Makes the carry that the body wrote the one that it reads next.
    fn swap<D: Backend>(&self, frame: &mut Frame<'_, D>) {
        let (read, write) =
            (frame.address(Place::base(self.bases.0)), frame.address(Place::base(self.bases.1)));
        frame.bind(self.bases.0, write);
        frame.bind(self.bases.1, read);
    }

    fn end<D: Backend>(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        let (last, home) = (frame.address(Place::base(self.bases.0)), frame.address(self.home));
        if last != home {
            D::copy(frame, last, home, self.bytes)?;
        }
        Ok(())
    }
}

struct Repeat<D: Backend> {
    carry: Vec<Carry>,
    answer: PlacedArray,
    cond: Vec<BuiltStep<D>>,
    body: Vec<BuiltStep<D>>,
}

/// The step of a loop with a condition.
///
/// # Errors
/// A step of the loop cannot be built.
pub fn repeat<D: Backend>(
    b: &mut StepBuilder<D>,
    site: &StepSite<'_>,
    op: &While,
) -> Result<Box<dyn Step<D>>> {
    let nested = nested(site)?;
    let (consts, initial) = site.operands.split_at(op.consts);
    let carry = Carry::all(b, site, initial, nested)?;
    let reads = carry.iter().map(|c| Place::base(c.bases.0));
    let params: Vec<Place> = locs(consts).into_iter().chain(reads).collect();
    let answer = PlacedArray { ty: op.cond.ty(op.cond.results()[0]), loc: b.own(1) };
    let arena = arena(site, nested);
    let cond = b.block(&PlacedProgram {
        program: &op.cond,
        assignment: assignment(nested, 0)?,
        params: params.clone(),
        results: vec![answer.loc],
        arena,
    })?;
    let body = b.block(&PlacedProgram {
        program: &op.body,
        assignment: assignment(nested, 1)?,
        params,
        results: carry.iter().map(|c| Place::base(c.bases.1)).collect(),
        arena,
    })?;
    Ok(Box::new(Repeat { carry, answer, cond, body }))
}

impl<D: Backend> Step<D> for Repeat<D> {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        self.carry.iter().try_for_each(|c| c.start(frame))?;
        loop {
            frame.run(&self.cond)?;
            if D::integer(frame, &self.answer)? == 0 {
                break;
            }
            frame.run(&self.body)?;
            self.carry.iter().for_each(|c| c.swap(frame));
        }
        self.carry.iter().try_for_each(|c| c.end(frame))
    }

    fn way(&self) -> Way {
        Way::Control
    }

    fn nests(&self) -> bool {
        true
    }
}

/// An array of which the body sees one slice per iteration.
struct Slices {
    array: Place,
    base: u32,
    bytes: usize,
}

impl Slices {
    fn all<D: Backend>(b: &mut StepBuilder<D>, arrays: &[PlacedArray], length: usize) -> Vec<Slices> {
        let slice =
            |a: &PlacedArray| Slices { array: a.loc, base: b.base(), bytes: a.bytes() / length.max(1) };
        arrays.iter().map(slice).collect()
    }

    fn bind<D: Backend>(&self, frame: &mut Frame<'_, D>, step: usize) {
        let at = frame.address(self.array).plus(step * self.bytes);
        frame.bind(self.base, at);
    }
}

struct Loop<D: Backend> {
    length: usize,
    reverse: bool,
    carry: Vec<Carry>,
    slices: Vec<Slices>,
    body: Vec<BuiltStep<D>>,
}

/// The step of a loop over slices.
///
/// # Errors
/// A step of the loop cannot be built.
pub fn scan<D: Backend>(b: &mut StepBuilder<D>, site: &StepSite<'_>, op: &Scan) -> Result<Box<dyn Step<D>>> {
    let nested = nested(site)?;
    let (consts, rest) = site.operands.split_at(op.consts);
    let (initial, xs) = rest.split_at(op.carry);
    let carry = Carry::all(b, site, initial, nested)?;
    let mut slices = Slices::all(b, xs, op.length);
    let stacked = Slices::all(b, &site.results[op.carry..], op.length);
    let base = |s: &Slices| Place::base(s.base);
    let reads = carry.iter().map(|c| Place::base(c.bases.0));
    let writes = carry.iter().map(|c| Place::base(c.bases.1));
    let body = b.block(&PlacedProgram {
        program: &op.body,
        assignment: assignment(nested, 0)?,
        params: locs(consts).into_iter().chain(reads).chain(slices.iter().map(base)).collect(),
        results: writes.chain(stacked.iter().map(base)).collect(),
        arena: arena(site, nested),
    })?;
    slices.extend(stacked);
    Ok(Box::new(Loop { length: op.length, reverse: op.reverse, carry, slices, body }))
}

impl<D: Backend> Step<D> for Loop<D> {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        self.carry.iter().try_for_each(|c| c.start(frame))?;
        for step in 0..self.length {
            let at = if self.reverse { self.length - 1 - step } else { step };
            self.slices.iter().for_each(|s| s.bind(frame, at));
            frame.run(&self.body)?;
            self.carry.iter().for_each(|c| c.swap(frame));
        }
        self.carry.iter().try_for_each(|c| c.end(frame))
    }

    fn way(&self) -> Way {
        Way::Control
    }

    fn nests(&self) -> bool {
        true
    }
}
