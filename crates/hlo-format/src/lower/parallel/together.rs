//! Control flow that contains exchanges, which all processes enter together.
//!
//! The loops of all processes become one loop that carries the values of all. Since they exchange values in each
//! step, they all take the same number of steps, and the first process's condition decides it.

use std::{mem, ptr};

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::ops::{Case, Convert, While};
use jarrah_hlo::{ProgramRef, Value};
use rustc_hash::FxHashMap;

use super::{Grid, Process};
use crate::ir::{Op, Region, ValueId};
use crate::lower::block::{Block, Bound};
use crate::lower::cx::Cx;
use crate::lower::regions::{Captures, is_return};

type Values<'a> = FxHashMap<ValueId, Bound<'a>>;

impl<'a> Grid<'_, '_, 'a> {
    /// Whether an op has to be built for all processes at once.
    pub(super) fn needs_all(&mut self, op: &Op) -> bool {
        op.name() == "sdy.manual_computation" || self.cx.lower.mentions(op).exchange
    }

    /// Builds the op that all processes have reached, if it is one op that needs all; whether it did.
    pub(super) fn together(&mut self) -> Result<bool> {
        let Some(op) = self.processes.first().and_then(Process::op) else { return Ok(false) };
        let there = |p: &Process<'_>| p.op().is_some_and(|other| ptr::eq(op, other));
        if !self.needs_all(op) || !self.processes.iter().all(there) {
            return Ok(false);
        }
        self.cx.lower.count(op)?;
        let source = self.cx.lower.source(op);
        self.cx.b().set_source(source);
        let results = match op.name() {
            "stablehlo.while" => self.while_loop(op)?,
            "stablehlo.case" | "stablehlo.if" => self.branches(op)?,
            "func.call" => self.call(op, "callee")?,
            "stablehlo.composite" => self.call(op, "decomposition")?,
            "sdy.named_computation" => self.inlined(op)?,
            "sdy.manual_computation" => self.manual(op)?,
            _ => {
                let message = "has an exchange between processes inside, which is not supported";
                return Err(self.cx.lower.module.error(op, message));
            }
        };
        for (process, values) in results.iter().enumerate() {
            self.finish(process, values)?;
        }
        Ok(true)
    }

    /// The operands of each process's op.
    pub(super) fn operands(&mut self) -> Result<Vec<Vec<Value>>> {
        (0..self.processes.len()).map(|p| Ok(self.within(p, |cx, _| cx.operands())?.to_vec())).collect()
    }

    fn call(&mut self, op: &'a Op, name: &str) -> Result<Vec<Vec<Value>>> {
        let callee = self.within(0, |cx, _| cx.symbol(name))?;
        let function = self.cx.lower.find(op, &callee)?;
        let Some(region) = function.regions.first() else {
            return Err(self.cx.lower.module.error(function, "has no body"));
        };
        let given = self.operands()?;
        self.enter(op, region, &given)
    }

    pub(super) fn inlined(&mut self, op: &'a Op) -> Result<Vec<Vec<Value>>> {
        let region = self.within(0, |cx, _| cx.only_region())?;
        let given = self.operands()?;
        self.enter(op, region, &given)
    }

    /// Builds a region for every process, in the program at hand, with these arguments.
    pub(super) fn enter(
        &mut self,
        op: &'a Op,
        region: &'a Region,
        given: &[Vec<Value>],
    ) -> Result<Vec<Vec<Value>>> {
        let mut bound = Vec::new();
        for (p, values) in given.iter().enumerate() {
            self.within(p, |cx, _| {
                let types: Vec<Type> = values.iter().map(|&v| cx.ty(v)).collect();
                cx.check_arguments(region, &types)?;
                cx.lower.bind(cx.block, op, region, values)
            })?;
            bound.push(mem::take(&mut self.processes[p].bound));
        }
        let places = self.processes.iter().map(|p| p.place).collect::<Vec<_>>();
        let mut processes = Vec::new();
        for (place, bound) in places.into_iter().zip(bound) {
            processes.push(Process { name: op.name().into(), region, place, bound, next: 0, results: None });
        }
        let Grid { replicas, partitions, .. } = *self;
        let cx = &mut Cx { lower: self.cx.lower, block: self.cx.block, op, real: false };
        let (sent, infeed) = (mem::take(&mut self.sent), mem::take(&mut self.infeed));
        let mut inner = Grid { cx, processes, replicas, partitions, sent, infeed };
        inner.run()?;
        let Grid { processes, sent, infeed, .. } = inner;
        (self.sent, self.infeed) = (sent, infeed);
        let mut results = Vec::new();
        for (outer, inner) in self.processes.iter_mut().zip(processes) {
            outer.bound = inner.bound;
            results.push(inner.results.unwrap_or_default());
        }
        Ok(results)
    }

