use jarrah_base::{DType, Result};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Call, Case, Convert, OptimizationBarrier, While};

use super::Importer;
use super::block::{Block, Outcome, all};
use crate::ast::{Attribute, Op, Region};

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn while_loop(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let carry = self.operands(block, op)?;
        let [cond, body] = &op.regions[..] else {
            return Err(self.fail(op, format!("has two regions, {} are given", op.regions.len())));
        };
        let (captures, mut operands) = self.captures(block, op, &[cond, body])?;
        let cond = self.region(block, "cond", cond, &captures)?;
        let body = self.region(block, "body", body, &captures)?;
        let consts = operands.len();
        operands.extend(carry);
        Ok(all(&self.push(block, op, While { cond, body, consts }, &operands)?))
    }

    pub(super) fn case(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [index] = self.some_operands(block, op)?;
        let regions: Vec<&'a Region<'t>> = op.regions.iter().collect();
        self.branches(block, op, index, &regions)
    }

    /// The case on the predicate as a number, so that the second branch is the one for true.
    pub(super) fn if_else(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [predicate] = self.some_operands(block, op)?;
        let (DType::Bool, [on_true, on_false]) = (block.b.ty(predicate).dtype(), &op.regions[..]) else {
            return Err(self.fail(op, "takes a truth value and has two regions"));
        };
        let index = self.one(block, op, Convert { to: DType::I32 }, &[predicate])?;
        self.branches(block, op, index, &[on_false, on_true])
    }

    fn branches(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
        index: Value,
        regions: &[&'a Region<'t>],
    ) -> Result<Outcome> {
        let (captures, args) = self.captures(block, op, regions)?;
        let mut branches = Vec::new();
        for region in regions {
            branches.push(self.region(block, "branch", region, &captures)?);
        }
        let mut operands = vec![index];
        operands.extend(args);
        Ok(all(&self.push(block, op, Case { branches }, &operands)?))
    }

    /// The function that the attribute `name` names, called.
    pub(super) fn call(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>, name: &str) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        let Some(Attribute::Symbol(callee)) = op.attribute(name) else {
            return Err(self.fail(op, "names no function"));
        };
        let (callee, height) = self.function(callee, op.at)?;
        block.height = block.height.max(height);
        self.check_height(block.height, op.at)?;
        Ok(all(&self.push(block, op, Call { callee }, &operands)?))
    }

    pub(super) fn optimization_barrier(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
    ) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        Ok(all(&self.push(block, op, OptimizationBarrier, &operands)?))
    }

    /// An op that returns its operand and only says something about it.
    pub(super) fn annotation(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        Ok(all(&[x]))
    }
}
