//! Ops that exchange values among the positions along named axes: elements of a `vmap`, points of a mesh, or devices.

mod axis;
mod batch;
mod definition;
mod mesh;

use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::Reducer;
use crate::example::Example;
use crate::program::Value;
use crate::rules::*;

pub use axis::{AxisIndex, NamedAxis};

/// The positions that exchange values: those along one or several axes, counted row by row as the last axis varies fastest, all together
/// or in groups.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct AxisGroups {
    /// The axes, outermost first.
    pub axes: Box<[NamedAxis]>,
    /// The groups that exchange values among themselves, each in the order of its ranks; every position is in one of them. `None` is one
    /// group of all positions in order.
    pub groups: Option<Box<[Box<[u32]>]>>,
}

/// The values that each position of a group receives from the others. The rank `r` is a place in the group, `x_r` the operand there, `n`
/// the group's size.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CollectiveKind {
    /// `y = x_0 + x_1 + ...`, combined in the order of the ranks; the reducer is an elementwise function.
    AllReduce(Reducer),
    /// `y[r, ..] = x_r[..]`.
    AllGather,
    /// At rank `r`, `y[..] = x_0[r, ..] + x_1[r, ..] + ...`, combined in the order of the ranks; the reducer is an elementwise function.
    ReduceScatter(Reducer),
    /// At rank `r`, `y[q, ..] = x_q[r, ..]`.
    AllToAll,
    /// At rank `r`, `y = x_s` where `s` is the entry `r`, and zeros where there is none.
    Permute(Box<[Option<u32>]>),
}

/// Exchanges values among the positions along named axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Collective {
    /// The values that each position receives.
    pub kind: CollectiveKind,
    /// The positions.
    pub over: AxisGroups,
}

impl AxisGroups {
    /// All positions along one axis.
    pub fn axis(axis: NamedAxis) -> AxisGroups {
        AxisGroups { axes: Box::new([axis]), groups: None }
    }

    /// All positions along several axes.
    pub fn axes(axes: Vec<NamedAxis>) -> AxisGroups {
        AxisGroups { axes: axes.into(), groups: None }
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// The group of a position, in the order of its ranks.
    pub fn group(&self, position: usize) -> Vec<usize> {
        match &self.groups {
            None => (0..self.positions()).collect(),
            Some(groups) => {
                let found = groups.iter().find(|group| group.contains(&(position as u32)));
                found.map_or(Vec::new(), |group| group.iter().map(|&at| at as usize).collect())
            }
        }
    }

    /// The size of the groups, if all have the same.
    pub fn group_size(&self) -> Option<usize> {
        match &self.groups {
            None => Some(self.positions()),
            Some(groups) => {
                let size = groups.first()?.len();
                groups.iter().all(|group| group.len() == size).then_some(size)
            }
        }
    }

    /// Whether each position is in one group.
    fn check(&self) -> Result<()> {
        let Some(groups) = &self.groups else { return Ok(()) };
        let count = self.positions();
        let mut named = vec![false; count];
        for &position in groups.iter().flatten() {
            match named.get_mut(position as usize) {
                None => {
                    let text = format!("a group has position {position}, there are {count}");
                    return Err(Error::program(text));
                }
                Some(true) => return Err(Error::program(format!("position {position} is in two groups"))),
                Some(named) => *named = true,
            }
        }
        match named.iter().position(|named| !named) {
            Some(position) => Err(Error::program(format!("position {position} is in no group"))),
            None => Ok(()),
        }
    }

    /// The error that nothing maps over the axes.
    pub fn unbound(&self) -> Error {
        match self.axes.first() {
            Some(axis) => axis.unbound(),
            None => Error::program("a collective is over no axis"),
        }
    }
}

impl CollectiveKind {
    /// The op's name.
    pub fn name(&self) -> &'static str {
        match self {
            CollectiveKind::AllReduce(_) => "jarrah.all_reduce",
            CollectiveKind::AllGather => "jarrah.all_gather",
            CollectiveKind::ReduceScatter(_) => "jarrah.reduce_scatter",
            CollectiveKind::AllToAll => "jarrah.all_to_all",
            CollectiveKind::Permute(_) => "jarrah.permute",
        }
    }

    /// The reducer, where values are combined.
    pub fn reducer(&self) -> Option<&Reducer> {
        match self {
            CollectiveKind::AllReduce(reducer) | CollectiveKind::ReduceScatter(reducer) => Some(reducer),
            CollectiveKind::AllGather | CollectiveKind::AllToAll | CollectiveKind::Permute(_) => None,
        }
    }

    fn is_linear(&self) -> bool {
        matches!(self.reducer(), None | Some(Reducer::Add))
    }
}

impl Collective {
    /// The size of the groups, which the shapes of operand and result depend on.
    fn ranks(&self) -> Result<usize> {
        self.over
            .group_size()
            .ok_or_else(|| Error::program(format!("{} is over groups of different sizes", self.kind.name())))
    }

