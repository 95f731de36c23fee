//! Equal instructions are computed once: `op(x) = op(x)`, and `x + y = y + x` for the ops that commute.

use jarrah_base::Result;
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Op, Operands, Program, Results};
use rustc_hash::FxHashMap;

use crate::rebuild::{Memo, rebuild};

pub fn run(program: &Program) -> Result<Program> {
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    let mut known: FxHashMap<(Op, Operands), Results> = FxHashMap::default();
    rebuild(program, |b, instr, operands| {
        // The builder numbers constants itself, and hashing their bytes twice would cost more than it saves.
        if matches!(instr.op, Op::Constant(_) | Op::OptimizationBarrier(_)) || !instr.op.effects().is_pure() {
            return match memo.apply_inside(&instr.op, pass)? {
                Some(op) => b.push(op, operands),
                None => Ok(b.copy(program, instr, operands)),
            };
        }
        let nested = memo.apply_inside(&instr.op, pass)?;
        let op = nested.clone().unwrap_or_else(|| instr.op.clone());
        let mut key = Operands::from_slice(operands);
        if commutes(&op) {
            key.sort_unstable();
        }
        if let Some(results) = known.get(&(op.clone(), key.clone())) {
            return Ok(results.clone());
        }
        let results = match nested {
            Some(op) => b.push(op, operands)?,
            None => b.copy(program, instr, operands),
        };
        known.insert((op, key), results.clone());
        Ok(results)
    })
}

fn commutes(op: &Op) -> bool {
    use ElementwiseKind::*;
    matches!(op, Op::Elementwise(e) if matches!(e.kind, Add | Multiply | And | Or | Xor))
}
