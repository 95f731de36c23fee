//! Whether an assignment names memory that is there.

use jarrah_base::{Error, Result};
use jarrah_hlo::{Op, Program, Value};

use super::made_in;
use crate::assignment::{Assignment, Carry, MemoryPlace};
use crate::liveness::roots;
use crate::rebuild::{has_memory, has_points};

/// Checks that every value has a place, and that each place is aligned, is as large as its value and lies within the memory
/// that it names.
///
/// # Errors
/// Something is missing, too small or outside: a defect of the assignment.
pub fn check_bounds(program: &Program, assignment: &Assignment, alignment: usize) -> Result<()> {
    bounds(program, assignment, alignment, &[])
}

/// As [`check_bounds`], of a program in which the values `made` need no memory.
fn bounds(program: &Program, assignment: &Assignment, alignment: usize, made: &[Value]) -> Result<()> {
    let fail = |what: String| Err(Error::internal(format!("buffers of {}: {what}", program.name())));
    let (params, results) = (program.params(), program.results());
    let (places, donations) = (&assignment.places, &assignment.donations);
    let unchanged = &assignment.unchanged;
    let of_results = donations.len() == results.len() && unchanged.len() == results.len();
    if places.len() != program.value_count() || !of_results {
        return fail("values or results without a place".into());
    }
    let param_bytes = |i: usize| params.get(i).map_or(Ok(0), |param| param.ty.bytes());
    let result_bytes = |j: usize| results.get(j).map_or(Ok(0), |&value| program.ty(value).bytes());
    for (j, donation) in donations.iter().enumerate() {
        if let Some(i) = *donation
            && !(i < params.len() && param_bytes(i)? == result_bytes(j)?)
        {
            return fail(format!("result {j} cannot lie in parameter {i}"));
        }
    }
    let is_itself = |result: &Value, i: usize| match places[result.index()] {
        MemoryPlace::Alias(root) => root.index() == i,
        _ => result.index() == i,
    };
    for (j, parameter) in unchanged.iter().enumerate() {
        if let Some(i) = *parameter
            && !(i < params.len() && is_itself(&results[j], i) && !donations.contains(&Some(i)))
        {
            return fail(format!("result {j} is not parameter {i}"));
        }
    }
    if let Some(value) =
        program.param_values().find(|v| places[v.index()] != MemoryPlace::Parameter(v.index()))
    {
        return fail(format!("parameter {value:?} lies elsewhere"));
    }
    let within = |memory: usize, offset: usize, bytes: usize| {
        let arena = assignment.arenas.get(memory).copied().unwrap_or(0);
        let end = offset.checked_add(bytes).filter(|&end| end <= arena);
        end.is_some() && offset.is_multiple_of(alignment)
    };
    let roots = roots(program);
    let holds = |value: Value, index: usize, op: &Op| -> Result<bool> {
        let bytes = program.ty(value).bytes()?;
        Ok(match places[value.index()] {
            MemoryPlace::Alias(of) => roots[value.index()] == of && of != value,
            MemoryPlace::Constant(at) => at == index && matches!(op, Op::Constant(_)),
            // Only what is given up may be written over.
            MemoryPlace::Parameter(i) => donations.contains(&Some(i)) && bytes <= param_bytes(i)?,
            MemoryPlace::Result(j) => j < results.len() && bytes <= result_bytes(j)?,
            MemoryPlace::Temporary { memory, offset, bytes: room } => {
                bytes <= room && within(memory, offset, room)
            }
            MemoryPlace::Made => made.contains(&value),
        })
    };
    for (index, instr) in program.instrs().iter().enumerate() {
        for value in instr.results() {
            if !holds(value, index, &instr.op)? {
                return fail(format!("{value:?} does not lie in {:?}", places[value.index()]));
            }
        }
        if !has_memory(&instr.op) {
            continue;
        }
        let Some(nested) = assignment.nested.get(&index) else {
            return fail(format!("instruction {index} has no assignment of its programs"));
        };
        let programs = instr.op.programs();
        let carried = match &instr.op {
            Op::While(op) => op.body.results().len(),
            Op::Scan(op) => op.carry,
            _ => 0,
        };
        if (nested.programs.len(), nested.carry.len()) != (programs.len(), carried) {
            return fail(format!("instruction {index} lacks an assignment, or a carry"));
        }
        let made = made_in(&instr.op);
        for (inner, assignment) in programs.into_iter().zip(&nested.programs) {
            bounds(inner, assignment, alignment, &made)?;
            if assignment.arenas.len() > 1 {
                return fail(format!("{} has several arenas", inner.name()));
            }
            // Each thread that runs points of a kernel has an arena for them.
            if !has_points(&instr.op) && !within(nested.memory, nested.offset, assignment.arena()) {
                return fail(format!("the arena of {} is not within this one", inner.name()));
            }
        }
        for (&carry, value) in nested.carry.iter().zip(instr.results()) {
            if let Carry::Double { memory, offset } = carry
                && !within(memory, offset, program.ty(value).bytes()?)
            {
                return fail(format!("the second buffer of {value:?} is not within the arena"));
            }
        }
    }
    if let Some(index) = assignment.nested.keys().find(|&&index| index >= program.instrs().len()) {
        return fail(format!("there is no instruction {index}"));
    }
    Ok(())
}
