use std::sync::Arc;

use jarrah_base::{Literal, Result, Type};
use jarrah_runtime::BufferData;

use crate::buffers::PooledMemory;

/// A dense row-major tensor; a buffer and its reshapes share memory.
pub struct CpuBuffer {
    pub ty: Type,
    pub memory: Arc<PooledMemory>,
}

impl CpuBuffer {
    pub fn new(ty: Type, memory: PooledMemory) -> CpuBuffer {
        CpuBuffer { ty, memory: Arc::new(memory) }
    }
}

impl BufferData for CpuBuffer {
    fn ty(&self) -> Type {
        self.ty
    }

    fn read(&self) -> Result<Literal> {
        Literal::from_bytes(self.ty, &self.memory.bytes()[..self.ty.bytes()?])
    }

    fn address(&self) -> usize {
        self.memory.as_ptr().addr()
    }
}
