//! Ensures that processes which exchange values inside a branch or a loop go the same way through it.
//!
//! Often it follows from the program. Else the program has an `Assert` that they agree: where they do not, they would, as a
//! rule, wait for each other for ever.

use jarrah_base::{DType, Literal, Result};
use jarrah_hlo::ops::{Assert, Comparison, ElementwiseKind};
use jarrah_hlo::{Builder, Value};
use rustc_hash::FxHashSet;

use super::Grid;
use super::groups::is_exchange;
use crate::ir::{IrOp, Region, ValueId};
use crate::lower::regions::{free, is_return};

/// The most pairs of values that are compared to see whether two are computed alike.
const MOST_PAIRS: usize = 1 << 12;

/// The work that is spent to know values on which processes have to agree: see `known`.
pub(super) const WORK: f64 = 1e5;

/// The most processes that a message lists.
const LISTED: usize = 8;

impl<'a> Grid<'_, '_, 'a> {
    /// Sees to it that the values of all `members` are equal; otherwise they go apart, as `what` says.
    ///
    /// # Errors
    /// The values are known and differ. Where they are not known, the error is one of the run.
    pub(super) fn agree(
        &mut self,
        op: &'a IrOp,
        members: &[usize],
        values: &[Value],
        what: &str,
    ) -> Result<()> {
        let others: Vec<Value> =
            values.iter().copied().filter(|&v| !computed_alike(self.cx.b(), values[0], v)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let known = |v: &Value| self.cx.block.known(*v, &mut WORK.clone());
        let known: Option<Vec<Literal>> = values.iter().map(known).collect();
        let differ = known.as_ref().map(|known| known.iter().any(|value| *value != known[0]));
        if differ == Some(false) {
            return Ok(());
        }
        let numbers: Vec<String> =
            members.iter().take(LISTED).map(|&at| self.processes[at].number.to_string()).collect();
        let more = if members.len() > LISTED { ", ..." } else { "" };
        let name = op.name();
        let message = format!(
            "processes {}{more} {what} {name}: all of them have to go the same way, since they exchange values there",
            numbers.join(", ")
        );
        if differ == Some(true) && !self.inside {
            let error = self.cx.lower.module.error(op, message);
            return Err(error.help("exchange the values outside, or let the processes of a group agree"));
        }
        let source = self.cx.lower.source(op);
        self.cx.b().set_source(source);
        let mut equal: Option<Value> = None;
        for other in others {
            let one = self.cx.b().compare(Comparison::Eq, values[0], other)?;
            equal = Some(match equal {
                None => one,
                Some(before) => self.cx.b().binary(ElementwiseKind::And, before, one)?,
            });
        }
        let equal = equal.ok_or_else(|| self.cx.fail("has no values to agree on"))?;
        self.cx.push(Assert { message: message.into() }, &[equal])?;
        Ok(())
    }

    /// The branches that indices stand for: any index that is out of bounds stands for the last one.
    pub(super) fn branch_numbers(&mut self, indices: Vec<Value>, branches: usize) -> Result<Vec<Value>> {
        let mut numbers = Vec::new();
        for index in indices {
            if self.cx.ty(index).dtype() == DType::Bool {
                numbers.push(index);
                continue;
            }
            let zero = self.cx.constant(Literal::scalar(0i32))?;
            let count = self.cx.constant(Literal::scalar(branches as i32))?;
            let last = self.cx.constant(Literal::scalar(branches as i32 - 1))?;
            let b = self.cx.b();
            let least = b.compare(Comparison::Ge, index, zero)?;
            let most = b.compare(Comparison::Lt, index, count)?;
            let fits = b.binary(ElementwiseKind::And, least, most)?;
            numbers.push(b.select(fits, index, last)?);
        }
        Ok(numbers)
    }

    /// Whether it follows from the text that a loop takes as many steps for all members: its condition depends on
    /// values only that begin alike and stay alike from step to step.
    pub(super) fn counts_alike(&mut self, op: &'a IrOp, members: &[usize]) -> Result<bool> {
        let [cond, body] = &op.regions[..] else { return Ok(false) };
        let mut outside = FxHashSet::default();
        for id in free(&[cond, body]) {
            if self.begins_alike(op, id, members)? {
                outside.insert(id);
            }
        }
        let mut carry = Vec::new();
        for &operand in &op.operands {
            carry.push(self.begins_alike(op, operand, members)?);
        }
        loop {
            let alike = self.alike(body, &carry, &outside, members)?;
            let returned = body.ops.last().map_or(&[][..], |last| &last.operands);
            let next: Vec<bool> = carry
                .iter()
                .enumerate()
                .map(|(i, &before)| before && returned.get(i).is_some_and(|id| alike.contains(id)))
                .collect();
            if next == carry {
                break;
            }
            carry = next;
        }
        let alike = self.alike(cond, &carry, &outside, members)?;
        Ok(cond.ops.last().is_some_and(|last| last.operands.iter().all(|id| alike.contains(id))))
    }

    /// Whether a value outside of a region is computed alike for all members.
    fn begins_alike(&mut self, op: &'a IrOp, id: ValueId, members: &[usize]) -> Result<bool> {
        let mut first = None;
        for &member in members {
            let leaves = self.within(member, |cx, _| cx.lower.leaves(cx.block, op, id))?;
            let first = first.get_or_insert_with(|| leaves.clone());
            let b = self.cx.b();
            if !first.iter().zip(&leaves).all(|(&one, &other)| computed_alike(b, one, other)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values of a region that are alike for all members if those arguments and outer values are that are said to be.
    fn alike(
        &mut self,
        region: &'a Region,
        arguments: &[bool],
        outside: &FxHashSet<ValueId>,
        members: &[usize],
    ) -> Result<FxHashSet<ValueId>> {
        let mut alike = outside.clone();
        alike.extend(region.args.iter().zip(arguments).filter(|(_, alike)| **alike).map(|(&id, _)| id));
        for op in &region.ops {
            let shared = match op.name() {
                "stablehlo.all_reduce" | "stablehlo.all_gather" | "stablehlo.cross-replica-sum" => {
                    let groups = self.groups(op)?;
                    let group = groups.group(self.processes[members[0]].number).unwrap_or_default();
                    members.iter().all(|&at| group.contains(&self.processes[at].number))
                }
                _ => {
                    let regions: Vec<&Region> = op.regions.iter().collect();
                    is_plain(op) && op.operands.iter().chain(&free(&regions)).all(|id| alike.contains(id))
                }
            };
            if shared {
                alike.extend(&op.results);
            }
        }
        Ok(alike)
    }
}

/// Whether the results of an op follow from its operands and what its regions capture, wherever and however often it runs.
fn is_plain(op: &IrOp) -> bool {
    let name = op.name();
    let known = name.starts_with("stablehlo.") || name.starts_with("chlo.");
    let other = is_exchange(op)
        || matches!(
            name,
            "stablehlo.composite"
                | "stablehlo.custom_call"
                | "stablehlo.infeed"
                | "stablehlo.outfeed"
                | "stablehlo.partition_id"
                | "stablehlo.recv"
                | "stablehlo.replica_id"
                | "stablehlo.rng"
                | "stablehlo.send"
        );
    known && !other && op.regions.iter().flat_map(|r| &r.ops).all(|op| is_return(op) || is_plain(op))
}

/// Whether two values are results of equal instructions of values that are, so that they are equal.
fn computed_alike(b: &Builder, one: Value, other: Value) -> bool {
    let mut pairs = vec![(one, other)];
    let mut seen = FxHashSet::default();
    while let Some((one, other)) = pairs.pop() {
        if one == other || !seen.insert((one, other)) {
            continue;
        }
        let (Some(x), Some(y)) = (b.definition(one), b.definition(other)) else { return false };
        let same = x.op == y.op
            && x.op.effects().is_pure()
            && x.operands.len() == y.operands.len()
            && x.results().position(|v| v == one) == y.results().position(|v| v == other);
        if !same || seen.len() > MOST_PAIRS {
            return false;
        }
        pairs.extend(x.operands.iter().copied().zip(y.operands.iter().copied()));
    }
    true
}
