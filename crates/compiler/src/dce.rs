//! Drops unused instructions, and unused operands, carries and results of loops, branches and kernels.

use jarrah_base::Result;
use jarrah_hlo::{Program, Results, Value};

use crate::loops;
use crate::rebuild::{Memo, rebuild};

pub fn run(program: &Program) -> Result<Program> {
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    let params: Vec<Value> = program.param_values().collect();
    let program = program.extract(&params, program.results())?;
    if program.instrs().iter().all(|i| i.op.programs().is_empty()) {
        return Ok(program);
    }
    let uses = program.use_counts();
    let shrunk = rebuild(&program, |b, instr, operands| {
        let used: Vec<bool> = instr.results().map(|v| uses[v.index()] > 0).collect();
        let Some(restriction) = loops::restrict(&instr.op, &used)? else {
            return match memo.apply_inside(&instr.op, pass)? {
                Some(op) => b.push(op, operands),
                None => Ok(b.copy(&program, instr, operands)),
            };
        };
        let op = memo.apply_inside(&restriction.op, pass)?.unwrap_or(restriction.op);
        let operands: Vec<Value> = restriction.operands.iter().map(|&i| operands[i]).collect();
        let made = b.push(op, &operands)?;
        // A result that was dropped has no reader: any value stands in for it.
        let mut results: Results = instr.results().map(|_| made[0]).collect();
        for (&result, value) in restriction.results.iter().zip(made) {
            results[result] = value;
        }
        Ok(results)
    })?;
    let params: Vec<Value> = shrunk.param_values().collect();
    shrunk.extract(&params, shrunk.results())
}
