use jarrah_base::{Source, Type, work};
use jarrah_hlo::{Instr, Program, Value};

use super::{Exporter, op, types};
use crate::ir::{IrOp, Loc, ValueId};

/// A region under construction: its program, and the ids of the program's values in the module.
pub(super) struct Block<'p> {
    pub program: &'p Program,
    pub values: Vec<ValueId>,
    pub ops: Vec<IrOp>,
    /// Where the instruction at hand comes from.
    pub loc: Loc,
}

impl<'p> Block<'p> {
    pub fn ids(&self, values: &[Value]) -> impl Iterator<Item = ValueId> {
        values.iter().map(|&v| self.values[v.index()])
    }

    pub fn ty(&self, value: Value) -> Type {
        self.program.ty(value)
    }

    pub fn result_types(&self, instr: &Instr) -> Vec<Type> {
        instr.results().map(|v| self.program.ty(v)).collect()
    }
}

impl<'p> Exporter<'p> {
    /// The ops of a region whose parameters have these values, behind the ops `first`.
    pub(super) fn body(
        &mut self,
        program: &'p Program,
        values: Vec<ValueId>,
        first: Vec<IrOp>,
        terminator: &'static str,
    ) -> Vec<IrOp> {
        let mut block = Block { program, values, ops: first, loc: Loc::Unknown };
        for instr in program.instrs() {
            block.loc = location(instr.source);
            self.instruction(&mut block, instr);
        }
        let mut end = op(terminator);
        end.operands.extend(block.ids(program.results()));
        block.ops.push(end);
        block.ops
    }

    /// Completes an op that is no instruction by itself, and returns its results.
    pub(super) fn append(&mut self, block: &mut Block<'p>, mut op: IrOp, results: &[Type]) -> Vec<ValueId> {
        work::step(1 + op.operands.len() + results.len());
        op.loc = block.loc.clone();
        let values: Vec<ValueId> =
            results.iter().map(|&ty| self.module.value(types::ty(ty), block.loc.clone())).collect();
        op.results.extend(values.iter().copied());
        block.ops.push(op);
        values
    }
}

fn location(source: Source) -> Loc {
    let position = source.location.map(|l| Loc::File(l.file().into(), l.line(), l.column()));
    match source.scope.path() {
        "" => position.unwrap_or(Loc::Unknown),
        scope => Loc::Name(scope.into(), position.unwrap_or(Loc::Unknown).into()),
    }
}
