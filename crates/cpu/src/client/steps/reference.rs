//! Ops without code of their own here, on the reference evaluator.

use jarrah_base::{Literal, Result};
use jarrah_hlo::{Builder, Op};

use crate::client::build::{Array, Site};
use crate::client::frame::{Frame, Step};

struct Reference {
    op: Op,
    operands: Vec<Array>,
    results: Vec<Array>,
}

/// The op by itself, evaluated: right, and slow.
pub fn step(site: &Site<'_>) -> Box<dyn Step> {
    Box::new(Reference {
        op: site.instr.op.clone(),
        operands: site.operands.clone(),
        results: site.results.clone(),
    })
}

impl Step for Reference {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let mut b = Builder::new(self.op.name());
        let mut arguments = Vec::new();
        let mut values = Vec::new();
        for x in &self.operands {
            // SAFETY: a step's operands are readable.
            let bytes = unsafe { std::slice::from_raw_parts(frame.at(x.loc), x.bytes()) };
            arguments.push(Literal::from_bytes(x.ty, bytes)?);
            values.push(b.param(x.ty, ""));
        }
        let results = b.push(self.op.clone(), &values)?;
        let program = b.finish(&results)?;
        let results = jarrah_hlo_eval::evaluate(&program, &arguments)?;
        for (to, result) in self.results.iter().zip(results) {
            // SAFETY: a step's results are writable, for the bytes of their types.
            unsafe {
                let to = std::slice::from_raw_parts_mut(frame.at(to.loc), to.bytes());
                to.copy_from_slice(result.bytes());
            }
        }
        Ok(())
    }
}
