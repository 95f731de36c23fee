use jarrah_base::{Result, Type};
use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::program::Program;
use crate::rules::Cost;

/// The costs of programs that were asked for already: a program may be called often, and by others that are.
type Known = FxHashMap<*const Program, Cost>;

impl Program {
    /// An estimate of the work of a run: that of each instruction, as often as it runs. A loop of unknown length counts as one
    /// step, and of branches all count.
    ///
    /// # Errors
    /// The elements of a type exceed the address space.
    pub fn cost(&self) -> Result<Cost> {
        self.cost_beside(&mut Known::default())
    }

    fn cost_beside(&self, known: &mut Known) -> Result<Cost> {
        if let Some(cost) = known.get(&std::ptr::from_ref(self)) {
            return Ok(*cost);
        }
        let mut total = Cost::default();
        for instr in self.instrs() {
            let times = match &instr.op {
                Op::Scan(scan) => scan.length as f64,
                _ => 1.0,
            };
            let part = match &instr.op {
                op if op.callee().is_some() || matches!(op, Op::Scan(_) | Op::While(_) | Op::Case(_)) => {
                    let mut part = Cost::default();
                    for program in op.runs() {
                        let inner = program.cost_beside(known)?;
                        part = Cost { flops: part.flops + inner.flops, bytes: part.bytes + inner.bytes };
                    }
                    part
                }
                op => {
                    let operands: Vec<Type> = instr.operands.iter().map(|&value| self.ty(value)).collect();
                    let results: Vec<Type> = instr.results().map(|value| self.ty(value)).collect();
                    op.cost(&operands, &results)?
                }
            };
            total.flops += times * part.flops;
            total.bytes += times * part.bytes;
        }
        known.insert(self, total);
        Ok(total)
    }
}