    /// Checks that the first axis of an operand has a slice for each rank.
    fn check_slices(&self, ty: Type) -> Result<()> {
        let ranks = self.ranks()?;
        if ty.rank() > 0 && ty.dim(0) == ranks {
            return Ok(());
        }
        let text = format!("the first axis of {ty} must have a slice for each of the {ranks} positions");
        Err(Error::program(text))
    }

    fn of(&self, kind: CollectiveKind) -> Collective {
        Collective { kind, over: self.over.clone() }
    }

    /// The transpose of a permutation: the operand of a rank went to several others, perhaps.
    fn permute_back(&self, cx: &mut TransposeCx<'_>, sources: &[Option<u32>]) -> Result<Value> {
        let mut targets = vec![Vec::new(); sources.len()];
        for (target, source) in sources.iter().enumerate() {
            if let Some(source) = source {
                targets[*source as usize].push(target as u32);
            }
        }
        let ct = cx.cotangent()?;
        let rounds = targets.iter().map(Vec::len).max().unwrap_or(0);
        let mut sum: Option<Value> = None;
        for round in 0..rounds {
            let back = targets.iter().map(|targets| targets.get(round).copied()).collect();
            let one = cx.b.one(self.of(CollectiveKind::Permute(back)), &[ct])?;
            sum = Some(match sum {
                Some(sum) => cx.b.add(sum, one)?,
                None => one,
            });
        }
        sum.map_or_else(|| cx.b.zeros_like(ct), Ok)
    }
}

impl Rules for Collective {
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        self.over.check()?;
        let ty = operands[0];
        if let Some(reducer) = self.kind.reducer() {
            if reducer.elementwise().is_none() {
                return Err(Error::program(
                    "values of several positions are combined by elementwise functions",
                ));
            }
            reducer.check(ty)?;
        }
        let result = match &self.kind {
            CollectiveKind::AllReduce(_) => ty,
            CollectiveKind::AllGather => ty.with_leading(self.ranks()?),
            CollectiveKind::ReduceScatter(_) => {
                self.check_slices(ty)?;
                ty.without_leading()
            }
            CollectiveKind::AllToAll => {
                self.check_slices(ty)?;
                ty
            }
            CollectiveKind::Permute(sources) => {
                let ranks = self.ranks()?;
                if sources.len() != ranks || sources.iter().flatten().any(|&s| s as usize >= ranks) {
                    let text = format!("a permutation of {ranks} positions is {sources:?}");
                    return Err(Error::program(text));
                }
                ty
            }
        };
        Ok(TypeVec::from_slice(&[result]))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        match self.kind.is_linear() {
            true => Ok(Jvp::Linear(1)),
            false => tangents_by_definition(cx, &self.definition(cx.ty(0))?),
        }
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let back = match &self.kind {
            CollectiveKind::AllReduce(Reducer::Add) | CollectiveKind::AllToAll => self.kind.clone(),
            CollectiveKind::AllGather => CollectiveKind::ReduceScatter(Reducer::Add),
            CollectiveKind::ReduceScatter(Reducer::Add) => CollectiveKind::AllGather,
            CollectiveKind::Permute(sources) => {
                let ct = self.permute_back(cx, sources)?;
                return Ok(Transpose::Cotangents(vec![Some(ct)]));
            }
            CollectiveKind::AllReduce(_) | CollectiveKind::ReduceScatter(_) => {
                return Ok(Transpose::Refuse("it is linear only where it sums"));
            }
        };
        let ct = cx.cotangent()?;
        let ct = cx.b.one(self.of(back), &[ct])?;
        Ok(Transpose::Cotangents(vec![Some(ct)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Results(vec![batch::collective(self, cx)?]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(match self.kind.reducer() {
            Some(_) => Checked::Numbers,
            None => Checked::AsIs,
        })
    }

    rows!(Refuse("it exchanges rows along a named axis"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let combined = match self.kind.reducer() {
            Some(_) => operands[0].elements()? as f64,
            None => 0.0,
        };
        Cost::new(combined, operands, results)
    }

    fn docs(&self) -> Docs {
        let (summary, source) = match &self.kind {
            CollectiveKind::AllReduce(_) => (
                "The operands of all positions along named axes, combined: `y = x_0 + x_1 + ...`.",
                "jax.lax.psum",
            ),
            CollectiveKind::AllGather => (
                "The operands of all positions along named axes, stacked: `y[r, ..] = x_r[..]`.",
                "jax.lax.all_gather",
            ),
            CollectiveKind::ReduceScatter(_) => (
                "At position `r` the sum of the slices `r` of all operands along named axes.",
                "jax.lax.psum_scatter",
            ),
            CollectiveKind::AllToAll => (
                "At position `r` the slices `r` of all operands along named axes, stacked.",
                "jax.lax.all_to_all",
            ),
            CollectiveKind::Permute(_) => {
                ("At each position the operand of another one along named axes.", "jax.lax.ppermute")
            }
        };
        Docs { summary, source }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    /// None: it means something where its axes are bound only.
    fn examples() -> Vec<Example> {
        Vec::new()
    }
}
