//! Branches and loops that contain exchanges, which the processes that exchange values inside enter together.
//!
//! The loops of these processes become one loop that carries the values of all, their branches one branch on the values
//! of all. Since they exchange values inside, they all have to go the same way: where that does not follow from the
//! program, the program checks it (`agree`). Processes that do not exchange values with them go their own way.

use std::collections::VecDeque;
use std::mem;

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::ops::{Case, Convert, While};
use jarrah_hlo::{ProgramRef, Value};
use rustc_hash::FxHashMap;

use super::agree::WORK;
use super::{Frame, Grid, Process, is_entered};
use crate::ir::{IrOp, Region, ValueId};
use crate::lower::block::{Block, Bound};
use crate::lower::cx::Cx;
use crate::lower::regions::{Captures, is_return};

type Values<'a> = FxHashMap<ValueId, Bound<'a>>;

/// A region that several processes run together.
struct Part<'p, 'a> {
    name: &'static str,
    region: &'a Region,
    members: &'p [usize],
    /// The values that the regions of the op capture, by member.
    captures: &'p [Captures],
    /// The types of the region's arguments, by member.
    arguments: &'p [Vec<Type>],
}

impl<'a> Grid<'_, '_, 'a> {
    /// Builds the branch or loop that a process has reached, if exchanges are inside and those that it exchanges values
    /// with have reached it, too; whether it did.
    pub(super) fn together(&mut self, process: usize) -> Result<bool> {
        let Some(op) = self.processes[process].op() else { return Ok(false) };
        if is_return(op) || is_entered(op.name()) || !self.has_exchange_inside(op) {
            return Ok(false);
        }
        let members = self.tied(process, op)?;
        let there = |&at: &usize| self.processes[process].is_beside(&self.processes[at]);
        if !members.iter().all(there) {
            return Ok(false);
        }
        if self.enter_known_branches(op, &members)? {
            return Ok(true);
        }
        self.cx.lower.count(op)?;
        let source = self.cx.lower.source(op);
        self.cx.b().set_source(source);
        let results = match op.name() {
            "stablehlo.while" => self.while_loop(op, &members)?,
            "stablehlo.case" | "stablehlo.if" => self.branches(op, &members)?,
            _ => {
                let message = "has an exchange between processes inside, which is not supported";
                return Err(self.cx.lower.module.error(op, message));
            }
        };
        for (&member, values) in members.iter().zip(&results) {
            self.finish(member, values)?;
        }
        Ok(true)
    }

    /// Enters for each member the branch that it takes, if it is known which ones; whether it is. Processes that wait for
    /// each other there are an error, so regions that may never run are left out.
    fn enter_known_branches(&mut self, op: &'a IrOp, members: &[usize]) -> Result<bool> {
        let Some(last) = op.regions.len().checked_sub(1) else { return Ok(false) };
        if self.inside || !matches!(op.name(), "stablehlo.case" | "stablehlo.if") {
            return Ok(false);
        }
        let mut regions = Vec::new();
        for &member in members {
            let way = self.within(member, |cx, _| cx.some::<1>())?[0];
            let Some(known) = self.cx.block.known(way, &mut WORK.clone()) else { return Ok(false) };
            let number = usize::try_from(known.get_i128(0)).unwrap_or(last).min(last);
            regions.push(&op.regions[if op.name() == "stablehlo.if" { last - number } else { number }]);
        }
        for (&member, region) in members.iter().zip(regions) {
            self.open(member, op, Frame::of(region), &[])?;
        }
        Ok(true)
    }

