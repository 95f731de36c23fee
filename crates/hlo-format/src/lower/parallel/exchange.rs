//! Collective ops: each process of a group receives values computed from those of all.

use std::ptr;
use std::rc::Rc;

use jarrah_base::{DType, Literal, Result};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Comparison, Elementwise, ElementwiseKind};

use super::groups::{Groups, is_exchange};
use super::{Grid, Place, Process};
use crate::ir::IrOp;
use crate::lower::channels::{channel, source_target_pairs};
use crate::lower::cx::Cx;
use crate::lower::ragged::{self, is_ragged};
use crate::lower::reductions::folds_with;
use crate::lower::{control, spmd};

impl<'a> Grid<'_, '_, 'a> {
    /// Performs the exchange that a process has reached, if all processes of its group have reached it.
    pub(super) fn exchange(&mut self, process: usize) -> Result<bool> {
        let Some(op) = self.processes[process].op() else { return Ok(false) };
        let manual = self.processes[process].at_end_of().cloned();
        let groups = match &manual {
            Some(manual) => manual.groups.clone(),
            None if is_exchange(op) => self.groups(op)?,
            None => return Ok(false),
        };
        let Some(numbers) = groups.group(self.processes[process].number) else {
            self.apart(process)?;
            return Ok(true);
        };
        let mut group = Vec::with_capacity(numbers.len());
        for &number in numbers {
            group.push(self.at(op, number)?);
        }
        for &member in &group {
            if !self.meet(process, member, &groups)? {
                return Ok(false);
            }
        }
        let mut brought = Vec::new();
        for &member in &group {
            brought.push(self.within(member, |cx, _| brought_by(cx))?);
        }
        if let Some(manual) = &manual {
            self.end_manual(manual, &group, brought)?;
            return Ok(true);
        }
        let source = self.cx.lower.source(op);
        self.cx.b().set_source(source);
        let received = self.exchanged(op, &group, &brought)?;
        for (&member, values) in group.iter().zip(&received) {
            self.finish(member, values)?;
        }
        Ok(true)
    }

    /// Whether two processes have reached the same exchange: one op, as often as the processes of its groups have passed
    /// it together before, or equal ops of two functions that run in parallel.
    fn meet(&mut self, a: usize, b: usize, groups: &Rc<Groups>) -> Result<bool> {
        let [a, b] = [&self.processes[a], &self.processes[b]];
        let (Some(one), Some(other)) = (a.op(), b.op()) else { return Ok(false) };
        if a.is_beside(b) {
            return Ok(true);
        }
        let function = |p: &Process<'a>| p.frames.first().map(|frame| ptr::from_ref(frame.region));
        if function(a) == function(b) || !self.cx.lower.module.same_op(one, other) {
            return Ok(false);
        }
        let number = a.number;
        Ok(is_exchange(other) && self.groups(other)?.group(number) == groups.group(number))
    }

    /// Passes an exchange in which a process is in no group: it receives zeros.
    fn apart(&mut self, process: usize) -> Result<()> {
        let zeros = self.within(process, |cx, op| {
            let source = cx.lower.source(op);
            cx.b().set_source(source);
            let mut zeros = brought_by(cx)?;
            zeros.truncate(cx.result_count()?);
            zeros.into_iter().map(|value| cx.b().zeros_like(value)).collect::<Result<Vec<_>>>()
        })?;
        self.finish(process, &zeros)
    }

