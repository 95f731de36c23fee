//! Collectives as ops of StableHLO: groups of devices by number, over a channel.
//!
//! An axis of a manual computation becomes groups of the partitions of its mesh. Here a gather adds a leading axis, and a reduce-scatter
//! removes it; there they lengthen and shorten an axis, so a reshape stands between. What StableHLO lacks is written as an op of ours: an
//! axis that nothing binds, an all-to-all over replicas and partitions at once, a permutation that sends one value to several devices.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{AxisGroups, AxisIndex, Collective, CollectiveKind, NamedAxis, Reducer};
use jarrah_hlo::{Builder, Instr, Op, Program, Value};
use rustc_hash::FxHashSet;

use super::attributes::{dense, integer};
use super::block::Block;
use super::{Exporter, op};
use crate::ir::{Attr, IrOp, ValueId};
use crate::templates;

/// The replicas and partitions that programs speak of; one of each where they do not.
#[derive(Clone, Copy)]
pub(super) struct Devices {
    pub replicas: usize,
    pub partitions: usize,
}

impl Devices {
    pub fn of(programs: &[(&str, &Program)]) -> Devices {
        let mut devices = Devices { replicas: 1, partitions: 1 };
        let mut seen = FxHashSet::default();
        programs.iter().for_each(|(_, program)| devices.add(program, &mut seen));
        devices
    }

    fn add(&mut self, program: &Program, seen: &mut FxHashSet<*const Program>) {
        if !program.names_axes() || !seen.insert(program) {
            return;
        }
        for instr in program.instrs() {
            match &instr.op {
                Op::AxisIndex(op) => self.add_axis(&op.axis),
                Op::Collective(op) => op.over.axes.iter().for_each(|axis| self.add_axis(axis)),
                Op::ManualComputation(op) => self.partitions = self.partitions.max(op.mesh.len()),
                _ => {}
            }
            instr.op.programs().into_iter().for_each(|inner| self.add(inner, seen));
        }
    }

    fn add_axis(&mut self, axis: &NamedAxis) {
        match &*axis.name {
            NamedAxis::REPLICA => self.replicas = self.replicas.max(axis.size),
            NamedAxis::PARTITION => self.partitions = self.partitions.max(axis.size),
            _ => {}
        }
    }

    /// The groups of an op in which every device is, by the devices' numbers: all partitions of the first replica first.
    fn groups(&self, over: &AxisGroups) -> Option<Vec<Vec<usize>>> {
        let known = |axis: &NamedAxis| match &*axis.name {
            NamedAxis::REPLICA => axis.size == self.replicas,
            NamedAxis::PARTITION => axis.size == self.partitions,
            _ => false,
        };
        let along = |name: &str| over.axes.iter().filter(|axis| *axis.name == *name).count();
        let (replica, partition) = (along(NamedAxis::REPLICA), along(NamedAxis::PARTITION));
        if !over.axes.iter().all(known) || replica > 1 || partition > 1 {
            return None;
        }
        // The device at a position along the axes, counted from a device at the position 0.
        let device = |mut position: usize| {
            let mut number = 0;
            for axis in over.axes.iter().rev() {
                let step = if *axis.name == *NamedAxis::REPLICA { self.partitions } else { 1 };
                number += position % axis.size * step;
                position /= axis.size;
            }
            number
        };
        let positions = match &over.groups {
            None => vec![(0..over.positions() as u32).collect()],
            Some(groups) => groups.to_vec(),
        };
        let mut all = Vec::new();
        for r in 0..if replica == 1 { 1 } else { self.replicas } {
            for p in 0..if partition == 1 { 1 } else { self.partitions } {
                let first = r * self.partitions + p;
                for group in &positions {
                    all.push(group.iter().map(|&at| first + device(at as usize)).collect());
                }
            }
        }
        Some(all)
    }

    /// The groups within a replica, if they are alike in all: their partitions, which exchange values over a channel.
    fn within_replicas(&self, groups: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
        let of = |replica: usize| -> Vec<Vec<usize>> {
            let here = groups.iter().filter(|group| group.iter().any(|n| n / self.partitions == replica));
            here.map(|group| group.iter().map(|n| n.wrapping_sub(replica * self.partitions)).collect())
                .collect()
        };
        let first = of(0);
        let inside = first.iter().flatten().all(|&n| n < self.partitions);
        (inside && (1..self.replicas).all(|replica| of(replica) == first)).then_some(first)
    }

