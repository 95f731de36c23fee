//! Calls become the instructions of their callees.
//!
//! * `call(f, x) = f(x)`, and so for custom rules and linear solves; `checkpoint_name(x) = x`.
//! * `remat(f, x) = f(barrier(x))`: the recomputation must not be merged with the first computation.

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::OptimizationBarrier;
use jarrah_hlo::{Builder, Instr, Op, Operands, Program, Results, Value};

use crate::rebuild::{Memo, rebuild};

pub fn run(program: &Program) -> Result<Program> {
    program.check_expansion()?;
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| emit(b, program, instr, operands, memo))
}

fn emit(
    b: &mut Builder,
    program: &Program,
    instr: &Instr,
    operands: &[Value],
    memo: &mut Memo,
) -> Result<Results> {
    match &instr.op {
        Op::Remat(remat) => {
            let operands = b.push(OptimizationBarrier, operands)?;
            splice(b, &remat.body, &operands, memo)
        }
        Op::CustomTangent(_) => {
            let error = Error::program("the tangent of a custom backward rule cannot be computed")
                .op("custom_tangent")
                .help("use grad or vjp, or give the function a forward rule with custom_jvp");
            Err(instr.source.location.map_or(error.clone(), |location| error.at(location)))
        }
        Op::CheckpointName(_) => Ok(operands.iter().copied().collect()),
        op if let Some(callee) = op.callee() => splice(b, callee, operands, memo),
        op => match memo.apply_inside(op, pass)? {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        },
    }
}

fn splice(b: &mut Builder, callee: &Program, args: &[Value], memo: &mut Memo) -> Result<Results> {
    let mut map: Vec<Value> = args.to_vec();
    for instr in callee.instrs() {
        let operands: Operands = instr.operands.iter().map(|v| map[v.index()]).collect();
        b.set_source(instr.source);
        map.extend(emit(b, callee, instr, &operands, memo)?);
    }
    Ok(callee.results().iter().map(|v| map[v.index()]).collect())
}
