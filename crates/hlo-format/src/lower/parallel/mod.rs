//! Functions that run in parallel, on a grid of replicas and partitions, as one program.
//!
//! Each process has its own program values for the values of its function. A process is built until it reaches an
//! exchange; when all processes of the exchange's group have reached it, the values that each receives are computed from
//! the values of all. So an exchange becomes ordinary ops, and a program for many devices runs on one. Calls are
//! entered; processes that exchange values inside a branch or a loop enter it together, or each its own branch where it
//! is known which (`together`).

mod agree;
mod exchange;
mod groups;
mod manual;
mod together;

use std::collections::VecDeque;
use std::iter;
use std::rc::Rc;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::Value;
use rustc_hash::FxHashMap;

use super::block::{Block, Bound, Leaves, Outcome, all};
use super::channels::{Sends, channel, is_transfer};
use super::cx::Cx;
use super::regions::is_return;
use super::{control, types};
use crate::MAX_DEPTH;
use crate::ir::{Attr, IrOp, Region, ValueId};
use manual::Manual;

pub(super) use groups::{Shape, is_exchange};
pub(super) use manual::manual_computation;

/// The most processes: every one is built separately.
pub(super) const MAX_PROCESSES: usize = 1 << 12;

/// The place of a process in the grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub replica: usize,
    pub partition: usize,
}

/// A function, or the region of an op, that is built for a place of the grid.
struct Process<'a> {
    name: String,
    place: Place,
    /// The number of the process in the whole grid, all partitions of the first replica first.
    number: usize,
    bound: FxHashMap<ValueId, Bound<'a>>,
    sends: Sends<'a>,
    /// The regions being built: the function's, then those of the calls inside which the process is.
    frames: Vec<Frame<'a>>,
    results: Option<Vec<Value>>,
}

struct Frame<'a> {
    region: &'a Region,
    /// The index of the next op of the region.
    next: usize,
    /// The manual computation that the region belongs to, if its results have to be joined.
    manual: Option<Rc<Manual>>,
}

impl<'a> Frame<'a> {
    fn of(region: &'a Region) -> Frame<'a> {
        Frame { region, next: 0, manual: None }
    }
}

impl<'a> Process<'a> {
    /// A process at the beginning of a region.
    fn new(
        name: String,
        place: Place,
        number: usize,
        bound: FxHashMap<ValueId, Bound<'a>>,
        region: &'a Region,
    ) -> Self {
        let frames = vec![Frame::of(region)];
        Process { name, place, number, bound, sends: Sends::default(), frames, results: None }
    }

    /// The op that the process has reached.
    fn op(&self) -> Option<&'a IrOp> {
        match self.results {
            Some(_) => None,
            None => self.frames.last().and_then(|frame| frame.region.ops.get(frame.next)),
        }
    }

    /// Whether both have reached one op on the same way, through the same calls and branches.
    fn is_beside(&self, other: &Process<'a>) -> bool {
        let same = |(one, other): (&Frame<'a>, &Frame<'a>)| {
            std::ptr::eq(one.region, other.region) && one.next == other.next
        };
        self.frames.len() == other.frames.len()
            && self.results.is_none()
            && other.results.is_none()
            && iter::zip(&self.frames, &other.frames).all(same)
    }

    /// The manual computation whose end the process has reached.
    fn at_end_of(&self) -> Option<&Rc<Manual>> {
        self.op().filter(|op| is_return(op)).and(self.frames.last()?.manual.as_ref())
    }
}

/// Whether an op of this name stands for a region that a process runs once, which is built where the op stands.
fn is_entered(name: &str) -> bool {
    matches!(
        name,
        "func.call"
            | "sdy.manual_computation"
            | "sdy.named_computation"
            | "stablehlo.async_start"
            | "stablehlo.composite"
    )
}

/// The values that one process has sent to another and that it has not yet received.
struct Channel {
    from: usize,
    to: Option<usize>,
    values: VecDeque<Vec<Value>>,
}

