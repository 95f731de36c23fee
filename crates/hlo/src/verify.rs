use jarrah_base::{Error, Result};
use rustc_hash::FxHashSet;

use crate::program::Program;
use crate::rules::{ProgramRef, TypeVec};

impl Program {
    /// Checks everything the form promises: values are defined before use, types are what inference says, and
    /// sub-programs hold to the same.
    ///
    /// # Errors
    /// The first thing that does not hold, with the instruction's source. A program made by [`crate::Builder`] always
    /// verifies; an error here is a defect of whatever rewrote it.
    pub fn verify(&self) -> Result<()> {
        self.verify_once(&mut FxHashSet::default())
    }

    /// Sub-programs in `verified` are known to be sound: one that is shared is looked at once.
    fn verify_once(&self, verified: &mut FxHashSet<*const Program>) -> Result<()> {
        let mut defined = self.params.len();
        for (i, param) in self.params.iter().enumerate() {
            if self.types.get(i) != Some(&param.ty) {
                return Err(Error::internal(format!("parameter {i} of {} lacks its type", self.name)));
            }
        }
        for (index, instr) in self.instrs.iter().enumerate() {
            let fail = |what: String| {
                let error = Error::internal(format!("instruction {index} of {}: {what}", self.name));
                let error = error.op(instr.op.name());
                match instr.source.location {
                    Some(location) => error.at(location),
                    None => error,
                }
            };
            if let Some(late) = instr.operands.iter().find(|v| v.index() >= defined) {
                return Err(fail(format!("{late:?} is used before it is defined")));
            }
            if instr.first_result as usize != defined {
                return Err(fail("results are not numbered in order".into()));
            }
            defined += instr.result_count as usize;
            if defined > self.types.len() {
                return Err(fail("results have no types".into()));
            }
            let operands: TypeVec = instr.operands.iter().map(|&v| self.ty(v)).collect();
            let inferred = instr.op.infer(&operands).map_err(|e| fail(e.message().to_owned()))?;
            let stated: TypeVec = instr.results().map(|v| self.ty(v)).collect();
            if inferred != stated {
                return Err(fail(format!("results are {stated:?}, inference says {inferred:?}")));
            }
            for program in instr.op.programs() {
                if verified.insert(ProgramRef::as_ptr(program)) {
                    program.verify_once(verified)?;
                }
            }
        }
        if defined != self.types.len() {
            return Err(Error::internal(format!("{} has values that nothing defines", self.name)));
        }
        match self.results.iter().find(|v| v.index() >= defined) {
            Some(late) => {
                Err(Error::internal(format!("{} returns {late:?}, which is not defined", self.name)))
            }
            None => Ok(()),
        }
    }
}
