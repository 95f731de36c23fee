//! The CPU as a device: programs in, buffers in, buffers out.
//!
//! A program is compiled to a list of steps, about one per instruction. Every decision (loop plans, matrix strides,
//! index maps, addresses relative to a few bases) is made then; a run binds the bases and executes the steps in
//! order, allocating nothing but its results, one arena and the steps' scratch, all from a pool.
//!
//! Kernels become vector loops ([`jarrah_tile::lower`]); a hand-written kernel that cannot be one runs grid point by
//! grid point, each op of its body as a step on block buffers. `Reduce`, `ReduceWindow`, `Scatter` and `Sort` with
//! programs of their own, linear algebra and Fourier transforms go through the reference evaluator: right, and slow.
//!
//! With `JARRAH_PROFILE=1` in the environment each run prints where its time went.

mod buffer;
mod build;
mod executable;
mod frame;
mod layout;
mod profile;
mod steps;

use std::sync::Arc;

use jarrah_base::memory::size;
use jarrah_base::parallel::cores;
use jarrah_base::{Error, Literal, Result};
use jarrah_hlo::Program;
use jarrah_runtime::{Buffer, Client, CompileOptions, Executable};

use crate::buffers::BufferPool;
use crate::threads::Pool;
use buffer::CpuBuffer;
use executable::CpuExecutable;

/// The most bytes of freed memory that the pool keeps for reuse.
const KEPT: usize = 4 << 30;

/// The CPU cores of this machine, as a device.
///
/// ```
/// use jarrah_base::{DType, Literal, Type};
/// use jarrah_cpu::CpuClient;
/// use jarrah_hlo::Builder;
/// use jarrah_runtime::{Client, CompileOptions};
///
/// let mut b = Builder::new("double");
/// let x = b.param(Type::tensor(DType::F32, [3usize]), "x");
/// let y = b.add(x, x)?;
/// let program = b.finish(&[y])?;
///
/// let client = CpuClient::with_threads(2);
/// let double = client.compile(&program, &CompileOptions::default())?;
/// let x = client.upload(&Literal::from_slice(&[3], &[1.0f32, 2.0, 3.0])?)?;
/// let y = double.execute(vec![x])?;
/// assert_eq!(y[0].read()?, Literal::from_slice(&[3], &[2.0f32, 4.0, 6.0])?);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct CpuClient {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub pool: Pool,
    pub memory: BufferPool,
    pub profile: bool,
}

impl CpuClient {
    /// A client with the number of threads that `JARRAH_THREADS` says, or else one per core.
    pub fn new() -> CpuClient {
        let wished = std::env::var("JARRAH_THREADS").ok().and_then(|n| n.parse::<usize>().ok());
        CpuClient::with_threads(wished.filter(|&n| n > 0).unwrap_or_else(cores))
    }

    /// A client with `threads` threads, the calling one included. Results do not depend on their number.
    pub fn with_threads(threads: usize) -> CpuClient {
        let profile = std::env::var("JARRAH_PROFILE").is_ok_and(|v| v != "0" && !v.is_empty());
        let inner = Inner { pool: Pool::new(threads), memory: BufferPool::new(KEPT), profile };
        CpuClient { inner: Arc::new(inner) }
    }

    /// The number of threads that work on a program.
    pub fn threads(&self) -> usize {
        self.inner.pool.threads()
    }
}

impl Default for CpuClient {
    fn default() -> Self {
        CpuClient::new()
    }
}

impl Client for CpuClient {
    fn platform(&self) -> &str {
        "cpu"
    }

    fn upload(&self, literal: &Literal) -> Result<Buffer> {
        let ty = literal.ty();
        let mut memory = self.inner.take(literal.bytes().len(), || ty.to_string())?;
        memory.bytes_mut()[..literal.bytes().len()].copy_from_slice(literal.bytes());
        Ok(Buffer::new(CpuBuffer::new(ty, memory)))
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        Ok(Arc::new(CpuExecutable::compile(self.inner.clone(), program, options)?))
    }
}

impl Inner {
    /// Memory for `what`, as an error names it.
    pub fn take(&self, bytes: usize, what: impl FnOnce() -> String) -> Result<crate::buffers::PooledMemory> {
        self.memory.take(bytes).ok_or_else(|| {
            Error::environment(format!("the system has no {} of memory left for {}", size(bytes), what()))
        })
    }
}
