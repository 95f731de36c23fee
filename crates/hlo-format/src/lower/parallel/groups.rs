//! Which processes exchange values with which.

use std::rc::Rc;

use jarrah_base::{Error, Result};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Grid, Manual};
use crate::ir::{Attr, IrOp};
use crate::lower::channels::{channel, is_transfer, source_target_pairs};
use crate::lower::ragged::{attributes, is_ragged};

/// The process groups of an exchange.
pub(in crate::lower) struct Groups {
    /// The processes of each group, in the order of the op.
    pub members: Vec<Vec<usize>>,
    /// The group of each process; none for a process that exchanges nothing.
    pub of: Vec<Option<usize>>,
}

impl Groups {
    /// # Errors
    /// A process that is not there, or is in two groups.
    pub fn new(processes: usize, members: Vec<Vec<usize>>) -> std::result::Result<Groups, String> {
        let mut of = vec![None; processes];
        for (group, numbers) in members.iter().enumerate() {
            for &number in numbers {
                match of.get_mut(number) {
                    None => return Err("names a process that is not there".into()),
                    Some(Some(_)) => return Err(format!("names process {number} twice")),
                    Some(free) => *free = Some(group),
                }
            }
        }
        Ok(Groups { members, of })
    }

    /// The group of a process.
    pub fn group(&self, process: usize) -> Option<&[usize]> {
        self.of[process].map(|group| &self.members[group][..])
    }
}

/// The extents of a grid, and what follows from them for the ops of the module.
#[derive(Default)]
pub(in crate::lower) struct Shape {
    pub replicas: usize,
    pub partitions: usize,
    groups: FxHashMap<*const IrOp, Rc<Groups>>,
    /// For each process a number that it has in common with those that it exchanges values with inside an op.
    ties: FxHashMap<*const IrOp, Rc<Vec<usize>>>,
    pub(super) manuals: FxHashMap<*const IrOp, Option<Rc<Manual>>>,
}

impl Shape {
    pub fn new(replicas: usize, partitions: usize) -> Shape {
        Shape { replicas, partitions, ..Shape::default() }
    }

    pub fn processes(&self) -> usize {
        self.replicas * self.partitions
    }

    /// The processes of one partition.
    fn column(&self, partition: usize) -> impl Fn(usize) -> usize {
        let partitions = self.partitions;
        move |replica| replica * partitions + partition
    }

    /// The processes of one replica.
    fn row(&self, replica: usize) -> impl Fn(usize) -> usize {
        let partitions = self.partitions;
        move |partition| replica * partitions + partition
    }

    /// The process groups that an exchange states, as the strategy that the specification names for it has them.
    pub fn stated(&self, op: &IrOp) -> std::result::Result<Groups, String> {
        let over_channel = channel(op) > 0;
        if matches!(op.name(), "stablehlo.collective_permute" | "stablehlo.recv") {
            return self.pairs(op, over_channel);
        }
        let lists = replica_groups(op).ok_or("`replica_groups` is no list of lists")?;
        let global = matches!(op.attr("use_global_device_ids"), Some(Attr::Unit | Attr::Bool(true)));
        if global && !over_channel {
            return Err("`use_global_device_ids` needs a channel".into());
        }
        let by_partition = matches!(
            op.name(),
            "stablehlo.all_to_all"
                | "stablehlo.collective_broadcast"
                | "stablehlo.collective_reduce"
                | "stablehlo.custom_call"
        );
        let over = |count: usize| match lists.is_empty() {
            true => vec![(0..count).collect()],
            false => lists.clone(),
        };
        let fits = |count: usize, lists: &[Vec<usize>]| match lists.iter().flatten().find(|&&n| n >= count) {
            Some(n) => Err(format!("`replica_groups` names {n}: a process that is not there")),
            None => Ok(()),
        };
        let (count, lists) = match (over_channel, global) {
            (true, true) => (self.processes(), over(self.processes())),
            (true, false) if by_partition => (self.partitions, over(self.partitions)),
            _ => (self.replicas, over(self.replicas)),
        };
        fits(count, &lists)?;
        let mapped = |to: &dyn Fn(usize) -> usize| -> Vec<Vec<usize>> {
            lists.iter().map(|list| list.iter().map(|&n| to(n)).collect()).collect()
        };
        let members = match (over_channel, global) {
            (true, true) => lists,
            (true, false) if by_partition => {
                (0..self.replicas).flat_map(|replica| mapped(&self.row(replica))).collect()
            }
            (true, false) => {
                let across = |list: &Vec<usize>| {
                    (0..self.partitions).flat_map(|p| list.iter().copied().map(self.column(p))).collect()
                };
                lists.iter().map(across).collect()
            }
            _ => (0..self.partitions).flat_map(|partition| mapped(&self.column(partition))).collect(),
        };
        let groups = Groups::new(self.processes(), members).map_err(|e| format!("`replica_groups` {e}"))?;
        // Processes outside of all groups are foreseen where the result is zeros for them.
        let may_be_apart =
            matches!(op.name(), "stablehlo.collective_broadcast" | "stablehlo.collective_reduce");
        match groups.of.iter().position(Option::is_none) {
            Some(apart) if !may_be_apart => Err(format!("`replica_groups` does not name process {apart}")),
            _ => Ok(groups),
        }
    }

