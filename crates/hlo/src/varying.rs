//! The axes along which values differ.

use jarrah_base::{Error, Result};

use crate::op::Op;
use crate::ops::{CollectiveKind, NamedAxis};
use crate::program::{Instr, Program};

/// Sets of axes, by their positions in a list of names.
type AxisSet = u64;

/// The axes along which each result of `program` may differ among the positions of the axes `names`, given those along which each parameter
/// does; sets have a bit for each name.
///
/// A value differs where an operand does. The number along an axis differs along it, and so does a part of an exchange; a sum and a gathering
/// over all positions of an axis are equal along it.
///
/// # Errors
/// There are more than 64 names.
pub fn varying(program: &Program, names: &[Box<str>], parameters: &[u64]) -> Result<Vec<u64>> {
    if names.len() > AxisSet::BITS as usize {
        return Err(Error::program(format!("there are {} axes, at most 64 are looked at", names.len())));
    }
    Ok(Axes { names }.results(program, parameters))
}

struct Axes<'n> {
    names: &'n [Box<str>],
}

impl Axes<'_> {
    fn of(&self, axis: &NamedAxis) -> AxisSet {
        self.names.iter().position(|name| *name == axis.name).map_or(0, |at| 1 << at)
    }

    fn all(&self) -> AxisSet {
        self.names.iter().enumerate().fold(0, |all, (at, _)| all | 1 << at)
    }

    fn results(&self, program: &Program, parameters: &[AxisSet]) -> Vec<AxisSet> {
        let mut sets = parameters.to_vec();
        for instr in program.instrs() {
            let operands: Vec<AxisSet> = instr.operands.iter().map(|v| sets[v.index()]).collect();
            sets.extend(self.instruction(instr, &operands));
        }
        program.results().iter().map(|v| sets[v.index()]).collect()
    }

    fn instruction(&self, instr: &Instr, operands: &[AxisSet]) -> Vec<AxisSet> {
        let any = operands.iter().fold(0, |all, set| all | set);
        let alike = |set| vec![set; instr.results().len()];
        match &instr.op {
            Op::AxisIndex(op) => alike(self.of(&op.axis)),
            Op::Collective(op) => {
                let over = op.over.axes.iter().fold(0, |all, axis| all | self.of(axis));
                let equal = op.over.groups.is_none()
                    && matches!(op.kind, CollectiveKind::AllReduce(_) | CollectiveKind::AllGather);
                alike(if equal { any & !over } else { any | over })
            }
            op if let Some(callee) = op.callee() => self.results(callee, operands),
            Op::Case(op) => {
                let branches = op.branches.iter().map(|branch| self.results(branch, &operands[1..]));
                let start = alike(operands[0]);
                branches.fold(start, |all, one| all.iter().zip(one).map(|(a, b)| a | b).collect())
            }
            Op::While(op) => self.repeat(operands, op.consts, |carry| {
                let consts = &operands[..op.consts];
                let going = self.results(&op.cond, &[consts, carry].concat())[0];
                let next = self.results(&op.body, &[consts, carry].concat());
                next.into_iter().map(|set| set | going).collect()
            }),
            Op::Scan(op) => {
                let (consts, rest) = operands.split_at(op.consts);
                let (first, arrays) = rest.split_at(op.carry);
                let step = |carry: &[AxisSet]| self.results(&op.body, &[consts, carry, arrays].concat());
                let carry = self
                    .repeat(&[consts, first].concat(), op.consts, |carry| step(carry)[..op.carry].to_vec());
                let stacked = step(&carry)[op.carry..].to_vec();
                [carry, stacked].concat()
            }
            // The host may answer each device differently.
            op if !op.effects().may_duplicate() => alike(self.all()),
            op => alike(any | self.introduced(op)),
        }
    }

    /// The sets of a loop's carry, which grow until a step adds nothing.
    fn repeat(
        &self,
        operands: &[AxisSet],
        consts: usize,
        step: impl Fn(&[AxisSet]) -> Vec<AxisSet>,
    ) -> Vec<AxisSet> {
        let mut carry = operands[consts..].to_vec();
        loop {
            let next: Vec<AxisSet> = carry.iter().zip(step(&carry)).map(|(a, b)| a | b).collect();
            if next == carry {
                return carry;
            }
            carry = next;
        }
    }

    /// The axes that programs inside of an op speak of.
    fn introduced(&self, op: &Op) -> AxisSet {
        if !op.names_axes() {
            return 0;
        }
        let inside = |program: &Program| {
            program.instrs().iter().fold(0, |all, instr| {
                all | match &instr.op {
                    Op::AxisIndex(op) => self.of(&op.axis),
                    Op::Collective(op) => op.over.axes.iter().fold(0, |all, axis| all | self.of(axis)),
                    op => self.introduced(op),
                }
            })
        };
        op.programs().into_iter().fold(0, |all, program| all | inside(program))
    }
}
