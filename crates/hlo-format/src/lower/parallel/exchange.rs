//! Collective ops: each process of a group receives values computed from those of all.

use jarrah_base::{DType, Literal, Result};
use jarrah_hlo::Value;
use jarrah_hlo::ops::Comparison;

use super::{Grid, Place};
use crate::ir::{Attr, Op};
use crate::lower::control;
use crate::lower::cx::Cx;

/// The processes of an exchange.
struct Group {
    members: Vec<usize>,
    /// Whether the op lists its groups: a process in none of them exchanges nothing.
    named: bool,
}

impl<'a> Grid<'_, '_, 'a> {
    /// Performs the exchange of a process's group, if all its members have reached it.
    pub(super) fn exchange(&mut self, process: usize) -> Result<bool> {
        let Some(op) = self.processes[process].op().filter(|op| is_exchange(op.name())) else {
            return Ok(false);
        };
        let Group { members: group, named } = self.group(process, op)?;
        let there = |&p: &usize| self.processes[p].op().is_some_and(|other| other.name() == op.name());
        if !group.iter().all(there) {
            return Ok(false);
        }
        let mut brought = Vec::new();
        for &member in &group {
            brought.push(self.within(member, |cx, _| cx.operands())?.to_vec());
        }
        let source = self.cx.lower.source(op);
        self.cx.b().set_source(source);
        let received = self.exchanged(op, &group, named, &brought)?;
        for (&member, values) in group.iter().zip(&received) {
            self.finish(member, values)?;
        }
        Ok(true)
    }

    /// The group of `process` in the exchange it has reached, in the op's order.
    fn group(&self, process: usize, op: &'a Op) -> Result<Group> {
        let Place { replica, partition } = self.processes[process].place;
        let at = |replica: usize, partition: usize| replica * self.partitions + partition;
        let fail = |message: &str| self.cx.lower.module.error(op, message);
        let over_channel = channel(op) > 0;
        let column = || (0..self.replicas).map(|r| at(r, partition)).collect::<Vec<_>>();
        let row = || (0..self.partitions).map(|p| at(replica, p)).collect::<Vec<_>>();
        if op.name() == "stablehlo.collective_permute" {
            return Ok(Group { members: if over_channel { row() } else { column() }, named: true });
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
        let numbers = match groups.iter().position(|g| g.contains(&own)) {
            Some(at) => groups.into_iter().nth(at).unwrap_or_default(),
            None if groups.is_empty() => (0..count).collect(),
            None => return Ok(Group { members: vec![process], named: false }),
        };
        if numbers.iter().any(|&n| n >= count) {
            return Err(fail("`replica_groups` names a process that is not there"));
        }
        let members = match (over_channel, global) {
            (true, true) => numbers,
            (true, false) if by_partition => numbers.into_iter().map(|p| at(replica, p)).collect(),
            (true, false) => {
                let partitions = 0..self.partitions;
                partitions.flat_map(|p| numbers.iter().map(move |&r| at(r, p))).collect()
            }
            _ => numbers.into_iter().map(|r| at(r, partition)).collect(),
        };
        Ok(Group { members, named: true })
    }

    /// The values that each member of a group receives.
    fn exchanged(
        &mut self,
        op: &'a Op,
        group: &[usize],
        named: bool,
        brought: &[Vec<Value>],
    ) -> Result<Vec<Vec<Value>>> {
        let first = group[0];
        let dynamic_root = matches!(op.attr("has_dynamic_root"), Some(Attr::Bool(true) | Attr::Unit));
        let count = brought[0].len() - usize::from(dynamic_root);
        if brought.iter().any(|values| values.len() != brought[0].len()) {
            return Err(self.cx.lower.module.error(op, "the processes bring different numbers of values"));
        }
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
                "stablehlo.collective_broadcast" if named => {
                    let chosen = self.within(first, |cx, _| chosen(cx, &values, root))?;
                    vec![chosen; group.len()]
                }
                "stablehlo.collective_reduce" if named => {
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

    /// The values of a group reduced with the region of the op, in the order of the group.
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

    /// Each member's value, received by the member that the pairs name as its target; zeros for one that is no
    /// target.
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

/// Whether an op of this name exchanges values between processes.
pub(crate) fn is_exchange(name: &str) -> bool {
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

/// The number of the op's channel; 0 if it names none.
pub(super) fn channel(op: &Op) -> i64 {
    match op.attr("channel_handle") {
        Some(Attr::Struct(_, fields)) => fields.get("handle").and_then(Attr::integer).unwrap_or(0),
        _ => 0,
    }
}

/// The groups of an op without padding; `None` if they are not stated as lists.
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

/// A tensor split into `count` equal parts along `axis`.
fn parts(cx: &mut Cx<'_, '_>, value: Value, axis: usize, count: usize) -> Result<Vec<Value>> {
    let ty = cx.ty(value);
    let extent = ty.extents().nth(axis);
    let Some(extent) = extent.filter(|e| e.is_multiple_of(count)) else {
        return Err(cx.fail(format!("{ty} cannot be cut into {count} along axis {axis}")));
    };
    let size = extent / count;
    (0..count).map(|i| cx.b().slice_axis(value, axis, i * size, (i + 1) * size)).collect()
}

/// The root's value: the first member's, or that of the member whose number `root` holds.
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
    cx.b().broadcast_in_dim(here, &dims, &[])
}
