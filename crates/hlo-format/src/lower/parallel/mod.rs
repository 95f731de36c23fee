//! Functions that run in parallel, on a grid of replicas and partitions, as one program.
//!
//! Each process has its own program values for the values of its function. A process is built until it needs the
//! others; when all of a group have reached their exchange, the values that each receives are computed from the
//! values of all. So an exchange becomes ordinary ops, and a program for many devices runs on one. All processes
//! enter control flow that contains exchanges together.

mod exchange;
mod manual;
mod sharding;
mod together;

use std::iter;

use jarrah_base::Result;
use jarrah_hlo::Value;
use rustc_hash::FxHashMap;

use super::block::{Block, Bound, Leaves, Outcome, all};
use super::cx::Cx;
use super::regions::is_return;
use super::{control, types};
use crate::MAX_DEPTH;
use crate::ir::{Attr, Op, Region, ValueId};
use exchange::channel;

pub(super) use exchange::is_exchange;
pub(super) use manual::manual_computation;

/// The most processes: every one is built separately.
const MAX_PROCESSES: usize = 1 << 12;

/// The place of a process in the grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub replica: usize,
    pub partition: usize,
}

/// A function, or the region of an op, that is built for a place of the grid.
struct Process<'a> {
    name: String,
    region: &'a Region,
    place: Place,
    bound: FxHashMap<ValueId, Bound<'a>>,
    /// The index of the next op of the region.
    next: usize,
    results: Option<Vec<Value>>,
}

impl<'a> Process<'a> {
    fn op(&self) -> Option<&'a Op> {
        match self.results {
            Some(_) => None,
            None => self.region.ops.get(self.next),
        }
    }
}

/// The grid while it is built.
struct Grid<'c, 'b, 'a> {
    cx: &'c mut Cx<'b, 'a>,
    /// The processes row by row: all partitions of the first replica come first.
    processes: Vec<Process<'a>>,
    replicas: usize,
    partitions: usize,
    /// The values sent over each channel and not yet received.
    sent: FxHashMap<i64, Vec<Vec<Value>>>,
    /// The functions whose results are still to be fed in, in order.
    infeed: Vec<String>,
}

/// `interpreter.run_parallel`: the results of all processes, one process after another.
pub(super) fn run(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let mut grid = Grid::of_functions(cx)?;
    grid.run()?;
    let results: Vec<Value> = grid.processes.into_iter().filter_map(|p| p.results).flatten().collect();
    Ok(all(&results))
}

fn symbol(attr: &Attr) -> Option<String> {
    match attr {
        Attr::Symbol(path) => Some(path.join("::")),
        Attr::String(name) => Some((**name).to_owned()),
        _ => None,
    }
}

impl<'c, 'b, 'a> Grid<'c, 'b, 'a> {
    /// The grid of the functions that the op names.
    fn of_functions(cx: &'c mut Cx<'b, 'a>) -> Result<Self> {
        let wrong = "`programs` is no list of lists of functions, one list for each replica";
        let Attr::Array(rows) = cx.attr("programs")? else { return Err(cx.fail(wrong)) };
        let mut names = Vec::new();
        for row in rows {
            let Attr::Array(row) = row else { return Err(cx.fail(wrong)) };
            let row: Option<Vec<String>> = row.iter().map(symbol).collect();
            names.push(row.ok_or_else(|| cx.fail(wrong))?);
        }
        let (replicas, partitions) = (names.len(), names.first().map_or(0, Vec::len));
        if names.iter().any(|row| row.len() != partitions)
            || replicas.saturating_mul(partitions) > MAX_PROCESSES
        {
            return Err(cx.fail(wrong));
        }
        let infeed = match cx.op.attr("infeed") {
            None => Some(Vec::new()),
            Some(Attr::Array(all)) => all.iter().map(symbol).collect(),
            Some(_) => None,
        };
        let infeed = infeed.ok_or_else(|| cx.fail("`infeed` is no list of functions"))?;
        let mut given = Vec::new();
        for i in 0..cx.op.operands.len() {
            given.push(cx.leaves(i)?);
        }
        let mut given = given.into_iter();
        let mut processes = Vec::new();
        for (replica, row) in names.into_iter().enumerate() {
            for (partition, name) in row.into_iter().enumerate() {
                let function = cx.lower.find(cx.op, &name)?;
                let Some(region) = function.regions.first() else {
                    return Err(cx.lower.module.error(function, "has no body"));
                };
                let mut bound = FxHashMap::default();
                for &arg in &region.args {
                    let leaves: Leaves =
                        given.next().ok_or_else(|| cx.fail("too few arguments are given"))?;
                    bound.insert(arg, Bound::Values(leaves));
                }
                let place = Place { replica, partition };
                processes.push(Process { name, region, place, bound, next: 0, results: None });
            }
        }
        if given.next().is_some() {
            return Err(cx.fail("more arguments are given than the functions take"));
        }
        Ok(Grid { cx, processes, replicas, partitions, sent: FxHashMap::default(), infeed })
    }

