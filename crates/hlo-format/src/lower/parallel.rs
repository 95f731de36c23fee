//! Functions that run side by side, on a grid of replicas and partitions, as one program.
//!
//! Each process has its own values for the values of its function. A process runs until it needs the others; when all
//! of a group have come to their exchange, what each of them gets is computed from what all of them brought. So an
//! exchange becomes ordinary ops, and a program of many devices runs on one.

use jarrah_base::{DType, Literal, Result};
use jarrah_hlo::Value;
use jarrah_hlo::ops::Comparison;
use rustc_hash::FxHashMap;

use super::block::{Block, Bound, Leaves, Outcome, all};
use super::cx::Cx;
use super::{control, types};
use crate::MAX_DEPTH;
use crate::ir::{Attr, Op, ValueId};

/// More processes than this are no test of anything.
const MAX_PROCESSES: usize = 1 << 12;

/// A function at a place of the grid.
struct Process<'a> {
    name: String,
    function: &'a Op,
    replica: usize,
    partition: usize,
    bound: FxHashMap<ValueId, Bound<'a>>,
    /// The op of the function that comes next.
    next: usize,
    results: Option<Vec<Value>>,
}

impl<'a> Process<'a> {
    fn op(&self) -> Option<&'a Op> {
        match self.results {
            Some(_) => None,
            None => self.function.regions.first()?.ops.get(self.next),
        }
    }
}

/// The grid while it runs.
struct Grid<'c, 'b, 'a> {
    cx: &'c mut Cx<'b, 'a>,
    processes: Vec<Process<'a>>,
    replicas: usize,
    partitions: usize,
    /// What was sent over a channel and not received.
    sent: FxHashMap<i64, Vec<Vec<Value>>>,
    /// The functions that make what is fed in, the first of which comes next.
    infeed: Vec<String>,
}

/// `interpreter.run_parallel`: the results of all processes, one after another.
pub(super) fn run(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    // A function of the grid may run a grid of its own, even one that it stands in.
    if cx.lower.depth >= MAX_DEPTH {
        return Err(cx.fail(format!("regions and calls nest more than {MAX_DEPTH} deep")));
    }
    cx.lower.depth += 1;
    let outcome = side_by_side(cx);
    cx.lower.depth -= 1;
    outcome
}

