//! Whether an assignment is sound, and whether it fits into memory.

use std::collections::BTreeMap;

use jarrah_base::memory::fits;
use jarrah_base::{Error, Result};
use jarrah_hlo::{Alias, Op, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{readings, reusable};
use crate::assignment::{AssignedMemory, Assignment, Carry, MemoryPlace};
use crate::contract::is_contraction;
use crate::liveness::{lifetimes, roots};
use crate::plan::MemoryPlan;
use crate::rebuild::{has_memory, has_points};
use crate::target::Target;

/// A stretch of memory: of a parameter, of a result, of a constant, or in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Memory {
    Parameter(usize),
    Result(usize),
    Constant(usize),
    /// Which arena, from where, and how many bytes.
    Arena(usize, usize, usize),
}

fn memory(assignment: &Assignment, value: Value) -> Memory {
    match assignment.places[value.index()] {
        MemoryPlace::Parameter(i) => Memory::Parameter(i),
        MemoryPlace::Result(j) => assignment.donations[j].map_or(Memory::Result(j), Memory::Parameter),
        MemoryPlace::Constant(k) => Memory::Constant(k),
        MemoryPlace::Temporary { memory, offset, bytes } => Memory::Arena(memory, offset, bytes),
        MemoryPlace::Alias(value) => memory(assignment, value),
        MemoryPlace::Made => Memory::Arena(0, 0, 0),
    }
}

/// The values that are alive, by where they lie; no two overlap.
#[derive(Default)]
struct Occupied {
    /// By the arena and where they start there: where they end, and the value.
    arena: BTreeMap<(usize, usize), (usize, Value)>,
    elsewhere: FxHashMap<Memory, Value>,
}

impl Occupied {
    /// A value that lies in `memory`, or in a part of it.
    fn any(&self, memory: Memory) -> Option<Value> {
        match memory {
            Memory::Arena(arena, start, bytes) => {
                let (_, &(end, value)) = self.arena.range((arena, 0)..(arena, start + bytes)).next_back()?;
                (bytes > 0 && end > start).then_some(value)
            }
            _ => self.elsewhere.get(&memory).copied(),
        }
    }

    fn insert(&mut self, memory: Memory, value: Value) {
        match memory {
            Memory::Arena(_, _, 0) => {}
            Memory::Arena(arena, start, bytes) => {
                self.arena.insert((arena, start), (start + bytes, value));
            }
            _ => {
                self.elsewhere.insert(memory, value);
            }
        }
    }

    fn remove(&mut self, memory: Memory, value: Value) {
        match memory {
            Memory::Arena(arena, start, _)
                if self.arena.get(&(arena, start)).is_some_and(|(_, v)| *v == value) =>
            {
                self.arena.remove(&(arena, start));
            }
            Memory::Arena(..) => {}
            _ if self.elsewhere.get(&memory) == Some(&value) => {
                self.elsewhere.remove(&memory);
            }
            _ => {}
        }
    }
}

/// Checks that every alias that must hold does.
///
/// # Errors
/// One does not: a program error that says what is in the way.
pub fn check_aliases(program: &Program, assignment: &Assignment, aliases: &[Alias]) -> Result<()> {
    for alias in aliases.iter().filter(|alias| alias.must) {
        let Some(j) = alias.result else { continue };
        if assignment.donations[j] == Some(alias.parameter) {
            continue;
        }
        let (from, to) = (program.params()[alias.parameter].ty, program.ty(program.results()[j]));
        let reason = if from.bytes()? != to.bytes()? {
            format!("the parameter is {from}, the result is {to}")
        } else {
            "the parameter is still needed when the result is computed, or another parameter takes the result"
                .into()
        };
        return Err(Error::program(format!(
            "result {j} of {} must lie in the memory of parameter {}: {reason}",
            program.name(),
            alias.parameter
        )));
    }
    Ok(())
}

/// A memory that an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Result(Value),
    /// The arena of a program inside the op; those of one op run one after another and may share it.
    Inside,
    /// The second buffer of a carry.
    Second,
}

