//! Buffer assignment where the compiler makes none: bodies of hand-written kernels, definitions of ops.

use jarrah_base::Result;
use jarrah_hlo::{Op, Program, Value};

use jarrah_compiler::{Assignment, Carry, Nested, Place};

const ALIGN: usize = 64;

/// Gives every value that is no alias a separate buffer; none is used twice. Sums of sizes saturate, and memory of such a
/// size is refused when it is taken.
pub fn lay_out(program: &Program) -> Result<Assignment> {
    let mut layout = Assignment::default();
    let parameters = program.params().len();
    layout.places.extend((0..parameters).map(Place::Parameter));
    layout.donations = vec![None; program.results().len()];
    // For each value, the first result that it is.
    let mut returned: Vec<Option<usize>> = vec![None; program.value_count()];
    for (j, result) in program.results().iter().enumerate().rev() {
        returned[result.index()] = Some(j);
    }
    for (index, instr) in program.instrs().iter().enumerate() {
        let carries = match &instr.op {
            Op::While(op) => op.body.results().len(),
            Op::Scan(op) => op.carry,
            _ => 0,
        };
        if nests(&instr.op) {
            let mut nested = Nested { offset: layout.arena, ..Nested::default() };
            for (i, body) in instr.op.programs().iter().enumerate() {
                // A custom rule is for transformations only.
                if i > 0 && matches!(instr.op, Op::CustomRule(_)) {
                    break;
                }
                let inner = lay_out(body)?;
                layout.arena = layout.arena.saturating_add(inner.arena);
                // The programs of one op lie one after another.
                nested.programs.push(shifted(inner, layout.arena - nested.offset));
            }
            for value in instr.results().take(carries) {
                nested.carry.push(Carry::Double { offset: layout.arena });
                layout.arena =
                    layout.arena.saturating_add(program.ty(value).bytes()?.next_multiple_of(ALIGN));
            }
            layout.nested.insert(index, nested);
        }
        for (i, value) in instr.results().enumerate() {
            let place = match &instr.op {
                Op::Constant(_) => Place::Constant(index),
                Op::Reshape(_) | Op::OptimizationBarrier(_) | Op::CheckpointName(_) | Op::Load(_) => {
                    Place::Alias(origin(&layout, instr.operands[i]))
                }
                Op::BitcastConvert(op) if op.keeps_bytes(program.ty(instr.operands[i]).dtype()) => {
                    Place::Alias(origin(&layout, instr.operands[i]))
                }
                _ => match returned[value.index()] {
                    Some(j) => Place::Result(j),
                    None => {
                        let (offset, bytes) = (layout.arena, program.ty(value).bytes()?);
                        layout.arena = layout.arena.saturating_add(bytes.next_multiple_of(ALIGN));
                        Place::Temporary { offset, bytes }
                    }
                },
            };
            layout.places.push(place);
        }
    }
    Ok(layout)
}

/// Whether the op's programs become steps.
fn nests(op: &Op) -> bool {
    op.callee().is_some() || matches!(op, Op::While(_) | Op::Case(_) | Op::Scan(_))
}

fn origin(layout: &Assignment, value: Value) -> Value {
    match layout.places[value.index()] {
        Place::Alias(of) => of,
        _ => value,
    }
}

/// `layout`, moved so that it ends `end` bytes after the start of the outer arena.
fn shifted(mut layout: Assignment, end: usize) -> Assignment {
    let by = end.saturating_sub(layout.arena);
    for place in &mut layout.places {
        if let Place::Temporary { offset, .. } = place {
            *offset = offset.saturating_add(by);
        }
    }
    for nested in layout.nested.values_mut() {
        nested.offset = nested.offset.saturating_add(by);
        for carry in &mut nested.carry {
            if let Carry::Double { offset } = carry {
                *offset = offset.saturating_add(by);
            }
        }
    }
    layout
}