    /// The program of a region for several processes: it takes the captures of each, then the arguments of each, and
    /// returns what `returned` makes of the results of each.
    fn program(
        &mut self,
        op: &'a IrOp,
        part: &Part<'_, 'a>,
        returned: impl FnOnce(&mut Grid<'_, '_, 'a>, Vec<Vec<Value>>) -> Result<Vec<Value>>,
    ) -> Result<ProgramRef> {
        let Part { name, region, members, captures, arguments } = *part;
        let mut block = Block::new(name);
        block.shapes_vary = self.cx.block.shapes_vary;
        let mut bound: Vec<Values<'a>> = Vec::new();
        for captures in captures {
            captures.enter(&mut block, region);
            bound.push(mem::take(&mut block.bound));
        }
        let mut processes = Vec::new();
        for ((&member, types), mut bound) in members.iter().zip(arguments).zip(bound) {
            let given: Vec<Value> = types.iter().map(|&ty| block.b.param(ty, "")).collect();
            mem::swap(&mut block.bound, &mut bound);
            self.within(member, |cx, _| cx.check_arguments(region, types))?;
            self.cx.lower.bind(&mut block, op, region, &given)?;
            mem::swap(&mut block.bound, &mut bound);
            let Process { place, number, .. } = self.processes[member];
            processes.push(Process::new(op.name().to_owned(), place, number, bound, region));
        }
        // Values that are sent, and data that is fed in, come once: a region may run any number of times.
        let mut inner = Grid {
            cx: &mut Cx { lower: self.cx.lower, block: &mut block, op, real: false },
            processes,
            shape: mem::take(&mut self.shape),
            inside: true,
            sent: FxHashMap::default(),
            infeed: VecDeque::new(),
        };
        inner.run()?;
        if inner.sent.values().any(|channel| !channel.values.is_empty()) {
            return Err(inner.cx.fail("sends values out of a region, which is not supported"));
        }
        let results = inner.processes.iter_mut().map(|p| p.results.take().unwrap_or_default()).collect();
        let results = returned(&mut inner, results)?;
        self.shape = mem::take(&mut inner.shape);
        let last = region.ops.iter().rfind(|op| is_return(op)).unwrap_or(op);
        self.within(members[0], |cx, _| cx.leave(block, last, &results))
    }

    /// The captures of the op's regions, for each process.
    fn captures(&mut self, op: &'a IrOp, members: &[usize]) -> Result<Vec<Captures>> {
        let regions: Vec<&Region> = op.regions.iter().collect();
        members.iter().map(|&member| self.within(member, |cx, _| cx.captures(&regions))).collect()
    }

    fn while_loop(&mut self, op: &'a IrOp, members: &[usize]) -> Result<Vec<Vec<Value>>> {
        let [cond, body] = &op.regions[..] else {
            let message = format!("has two regions, {} are given", op.regions.len());
            return Err(self.cx.lower.module.error(op, message));
        };
        let captures = self.captures(op, members)?;
        let mut carry = Vec::new();
        for &member in members {
            carry.push(self.within(member, |cx, _| cx.operands())?.to_vec());
        }
        let types: Vec<Vec<Type>> =
            carry.iter().map(|values| values.iter().map(|&v| self.cx.ty(v)).collect()).collect();
        let alike = self.counts_alike(op, members)?;
        let part = |name, region| Part { name, region, members, captures: &captures, arguments: &types };
        let cond = self.program(op, &part("cond", cond), |grid, results| {
            let going: Vec<Value> = results.into_iter().flatten().collect();
            if going.len() != members.len() {
                return Err(grid.cx.fail("the condition is one truth value"));
            }
            if !alike {
                let all: Vec<usize> = (0..members.len()).collect();
                grid.agree(op, &all, &going, "take different numbers of steps of")?;
            }
            Ok(vec![going[0]])
        })?;
        let body = self.program(op, &part("body", body), joined)?;
        let mut operands: Vec<Value> = captures.into_iter().flat_map(|c| c.values).collect();
        let consts = operands.len();
        operands.extend(carry.iter().flatten());
        let results = self.cx.push(While { cond, body, consts }, &operands)?;
        Ok(dealt(&results, members.len()))
    }

    fn branches(&mut self, op: &'a IrOp, members: &[usize]) -> Result<Vec<Vec<Value>>> {
        let mut regions: Vec<&Region> = op.regions.iter().collect();
        let mut ways = Vec::new();
        for &member in members {
            ways.push(self.within(member, |cx, _| cx.some::<1>())?[0]);
        }
        let index = if op.name() == "stablehlo.if" {
            if regions.len() != 2 || self.cx.ty(ways[0]) != Type::scalar(DType::Bool) {
                let message = "takes a truth value and has two regions";
                return Err(self.cx.lower.module.error(op, message));
            }
            regions.reverse();
            self.cx.one(Convert { to: DType::I32 }, &[ways[0]])?
        } else {
            ways[0]
        };
        if regions.is_empty() {
            return Err(self.cx.lower.module.error(op, "has no branch"));
        }
        if regions.len() > 1 {
            let ways = self.branch_numbers(ways, regions.len())?;
            self.agree(op, members, &ways, "take different branches of")?;
        }
        let captures = self.captures(op, members)?;
        let none = vec![Vec::new(); members.len()];
        let mut branches = Vec::new();
        for region in regions {
            let part = Part { name: "branch", region, members, captures: &captures, arguments: &none };
            branches.push(self.program(op, &part, joined)?);
        }
        let mut operands = vec![index];
        operands.extend(captures.into_iter().flat_map(|c| c.values));
        let results = self.cx.push(Case { branches }, &operands)?;
        Ok(dealt(&results, members.len()))
    }
}

/// The results of all processes, one process after another.
fn joined(_: &mut Grid<'_, '_, '_>, results: Vec<Vec<Value>>) -> Result<Vec<Value>> {
    Ok(results.into_iter().flatten().collect())
}

/// The values of all processes, listed one process after another, as one list per process.
fn dealt(values: &[Value], processes: usize) -> Vec<Vec<Value>> {
    let each = values.len() / processes;
    (0..processes).map(|p| values[p * each..(p + 1) * each].to_vec()).collect()
}
