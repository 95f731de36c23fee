//! The devices of a client, their memory and their queues, which its executables share.

use std::sync::Arc;

use jarrah_base::memory::size;
use jarrah_base::{Error, Result, Type};
use jarrah_hlo::host::Registry;
use jarrah_runtime::{Buffer, DeviceId, DiskCache, HostSource, Placement, RuntimeDevice, check_placement};

use crate::backend::Backend;
use crate::buffer::{ClientId, DeviceBuffer, Slot};
use crate::launch::Launches;
use crate::observers::Observers;
use crate::processes::Processes;
use crate::queue::Queue;

/// The parts of a client, which its executables share.
pub(crate) struct Shared<D: Backend> {
    pub id: ClientId,
    pub registry: Registry,
    pub asynchronous: bool,
    pub cache: Option<Arc<DiskCache>>,
    pub observers: Observers,
    /// The devices of all processes.
    pub devices: Vec<RuntimeDevice>,
    /// The devices of this process in their order, and the position of the first among all.
    pub lanes: Vec<Lane<D>>,
    pub first: usize,
    /// The processes, where there are several.
    pub processes: Option<Processes>,
    pub launches: Launches,
}

/// A device and the queue of its runs.
pub(crate) struct Lane<D> {
    pub queue: Queue,
    pub device: D,
}

impl<D: Backend> Shared<D> {
    /// A device that stands for all, since they are of one kind.
    pub fn kind(&self) -> &D {
        &self.lanes[0].device
    }

    /// This process.
    pub fn process(&self) -> usize {
        self.devices[self.first].process
    }

    /// The first device of this process.
    pub fn first(&self) -> DeviceId {
        self.devices[self.first].id
    }

    /// Checks that a device of this process has such memory.
    ///
    /// # Errors
    /// None has.
    pub fn check(&self, placement: Placement) -> Result<()> {
        check_placement(&self.devices, self.process(), placement)
    }

    /// The position of a device among those of this process.
    #[inline]
    pub fn index(&self, id: DeviceId) -> usize {
        id.index() - self.first
    }

    #[inline]
    pub fn lane(&self, id: DeviceId) -> &Lane<D> {
        &self.lanes[self.index(id)]
    }

    #[inline]
    pub fn device(&self, id: DeviceId) -> &D {
        &self.lane(id).device
    }

    /// Memory of a device for `what`, as an error names it.
    pub fn take(&self, device: DeviceId, bytes: usize, what: impl FnOnce() -> String) -> Result<D::Memory> {
        self.device(device).take(bytes).ok_or_else(|| full(bytes, &what()))
    }

    /// Copies a tensor's bytes to a device's memory; a source that may be kept is used where it is, if the device reads it there.
    pub fn bring(&self, ty: Type, source: HostSource<'_>, device: DeviceId) -> Result<D::Memory> {
        let (bytes, found) = (ty.bytes()?, source.bytes().len());
        if bytes != found {
            return Err(Error::program(format!("{ty} has {bytes} bytes, {found} were given")));
        }
        self.observers.transfer(None, device, bytes, || self.fill(ty, bytes, source, device))
    }

    fn fill(&self, ty: Type, bytes: usize, source: HostSource<'_>, device: DeviceId) -> Result<D::Memory> {
        let source = match source {
            HostSource::Shared(view) => match self.device(device).adopt(view) {
                Ok(memory) => return Ok(memory),
                Err(view) => HostSource::Shared(view),
            },
            source => source,
        };
        let mut memory = self.take(device, bytes, || ty.to_string())?;
        self.device(device).write(&mut memory, source.bytes())?;
        Ok(memory)
    }

    /// The buffer of a slot.
    pub fn buffer(&self, ty: Type, placement: Placement, slot: Arc<Slot<D::Memory>>) -> Buffer {
        Buffer::new(DeviceBuffer::new(self.id, ty, placement, slot))
    }
}

pub(crate) fn full(bytes: usize, what: &str) -> Error {
    Error::environment(format!("the system has no {} of memory left for {what}", size(bytes)))
}