    /// The values that each member of a group receives.
    fn exchanged(
        &mut self,
        op: &'a IrOp,
        group: &[usize],
        brought: &[Vec<Value>],
    ) -> Result<Vec<Vec<Value>>> {
        let first = group[0];
        if is_ragged(op) {
            let results = ragged::in_one(self.cx.b(), brought);
            let results = results.map_err(|error| self.cx.lower.refused(op, error))?;
            return Ok(results.into_iter().map(|result| vec![result]).collect());
        }
        let dynamic_root = self.within(first, |cx, _| cx.flag("has_dynamic_root"))?;
        let Some(count) = brought[0].len().checked_sub(usize::from(dynamic_root)) else {
            return Err(self.cx.lower.module.error(op, "lacks the operand that names the root"));
        };
        if brought.iter().any(|values| values.len() != brought[0].len()) {
            return Err(self.cx.lower.module.error(op, "the processes bring different numbers of values"));
        }
        if dynamic_root {
            let roots: Vec<Value> = brought.iter().map(|values| values[count]).collect();
            self.agree(op, group, &roots, "name different roots of")?;
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
                    vec![self.reduced(first, j, &values)?; group.len()]
                }
                "stablehlo.reduce_scatter" => {
                    let sum = self.reduced(first, j, &values)?;
                    self.within(first, |cx, _| {
                        let axis = cx.size("scatter_dimension")?;
                        parts(cx, sum, axis, values.len())
                    })?
                }
                "stablehlo.all_to_all" => self.within(first, |cx, _| transposed(cx, &values))?,
                "stablehlo.collective_permute" | "stablehlo.recv" => self.permuted(op, group, &values)?,
                "stablehlo.collective_broadcast" => {
                    let chosen = self.within(first, |cx, _| chosen(cx, &values, root))?;
                    vec![chosen; group.len()]
                }
                _ => {
                    let sum = self.reduced(first, j, &values)?;
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
            };
            for (received, value) in received.iter_mut().zip(each) {
                received.push(value);
            }
        }
        Ok(received)
    }

    /// The values of a group reduced with the region of the op, in the order of the group, as its result `j`.
    fn reduced(&mut self, first: usize, j: usize, values: &[Value]) -> Result<Value> {
        self.within(first, |cx, op| {
            let (body, to) = match op.regions.is_empty() {
                true => (None, cx.ty(values[0]).dtype()),
                false => (Some(cx.closed(cx.only_region()?, None)?), cx.result_dtype(j)?),
            };
            let dtype = body.as_ref().map_or(to, |body| body.param_types()[0].dtype());
            let kind = body.as_ref().map_or(Some(ElementwiseKind::Add), |body| folds_with(body));
            // Sums and products of narrow floats are wide, and rounded once.
            let held = match kind {
                Some(ElementwiseKind::Add | ElementwiseKind::Multiply) => dtype.accumulator(),
                _ => dtype,
            };
            let mut total: Option<Value> = None;
            for &value in values {
                let value = cx.b().convert(value, dtype)?;
                let value = cx.b().convert(value, held)?;
                total = Some(match (total, kind, &body) {
                    (None, ..) => value,
                    (Some(before), None, Some(body)) => control::mapped(cx, body, &[before, value])?[0],
                    (Some(before), kind, _) => {
                        let kind = kind.unwrap_or(ElementwiseKind::Add);
                        cx.b().one(Elementwise { kind }, &[before, value])?
                    }
                });
            }
            let total = total.ok_or_else(|| cx.fail("has no values"))?;
            cx.b().convert(total, to)
        })
    }

    /// Each member's value, received by the member that the pairs name as its target; zeros for one that is no
    /// target.
    fn permuted(&mut self, op: &'a IrOp, group: &[usize], values: &[Value]) -> Result<Vec<Value>> {
        let pairs = source_target_pairs(op);
        let pairs = pairs
            .ok_or_else(|| self.cx.lower.module.error(op, "`source_target_pairs` is no list of pairs"))?;
        let over_channel = channel(op) > 0;
        let numbers: Vec<usize> = group
            .iter()
            .map(|&member| {
                let Place { replica, partition } = self.processes[member].place;
                if over_channel { partition } else { replica }
            })
            .collect();
        let mut received = Vec::new();
        for &to in &numbers {
            let pair = pairs.iter().find(|pair| pair[1] == to);
            let from = pair.and_then(|pair| numbers.iter().position(|&n| n == pair[0]));
            received.push(match from {
                Some(from) => values[from],
                None => self.cx.b().zeros_like(values[0])?,
            });
        }
        Ok(received)
    }
}

/// The values that a process brings to an exchange.
fn brought_by(cx: &mut Cx<'_, '_>) -> Result<Vec<Value>> {
    match cx.op.name() {
        "stablehlo.recv" => spmd::sent(cx),
        _ => Ok(cx.operands()?.to_vec()),
    }
}

/// The results of an `all_to_all`: each member gets its part of what each brings.
fn transposed(cx: &mut Cx<'_, '_>, values: &[Value]) -> Result<Vec<Value>> {
    let (split, concat, count) =
        (cx.size("split_dimension")?, cx.size("concat_dimension")?, cx.size("split_count")?);
    if count != values.len() {
        let message = format!("`split_count` is {count}, the groups have {} processes", values.len());
        return Err(cx.fail(message));
    }
    let mut pieces = Vec::new();
    for &value in values {
        pieces.push(parts(cx, value, split, count)?);
    }
    let gathered = (0..count).map(|i| {
        let own: Vec<Value> = pieces.iter().map(|p| p[i]).collect();
        cx.b().concatenate(&own, concat)
    });
    gathered.collect()
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
