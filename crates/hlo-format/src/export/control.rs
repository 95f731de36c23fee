use jarrah_hlo::ops::{Case, While};
use jarrah_hlo::{Instr, Program, Value};

use super::block::Block;
use super::captures::follow_from_use;
use super::{Exporter, op, types};
use crate::ir::{Attr, IrOp, Region, ValueId};

impl<'p> Exporter<'p> {
    /// The ids that a region has for the `values` that it captures: ids of its own, which an `optimization_barrier` in it
    /// defines, or the outer ids if the captured values `follow` from their use ([`follow_from_use`]).
    fn capture(&mut self, block: &Block<'p>, follow: bool, values: &[Value]) -> (Vec<ValueId>, Vec<IrOp>) {
        let outer: Vec<ValueId> = block.ids(values).collect();
        if follow {
            return (outer, Vec::new());
        }
        let mut named = op("stablehlo.optimization_barrier");
        named.operands.extend(outer);
        named.attributes.set("jarrah.parameters", Attr::Unit);
        for &value in values {
            named.results.push(self.module.value(types::ty(block.ty(value)), block.loc.clone()));
        }
        (named.results.to_vec(), vec![named])
    }

    pub(super) fn while_loop(&mut self, block: &Block<'p>, instr: &Instr, op: &'p While, out: &mut IrOp) {
        let (consts, carry) = instr.operands.split_at(op.consts);
        out.operands.extend(block.ids(carry));
        let programs = [&*op.cond, &*op.body];
        let follow = follow_from_use(&programs, consts);
        for program in programs {
            let (mut values, first) = self.capture(block, follow, consts);
            let args: Vec<ValueId> =
                carry.iter().map(|&v| self.module.value(types::ty(block.ty(v)), block.loc.clone())).collect();
            values.extend(&args);
            let ops = self.body(program, values, first, "stablehlo.return");
            out.regions.push(Region { args, ops });
        }
    }

    pub(super) fn case(&mut self, block: &Block<'p>, instr: &Instr, op: &'p Case, out: &mut IrOp) {
        let (index, args) = instr.operands.split_at(1);
        out.operands.extend(block.ids(index));
        let programs: Vec<&'p Program> = op.branches.iter().map(|b| &**b).collect();
        let follow = follow_from_use(&programs, args);
        for program in programs {
            let (values, first) = self.capture(block, follow, args);
            let ops = self.body(program, values, first, "stablehlo.return");
            out.regions.push(Region { args: Vec::new(), ops });
        }
    }
}
