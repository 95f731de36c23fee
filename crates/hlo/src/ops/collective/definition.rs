//! Collectives by way of everything that the positions have.

use jarrah_base::{Literal, Result, Type};
use smallvec::smallvec;

use super::super::{DynamicSlice, Gather};
use super::{AxisGroups, AxisIndex, Collective, CollectiveKind};
use crate::builder::Builder;
use crate::program::{Program, Value};

/// This position along several axes, the last of which varies fastest.
///
/// # Errors
/// As [`Builder::push`].
pub(super) fn position(b: &mut Builder, over: &AxisGroups) -> Result<Value> {
    let mut position: Option<Value> = None;
    for axis in &over.axes {
        let along = b.one(AxisIndex { axis: axis.clone() }, &[])?;
        position = Some(match position {
            Some(outer) => {
                let size = b.scalar(axis.size as i32)?;
                let outer = b.mul(outer, size)?;
                b.add(outer, along)?
            }
            None => along,
        });
    }
    position.map_or_else(|| b.scalar(0i32), Ok)
}

/// `table[position]`, a row of integers.
fn row(b: &mut Builder, table: &[Vec<i32>], position: Value) -> Result<Value> {
    let width = table.first().map_or(0, Vec::len);
    let numbers: Vec<i32> = table.iter().flatten().copied().collect();
    let table = b.constant(Literal::from_slice(&[table.len(), width], &numbers)?)?;
    let zero = b.scalar(0i32)?;
    let row = b.one(DynamicSlice { sizes: smallvec![1, width] }, &[table, position, zero])?;
    b.reshape(row, &[width])
}

/// `x[indices]` along the first axis.
pub(super) fn rows(b: &mut Builder, x: Value, indices: Value) -> Result<Value> {
    let gather = Gather::rows(b.ty(x), b.ty(indices))?;
    b.one(gather, &[x, indices])
}

impl Collective {
    /// The op as a program that gathers the operands of all positions and takes what this position receives.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn definition(&self, operand: Type) -> Result<Program> {
        let mut b = Builder::new(self.kind.name().trim_start_matches("jarrah."));
        let x = b.param(operand, "");
        let everyone = AxisGroups { axes: self.over.axes.clone(), groups: None };
        let all = Collective { kind: CollectiveKind::AllGather, over: everyone };
        let all = b.one(all, &[x])?;
        let result = match self.over.groups {
            None => self.of_group(&mut b, all, None)?,
            Some(_) => {
                let here = position(&mut b, &self.over)?;
                self.of_group(&mut b, all, Some(here))?
            }
        };
        b.finish(&[result])
    }

    /// The result at this position, given the operands of all; `here` is the position, where there are groups.
    fn of_group(&self, b: &mut Builder, all: Value, here: Option<Value>) -> Result<Value> {
        if let (CollectiveKind::AllReduce(reducer), Some(here), None) =
            (&self.kind, here, self.over.group_size())
        {
            return self.of_uneven_group(b, all, here, reducer.clone());
        }
        let count = self.over.positions();
        let groups: Vec<Vec<usize>> = (0..count).map(|at| self.over.group(at)).collect();
        let group = match here {
            None => all,
            Some(here) => {
                let table: Vec<Vec<i32>> =
                    groups.iter().map(|group| group.iter().map(|&at| at as i32).collect()).collect();
                let members = row(b, &table, here)?;
                rows(b, all, members)?
            }
        };
        let rank = |b: &mut Builder| {
            let here = match here {
                Some(here) => here,
                None => position(b, &self.over)?,
            };
            let rank = |at: usize| groups[at].iter().position(|&member| member == at).unwrap_or(0);
            let table: Vec<Vec<i32>> = (0..count).map(|at| vec![rank(at) as i32]).collect();
            row(b, &table, here)
        };
        match &self.kind {
            CollectiveKind::AllGather => Ok(group),
            CollectiveKind::AllReduce(reducer) => b.reduce(reducer.clone(), group, &[0]),
            CollectiveKind::ReduceScatter(reducer) => {
                let rank = rank(b)?;
                let slices = b.move_axis(group, 1, 0)?;
                let slice = rows(b, slices, rank)?;
                b.reduce(reducer.clone(), slice, &[0, 1])
            }
            CollectiveKind::AllToAll => {
                let rank = rank(b)?;
                let slices = b.move_axis(group, 1, 0)?;
                let slice = rows(b, slices, rank)?;
                let dims = b.ty(slice).without_leading().dims();
                b.reshape(slice, &dims)
            }
            CollectiveKind::Permute(sources) => {
                let rank = rank(b)?;
                let ty = b.ty(group).without_leading();
                let zeros = b.zeros(ty.with_leading(1))?;
                let group = b.concatenate(&[group, zeros], 0)?;
                let none = sources.len() as u32;
                let table: Vec<i32> = sources.iter().map(|s| s.unwrap_or(none) as i32).collect();
                let table = b.constant(Literal::from_slice(&[table.len()], &table)?)?;
                let source = rows(b, table, rank)?;
                let value = rows(b, group, source)?;
                b.reshape(value, &ty.dims())
            }
        }
    }

    /// The sum of a group, where groups have different sizes: each group's, of which this position takes its own.
    fn of_uneven_group(
        &self,
        b: &mut Builder,
        all: Value,
        here: Value,
        reducer: super::Reducer,
    ) -> Result<Value> {
        let groups = self.over.groups.as_deref().unwrap_or_default();
        let mut sums = Vec::new();
        for group in groups.iter().filter(|group| !group.is_empty()) {
            let members: Vec<i32> = group.iter().map(|&at| at as i32).collect();
            let members = b.constant(Literal::from_slice(&[members.len()], &members)?)?;
            let members = rows(b, all, members)?;
            let sum = b.reduce(reducer.clone(), members, &[0])?;
            sums.push(b.broadcast_leading(sum, 1)?);
        }
        let sums = b.concatenate(&sums, 0)?;
        let groups: Vec<_> = groups.iter().filter(|group| !group.is_empty()).collect();
        let number = |at: usize| groups.iter().position(|group| group.contains(&(at as u32))).unwrap_or(0);
        let table: Vec<Vec<i32>> = (0..self.over.positions()).map(|at| vec![number(at) as i32]).collect();
        let number = row(b, &table, here)?;
        let sum = rows(b, sums, number)?;
        let dims = b.ty(sum).without_leading().dims();
        b.reshape(sum, &dims)
    }
}