    /// The pairs of processes that a pair of replicas or partitions stands for.
    pub fn alike(&self, op: &IrOp, source: usize, target: usize) -> Vec<(usize, usize)> {
        match channel(op) > 0 {
            true => {
                let rows = (0..self.replicas).map(|replica| self.row(replica));
                rows.map(|row| (row(source), row(target))).collect()
            }
            false => {
                let columns = (0..self.partitions).map(|partition| self.column(partition));
                columns.map(|column| (column(source), column(target))).collect()
            }
        }
    }

    /// The processes that pairs of sources and targets connect.
    fn pairs(&self, op: &IrOp, over_channel: bool) -> std::result::Result<Groups, String> {
        let wrong = "`source_target_pairs` is no list of pairs";
        let pairs = source_target_pairs(op).ok_or(wrong)?;
        let count = if over_channel { self.partitions } else { self.replicas };
        let (mut sources, mut targets) = (FxHashSet::default(), FxHashSet::default());
        for &[source, target] in &pairs {
            if source >= count || target >= count {
                return Err("`source_target_pairs` names a process that is not there".into());
            }
            if !sources.insert(source) || !targets.insert(target) {
                return Err("`source_target_pairs` names a source or a target twice".into());
            }
        }
        let mut ties = Ties::new(count);
        pairs.iter().for_each(|&[source, target]| ties.tie(source, target));
        let lists = ties.groups(|n| sources.contains(&n) || targets.contains(&n));
        let mapped = |to: &dyn Fn(usize) -> usize| -> Vec<Vec<usize>> {
            lists.iter().map(|list| list.iter().map(|&n| to(n)).collect()).collect()
        };
        let members = match over_channel {
            true => (0..self.replicas).flat_map(|replica| mapped(&self.row(replica))).collect(),
            false => (0..self.partitions).flat_map(|partition| mapped(&self.column(partition))).collect(),
        };
        Groups::new(self.processes(), members)
    }
}

/// Numbers that are tied to one another, directly or by way of others.
pub(super) struct Ties(Vec<usize>);

impl Ties {
    pub fn new(count: usize) -> Ties {
        Ties((0..count).collect())
    }

    /// The number that stands for all that `n` is tied to.
    fn root(&mut self, mut n: usize) -> usize {
        while self.0[n] != n {
            self.0[n] = self.0[self.0[n]];
            n = self.0[n];
        }
        n
    }