    /// Builds all processes to their end.
    fn run(&mut self) -> Result<()> {
        // A function of the grid may run another grid, even one that contains itself.
        if self.cx.lower.depth >= MAX_DEPTH {
            return Err(self.cx.fail(format!("regions and calls nest more than {MAX_DEPTH} deep")));
        }
        self.cx.lower.depth += 1;
        while self.processes.iter().any(|p| p.results.is_none()) {
            let mut moved = false;
            for process in 0..self.processes.len() {
                moved |= self.advance(process)?;
            }
            for process in 0..self.processes.len() {
                moved |= self.exchange(process)?;
            }
            moved |= self.together()?;
            if !moved {
                return Err(self.cx.fail(self.standstill()));
            }
        }
        self.cx.lower.depth -= 1;
        Ok(())
    }

    fn standstill(&self) -> String {
        let waiting: Vec<String> = self
            .processes
            .iter()
            .filter_map(|p| {
                let Place { replica, partition } = p.place;
                Some(format!("{} ({replica}, {partition}) at {}", p.name, p.op()?.name()))
            })
            .collect();
        format!("every process waits for others: {}", waiting.join(", "))
    }

    /// Runs `work` with the values of a process bound.
    fn within<T>(
        &mut self,
        process: usize,
        work: impl FnOnce(&mut Cx<'_, 'a>, &'a Op) -> Result<T>,
    ) -> Result<T> {
        let Process { place, .. } = self.processes[process];
        let Some(op) = self.processes[process].op() else {
            return Err(self.cx.fail("a function has no op that ends it"));
        };
        let block: &mut Block<'a> = self.cx.block;
        let before = self.cx.lower.place.replace(place);
        std::mem::swap(&mut block.bound, &mut self.processes[process].bound);
        let outcome = work(&mut Cx { lower: self.cx.lower, block, op, real: false }, op);
        std::mem::swap(&mut self.cx.block.bound, &mut self.processes[process].bound);
        self.cx.lower.place = before;
        outcome
    }

    /// Builds a process until it ends or needs the others; whether it advanced.
    fn advance(&mut self, process: usize) -> Result<bool> {
        let mut moved = false;
        while let Some(op) = self.processes[process].op() {
            match op.name() {
                _ if is_return(op) => {
                    let results = self.within(process, |cx, _| cx.operands())?;
                    self.processes[process].results = Some(results.to_vec());
                    return Ok(true);
                }
                "stablehlo.send" => {
                    let values = self.within(process, |cx, _| cx.operands())?;
                    self.sent.entry(channel(op)).or_default().push(values.to_vec());
                    self.finish(process, &[])?;
                }
                "stablehlo.recv" => {
                    let queue = self.sent.entry(channel(op)).or_default();
                    if queue.is_empty() {
                        return Ok(moved);
                    }
                    let values = queue.remove(0);
                    self.finish(process, &values)?;
                }
                "stablehlo.infeed" => {
                    if self.infeed.is_empty() {
                        return Err(self.cx.lower.module.error(op, "nothing more is fed in"));
                    }
                    let name = self.infeed.remove(0);
                    let fed = self.within(process, |cx, _| control::call_function_with(cx, &name, &[]))?;
                    let values: Vec<Value> = fed.into_iter().flatten().collect();
                    self.finish(process, &values)?;
                }
                "stablehlo.outfeed" => self.finish(process, &[])?,
                name if is_exchange(name) || self.needs_all(op) => return Ok(moved),
                _ => {
                    self.within(process, |cx, op| cx.lower.op(cx.block, op))?;
                    self.processes[process].next += 1;
                }
            }
            moved = true;
        }
        Ok(moved)
    }

    /// Binds the results of the next op of a process, and advances the process.
    fn finish(&mut self, process: usize, values: &[Value]) -> Result<()> {
        self.within(process, |cx, op| {
            let mut values = values.iter().copied();
            for &result in &op.results {
                let stated = types::leaves(cx.lower.module, op, cx.lower.module.ty(result))?;
                let leaves: Leaves = values.by_ref().take(stated.len()).collect();
                let fits = |(stated, &value): (&types::Leaf<'_>, &Value)| stated.admits(cx.block.b.ty(value));
                if leaves.len() != stated.len() || !iter::zip(&stated, &leaves).all(fits) {
                    return Err(cx.fail("what arrives is not of the stated type"));
                }
                cx.block.bound.insert(result, Bound::Values(leaves));
            }
            Ok(())
        })?;
        self.processes[process].next += 1;
        Ok(())
    }
}
