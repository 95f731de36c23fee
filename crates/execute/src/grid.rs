//! The devices of a run, and which of them exchange values with which.

use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::{AxisGroups, NamedAxis};
use jarrah_hlo::{Op, Program};
use jarrah_runtime::{CompileOptions, RuntimeDevice};
use rustc_hash::{FxHashMap, FxHashSet};

/// The devices of a run: replicas of so many partitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DeviceGrid {
    pub replicas: usize,
    pub partitions: usize,
    /// The process of each device, where they are known.
    pub owners: Arc<[usize]>,
    /// This process.
    pub own: usize,
}

impl DeviceGrid {
    /// The grid of a compilation for some of these devices.
    pub fn of(options: &CompileOptions, devices: &[RuntimeDevice], own: usize) -> DeviceGrid {
        let (count, partitions) = (options.devices.len().max(1), options.partitions.max(1));
        let owners = options.devices.iter().map(|device| devices[device.index()].process).collect();
        DeviceGrid { replicas: count / partitions, partitions, owners, own }
    }

    /// The process of a device; a portable program's is this process.
    pub fn owner(&self, device: usize) -> usize {
        self.owners.get(device).copied().unwrap_or(self.own)
    }

    pub fn devices(&self) -> usize {
        self.replicas * self.partitions
    }

    /// The extent of an axis of devices.
    fn size(&self, axis: &NamedAxis) -> Result<usize> {
        match &*axis.name {
            NamedAxis::REPLICA => Ok(self.replicas),
            NamedAxis::PARTITION => Ok(self.partitions),
            _ => Err(axis.unbound()),
        }
    }

    /// The coordinate of a device along an axis.
    pub fn coordinate(&self, device: usize, axis: &NamedAxis) -> usize {
        match &*axis.name {
            NamedAxis::REPLICA => device / self.partitions,
            _ => device % self.partitions,
        }
    }

    fn check(&self, axis: &NamedAxis) -> Result<()> {
        let size = self.size(axis)?;
        if size == axis.size {
            return Ok(());
        }
        let DeviceGrid { replicas, partitions, .. } = self;
        Err(Error::program(format!(
            "is along an axis of {} devices; the program runs on {replicas} replicas of {partitions} partitions",
            axis.size
        )))
    }

    /// For each device its rank in the group in which it exchanges values, and the group's devices by rank.
    pub fn groups(&self, over: &AxisGroups) -> Vec<(usize, Arc<[usize]>)> {
        let along = |name: &str| over.axes.iter().any(|axis| *axis.name == *name);
        let (replicas, partitions) = (along(NamedAxis::REPLICA), along(NamedAxis::PARTITION));
        let place = |device: usize| {
            let position = |at, axis: &NamedAxis| at * axis.size + self.coordinate(device, axis);
            let replica = if replicas { 0 } else { device / self.partitions };
            let partition = if partitions { 0 } else { device % self.partitions };
            ((replica, partition), over.axes.iter().fold(0, position))
        };
        let places: Vec<_> = (0..self.devices()).map(place).collect();
        let devices: FxHashMap<_, usize> = places.iter().copied().zip(0..).collect();
        let everyone = (0..over.positions() as u32).collect::<Vec<_>>();
        let stated: Vec<&[u32]> = match &over.groups {
            None => vec![&everyone],
            Some(groups) => groups.iter().map(|group| &**group).collect(),
        };
        let mut all = vec![(0, Arc::from([])); self.devices()];
        let rests: FxHashSet<(usize, usize)> = places.iter().map(|(rest, _)| *rest).collect();
        for rest in rests {
            for group in &stated {
                let at = |&position: &u32| devices.get(&(rest, position as usize)).copied();
                let members: Arc<[usize]> = group.iter().filter_map(at).collect();
                for (rank, &device) in members.iter().enumerate() {
                    all[device] = (rank, members.clone());
                }
            }
        }
        all
    }

    /// Checks that the devices of a run are those that the collectives of a program are over.
    ///
    /// # Errors
    /// One is over an axis that no device stands along, or over another number of devices; at its line.
    pub fn check_program(&self, program: &Program) -> Result<()> {
        for instr in program.instrs() {
            let checked = match &instr.op {
                Op::AxisIndex(op) => self.check(&op.axis),
                Op::Collective(op) => op.over.axes.iter().try_for_each(|axis| self.check(axis)),
                op if op.names_axes() => {
                    op.programs().into_iter().try_for_each(|inner| self.check_program(inner))
                }
                _ => Ok(()),
            };
            checked.map_err(|error| {
                // An instruction inside of a loop's body has said where it stands.
                match (error.location(), instr.source.location) {
                    (None, Some(location)) => error.op(instr.op.called()).at(location),
                    _ => error,
                }
            })?;
        }
        Ok(())
    }
}