    /// The program of a region for all processes: it takes the captures of each, then the arguments of each, and
    /// returns the results of the first `returning` processes.
    fn program(
        &mut self,
        op: &'a Op,
        name: &str,
        region: &'a Region,
        captures: &[Captures],
        arguments: &[Vec<Type>],
        returning: usize,
    ) -> Result<ProgramRef> {
        let mut block = Block::new(name);
        block.shapes_vary = self.cx.block.shapes_vary;
        let mut bound: Vec<Values<'a>> = Vec::new();
        for captures in captures {
            captures.enter(&mut block, region);
            bound.push(mem::take(&mut block.bound));
        }
        let mut given = Vec::new();
        for types in arguments {
            given.push(types.iter().map(|&ty| block.b.param(ty, "")).collect::<Vec<_>>());
        }
        let outer = mem::replace(self.cx.block, block);
        for (process, bound) in self.processes.iter_mut().zip(&mut bound) {
            mem::swap(&mut process.bound, bound);
        }
        let results = self.enter(op, region, &given)?;
        for (process, bound) in self.processes.iter_mut().zip(bound) {
            process.bound = bound;
        }
        let block = mem::replace(self.cx.block, outer);
        let last = region.ops.iter().rfind(|op| is_return(op)).unwrap_or(op);
        let results: Vec<Value> = results.into_iter().take(returning).flatten().collect();
        self.within(0, |cx, _| cx.leave(block, last, &results))
    }

    /// The captures of the op's regions, for every process.
    fn captures(&mut self, op: &'a Op) -> Result<Vec<Captures>> {
        let regions: Vec<&Region> = op.regions.iter().collect();
        (0..self.processes.len()).map(|p| self.within(p, |cx, _| cx.captures(&regions))).collect()
    }

    fn while_loop(&mut self, op: &'a Op) -> Result<Vec<Vec<Value>>> {
        let [cond, body] = &op.regions[..] else {
            let message = format!("has two regions, {} are given", op.regions.len());
            return Err(self.cx.lower.module.error(op, message));
        };
        let captures = self.captures(op)?;
        let carry = self.operands()?;
        let types: Vec<Vec<Type>> =
            carry.iter().map(|values| values.iter().map(|&v| self.cx.ty(v)).collect()).collect();
        let cond = self.program(op, "cond", cond, &captures, &types, 1)?;
        let body = self.program(op, "body", body, &captures, &types, carry.len())?;
        let mut operands: Vec<Value> = captures.into_iter().flat_map(|c| c.values).collect();
        let consts = operands.len();
        operands.extend(carry.iter().flatten());
        let results = self.cx.push(While { cond, body, consts }, &operands)?;
        Ok(dealt(&results, self.processes.len()))
    }

    fn branches(&mut self, op: &'a Op) -> Result<Vec<Vec<Value>>> {
        let index = self.within(0, |cx, _| cx.some::<1>())?[0];
        let mut regions: Vec<&Region> = op.regions.iter().collect();
        let index = if op.name() == "stablehlo.if" {
            regions.reverse();
            self.cx.one(Convert { to: DType::I32 }, &[index])?
        } else {
            index
        };
        let captures = self.captures(op)?;
        let none = vec![Vec::new(); self.processes.len()];
        let mut branches = Vec::new();
        for region in regions {
            branches.push(self.program(op, "branch", region, &captures, &none, none.len())?);
        }
        let mut operands = vec![index];
        operands.extend(captures.into_iter().flat_map(|c| c.values));
        let results = self.cx.push(Case { branches }, &operands)?;
        Ok(dealt(&results, self.processes.len()))
    }
}

/// The values of all processes, listed one process after another, as one list per process.
fn dealt(values: &[Value], processes: usize) -> Vec<Vec<Value>> {
    let each = values.len() / processes;
    (0..processes).map(|p| values[p * each..(p + 1) * each].to_vec()).collect()
}
