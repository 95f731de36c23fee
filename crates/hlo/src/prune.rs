use jarrah_base::{Error, Result, Scope, work};

use crate::program::{Instr, Operands, Param, Program, Summary, Value};

impl Program {
    /// For each value, whether `results` or an effect needs it.
    ///
    /// An instruction that may be dropped is not needed when nothing uses its results.
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
        if let Some(other) = params.iter().find(|p| p.index() >= self.params.len()) {
            return Err(Error::internal(format!("{other:?} is no parameter of {} to take", self.name)));
        }
        let needed = self.needed_for(results);
        self.taking(params, results, |instr| keeps(instr, &needed))
    }

    /// The program that computes `results` from the values in `given` and has no effect but those on the way.
    ///
    /// # Errors
    /// A parameter that is needed is not among `given`, or one of these stands there twice.
    pub fn slice(&self, given: &[Value], results: &[Value]) -> Result<Program> {
        let mut is_given = vec![false; self.types.len()];
        for value in given {
            is_given[value.index()] = true;
        }
        let needed = self.needed_from(&is_given, results);
        self.taking(given, results, |i| i.results().any(|v| needed[v.index()] && !is_given[v.index()]))
    }

    /// For each value, whether computing `results` needs it, effects aside; what makes the values in `given` is not
    /// needed.
    pub fn needed_from(&self, given: &[bool], results: &[Value]) -> Vec<bool> {
        let mut needed = vec![false; self.types.len()];
        for value in results {
            needed[value.index()] = true;
        }
        work::step(self.instrs.len());
        for instr in self.instrs.iter().rev() {
            if instr.results().any(|v| needed[v.index()] && !given[v.index()]) {
                for operand in &instr.operands {
                    needed[operand.index()] = true;
                }
            }
        }
        needed
    }

    /// The program that takes the values in `given` and consists of the instructions that `kept` picks.
    fn taking(&self, given: &[Value], results: &[Value], kept: impl Fn(&Instr) -> bool) -> Result<Program> {
        let mut map: Vec<Option<Value>> = vec![None; self.types.len()];
        let (mut params, mut types) = (Vec::new(), Vec::new());
        for &value in given {
            if map[value.index()].is_some() {
                return Err(Error::internal(format!("{value:?} of {} is given twice", self.name)));
            }
            map[value.index()] = Some(Value(types.len() as u32));
            let unnamed = Param { ty: self.ty(value), path: Scope::root() };
            params.push(self.params.get(value.index()).copied().unwrap_or(unnamed));
            types.push(self.ty(value));
        }
        let lost = || Error::internal(format!("a parameter that {} needs is left out", self.name));
        let mut instrs = Vec::new();
        for instr in self.instrs.iter().filter(|i| kept(i)) {
            let operands: Option<Operands> = instr.operands.iter().map(|v| map[v.index()]).collect();
            let first_result = types.len() as u32;
            for (new, old) in (first_result..).zip(instr.results()) {
                map[old.index()].get_or_insert(Value(new));
                types.push(self.ty(old));
            }
            let operands = operands.ok_or_else(lost)?;
            let (op, source, result_count) = (instr.op.clone(), instr.source, instr.result_count);
            instrs.push(Instr { op, operands, first_result, result_count, source });
        }
        let results: Option<Vec<Value>> = results.iter().map(|v| map[v.index()]).collect();
        let results = results.ok_or_else(lost)?;
        let (name, summary) = (self.name.clone(), Summary::default());
        Program { name, params, types, instrs, results, shardings: None, summary }.seal()
    }
}

fn keeps(instr: &Instr, needed: &[bool]) -> bool {
    instr.results().any(|v| needed[v.index()]) || !instr.op.effects().may_drop()
}
