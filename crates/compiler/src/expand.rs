//! Ops that the target neither runs nor has in its kernels become their definitions:
//!
//! * `attention` and its derivatives, `threefry2x32`, and a `kernel` that is no loop of the target's: their algorithms;
//! * `scan`: a `while` that counts.
//!
//! What has no definition stays.

use jarrah_base::{Result, Type};
use jarrah_hlo::{Builder, Op, Program, Results, Value, expand as spelled};
use smallvec::SmallVec;

use crate::rebuild::{Memo, rebuild};
use crate::target::Target;

pub fn run(program: &Program, target: &dyn Target) -> Result<Program> {
    pass(program, target, &mut Memo::default())
}

fn pass(program: &Program, target: &dyn Target, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| {
        let inside = memo.apply_inside(&instr.op, |program, memo| pass(program, target, memo))?;
        let op = inside.as_ref().unwrap_or(&instr.op);
        let results: SmallVec<[Type; 4]> = instr.results().map(|v| program.ty(v)).collect();
        if let Some(made) = define(b, op, operands, &results, target, memo)? {
            return Ok(made);
        }
        match inside {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        }
    })
}

/// The definition of an op that the target lacks, where there is one.
fn define(
    b: &mut Builder,
    op: &Op,
    operands: &[Value],
    results: &[Type],
    target: &dyn Target,
    memo: &mut Memo,
) -> Result<Option<Results>> {
    if !matches!(op, Op::Attention(_) | Op::Scan(_) | Op::Kernel(_) | Op::Threefry2x32(_)) {
        return Ok(None);
    }
    let types = b.types(operands);
    if target.loops(op, &types, results) || target.runs(op, &types, results) {
        return Ok(None);
    }
    let definition = match (op, operands) {
        (Op::Attention(attention), _) => attention.definition(&types)?,
        (Op::Kernel(kernel), _) if !target.takes(kernel, &types) => kernel.definition(&types)?,
        (Op::Scan(scan), _) => return spelled::scan(b, scan, operands).map(Some),
        (Op::Threefry2x32(_), &[k0, k1, x0, x1]) => {
            let words: [Value; 2] = spelled::threefry2x32(b, [k0, k1, x0, x1])?;
            return Ok(Some(words.into_iter().collect()));
        }
        _ => return Ok(None),
    };
    let definition = pass(&definition, target, memo)?;
    Ok(Some(b.inline(&definition, operands)?.into()))
}
