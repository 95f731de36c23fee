//! The memory of tensors.

use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{HostView, Result};
use jarrah_execute::{BackendAddress, BackendMemory};

use crate::buffers::PooledMemory;

/// The memory of a tensor, from its first byte.
pub enum Bytes {
    /// Taken from a device's pool.
    Pooled(PooledMemory),
    /// Owned by somebody else, who does not change it. It is never written.
    Foreign(HostView),
}

/// An address in this process.
#[derive(Clone, Copy, PartialEq)]
pub struct Pointer(*mut u8);

// SAFETY: an address has no thread affinity; steps say what they read and write.
unsafe impl Send for Pointer {}
// SAFETY: an address is plain data.
unsafe impl Sync for Pointer {}

impl Pointer {
    /// The address.
    pub fn new(address: *mut u8) -> Pointer {
        Pointer(address)
    }

    /// The address.
    #[inline]
    pub fn get(self) -> *mut u8 {
        self.0
    }
}

impl Default for Pointer {
    fn default() -> Self {
        Pointer(std::ptr::null_mut())
    }
}

impl BackendAddress for Pointer {
    #[inline]
    fn plus(self, bytes: usize) -> Self {
        Pointer(self.0.wrapping_add(bytes))
    }
}

impl Bytes {
    /// The memory, which may be longer than the tensor.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Bytes::Pooled(memory) => memory.bytes(),
            Bytes::Foreign(view) => view.bytes(),
        }
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

impl BackendMemory for Bytes {
    type Address = Pointer;

    #[inline]
    fn address(&self) -> Pointer {
        Pointer(match self {
            Bytes::Pooled(memory) => memory.as_ptr().cast_mut(),
            Bytes::Foreign(view) => view.bytes().as_ptr().cast_mut(),
        })
    }

    fn is_writable(&self) -> bool {
        matches!(self, Bytes::Pooled(_))
    }

    fn view(self: &Arc<Self>, len: usize) -> Result<HostView> {
        Ok(match &**self {
            // Foreign memory is given out as the view that it came in. A view of the buffer instead would nest one deeper each time
            // that a tensor passes from one client to another.
            Bytes::Foreign(view) if view.bytes().len() == len => view.clone(),
            _ => HostView::new(View { memory: self.clone(), len }),
        })
    }

    fn populate(&self, bytes: Range<usize>) {
        if let Bytes::Pooled(memory) = self {
            memory.populate(bytes);
        }
    }
}