    pub fn tie(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// For each number, the representative of the numbers that it is tied to.
    pub fn roots(mut self) -> Vec<usize> {
        (0..self.0.len()).map(|n| self.root(n)).collect()
    }

    /// The numbers that are tied to one another, those that `counts` leaves out apart.
    pub fn groups(self, counts: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let roots = self.roots();
        let mut groups = vec![Vec::new(); roots.len()];
        for (n, &root) in roots.iter().enumerate().filter(|&(n, _)| counts(n)) {
            groups[root].push(n);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

impl<'a> Grid<'_, '_, 'a> {
    /// The process groups of an exchange.
    pub(super) fn groups(&mut self, op: &'a IrOp) -> Result<Rc<Groups>> {
        if let Some(known) = self.shape.groups.get(&std::ptr::from_ref(op)) {
            return Ok(known.clone());
        }
        let stated = self.shape.stated(op);
        let groups = Rc::new(stated.map_err(|message| self.cx.lower.module.error(op, message))?);
        self.shape.groups.insert(op, groups.clone());
        Ok(groups)
    }

    /// The processes that have to go the same way through an op as `process` goes, because they exchange values with it
    /// inside, directly or by way of others; by their positions.
    pub(super) fn tied(&mut self, process: usize, op: &'a IrOp) -> Result<Vec<usize>> {
        let ties = match self.shape.ties.get(&std::ptr::from_ref(op)) {
            Some(known) => known.clone(),
            None => {
                let mut ties = Ties::new(self.shape.processes());
                self.tie(op, &mut ties, &mut FxHashSet::default())?;
                let ties = Rc::new(ties.roots());
                self.shape.ties.insert(op, ties.clone());
                ties
            }
        };
        let own = ties[self.processes[process].number];
        let all = self.processes.iter().enumerate();
        Ok(all.filter(|(_, other)| ties[other.number] == own).map(|(at, _)| at).collect())
    }

    /// Ties processes that exchange values in an op, in the ops inside it, or in what these call.
    fn tie(&mut self, op: &'a IrOp, ties: &mut Ties, called: &mut FxHashSet<String>) -> Result<()> {
        let groups = match op.name() {
            _ if is_exchange(op) => Some(self.groups(op)?),
            "sdy.manual_computation" => self.manual_of(op)?.map(|manual| manual.groups.clone()),
            _ => None,
        };
        for group in groups.iter().flat_map(|groups| &groups.members) {
            group.windows(2).for_each(|pair| ties.tie(pair[0], pair[1]));
        }
        for attr in ["callee", "decomposition"] {
            if let Some(Attr::Symbol(path)) = op.attr(attr)
                && called.insert(path.join("::"))
            {
                let function = self.cx.lower.find(op, &path.join("::"))?;
                self.tie(function, ties, called)?;
            }
        }
        op.regions.iter().flat_map(|r| &r.ops).try_for_each(|inner| self.tie(inner, ties, called))
    }

    /// The position of a process that has a number in the whole grid.
    pub(super) fn at(&self, op: &IrOp, number: usize) -> Result<usize> {
        let found = self.processes.binary_search_by_key(&number, |p| p.number);
        found.map_err(|_| self.outside(op, number))
    }

    fn outside(&self, op: &IrOp, number: usize) -> Error {
        let message = format!("exchanges values with process {number}, which is not in the same region");
        self.cx.lower.module.error(op, message)
    }
}

/// Whether an op exchanges values between processes.
pub(in crate::lower) fn is_exchange(op: &IrOp) -> bool {
    let named = matches!(
        op.name(),
        "stablehlo.all_gather"
            | "stablehlo.all_reduce"
            | "stablehlo.all_to_all"
            | "stablehlo.collective_broadcast"
            | "stablehlo.collective_permute"
            | "stablehlo.collective_reduce"
            | "stablehlo.cross-replica-sum"
            | "stablehlo.reduce_scatter"
    );
    named || is_ragged(op) || op.name() == "stablehlo.recv" && is_transfer(op)
}

/// The groups of an op without padding, which is negative; `None` if they are not stated as lists.
fn replica_groups(op: &IrOp) -> Option<Vec<Vec<usize>>> {
    let Some(attr) = attributes(op).get("replica_groups") else { return Some(Vec::new()) };
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
