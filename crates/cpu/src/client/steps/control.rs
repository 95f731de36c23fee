//! Loops and branches: lists of steps inside a step.

use jarrah_base::{Error, Result};
use jarrah_compiler::{Carry as Kept, NestedAssignment};
use jarrah_hlo::ops::{Case, Scan, While};
use jarrah_runtime::Way;

use super::nested::{arena, assignment, locs, nested};
use super::{copy, scalar, scalar_loop};
use crate::client::frame::{Frame, Loc, Prepared, Step};
use crate::client::site::{Array, Block, Site, StepBuilder};

/// A branch on an index.
struct Branches {
    index: Array,
    branches: Vec<Branch>,
}

struct Branch {
    /// Operands that the branch takes where results are: from where, to where, and the bytes.
    moved: Vec<(Loc, Loc, usize)>,
    steps: Vec<Prepared>,
}

pub fn case(b: &mut StepBuilder, site: &Site<'_>, op: &Case) -> Result<Box<dyn Step>> {
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
        let steps = b.block(&Block {
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

impl Step for Branches {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let index = usize::try_from(scalar(frame, &self.index)).ok();
        let chosen = index.and_then(|i| self.branches.get(i)).or(self.branches.last());
        let chosen = chosen.ok_or_else(|| Error::internal("a case without branches"))?;
        for &(from, to, bytes) in &chosen.moved {
            let (from, to) = (frame.at(from), frame.at(to));
            if from != to {
                // SAFETY: an operand and a result of as many bytes; the layout overlaps them only as the same memory.
                unsafe { copy::bytes(frame, from, to, bytes) };
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
    initial: Loc,
    /// The buffer of the loop's result, which holds the carry at first.
    home: Loc,
    /// The second buffer, if the body cannot update the carry in place.
    spare: Option<Loc>,
    bytes: usize,
    /// The bases that the body reads from and writes to; equal where the carry stays in place.
    bases: (u32, u32),
}

impl Carry {
    fn all(
        b: &mut StepBuilder,
        site: &Site<'_>,
        initial: &[Array],
        nested: &NestedAssignment,
    ) -> Result<Vec<Carry>> {
        if nested.carry.len() != initial.len() {
            return Err(Error::internal("the carries of a loop are not those of its assignment"));
        }
        let arena = site.block.arena;
        let carries = initial.iter().zip(&site.results).zip(&nested.carry).map(|((x, result), kept)| {
            let spare = match *kept {
                Kept::InPlace => None,
                Kept::Double { offset, .. } => Some(Loc { offset: arena.offset + offset, ..arena }),
            };
            let read = b.base();
            let write = if spare.is_some() { b.base() } else { read };
            Carry { initial: x.loc, home: result.loc, spare, bytes: result.bytes(), bases: (read, write) }
        });
        Ok(carries.collect())
    }

    fn start(&self, frame: &mut Frame<'_>) {
        let (from, home) = (frame.at(self.initial), frame.at(self.home));
        if from != home {
            // SAFETY: both have the carry's bytes; the layout overlaps them only as the same memory.
            unsafe { copy::bytes(frame, from, home, self.bytes) };
        }
        frame.bind(self.bases.0, home);
        if let Some(spare) = self.spare {
            let spare = frame.at(spare);
            frame.bind(self.bases.1, spare);
        }
    }

    /// Makes the carry that the body wrote the one that it reads next.
    fn swap(&self, frame: &mut Frame<'_>) {
        let (read, write) = (frame.at(Loc::base(self.bases.0)), frame.at(Loc::base(self.bases.1)));
        frame.bind(self.bases.0, write);
        frame.bind(self.bases.1, read);
    }

    fn end(&self, frame: &mut Frame<'_>) {
        let (last, home) = (frame.at(Loc::base(self.bases.0)), frame.at(self.home));
        if last != home {
            // SAFETY: the two buffers of the carry are distinct.
            unsafe { copy::bytes(frame, last, home, self.bytes) };
        }
    }
}

struct Repeat {
    carry: Vec<Carry>,
    answer: Array,
    cond: Vec<Prepared>,
    body: Vec<Prepared>,
}

pub fn repeat(b: &mut StepBuilder, site: &Site<'_>, op: &While) -> Result<Box<dyn Step>> {
    if let Some(step) = scalar_loop::repeat(site, op)? {
        return Ok(step);
    }
    let nested = nested(site)?;
    let (consts, initial) = site.operands.split_at(op.consts);
    let carry = Carry::all(b, site, initial, nested)?;
    let reads = carry.iter().map(|c| Loc::base(c.bases.0));
    let params: Vec<Loc> = locs(consts).into_iter().chain(reads).collect();
    let answer = Array { ty: op.cond.ty(op.cond.results()[0]), loc: b.own(1) };
    let arena = arena(site, nested);
    let cond = b.block(&Block {
        program: &op.cond,
        assignment: assignment(nested, 0)?,
        params: params.clone(),
        results: vec![answer.loc],
        arena,
    })?;
    let body = b.block(&Block {
        program: &op.body,
        assignment: assignment(nested, 1)?,
        params,
        results: carry.iter().map(|c| Loc::base(c.bases.1)).collect(),
        arena,
    })?;
    Ok(Box::new(Repeat { carry, answer, cond, body }))
}

impl Step for Repeat {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        self.carry.iter().for_each(|c| c.start(frame));
        loop {
            frame.run(&self.cond)?;
            if scalar(frame, &self.answer) == 0 {
                break;
            }
            frame.run(&self.body)?;
            self.carry.iter().for_each(|c| c.swap(frame));
        }
        self.carry.iter().for_each(|c| c.end(frame));
        Ok(())
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
    array: Loc,
    base: u32,
    bytes: usize,
}

impl Slices {
    fn all(b: &mut StepBuilder, arrays: &[Array], length: usize) -> Vec<Slices> {
        let slice = |a: &Array| Slices { array: a.loc, base: b.base(), bytes: a.bytes() / length.max(1) };
        arrays.iter().map(slice).collect()
    }

    fn bind(&self, frame: &mut Frame<'_>, step: usize) {
        let at = frame.at(self.array).wrapping_add(step * self.bytes);
        frame.bind(self.base, at);
    }
}

struct Loop {
    length: usize,
    reverse: bool,
    carry: Vec<Carry>,
    slices: Vec<Slices>,
    body: Vec<Prepared>,
}

pub fn scan(b: &mut StepBuilder, site: &Site<'_>, op: &Scan) -> Result<Box<dyn Step>> {
    if let Some(step) = scalar_loop::scan(site, op)? {
        return Ok(step);
    }
    let nested = nested(site)?;
    let (consts, rest) = site.operands.split_at(op.consts);
    let (initial, xs) = rest.split_at(op.carry);
    let carry = Carry::all(b, site, initial, nested)?;
    let mut slices = Slices::all(b, xs, op.length);
    let stacked = Slices::all(b, &site.results[op.carry..], op.length);
    let base = |s: &Slices| Loc::base(s.base);
    let reads = carry.iter().map(|c| Loc::base(c.bases.0));
    let writes = carry.iter().map(|c| Loc::base(c.bases.1));
    let body = b.block(&Block {
        program: &op.body,
        assignment: assignment(nested, 0)?,
        params: locs(consts).into_iter().chain(reads).chain(slices.iter().map(base)).collect(),
        results: writes.chain(stacked.iter().map(base)).collect(),
        arena: arena(site, nested),
    })?;
    slices.extend(stacked);
    Ok(Box::new(Loop { length: op.length, reverse: op.reverse, carry, slices, body }))
}

impl Step for Loop {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        self.carry.iter().for_each(|c| c.start(frame));
        for step in 0..self.length {
            let at = if self.reverse { self.length - 1 - step } else { step };
            self.slices.iter().for_each(|s| s.bind(frame, at));
            frame.run(&self.body)?;
            self.carry.iter().for_each(|c| c.swap(frame));
        }
        self.carry.iter().for_each(|c| c.end(frame));
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Control
    }

    fn nests(&self) -> bool {
        true
    }
}