/// Checks that no instruction overwrites a value that is still needed.
///
/// # Errors
/// Two values overlap that must not: a defect of the assignment.
pub fn check(program: &Program, assignment: &Assignment) -> Result<()> {
    let roots = roots(program);
    let lifetimes = lifetimes(program, &roots);
    let fail = |what: String| Err(Error::internal(format!("buffers of {}: {what}", program.name())));
    if assignment.places.len() != program.value_count() {
        return fail("values without a place".into());
    }
    let mut occupied = Occupied::default();
    // The values whose last reader is each instruction, counted from one.
    let mut last_read: Vec<Vec<Value>> = vec![Vec::new(); program.instrs().len() + 2];
    for value in program.param_values() {
        occupied.insert(memory(assignment, value), value);
        last_read[lifetimes[value.index()].1].push(value);
    }
    for (index, instr) in program.instrs().iter().enumerate() {
        for value in std::mem::take(&mut last_read[index]) {
            occupied.remove(memory(assignment, value), value);
        }
        if matches!(instr.op, Op::Reshape(_)) {
            if assignment.places[instr.result().index()] != MemoryPlace::Alias(roots[instr.result().index()])
            {
                return fail(format!("{:?} is no alias", instr.result()));
            }
            continue;
        }
        let mut written: Vec<(Written, Memory)> =
            instr.results().map(|v| (Written::Result(v), memory(assignment, v))).collect();
        if let Some(nested) = assignment.nested.get(&index) {
            for (program, inner) in instr.op.programs().into_iter().zip(&nested.programs) {
                check(program, inner)?;
                if !has_points(&instr.op) {
                    written
                        .push((Written::Inside, Memory::Arena(nested.memory, nested.offset, inner.arena())));
                }
            }
            for (carry, value) in nested.carry.iter().zip(instr.results()) {
                if let Carry::Double { memory, offset } = *carry {
                    let bytes = program.ty(value).bytes()?;
                    written.push((Written::Second, Memory::Arena(memory, offset, bytes)));
                }
            }
        } else if has_memory(&instr.op) {
            return fail(format!("instruction {index} has no assignment of its programs"));
        }
        if let Some(place) = written_twice(&mut written) {
            return fail(format!("instruction {index} writes {place:?} twice"));
        }
        if is_contraction(&instr.op) && !shares_as_it_says(program, assignment, index) {
            return fail(format!(
                "the programs of instruction {index} share memory that its operands do not"
            ));
        }
        let mut taken_over: Option<FxHashSet<(Value, Value)>> = None;
        for &(written, place) in &written {
            while let Some(other) = occupied.any(place) {
                let pairs = taken_over.get_or_insert_with(|| {
                    let readings = readings(instr, &roots);
                    let root = |operand: usize| roots[instr.operands[operand].index()];
                    let pairs = reusable(program, instr, assignment.nested.get(&index))
                        .into_iter()
                        .map(|(from, to)| (root(from), to));
                    pairs.filter(|(from, _)| readings[from] == 1).collect()
                });
                let dies = lifetimes[other.index()].1 == index + 1;
                match written {
                    Written::Result(result) if dies && pairs.contains(&(other, result)) => {
                        occupied.remove(memory(assignment, other), other);
                    }
                    _ => return fail(format!("instruction {index} writes {place:?} over {other:?}")),
                }
            }
        }
        for value in instr.results() {
            occupied.insert(memory(assignment, value), value);
            last_read[lifetimes[value.index()].1].push(value);
        }
    }
    Ok(())
}

