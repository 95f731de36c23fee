use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{HostView, Literal, Result, Type};

use crate::device::Placement;
use crate::event::Event;

/// A tensor in a device's memory, which may still be being computed; clones are the same tensor.
#[derive(Clone)]
pub struct Buffer(Arc<dyn BufferData>);

/// A client's representation of a buffer.
///
/// The tensor never changes once it is there. It goes when it is deleted or donated, for every handle; what has begun to
/// read it by then reads it to the end.
pub trait BufferData: Any + Send + Sync {
    /// The type of the tensor.
    fn ty(&self) -> Type;

    /// Where it lies.
    fn placement(&self) -> Placement;

    /// When it is there. The error is that of the computation that was to fill the buffer.
    fn ready(&self) -> Event;

    /// Waits for the tensor and gives it in host memory: where it lies, as [`view`](BufferData::view), if the device reads host memory,
    /// a copy otherwise.
    ///
    /// # Errors
    /// The tensor was deleted, the device failed, or the computation that was to fill the buffer did.
    fn read(&self) -> Result<Literal>;

    /// Begins to read the tensor: it stays for the reader even if the buffer is deleted before it is there.
    ///
    /// # Errors
    /// The tensor was deleted; the host cannot read this memory.
    fn reader(&self) -> Result<Reader>;

    /// Waits for the tensor and gives its bytes where they lie; they stay there as long as the view does, even if the
    /// buffer is deleted.
    ///
    /// # Errors
    /// As [`BufferData::read`]; the host cannot read this memory.
    fn view(&self) -> Result<HostView> {
        self.reader()?.view()
    }

    /// Takes memory for these bytes from the system, if it has not given it yet, so that whoever first writes there need not wait for it; the tensor
    /// stays as it is. Memory of other kinds is left alone.
    fn populate(&self, _bytes: Range<usize>) {}

    /// Gives the tensor up: reading it is an error from now on. Deleting it again does nothing.
    fn delete(&self);

    /// Whether the tensor was deleted or donated.
    fn is_deleted(&self) -> bool;
}

/// A tensor that somebody has begun to read.
pub struct Reader {
    ready: Event,
    view: Box<dyn FnOnce() -> Result<HostView> + Send>,
}

impl Reader {
    /// The reader to whom `view` gives the bytes once `ready` is over.
    pub fn new(ready: Event, view: impl FnOnce() -> Result<HostView> + Send + 'static) -> Reader {
        Reader { ready, view: Box::new(view) }
    }

    /// When the tensor is there.
    pub fn ready(&self) -> &Event {
        &self.ready
    }

    /// Waits for the tensor and gives its bytes.
    ///
    /// # Errors
    /// The device failed, or the computation that was to fill the buffer did.
    pub fn view(self) -> Result<HostView> {
        self.ready.wait()?;
        (self.view)()
    }
}

impl Buffer {
    /// The buffer that holds `data`.
    pub fn new(data: impl BufferData) -> Self {
        Buffer(Arc::new(data))
    }

    /// The client's data, if it is of type `T`.
    #[inline]
    pub fn downcast_ref<T: BufferData>(&self) -> Option<&T> {
        let data: &dyn Any = &*self.0;
        data.downcast_ref()
    }

    /// Where the tensor begins in host memory: equal for buffers that share memory.
    ///
    /// # Errors
    /// As [`BufferData::view`].
    pub fn address(&self) -> Result<usize> {
        Ok(self.view()?.bytes().as_ptr().addr())
    }
}

impl std::ops::Deref for Buffer {
    type Target = dyn BufferData;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({})", self.ty())
    }
}

/// A tensor's bytes in host memory, row-major, on their way to a device.
pub enum HostSource<'a> {
    /// Read before the call returns.
    Borrowed(&'a [u8]),
    /// Kept by the buffer as they are, where the device reads host memory and their alignment allows it; copied
    /// otherwise. They do not change while the view exists.
    Shared(HostView),
}

impl HostSource<'_> {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            HostSource::Borrowed(bytes) => bytes,
            HostSource::Shared(view) => view.bytes(),
        }
    }
}

/// The duty to give a buffer its tensor, or the error because of which there is none. Dropping it is an error of the
/// buffer.
pub struct BufferPromise(Box<dyn FnOnce(Result<HostSource<'_>>) + Send>);

impl BufferPromise {
    /// The duty that `keep` fulfils.
    pub fn new(keep: impl FnOnce(Result<HostSource<'_>>) + Send + 'static) -> BufferPromise {
        BufferPromise(Box::new(keep))
    }

    /// Gives the buffer its tensor: as many bytes as its type has.
    pub fn keep(self, tensor: Result<HostSource<'_>>) {
        (self.0)(tensor);
    }
}