    /// The groups within a partition, if they are alike in all: their replicas.
    fn within_partitions(&self, groups: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
        let of = |partition: usize| -> Option<Vec<Vec<usize>>> {
            let here = groups.iter().filter(|group| group.iter().any(|n| n % self.partitions == partition));
            let replica = |n: &usize| (n % self.partitions == partition).then_some(n / self.partitions);
            here.map(|group| group.iter().map(replica).collect()).collect()
        };
        let first = of(0)?;
        (1..self.partitions).all(|partition| of(partition).as_ref() == Some(&first)).then_some(first)
    }

    /// The groups in the form of an op that names replicas or partitions, and whether it names partitions.
    fn apart(&self, groups: &[Vec<usize>]) -> Option<(Vec<Vec<usize>>, bool)> {
        let partitions = self.within_replicas(groups).map(|groups| (groups, true));
        partitions.or_else(|| Some((self.within_partitions(groups)?, false)))
    }
}

/// Lists of numbers as a matrix; shorter ones end in -1.
fn matrix(lists: &[Vec<usize>], width: usize) -> Attr {
    let entry = |list: &Vec<usize>, at: usize| list.get(at).map_or(-1, |&n| n as i64);
    let numbers: Vec<i64> = lists.iter().flat_map(|list| (0..width).map(move |at| entry(list, at))).collect();
    let matrix = Literal::from_slice(&[lists.len(), width], &numbers);
    dense(&matrix.expect("invariant: each list has as many entries"))
}

fn set_groups(out: &mut IrOp, groups: &[Vec<usize>]) {
    let width = groups.iter().map(Vec::len).max().unwrap_or(0);
    out.attributes.set("replica_groups", matrix(groups, width));
}

fn set_channel(out: &mut IrOp) {
    let fields = [("handle", integer(1)), ("type", integer(1))].map(|(name, n)| (name.into(), n));
    let channel = Attr::Struct("stablehlo.channel_handle", fields.into_iter().collect());
    out.attributes.set("channel_handle", channel);
}

/// For each device the one from which it receives.
fn senders(groups: &[Vec<usize>], sources: &[Option<u32>]) -> Vec<[usize; 2]> {
    let received = |group: &Vec<usize>| -> Vec<[usize; 2]> {
        let pair = |(rank, source): (usize, &Option<u32>)| Some([group[(*source)? as usize], group[rank]]);
        sources.iter().enumerate().filter_map(pair).collect()
    };
    groups.iter().flat_map(received).collect()
}

/// The groups of broadcasts, each beginning with its source; `None` if a device sends to others and not to itself.
fn broadcasts(pairs: &[[usize; 2]]) -> Option<Vec<Vec<usize>>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &[source, _] in pairs.iter().filter(|[source, target]| source == target) {
        groups.push(vec![source]);
    }
    for &[source, target] in pairs.iter().filter(|[source, target]| source != target) {
        groups.iter_mut().find(|group| group[0] == source)?.push(target);
    }
    Some(groups)
}

impl<'p> Exporter<'p> {
    /// Exports the position along an axis of devices, or of a manual computation around; the results, if StableHLO has it.
    pub(super) fn axis_index(&mut self, block: &mut Block<'p>, op: &AxisIndex) -> Option<Vec<ValueId>> {
        let (name, size) = match &*op.axis.name {
            NamedAxis::REPLICA => ("stablehlo.replica_id", self.devices.replicas),
            NamedAxis::PARTITION => ("stablehlo.partition_id", self.devices.partitions),
            _ => {
                let table = op.of_partitions(&self.manuals).ok()?;
                let mut b = Builder::new("");
                let entry = AxisIndex::entry(&mut b, &table).and_then(|entry| b.finish(&[entry]));
                return Some(self.inlined(block, &entry.expect("invariant: a table has an entry")));
            }
        };
        if size != op.axis.size {
            return None;
        }
        self.names_devices = true;
        let number = self.append(block, super::op(name), &[Type::scalar(DType::U32)])[0];
        let mut convert = super::op("stablehlo.convert");
        convert.operands.push(number);
        Some(self.append(block, convert, &[Type::scalar(DType::I32)]))
    }

