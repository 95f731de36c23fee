//! A device of the CPU, and the names of what its steps are made of.

use std::sync::Arc;

use jarrah_execute::Place;

use crate::buffers::BufferPool;
use crate::threads::ThreadPool;

/// A device of the CPU: worker threads, which several devices share, and a pool of memory.
pub struct Cpu {
    pub pool: Arc<ThreadPool>,
    pub memory: BufferPool,
}

impl Cpu {
    /// A device that keeps at most `kept` bytes of freed memory for reuse.
    pub fn new(pool: Arc<ThreadPool>, kept: usize) -> Cpu {
        Cpu { pool, memory: BufferPool::new(kept) }
    }
}

/// The base addresses of a run of the CPU.
pub type Frame<'a> = jarrah_execute::Frame<'a, Cpu>;

/// A step of the CPU, with its number.
pub type BuiltStep = jarrah_execute::BuiltStep<Cpu>;

/// The state of building the CPU's steps.
pub type StepBuilder = jarrah_execute::StepBuilder<Cpu>;

/// Addresses as the kernels take them.
pub trait FramePointers {
    /// The pointer to a place.
    fn at(&self, loc: Place) -> *mut u8;
}

impl FramePointers for Frame<'_> {
    #[inline]
    fn at(&self, loc: Place) -> *mut u8 {
        self.address(loc).get()
    }
}
