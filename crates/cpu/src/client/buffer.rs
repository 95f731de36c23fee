use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, HostView, Literal, Result, Type};
use jarrah_runtime::{Buffer, BufferData, Event, MemoryKind, Placement, Promise, Reader};

use super::deletable::Deletable;
use crate::buffers::PooledMemory;

/// The memory of a tensor, from its first byte.
pub enum Bytes {
    /// Taken from a device's pool.
    Pooled(PooledMemory),
    /// Owned by somebody else, who does not change it. It is never written.
    Foreign(HostView),
}

impl Bytes {
    pub fn as_ptr(&self) -> *const u8 {
        match self {
            Bytes::Pooled(memory) => memory.as_ptr(),
            Bytes::Foreign(view) => view.bytes().as_ptr(),
        }
    }

    /// The memory, which may be longer than the tensor.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Bytes::Pooled(memory) => memory.bytes(),
            Bytes::Foreign(view) => view.bytes(),
        }
    }

    /// Whether the memory may be written by whoever holds its only handle.
    pub fn is_writable(&self) -> bool {
        matches!(self, Bytes::Pooled(_))
    }
}

/// A tensor's memory, present or promised. A buffer and the runs that use it share the slot; buffers of one tensor share the
/// memory.
pub enum Slot {
    Filled(Arc<Bytes>),
    Promised {
        ready: Event,
        /// Whether the tensor depends on a task outside of the device queues, such as a host promise.
        outside: bool,
        memory: OnceLock<Arc<Bytes>>,
    },
}

impl Slot {
    pub fn filled(memory: Arc<Bytes>) -> Arc<Slot> {
        Arc::new(Slot::Filled(memory))
    }

    pub fn promise(outside: bool) -> (Arc<Slot>, Filler) {
        let (promise, ready) = Event::promise();
        let slot = Arc::new(Slot::Promised { ready, outside, memory: OnceLock::new() });
        (slot.clone(), Filler { slot, promise })
    }

    pub fn failed(error: Error) -> Arc<Slot> {
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
    pub fn wait(&self) -> Result<&Arc<Bytes>> {
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
pub struct Filler {
    slot: Arc<Slot>,
    promise: Promise,
}

impl Filler {
    pub fn fill(self, memory: Result<Arc<Bytes>>) {
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
pub struct CpuBuffer {
    client: ClientId,
    ty: Type,
    placement: Placement,
    /// The slot; removed when the buffer is deleted or donated.
    slot: Deletable<Arc<Slot>>,
    ready: Event,
}

impl CpuBuffer {
    pub fn new(client: ClientId, ty: Type, placement: Placement, slot: Arc<Slot>) -> CpuBuffer {
        CpuBuffer { client, ty, placement, ready: slot.ready().clone(), slot: Deletable::new(slot) }
    }

    /// The client's own representation of a buffer, if it is one of that client.
    pub fn of(client: ClientId, buffer: &Buffer) -> Option<&CpuBuffer> {
        buffer.downcast_ref::<CpuBuffer>().filter(|data| data.client == client)
    }

    /// The slot; an error if the buffer was deleted.
    pub fn slot(&self) -> Result<Arc<Slot>> {
        Ok(Reading::new(self)?.slot().clone())
    }

    fn deleted(&self) -> Error {
        Error::program(format!("a buffer of type {} was deleted or donated", self.ty))
    }
}

/// A buffer while it is read: its slot stays until this is dropped, even if the buffer is deleted.
pub struct Reading<'a>(&'a CpuBuffer);

impl<'a> Reading<'a> {
    /// Begins to read a buffer.
    ///
    /// # Errors
    /// The buffer was deleted.
    #[inline]
    pub fn new(data: &'a CpuBuffer) -> Result<Reading<'a>> {
        if data.slot.begin() { Ok(Reading(data)) } else { Err(data.deleted()) }
    }

    #[inline]
    pub fn slot(&self) -> &Arc<Slot> {
        // SAFETY: the reading began when this was made, and ends when it is dropped.
        unsafe { self.0.slot.get() }
    }

    /// The buffer.
    pub fn buffer(&self) -> &'a CpuBuffer {
        self.0
    }
}

impl Drop for Reading<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the reading began when this was made, and ends here.
        unsafe { self.0.slot.end() };
    }
}

/// The bytes of a tensor, kept where they are.
struct View {
    memory: Arc<Bytes>,
    len: usize,
}

impl AsRef<[u8]> for View {
    fn as_ref(&self) -> &[u8] {
        &self.memory.bytes()[..self.len]
    }
}

impl BufferData for CpuBuffer {
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
        Ok(Reader::new(self.ready.clone(), move || {
            Ok(match &**slot.wait()? {
                // The same view, not a view of the buffer that holds it: a tensor that goes from client to client for
                // ever would make a chain of them.
                Bytes::Foreign(view) if view.bytes().len() == len => view.clone(),
                _ => HostView::new(View { memory: slot.wait()?.clone(), len }),
            })
        }))
    }

    fn populate(&self, bytes: Range<usize>) {
        // A tensor that is not ready is being written, and a deleted buffer needs no memory.
        let slot = self.ready.is_ready().then(|| self.slot());
        if let Some(Ok(slot)) = slot
            && let Ok(memory) = slot.wait()
            && let Bytes::Pooled(memory) = &**memory
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

/// The kinds of memory of a device: one memory under three names, so that programs that place tensors run.
pub const MEMORIES: [MemoryKind; 3] = MemoryKind::ALL;
