//! Programs as everybody who reads StableHLO knows them.
//!
//! * `scan` becomes a `while` that counts, `threefry2x32` the words of its rounds, `attention` and `kernel` their
//!   definitions.
//! * Calls, custom rules and rematerialisation become what they call, as in [`crate::compile`].

use jarrah_base::Result;
use jarrah_hlo::{Op, Program, Value, expand as spelled};

use crate::pipeline::TargetInfo;
use crate::rebuild::{Memo, rebuild};
use crate::{dce, expand, inline};

/// The program in ops of StableHLO, where it has those of our own that can be said in these. Others stay as they are.
///
/// # Errors
/// The program takes the tangent of a custom backward rule, or is too large with all that it calls.
pub fn portable(program: &Program) -> Result<Program> {
    let inlined = inline::run(program)?;
    let expanded = expand::run(&inlined, &TargetInfo::default())?;
    dce::run(&pass(&expanded, &mut Memo::default())?)
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| {
        let inside = memo.apply_inside(&instr.op, pass)?;
        let op = inside.as_ref().unwrap_or(&instr.op);
        match (op, operands) {
            (Op::Scan(scan), _) => spelled::scan(b, scan, operands),
            (Op::Kernel(kernel), _) => {
                let definition = pass(&kernel.definition(&b.types(operands))?, memo)?;
                Ok(b.inline(&definition, operands)?.into())
            }
            (Op::Threefry2x32(_), &[k0, k1, x0, x1]) => {
                let words: [Value; 2] = spelled::threefry2x32(b, [k0, k1, x0, x1])?;
                Ok(words.into_iter().collect())
            }
            _ => match inside {
                Some(op) => b.push(op, operands),
                None => Ok(b.copy(program, instr, operands)),
            },
        }
    })
}
