use jarrah_base::{Error, Result, work};

use crate::program::{Instr, Operands, Program, Summary, Value};

impl Program {
    /// For each value, whether `results` or an effect needs it.
    ///
    /// An instruction that only reads is not needed when nothing uses what it reads.
    pub fn needed_for(&self, results: &[Value]) -> Vec<bool> {
        let mut needed = vec![false; self.types.len()];
        for value in results {
            needed[value.index()] = true;
        }
        work::step(self.instrs.len());
        for instr in self.instrs.iter().rev() {
            if keeps(instr, &needed) {
                for operand in &instr.operands {
                    needed[operand.index()] = true;
                }
            }
        }
        needed
    }

    /// The program that takes `params`, in that order, and returns `results`, without the instructions that neither
    /// these nor an effect needs.
    ///
    /// # Errors
    /// A parameter that is needed is not among `params`, or one of them is no parameter or stands there twice.
    pub fn extract(&self, params: &[Value], results: &[Value]) -> Result<Program> {
        let needed = self.needed_for(results);
        let mut map: Vec<Option<Value>> = vec![None; self.types.len()];
        let mut types = Vec::new();
        for &param in params {
            if param.index() >= self.params.len() || map[param.index()].is_some() {
                return Err(Error::internal(format!("{param:?} is no parameter of {} to take", self.name)));
            }
            map[param.index()] = Some(Value(types.len() as u32));
            types.push(self.ty(param));
        }
        let lost = || Error::internal(format!("a parameter that {} needs is left out", self.name));
        let mut instrs = Vec::new();
        for instr in self.instrs.iter().filter(|i| keeps(i, &needed)) {
            let operands: Option<Operands> = instr.operands.iter().map(|v| map[v.index()]).collect();
            let first_result = types.len() as u32;
            for (new, old) in (first_result..).zip(instr.results()) {
                map[old.index()] = Some(Value(new));
                types.push(self.ty(old));
            }
            let operands = operands.ok_or_else(lost)?;
            let (op, source, result_count) = (instr.op.clone(), instr.source, instr.result_count);
            instrs.push(Instr { op, operands, first_result, result_count, source });
        }
        let results: Option<Vec<Value>> = results.iter().map(|v| map[v.index()]).collect();
        let params = params.iter().map(|p| self.params[p.index()]).collect();
        let results = results.ok_or_else(lost)?;
        let (name, summary) = (self.name.clone(), Summary::default());
        Program { name, params, types, instrs, results, summary }.seal()
    }
}

fn keeps(instr: &Instr, needed: &[bool]) -> bool {
    instr.results().any(|v| needed[v.index()]) || instr.op.effects().writes
}
