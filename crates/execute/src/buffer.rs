//! Buffers: tensors in a device's memory, present or promised.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use jarrah_base::{Deletable, Error, Literal, Reading, Result, Type};
use jarrah_runtime::{Buffer, BufferData, Event, Placement, Promise, Reader};

use crate::backend::BackendMemory;

/// A tensor's memory, present or promised. A buffer and the runs that use it share the slot; buffers of one tensor share the
/// memory.
pub enum Slot<M> {
    Filled(Arc<M>),
    Promised {
        ready: Event,
        /// Whether the tensor depends on a task outside of the device queues, such as a host promise.
        outside: bool,
        memory: OnceLock<Arc<M>>,
    },
}

impl<M> Slot<M> {
    pub fn filled(memory: Arc<M>) -> Arc<Slot<M>> {
        Arc::new(Slot::Filled(memory))
    }

    pub fn promise(outside: bool) -> (Arc<Slot<M>>, Filler<M>) {
        let (promise, ready) = Event::promise();
        let slot = Arc::new(Slot::Promised { ready, outside, memory: OnceLock::new() });
        (slot.clone(), Filler { slot, promise })
    }

    pub fn failed(error: Error) -> Arc<Slot<M>> {
        Arc::new(Slot::Promised { ready: Event::failed(error), outside: false, memory: OnceLock::new() })
    }

    #[inline]
    pub fn ready(&self) -> &Event {
        static DONE: Event = Event::done();
        match self {
            Slot::Filled(_) => &DONE,
            Slot::Promised { ready, .. } => ready,
        }
    }

    /// Whether the tensor is not ready and waits for something outside of the device queues.
    pub fn is_due(&self) -> bool {
        matches!(self, Slot::Promised { ready, outside: true, .. } if !ready.is_ready())
    }

    /// The memory, once the tensor is there.
    #[inline]
    pub fn wait(&self) -> Result<&Arc<M>> {
        match self {
            Slot::Filled(memory) => Ok(memory),
            Slot::Promised { ready, memory, .. } => {
                ready.wait()?;
                memory.get().ok_or_else(|| Error::internal("a buffer is ready and has no memory"))
            }
        }
    }
}

/// The obligation to fill a slot, held by whatever computes the tensor.
pub struct Filler<M> {
    slot: Arc<Slot<M>>,
    promise: Promise,
}

impl<M> Filler<M> {
    pub fn fill(self, memory: Result<Arc<M>>) {
        let outcome = memory.map(|memory| {
            if let Slot::Promised { memory: promised, .. } = &*self.slot {
                // Setting cannot fail, since a slot has one filler.
                let _ = promised.set(memory);
            }
        });
        self.promise.complete(outcome);
    }
}

/// The number that tells a client from the process's other clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientId(u64);

impl ClientId {
    /// A number that no other client has.
    pub fn new() -> ClientId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ClientId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A dense row-major tensor.
pub struct DeviceBuffer<M> {
    client: ClientId,
    ty: Type,
    placement: Placement,
    /// The slot; removed when the buffer is deleted or donated.
    slot: Deletable<Arc<Slot<M>>>,
    ready: Event,
}

impl<M: BackendMemory> DeviceBuffer<M> {
    pub fn new(client: ClientId, ty: Type, placement: Placement, slot: Arc<Slot<M>>) -> DeviceBuffer<M> {
        DeviceBuffer { client, ty, placement, ready: slot.ready().clone(), slot: Deletable::new(slot) }
    }

    /// The client's own representation of a buffer, if it is one of that client.
    pub fn of(client: ClientId, buffer: &Buffer) -> Option<&DeviceBuffer<M>> {
        buffer.downcast_ref::<DeviceBuffer<M>>().filter(|data| data.client == client)
    }

    /// The slot; an error if the buffer was deleted.
    pub fn slot(&self) -> Result<Arc<Slot<M>>> {
        Ok(self.reading()?.clone())
    }

    /// Begins to read the buffer.
    ///
    /// # Errors
    /// The buffer was deleted.
    #[inline]
    pub fn reading(&self) -> Result<SlotReading<'_, M>> {
        self.slot.read().ok_or_else(|| self.deleted())
    }

    #[cold]
    fn deleted(&self) -> Error {
        Error::program(format!("a buffer of type {} was deleted or donated", self.ty))
    }
}

/// A buffer's slot while it is read: it stays until this is dropped, even if the buffer is deleted.
pub type SlotReading<'a, M> = Reading<'a, Arc<Slot<M>>>;

impl<M: BackendMemory> BufferData for DeviceBuffer<M> {
    fn ty(&self) -> Type {
        self.ty
    }

    fn placement(&self) -> Placement {
        self.placement
    }

    fn ready(&self) -> Event {
        self.ready.clone()
    }

    fn read(&self) -> Result<Literal> {
        Literal::lent(self.ty, self.view()?)
    }

    fn reader(&self) -> Result<Reader> {
        let (slot, len) = (self.slot()?, self.ty.bytes()?);
        Ok(Reader::new(self.ready.clone(), move || slot.wait()?.view(len)))
    }

    fn populate(&self, bytes: Range<usize>) {
        // A tensor that is not ready is being written, and a deleted buffer needs no memory.
        let slot = self.ready.is_ready().then(|| self.slot());
        if let Some(Ok(slot)) = slot
            && let Ok(memory) = slot.wait()
        {
            memory.populate(bytes);
        }
    }

    fn delete(&self) {
        self.slot.delete();
    }

    fn is_deleted(&self) -> bool {
        self.slot.is_deleted()
    }
}