fn side_by_side(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let mut grid = Grid::new(cx)?;
    while grid.processes.iter().any(|p| p.results.is_none()) {
        let mut moved = false;
        for process in 0..grid.processes.len() {
            moved |= grid.advance(process)?;
        }
        for process in 0..grid.processes.len() {
            moved |= grid.exchange(process)?;
        }
        if !moved {
            let waiting: Vec<String> = grid
                .processes
                .iter()
                .filter_map(|p| {
                    Some(format!("@{} ({}, {}) at {}", p.name, p.replica, p.partition, p.op()?.name()))
                })
                .collect();
            return Err(grid.cx.fail(format!("every process waits for others: {}", waiting.join(", "))));
        }
    }
    let results = grid.processes.into_iter().filter_map(|p| p.results).flatten().collect::<Vec<_>>();
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
    fn new(cx: &'c mut Cx<'b, 'a>) -> Result<Self> {
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
                let args = function.regions.first().map_or(&[][..], |r| &r.args);
                let mut bound = FxHashMap::default();
                for &arg in args {
                    let leaves: Leaves =
                        given.next().ok_or_else(|| cx.fail("too few arguments are given"))?;
                    bound.insert(arg, Bound::Values(leaves));
                }
                let process = Process { name, function, replica, partition, bound, next: 0, results: None };
                processes.push(process);
            }
        }
        if given.next().is_some() {
            return Err(cx.fail("more arguments are given than the functions take"));
        }
        Ok(Grid { cx, processes, replicas, partitions, sent: FxHashMap::default(), infeed })
    }

    /// Runs `work` with the values of a process in the place of those of the module.
    fn within<T>(
        &mut self,
        process: usize,
        work: impl FnOnce(&mut Cx<'_, 'a>, &'a Op) -> Result<T>,
    ) -> Result<T> {
        let Some(op) = self.processes[process].op() else {
            return Err(self.cx.fail("a function has no op that ends it"));
        };
        let block: &mut Block<'a> = self.cx.block;
        std::mem::swap(&mut block.bound, &mut self.processes[process].bound);
        let outcome = work(&mut Cx { lower: self.cx.lower, block, op, real: false }, op);
        std::mem::swap(&mut self.cx.block.bound, &mut self.processes[process].bound);
        outcome
    }

    /// Runs a process until it ends or needs others; whether it got anywhere.
    fn advance(&mut self, process: usize) -> Result<bool> {
        let mut moved = false;
        while let Some(op) = self.processes[process].op() {
            match op.name() {
                "func.return" => {
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
                "stablehlo.replica_id" | "stablehlo.partition_id" => {
                    let Process { replica, partition, .. } = self.processes[process];
                    let number = if op.name() == "stablehlo.replica_id" { replica } else { partition };
                    let value = self.cx.constant(Literal::scalar(number as u32))?;
                    self.finish(process, &[value])?;
                }
                name if is_exchange(name) => return Ok(moved),
                _ => {
                    self.within(process, |cx, op| cx.lower.op(cx.block, op))?;
                    self.processes[process].next += 1;
                }
            }
            moved = true;
        }
        Ok(moved)
    }

    /// Binds the results of the op at which a process stands, and moves it on.
    fn finish(&mut self, process: usize, values: &[Value]) -> Result<()> {
        self.within(process, |cx, op| {
            let mut values = values.iter().copied();
            for &result in &op.results {
                let stated = types::leaves(cx.lower.module, op, cx.lower.module.ty(result))?;
                let leaves: Leaves = values.by_ref().take(stated.len()).collect();
                let fits = |(stated, &value): (&types::Leaf<'_>, &Value)| stated.admits(cx.block.b.ty(value));
                if leaves.len() != stated.len() || !stated.iter().zip(&leaves).all(fits) {
                    return Err(cx.fail("what arrives is not of the stated type"));
                }
                cx.block.bound.insert(result, Bound::Values(leaves));
            }
            Ok(())
        })?;
        self.processes[process].next += 1;
        Ok(())
    }

    /// Lets the group of a process exchange what they brought, if all of them are there.
    fn exchange(&mut self, process: usize) -> Result<bool> {
        let Some(op) = self.processes[process].op().filter(|op| is_exchange(op.name())) else {
            return Ok(false);
        };
        let group = self.group(process, op)?;
        let there = |&p: &usize| self.processes[p].op().is_some_and(|other| other.name() == op.name());
        if !group.iter().all(there) {
            return Ok(false);
        }
        let mut brought = Vec::new();
        for &member in &group {
            brought.push(self.within(member, |cx, _| cx.operands())?.to_vec());
        }
        let received = self.exchanged(op, &group, &brought)?;
        for (&member, values) in group.iter().zip(&received) {
            self.finish(member, values)?;
        }
        Ok(true)
    }

    /// The processes that take part in the exchange at which `process` stands, in the order of their group.
    fn group(&self, process: usize, op: &'a Op) -> Result<Vec<usize>> {
        let Process { replica, partition, .. } = self.processes[process];
        let at = |replica: usize, partition: usize| replica * self.partitions + partition;
        let fail = |message: &str| self.cx.lower.module.error(op, message);
        let over_channel = channel(op) > 0;
        let column = || (0..self.replicas).map(|r| at(r, partition)).collect::<Vec<_>>();
        let row = || (0..self.partitions).map(|p| at(replica, p)).collect::<Vec<_>>();
        if op.name() == "stablehlo.collective_permute" {
            return Ok(if over_channel { row() } else { column() });
        }
        let groups = replica_groups(op).ok_or_else(|| fail("`replica_groups` is no list of lists"))?;
        let global = matches!(op.attr("use_global_device_ids"), Some(Attr::Unit | Attr::Bool(true)));
        let by_partition = matches!(
            op.name(),
            "stablehlo.all_to_all" | "stablehlo.collective_broadcast" | "stablehlo.collective_reduce"
        );
        let (own, count) = match (over_channel, global) {
            (true, true) => (process, self.replicas * self.partitions),
            (true, false) if by_partition => (partition, self.partitions),
            _ => (replica, self.replicas),
        };
        let everyone = (0..count).collect();
        let numbers = match groups.into_iter().find(|g| g.contains(&own)) {
            Some(numbers) => numbers,
            None if replica_groups(op).is_some_and(|g| g.is_empty()) => everyone,
            None => return Ok(vec![process]),
        };
        if numbers.iter().any(|&n| n >= count) {
            return Err(fail("`replica_groups` names a process that is not there"));
        }
        Ok(match (over_channel, global) {
            (true, true) => numbers,
            (true, false) if by_partition => numbers.into_iter().map(|p| at(replica, p)).collect(),
            (true, false) => {
                let partitions = 0..self.partitions;
                partitions.flat_map(|p| numbers.iter().map(move |&r| at(r, p))).collect()
            }
            _ => numbers.into_iter().map(|r| at(r, partition)).collect(),
        })
    }

    /// What each member of a group gets.
    fn exchanged(&mut self, op: &'a Op, group: &[usize], brought: &[Vec<Value>]) -> Result<Vec<Vec<Value>>> {
        let first = group[0];
        let dynamic_root = matches!(op.attr("has_dynamic_root"), Some(Attr::Bool(true) | Attr::Unit));
        let count = brought[0].len() - usize::from(dynamic_root);
        if brought.iter().any(|values| values.len() != brought[0].len()) {
            return Err(self.cx.lower.module.error(op, "the processes bring different numbers of values"));
        }
        let alone =
            replica_groups(op).is_some_and(|groups| !groups.is_empty() && !self.named(first, op, &groups));
        let mut received = vec![Vec::new(); group.len()];
        for j in 0..count {
            let values: Vec<Value> = brought.iter().map(|b| b[j]).collect();
            let root = dynamic_root.then(|| (brought[0][count], j));
            let each = match op.name() {
                "stablehlo.all_gather" => {
                    let joined = self.within(first, |cx, _| {
                        let axis = cx.size("all_gather_dim")?;
                        cx.b().concatenate(&values, axis)
                    })?;
                    vec![joined; group.len()]
                }
                "stablehlo.all_reduce" | "stablehlo.cross-replica-sum" => {
                    vec![self.reduced(first, &values)?; group.len()]
                }
                "stablehlo.reduce_scatter" => {
                    let sum = self.reduced(first, &values)?;
                    self.within(first, |cx, _| {
                        let axis = cx.size("scatter_dimension")?;
                        parts(cx, sum, axis, values.len())
                    })?
                }
                "stablehlo.all_to_all" => self.within(first, |cx, _| {
                    let (split, concat) = (cx.size("split_dimension")?, cx.size("concat_dimension")?);
                    let mut pieces = Vec::new();
                    for &value in &values {
                        pieces.push(parts(cx, value, split, values.len())?);
                    }
                    let gathered = (0..values.len()).map(|i| {
                        let own: Vec<Value> = pieces.iter().map(|p| p[i]).collect();
                        cx.b().concatenate(&own, concat)
                    });
                    gathered.collect::<Result<Vec<_>>>()
                })?,
                "stablehlo.collective_permute" => self.permuted(op, group, &values)?,
                "stablehlo.collective_broadcast" if !alone => {
                    let chosen = self.within(first, |cx, _| chosen(cx, &values, root))?;
                    vec![chosen; group.len()]
                }
                "stablehlo.collective_reduce" if !alone => {
                    let sum = self.reduced(first, &values)?;
                    self.within(first, |cx, _| {
                        let zeros = cx.b().zeros_like(sum)?;
                        let at = |k: usize, cx: &mut Cx<'_, 'a>| match root {
                            None => Ok(if k == 0 { sum } else { zeros }),
                            Some(root) => {
                                let here = is_root(cx, root, k, sum)?;
                                cx.b().select(here, sum, zeros)
                            }
                        };
                        (0..values.len()).map(|k| at(k, cx)).collect::<Result<Vec<_>>>()
                    })?
                }
                _ => vec![self.cx.b().zeros_like(values[0])?],
            };
            for (received, value) in received.iter_mut().zip(each) {
                received.push(value);
            }
        }
        Ok(received)
    }

    /// Whether a process is in one of the groups that the op names.
    fn named(&self, process: usize, op: &Op, groups: &[Vec<usize>]) -> bool {
        let Process { replica, partition, .. } = self.processes[process];
        let own = if channel(op) > 0 { partition } else { replica };
        groups.iter().any(|g| g.contains(&own))
    }

    /// The values of a group combined by the region of the op, in the order of the group.
    fn reduced(&mut self, first: usize, values: &[Value]) -> Result<Value> {
        self.within(first, |cx, op| {
            if op.regions.is_empty() {
                let mut sum = values[0];
                for &value in &values[1..] {
                    sum = cx.b().add(sum, value)?;
                }
                return Ok(sum);
            }
            let body = cx.closed(cx.only_region()?, None)?;
            let mut total: Option<Value> = None;
            for &value in values {
                let value = cx.b().convert(value, body.param_types()[0].dtype())?;
                total = Some(match total {
                    None => value,
                    Some(before) => control::mapped(cx, &body, &[before, value])?[0],
                });
            }
            let total = total.ok_or_else(|| cx.fail("has no values"))?;
            let to = cx.result_dtype(0)?;
            cx.b().convert(total, to)
        })
    }

    /// Each member's value at the member that the pairs name as its target; zeros where nothing arrives.
    fn permuted(&mut self, op: &'a Op, group: &[usize], values: &[Value]) -> Result<Vec<Value>> {
        let pairs = op.attr("source_target_pairs").and_then(Attr::integers);
        let pairs = pairs.filter(|p| p.len().is_multiple_of(2));
        let pairs = pairs
            .ok_or_else(|| self.cx.lower.module.error(op, "`source_target_pairs` is no list of pairs"))?;
        let mut received = Vec::new();
        for to in 0..group.len() {
            let pair = pairs.chunks(2).find(|pair| pair[1] == to as i64);
            let from = pair.and_then(|pair| values.get(usize::try_from(pair[0]).ok()?));
            received.push(match from {
                Some(&value) => value,
                None => self.cx.b().zeros_like(values[0])?,
            });
        }
        Ok(received)
    }
}

fn is_exchange(name: &str) -> bool {
    matches!(
        name,
        "stablehlo.all_gather"
            | "stablehlo.all_reduce"
            | "stablehlo.all_to_all"
            | "stablehlo.collective_broadcast"
            | "stablehlo.collective_permute"
            | "stablehlo.collective_reduce"
            | "stablehlo.cross-replica-sum"
            | "stablehlo.reduce_scatter"
    )
}

/// The number of the channel an op communicates over; 0 if it names none.
fn channel(op: &Op) -> i64 {
    match op.attr("channel_handle") {
        Some(Attr::Struct(_, fields)) => fields.get("handle").and_then(Attr::integer).unwrap_or(0),
        _ => 0,
    }
}

/// The groups of an op without what pads them; `None` if they are not stated as lists.
fn replica_groups(op: &Op) -> Option<Vec<Vec<usize>>> {
    let Some(attr) = op.attr("replica_groups") else { return Some(Vec::new()) };
    let width = match attr {
        Attr::Dense(dense) => match dense.ty.dims.as_deref()? {
            [_, Some(width)] => usize::try_from(*width).ok()?,
            _ => return None,
        },
        _ => return None,
    };
    let numbers = attr.integers()?;
    if width == 0 {
        return Some(Vec::new());
    }
    let group = |chunk: &[i64]| chunk.iter().filter_map(|&n| usize::try_from(n).ok()).collect();
    Some(numbers.chunks(width).map(group).collect())
}

/// A tensor cut into `count` equal parts along `axis`.
fn parts(cx: &mut Cx<'_, '_>, value: Value, axis: usize, count: usize) -> Result<Vec<Value>> {
    let ty = cx.ty(value);
    let extent = ty.dims().get(axis).and_then(|d| d.constant());
    let Some(extent) = extent.filter(|e| e.is_multiple_of(count)) else {
        return Err(cx.fail(format!("{ty} cannot be cut into {count} along axis {axis}")));
    };
    let size = extent / count;
    (0..count).map(|i| cx.b().slice_axis(value, axis, i * size, (i + 1) * size)).collect()
}

/// The value of the root: the first, or the one whose number is the element of `root` at a position.
fn chosen(cx: &mut Cx<'_, '_>, values: &[Value], root: Option<(Value, usize)>) -> Result<Value> {
    let Some(root) = root else { return Ok(values[0]) };
    let mut result = cx.b().zeros_like(values[0])?;
    for (k, &value) in values.iter().enumerate() {
        let here = is_root(cx, root, k, value)?;
        result = cx.b().select(here, value, result)?;
    }
    Ok(result)
}

/// Whether the member `k` of a group is the root, as truth values of the extents of `like`.
fn is_root(cx: &mut Cx<'_, '_>, (roots, at): (Value, usize), k: usize, like: Value) -> Result<Value> {
    let dims = cx.ty(like).dims();
    let root = cx.b().slice_axis(roots, 0, at, at + 1)?;
    let root = cx.b().reshape(root, &[])?;
    let root = cx.b().convert(root, DType::I64)?;
    let number = cx.constant(Literal::scalar(k as i64))?;
    let here = cx.b().compare(Comparison::Eq, root, number)?;
    cx.b().broadcast_in_dim(here, dims, &[])
}
