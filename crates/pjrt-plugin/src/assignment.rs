//! Which devices run a program.

use std::ffi::c_int;

use jarrah_pjrt::abi::PJRT_LogicalDeviceIds;
use jarrah_pjrt::compile_options::{self, CompileOptionsProto};
use jarrah_runtime::DeviceId;

use crate::failure::{Failure, Outcome};

/// The device of each replica and partition of a program.
///
/// Lists of a run, such as its arguments by device, have the partitions of the first replica first, then those of the next.
pub struct DeviceAssignment {
    replicas: usize,
    partitions: usize,
    /// In the order of the lists; none if the executable is portable.
    devices: Vec<DeviceId>,
}

impl DeviceAssignment {
    /// The assignment that the options of a compilation ask for.
    pub fn of(wishes: &CompileOptionsProto) -> Outcome<DeviceAssignment> {
        let replicas = count("replicas", wishes.num_replicas)?;
        let partitions = count("partitions", wishes.num_partitions)?;
        let wanted = count("replicas and partitions", (replicas * partitions) as i64)?;
        let devices = match (&wishes.device_assignment, wishes.device_ordinal) {
            (_, _) if wishes.compile_portable_executable && wanted == 1 => Vec::new(),
            (Some(assigned), _) => listed(assigned, replicas, partitions)?,
            (None, ordinal) if ordinal >= 0 && wanted == 1 => vec![id(ordinal)?],
            (None, _) if wanted == 1 => Vec::new(),
            (None, _) => (0..wanted as i64).map(id).collect::<Outcome<_>>()?,
        };
        Ok(DeviceAssignment { replicas, partitions, devices })
    }

    /// How often the program runs, on other arguments each time.
    pub fn replicas(&self) -> usize {
        self.replicas
    }

    /// Into how many parts each run is split.
    pub fn partitions(&self) -> usize {
        self.partitions
    }

    /// The number of devices of a run.
    pub fn len(&self) -> usize {
        self.replicas * self.partitions
    }

    /// The devices that are assigned; none if the program runs on any.
    pub fn assigned(&self) -> &[DeviceId] {
        &self.devices
    }

    /// The devices of a run; a portable program is said to be on the first one.
    pub fn devices(&self) -> Vec<DeviceId> {
        match &self.devices[..] {
            [] => vec![DeviceId(0)],
            devices => devices.to_vec(),
        }
    }

    /// The replica and the partition of each device of a run.
    pub fn logical(&self) -> Vec<PJRT_LogicalDeviceIds> {
        let at = |at: usize| PJRT_LogicalDeviceIds {
            replica: (at / self.partitions) as c_int,
            partition: (at % self.partitions) as c_int,
        };
        (0..self.len()).map(at).collect()
    }

    /// The serialized message, which lists the replicas of a partition beside each other.
    pub fn write(&self) -> Vec<u8> {
        let devices = self.devices();
        let of = |at| devices.iter().skip(at).step_by(self.partitions).map(|id| id.0.into()).collect();
        compile_options::DeviceAssignment { devices: (0..self.partitions).map(of).collect() }.write()
    }
}

/// A number of replicas or partitions, each of which takes memory here.
fn count(what: &str, count: i64) -> Outcome<usize> {
    let known = usize::try_from(count).ok().filter(|count| (1..=1 << 20).contains(count));
    known.ok_or_else(|| Failure::invalid(format!("a program cannot run in {count} {what}")))
}

fn id(id: i64) -> Outcome<DeviceId> {
    let id = u32::try_from(id).map_err(|_| Failure::invalid(format!("there is no device {id}")))?;
    Ok(DeviceId(id))
}

/// The devices of an assignment, replica by replica.
fn listed(
    assigned: &compile_options::DeviceAssignment,
    replicas: usize,
    partitions: usize,
) -> Outcome<Vec<DeviceId>> {
    let given = assigned.devices.first().map_or(0, Vec::len);
    if (given, assigned.devices.len()) != (replicas, partitions) {
        return Err(Failure::invalid(format!(
            "devices for {given} replicas of {} partitions are assigned, {replicas} replicas of {partitions} partitions \
             need them",
            assigned.devices.len()
        )));
    }
    let devices = (0..replicas).flat_map(|replica| assigned.devices.iter().map(move |ids| ids[replica]));
    devices.map(id).collect()
}
