use std::any::Any;
use std::fmt;
use std::sync::Arc;

use jarrah_base::{Literal, Result, Type};

/// A tensor in a device's memory; clones share the memory.
#[derive(Clone)]
pub struct Buffer(Arc<dyn BufferData>);

/// A client's representation of a buffer.
pub trait BufferData: Any + Send + Sync {
    /// The type of the tensor.
    fn ty(&self) -> Type;

    /// Copies the tensor to host memory.
    ///
    /// # Errors
    /// The device failed, or the computation that was to fill the buffer did.
    fn read(&self) -> Result<Literal>;

    /// Where the tensor begins in the device's memory.
    fn address(&self) -> usize;
}

impl Buffer {
    /// The buffer that holds `data`.
    pub fn new(data: impl BufferData) -> Self {
        Buffer(Arc::new(data))
    }

    /// The type of the tensor.
    pub fn ty(&self) -> Type {
        self.0.ty()
    }

    /// Copies the tensor to host memory.
    ///
    /// # Errors
    /// The device failed, or the computation that was to fill the buffer did.
    pub fn read(&self) -> Result<Literal> {
        self.0.read()
    }

    /// Where the tensor begins in the device's memory: equal for buffers that share memory.
    pub fn address(&self) -> usize {
        self.0.address()
    }

    /// Whether no clone of this buffer exists.
    pub fn is_unique(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// The client's data, if it is of type `T`.
    pub fn downcast_ref<T: BufferData>(&self) -> Option<&T> {
        let data: &dyn Any = &*self.0;
        data.downcast_ref()
    }

    /// The client's data by value, if it is of type `T` and no clone of this buffer exists.
    ///
    /// # Errors
    /// The buffer itself, if either condition fails.
    pub fn into_unique<T: BufferData>(self) -> Result<T, Buffer> {
        if self.downcast_ref::<T>().is_none() {
            return Err(self);
        }
        let any: Arc<dyn Any + Send + Sync> = self.0.clone();
        drop_one(self.0, any)
    }
}

/// Takes the value out of two handles to it; `any` is of type `T`.
fn drop_one<T: BufferData>(data: Arc<dyn BufferData>, any: Arc<dyn Any + Send + Sync>) -> Result<T, Buffer> {
    if Arc::strong_count(&data) > 2 {
        return Err(Buffer(data));
    }
    let typed = any.downcast::<T>().expect("invariant: the type was checked");
    drop(data);
    Arc::try_unwrap(typed).map_err(|shared| Buffer(shared))
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({})", self.ty())
    }
}