/// The grid while it is built, or the processes of it that are in a branch or a loop together.
struct Grid<'c, 'b, 'a> {
    cx: &'c mut Cx<'b, 'a>,
    /// The processes, by their numbers.
    processes: Vec<Process<'a>>,
    shape: Shape,
    /// Whether the processes are in a branch or a loop, which may never run.
    inside: bool,
    /// The values sent over each channel.
    sent: FxHashMap<i64, Channel>,
    /// The functions whose results are still to be fed in, in order.
    infeed: VecDeque<String>,
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
            None => Some(VecDeque::new()),
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
        for (number, name) in names.into_iter().flatten().enumerate() {
            let function = cx.lower.find(cx.op, &name)?;
            let Some(region) = function.regions.first() else {
                return Err(cx.lower.module.error(function, "has no body"));
            };
            let mut bound = FxHashMap::default();
            for &arg in &region.args {
                let leaves: Leaves = given.next().ok_or_else(|| cx.fail("too few arguments are given"))?;
                bound.insert(arg, Bound::Values(leaves));
            }
            let place = Place { replica: number / partitions, partition: number % partitions };
            processes.push(Process::new(name, place, number, bound, region));
        }
        if given.next().is_some() {
            return Err(cx.fail("more arguments are given than the functions take"));
        }
        let shape = Shape::new(replicas, partitions);
        Ok(Grid { cx, processes, shape, inside: false, sent: FxHashMap::default(), infeed })
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
                moved |= self.together(process)?;
            }
            if !moved {
                return Err(self.standstill());
            }
        }
        self.cx.lower.depth -= 1;
        Ok(())
    }

    /// The error that no process can go on, at the op that the first of them has reached.
    fn standstill(&self) -> Error {
        let waiting = self.processes.iter().filter_map(|p| Some((p, p.op()?)));
        let said: Vec<String> = waiting
            .clone()
            .map(|(p, op)| {
                let Place { replica, partition } = p.place;
                format!("{} ({replica}, {partition}) at {}", p.name, op.name())
            })
            .collect();
        let message = format!("processes wait for each other for ever: {}", said.join(", "));
        match waiting.clone().next() {
            Some((_, op)) => self.cx.lower.module.error(op, message),
            None => self.cx.fail(message),
        }
    }

    /// Runs `work` with the values of a process bound.
    fn within<T>(
        &mut self,
        process: usize,
        work: impl FnOnce(&mut Cx<'_, 'a>, &'a IrOp) -> Result<T>,
    ) -> Result<T> {
        let Process { place, .. } = self.processes[process];
        let Some(op) = self.processes[process].op() else {
            return Err(self.cx.fail("a function has no op that ends it"));
        };
        let block: &mut Block<'a> = self.cx.block;
        let before = self.cx.lower.place.replace(place);
        std::mem::swap(&mut block.bound, &mut self.processes[process].bound);
        std::mem::swap(&mut block.sends, &mut self.processes[process].sends);
        let outcome = work(&mut Cx { lower: self.cx.lower, block, op, real: false }, op);
        std::mem::swap(&mut self.cx.block.bound, &mut self.processes[process].bound);
        std::mem::swap(&mut self.cx.block.sends, &mut self.processes[process].sends);
        self.cx.lower.place = before;
        outcome
    }

    /// Whether processes exchange values inside an op.
    fn has_exchange_inside(&mut self, op: &IrOp) -> bool {
        op.name() == "sdy.manual_computation" || self.cx.lower.mentions(op).exchange
    }

    /// Builds a process until it ends or needs others; whether it advanced.
    fn advance(&mut self, process: usize) -> Result<bool> {
        let mut moved = false;
        while let Some(op) = self.processes[process].op() {
            match op.name() {
                _ if is_return(op) => {
                    if self.processes[process].at_end_of().is_some() {
                        return Ok(moved);
                    }
                    let results = self.within(process, |cx, _| cx.operands())?;
                    self.leave(process, &results)?;
                }
                "stablehlo.send" if !is_transfer(op) => {
                    let values = self.within(process, |cx, _| cx.operands())?;
                    self.send(process, op, values.to_vec())?;
                    self.finish(process, &[])?;
                }
                "stablehlo.recv" if !is_transfer(op) => {
                    let Some(values) = self.receive(process, op)? else { return Ok(moved) };
                    self.finish(process, &values)?;
                }
                "stablehlo.infeed" => {
                    let Some(name) = self.infeed.pop_front() else {
                        return Err(self.cx.lower.module.error(op, "nothing more is fed in"));
                    };
                    let fed = self.within(process, |cx, _| control::call_function_with(cx, &name, &[]))?;
                    let values: Vec<Value> = fed.into_iter().flatten().collect();
                    self.finish(process, &values)?;
                }
                "stablehlo.outfeed" => self.finish(process, &[])?,
                _ if is_exchange(op) => return Ok(moved),
                name if self.has_exchange_inside(op) => match is_entered(name) {
                    true => self.enter(process, op)?,
                    false => return Ok(moved),
                },
                _ => {
                    self.within(process, |cx, op| cx.lower.op(cx.block, op))?;
                    self.passed(process);
                }
            }
            moved = true;
        }
        Ok(moved)
    }

    /// Enters the region that an op stands for: see [`is_entered`].
    fn enter(&mut self, process: usize, op: &'a IrOp) -> Result<()> {
        let called = |grid: &mut Self, name: &str| {
            let callee = grid.within(process, |cx, _| cx.symbol(name))?;
            let function = grid.cx.lower.find(op, &callee)?;
            let region = function.regions.first();
            region.ok_or_else(|| grid.cx.lower.module.error(function, "has no body"))
        };
        let region = match op.name() {
            "func.call" => called(self, "callee")?,
            "stablehlo.composite" => called(self, "decomposition")?,
            "sdy.manual_computation" => return self.manual(process, op),
            _ => self.within(process, |cx, _| cx.only_region())?,
        };
        let given = self.within(process, |cx, _| cx.operands())?;
        self.open(process, op, Frame::of(region), &given)
    }

    /// Binds the arguments of a region, whose ops are the next that the process builds.
    fn open(&mut self, process: usize, op: &'a IrOp, frame: Frame<'a>, given: &[Value]) -> Result<()> {
        self.cx.lower.count(op)?;
        if self.cx.lower.depth + self.processes[process].frames.len() >= MAX_DEPTH {
            let message = format!("regions and calls nest more than {MAX_DEPTH} deep");
            return Err(self.cx.lower.module.error(op, message));
        }
        let region = frame.region;
        self.within(process, |cx, _| {
            let types: Vec<Type> = given.iter().map(|&v| cx.ty(v)).collect();
            cx.check_arguments(region, &types)?;
            cx.lower.bind(cx.block, op, region, given)
        })?;
        self.processes[process].frames.push(frame);
        Ok(())
    }

    /// Leaves the innermost region of a process with its results.
    fn leave(&mut self, process: usize, results: &[Value]) -> Result<()> {
        let left = &mut self.processes[process];
        if left.frames.len() == 1 {
            left.sends.check_received(self.cx.lower.module)?;
            left.results = Some(results.to_vec());
            return Ok(());
        }
        left.frames.pop();
        self.finish(process, results)
    }

    /// Binds the results of the op that a process has reached, and advances the process.
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
        self.passed(process);
        Ok(())
    }

    /// Advances a process past the op that it has reached.
    fn passed(&mut self, process: usize) {
        if let Some(frame) = self.processes[process].frames.last_mut() {
            frame.next += 1;
        }
    }

    /// Sends values over the op's channel, which leads from one process to one other.
    fn send(&mut self, process: usize, op: &IrOp, values: Vec<Value>) -> Result<()> {
        let from = self.processes[process].number;
        let channel = self.sent.entry(channel(op)).or_insert_with(|| Channel {
            from,
            to: None,
            values: VecDeque::new(),
        });
        if channel.from != from {
            let message = format!(
                "processes {} and {from} send over one channel: the one to receive from is not stated",
                channel.from
            );
            return Err(self
                .cx
                .lower
                .module
                .error(op, message)
                .help("give each sender a channel of its own"));
        }
        channel.values.push_back(values);
        Ok(())
    }

    /// The values that come next over the op's channel, if they were sent.
    fn receive(&mut self, process: usize, op: &IrOp) -> Result<Option<Vec<Value>>> {
        let number = self.processes[process].number;
        let Some(channel) = self.sent.get_mut(&channel(op)) else { return Ok(None) };
        let to = *channel.to.get_or_insert(number);
        if to != number {
            let message = format!("processes {to} and {number} receive over one channel");
            return Err(self
                .cx
                .lower
                .module
                .error(op, message)
                .help("give each receiver a channel of its own"));
        }
        Ok(channel.values.pop_front())
    }
}