    /// Exports a collective of devices, or of those of a manual computation around; the results, if StableHLO has it.
    pub(super) fn collective(
        &mut self,
        block: &mut Block<'p>,
        instr: &Instr,
        op: &Collective,
    ) -> Option<Vec<ValueId>> {
        let op = op.of_partitions(&self.manuals).ok()?;
        let x = instr.operands[0];
        let result = block.result_types(instr)[0];
        let groups = self.devices.groups(&op.over)?;
        let made = match &op.kind {
            CollectiveKind::AllReduce(reducer) => {
                let mut out = self.reducing("stablehlo.all_reduce", block, reducer, x)?;
                self.set_global_groups(&mut out, &op.over, &groups);
                out.operands.extend(block.ids(&[x]));
                self.append(block, out, &[result])
            }
            CollectiveKind::AllGather => {
                let mut out = super::op("stablehlo.all_gather");
                out.attributes.set("all_gather_dim", integer(0));
                self.set_global_groups(&mut out, &op.over, &groups);
                let x = block.ids(&[x]).next()?;
                out.operands.push(self.reshaped(block, x, result.without_leading().with_leading(1)));
                self.append(block, out, &[result])
            }
            CollectiveKind::ReduceScatter(reducer) => {
                let mut out = self.reducing("stablehlo.reduce_scatter", block, reducer, x)?;
                out.attributes.set("scatter_dimension", integer(0));
                self.set_global_groups(&mut out, &op.over, &groups);
                out.operands.extend(block.ids(&[x]));
                let slice = self.append(block, out, &[result.with_leading(1)])[0];
                vec![self.reshaped(block, slice, result)]
            }
            CollectiveKind::AllToAll => {
                let (groups, over_channel) = self.devices.apart(&groups)?;
                let mut out = super::op("stablehlo.all_to_all");
                out.attributes.set("split_dimension", integer(0));
                out.attributes.set("concat_dimension", integer(0));
                out.attributes.set("split_count", integer(result.dim(0)));
                set_groups(&mut out, &groups);
                if over_channel {
                    set_channel(&mut out);
                }
                out.operands.extend(block.ids(&[x]));
                self.append(block, out, &[result])
            }
            CollectiveKind::Permute(sources) => {
                let mut out = self.permute(&groups, sources)?;
                out.operands.extend(block.ids(&[x]));
                self.append(block, out, &[result])
            }
        };
        self.names_devices = true;
        Some(made)
    }

    /// An op with the region that combines two elements of `x`.
    fn reducing(
        &mut self,
        name: &'static str,
        block: &Block<'p>,
        reducer: &Reducer,
        x: Value,
    ) -> Option<IrOp> {
        let mut out = op(name);
        let body = templates::binary(templates::fold(reducer)?, block.ty(x).dtype());
        out.regions.push(self.template(&body.expect("invariant: inference checked the dtype")));
        Some(out)
    }

    /// States the groups of an op that may name replicas alone, or devices by their numbers over a channel.
    fn set_global_groups(&self, out: &mut IrOp, over: &AxisGroups, groups: &[Vec<usize>]) {
        let replicas = over.axes.iter().all(|axis| *axis.name == *NamedAxis::REPLICA);
        match self.devices.within_partitions(groups).filter(|_| replicas) {
            Some(replicas) => set_groups(out, &replicas),
            None => {
                set_groups(out, groups);
                set_channel(out);
                out.attributes.set("use_global_device_ids", Attr::Unit);
            }
        }
    }

    /// A permutation that gives each device's value to one, or broadcasts.
    fn permute(&self, groups: &[Vec<usize>], sources: &[Option<u32>]) -> Option<IrOp> {
        let mut pairs = senders(groups, sources);
        pairs.sort_unstable();
        let mut seen = FxHashSet::default();
        let (lists, mut out) = match pairs.iter().all(|[source, _]| seen.insert(source)) {
            true => {
                let lists: Vec<Vec<usize>> = pairs.iter().map(|pair| pair.to_vec()).collect();
                (lists, op("stablehlo.collective_permute"))
            }
            false => (broadcasts(&pairs)?, op("stablehlo.collective_broadcast")),
        };
        let (lists, over_channel) = self.devices.apart(&lists)?;
        match out.name() {
            "stablehlo.collective_permute" => out.attributes.set("source_target_pairs", matrix(&lists, 2)),
            _ => set_groups(&mut out, &lists),
        }
        if over_channel {
            set_channel(&mut out);
        }
        Some(out)
    }

    fn reshaped(&mut self, block: &mut Block<'p>, x: ValueId, to: Type) -> ValueId {
        let mut reshape = op("stablehlo.reshape");
        reshape.operands.push(x);
        self.append(block, reshape, &[to])[0]
    }
}
