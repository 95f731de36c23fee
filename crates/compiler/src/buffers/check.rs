//! Whether an assignment is sound, and whether it fits into memory.

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::{Op, Program, Value};

use super::{lifetimes, reusable};
use crate::assignment::{Assignment, Carry, Place};
use crate::schedule::roots;

/// A stretch of memory: of a parameter, of a result, of a constant, or in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Memory {
    Parameter(usize),
    Result(usize),
    Constant(usize),
    Arena(usize, usize),
}

impl Memory {
    fn overlaps(self, other: Memory) -> bool {
        match (self, other) {
            (Memory::Arena(a, n), Memory::Arena(b, m)) => a < b + m && b < a + n,
            (a, b) => a == b,
        }
    }
}

fn memory(assignment: &Assignment, value: Value) -> Memory {
    match assignment.places[value.index()] {
        Place::Parameter(i) => Memory::Parameter(i),
        Place::Result(j) => assignment.donations[j].map_or(Memory::Result(j), Memory::Parameter),
        Place::Constant(k) => Memory::Constant(k),
        Place::Temporary { offset, bytes } => Memory::Arena(offset, bytes),
        Place::Alias(value) => memory(assignment, value),
    }
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
    let mut alive: Vec<Value> = program.param_values().collect();
    for (index, instr) in program.instrs().iter().enumerate() {
        alive.retain(|v| lifetimes[v.index()].1 > index);
        if matches!(instr.op, Op::Reshape(_)) {
            if assignment.places[instr.result().index()] != Place::Alias(roots[instr.result().index()]) {
                return fail(format!("{:?} is no alias", instr.result()));
            }
            continue;
        }
        let mut written: Vec<(Option<Value>, Memory)> =
            instr.results().map(|v| (Some(v), memory(assignment, v))).collect();
        if let Some(nested) = assignment.nested.get(&index) {
            for (program, inner) in instr.op.programs().into_iter().zip(&nested.programs) {
                check(program, inner)?;
                written.push((None, Memory::Arena(nested.offset, inner.arena)));
            }
            let regions = written.len();
            for (carry, value) in nested.carry.iter().zip(instr.results()) {
                if let Carry::Double { offset } = *carry {
                    written.push((None, Memory::Arena(offset, program.ty(value).bytes()?)));
                }
            }
            let (others, seconds) = written.split_at(regions);
            for (i, (_, second)) in seconds.iter().enumerate() {
                let clash = others.iter().chain(&seconds[..i]).any(|(_, m)| m.overlaps(*second));
                if clash {
                    return fail(format!("the second buffer of carry {i} of instruction {index} overlaps"));
                }
            }
        } else if crate::rebuild::has_steps(&instr.op) {
            return fail(format!("instruction {index} has no assignment of its programs"));
        }
        let reusable = reusable(program, instr);
        for (i, &(value, place)) in written.iter().enumerate() {
            for &other in &alive {
                if !place.overlaps(memory(assignment, other)) {
                    continue;
                }
                let allowed = lifetimes[other.index()].1 == index + 1
                    && reusable.iter().any(|&(operand, result)| {
                        Some(result) == value && roots[instr.operands[operand].index()] == other
                    })
                    && instr.operands.iter().filter(|v| roots[v.index()] == other).count() == 1;
                if !allowed {
                    return fail(format!("instruction {index} writes {place:?} over {other:?}"));
                }
            }
            // Programs of one op run one after another and may share their arena.
            let clash =
                written[..i].iter().any(|(v, m)| (v.is_some() || value.is_some()) && m.overlaps(place));
            if clash {
                return fail(format!("instruction {index} writes {place:?} twice"));
            }
        }
        alive.extend(instr.results());
    }
    Ok(())
}

/// Checks that the program fits into `available` bytes.
///
/// # Errors
/// The program does not fit: an environment error that names the five largest buffers.
pub fn check_memory(program: &Program, assignment: &Assignment, available: usize) -> Result<()> {
    let needed = assignment.memory.total();
    if needed <= available {
        return Ok(());
    }
    let mut largest: Vec<(usize, Type, String)> = Vec::new();
    for param in program.params() {
        let path = param.path.path();
        let name = if path.is_empty() { "an argument".to_owned() } else { format!("the argument {path}") };
        largest.push((param.ty.bytes()?, param.ty, name));
    }
    for instr in program.instrs() {
        for value in instr.results() {
            if !matches!(assignment.places[value.index()], Place::Alias(_) | Place::Constant(_)) {
                let made = match instr.source.location {
                    Some(location) => format!("{} at {location}", instr.op.name()),
                    None => instr.op.name().to_owned(),
                };
                largest.push((program.ty(value).bytes()?, program.ty(value), made));
            }
        }
    }
    largest.sort_by_key(|(bytes, ..)| std::cmp::Reverse(*bytes));
    let memory = assignment.memory;
    let mut error = Error::environment(format!(
        "the program needs {needed} bytes ({} of arguments, {} of results, {} of temporaries), {available} are there",
        memory.arguments, memory.results, memory.temporaries
    ));
    for (bytes, ty, made) in largest.into_iter().take(5) {
        error = error.context(format!("{bytes} bytes: {ty}, {made}"));
    }
    Err(error.help("use a smaller batch, donate arguments, or recompute more with remat"))
}
