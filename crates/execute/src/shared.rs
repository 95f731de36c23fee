//! The devices of a client, their memory and their queues, which its executables share.

use std::sync::Arc;

use jarrah_base::memory::size;
use jarrah_base::{Error, Result, Type};
use jarrah_hlo::host::Registry;
use jarrah_runtime::{Buffer, DeviceId, DiskCache, HostSource, Placement, RuntimeDevice};

use crate::backend::Backend;
use crate::buffer::{ClientId, DeviceBuffer, Slot};
use crate::launch::Launches;
use crate::observers::Observers;
use crate::queue::Queue;

/// The parts of a client, which its executables share.
pub(crate) struct Shared<D: Backend> {
    pub id: ClientId,
    pub registry: Registry,
    pub asynchronous: bool,
    pub cache: Option<Arc<DiskCache>>,
    pub observers: Observers,
    pub devices: Vec<RuntimeDevice>,
    pub lanes: Vec<Lane<D>>,
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

    #[inline]
    pub fn device(&self, id: DeviceId) -> &D {
        &self.lanes[id.index()].device
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