/// Whether a result of the contraction `index` lies in the memory of an operand where the body's assignment says so, and
/// nowhere else: while the loop reads that operand, no part of the product may be written over it.
fn shares_as_it_says(program: &Program, assignment: &Assignment, index: usize) -> bool {
    let instr = &program.instrs()[index];
    let Some(inner) = assignment.nested.get(&index).and_then(|nested| nested.programs.first()) else {
        return false;
    };
    let pairs = reusable(program, instr, None);
    instr.results().zip(&inner.donations).all(|(result, donation)| {
        if program.ty(result).bytes().is_ok_and(|bytes| bytes == 0) {
            return true;
        }
        let place = memory(assignment, result);
        let shared = (0..instr.operands.len()).find(|&i| memory(assignment, instr.operands[i]) == place);
        shared == *donation && shared.is_none_or(|operand| pairs.contains(&(operand, result)))
    })
}

/// A place that is written twice by one instruction.
fn written_twice(written: &mut [(Written, Memory)]) -> Option<Memory> {
    // In the order of addresses; what is not in the arena comes first.
    written.sort_by_key(|(_, memory)| match *memory {
        Memory::Parameter(i) => (0, 0, i),
        Memory::Result(i) => (1, 0, i),
        Memory::Constant(i) => (2, 0, i),
        Memory::Arena(arena, start, _) => (3, arena, start),
    });
    let same = written.windows(2).find(|w| w[0].1 == w[1].1 && !matches!(w[0].1, Memory::Arena(..)));
    if let Some(pair) = same {
        return Some(pair[0].1);
    }
    // Where the arenas of programs end that were passed, and everything else, each in the arena that was looked at last.
    let (mut inside_end, mut end, mut current) = (0, 0, 0);
    for &(written, memory) in written.iter() {
        let Memory::Arena(arena, start, bytes) = memory else { continue };
        if bytes == 0 {
            continue;
        }
        if arena != current {
            (inside_end, end, current) = (0, 0, arena);
        }
        let inside = written == Written::Inside;
        if start < end || !inside && start < inside_end {
            return Some(memory);
        }
        let own = if inside { &mut inside_end } else { &mut end };
        *own = (*own).max(start + bytes);
    }
    None
}

/// Checks that the program, and the `scratch` that its steps need besides, fits into the target's memories: arguments, results
/// and scratch into the first, and each arena into its own.
///
/// # Errors
/// As [`check_limit`].
pub fn check_memory(
    program: &Program,
    assignment: &Assignment,
    scratch: usize,
    target: &dyn Target,
) -> Result<()> {
    let memories = target.memories();
    if assignment.arenas.len() > memories.len() {
        return Err(Error::internal(format!(
            "{} uses a memory that {} lacks",
            program.name(),
            target.name()
        )));
    }
    for (number, memory) in memories.iter().enumerate() {
        let arena = assignment.arenas.get(number).copied().unwrap_or(0);
        match number {
            0 => fits_in(program, assignment, arena, scratch, memory.available())?,
            _ => fits(program.name(), &[("temporaries", arena)], memory.available())
                .map_err(|error| error.context(format!("in the memory {}", memory.name)))?,
        }
    }
    Ok(())
}

/// Checks that the program, and the `scratch` that its steps need besides, takes `available` bytes at most.
///
/// # Errors
/// The program does not fit: an input error that names the ten largest of the buffers that are there when most memory is
/// in use.
pub fn check_limit(
    program: &Program,
    assignment: &Assignment,
    scratch: usize,
    available: usize,
) -> Result<()> {
    fits_in(program, assignment, assignment.memory.temporaries, scratch, available)
}

fn fits_in(
    program: &Program,
    assignment: &Assignment,
    temporaries: usize,
    scratch: usize,
    available: usize,
) -> Result<()> {
    let AssignedMemory { arguments, results, .. } = assignment.memory;
    let mut parts = vec![("arguments", arguments), ("results", results), ("temporaries", temporaries)];
    if scratch > 0 {
        parts.push(("scratch", scratch));
    }
    fits(program.name(), &parts, available).map_err(|mut error| {
        if scratch > 0 {
            error = error.context(
                "scratch is what steps need while they run, on each thread: fewer threads need less",
            );
        }
        let help = "use a smaller batch, donate arguments, or recompute more with remat";
        MemoryPlan::new(program, assignment).largest(10).into_iter().fold(error, Error::context).help(help)
    })
}
