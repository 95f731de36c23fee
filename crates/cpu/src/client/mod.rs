//! The CPU as a device: programs in, buffers in, buffers out.
//!
//! A program is compiled to a list of steps, about one per instruction. Every decision (loop plans, matrix strides,
//! index maps, addresses relative to a few bases) is made then; a run binds the bases and executes the steps in
//! order, allocating nothing but its results, one arena and the steps' scratch, all from a pool.
//!
//! A device is a queue with a thread (`queue.rs`): runs take place there one after another, each when its arguments are ready. A
//! run that is shorter than handing it over, with no run before it, takes place within the call, without locks, and without
//! handles where the caller lends its own (`Executable::execute_borrowed`). Runs with ordered effects also wait for the runs
//! before them. At most 32 runs are begun ahead, not counting those that wait for a tensor promised by the caller. A buffer
//! counts its readers; a deleted one is freed with the last of them (`deletable.rs`). All devices share the worker pool.
//! `tests/runtime.rs` of `testing` runs random schedules against a model, from sixteen threads too.
//!
//! Kernels become vector loops ([`jarrah_tile::lower`]); a hand-written kernel that cannot be one runs grid point by grid point,
//! each op of its body as a step on block buffers (`steps/points.rs`). Small loops that follow each other and share no written
//! memory run as the tasks of one parallel region (`together.rs`). `lib.rs` lists which ops run on the reference evaluator.
//!
//! With `JARRAH_PROFILE=1` in the environment each run prints where its time went; a [`Profiler`] in [`CpuOptions`] collects the
//! times of steps, which `jarrah hlo profile` compares with the peak of the machine ([`crate::peak`]).

mod buffer;
mod build;
mod deletable;
mod executable;
mod frame;
mod profile;
mod queue;
mod site;
mod steps;
mod stored;
mod target;
mod together;

use std::sync::Arc;

use jarrah_base::memory::{limit, size};
use jarrah_base::parallel::cores;
use jarrah_base::{Error, Result, Type, report};
use jarrah_compiler::CompiledProgram;
use jarrah_hlo::host::Registry;
use jarrah_hlo::ops::DotGeneral;
use jarrah_hlo::{Panels, Program};
use jarrah_runtime::{
    Buffer, BufferData, BufferPromise, Client, CompileOptions, DeviceId, DeviceInfo, DiskCache, Executable,
    HostSource, MemoryStats, Placement, RuntimeDevice, check_compile_options, check_placement,
};

use crate::buffers::{BufferPool, PooledMemory};
use crate::threads::ThreadPool;
use buffer::{Bytes, ClientId, CpuBuffer, MEMORIES, Slot};
use executable::CpuExecutable;
pub use profile::{Profile, ProfiledStep, Profiler};
use queue::Queue;
use steps::dot::{has_matrices, panels};
pub use target::Processor;

/// The most bytes of freed memory that the pools of a client keep for reuse.
const KEPT: usize = 4 << 30;

/// The alignment in bytes with which foreign memory is used without a copy: that of the widest element.
const ALIGNMENT: usize = 8;

/// The most bytes of a copy that is made within the call that asks for it; larger copies are queued.
const SMALL: usize = 1 << 16;

/// The CPU cores of this machine, as a device.
///
/// ```
/// use jarrah_base::{DType, Literal, Type};
/// use jarrah_cpu::CpuClient;
/// use jarrah_hlo::Builder;
/// use jarrah_runtime::{Client, CompileOptions};
///
/// let mut b = Builder::new("double");
/// let x = b.param(Type::tensor(DType::F32, [3]), "x");
/// let y = b.add(x, x)?;
/// let program = b.finish(&[y])?;
///
/// let client = CpuClient::with_threads(2);
/// let double = client.compile(&program, &CompileOptions::default())?;
/// let x = client.upload(&Literal::from_slice(&[3], &[1.0f32, 2.0, 3.0])?)?;
/// let y = double.run(vec![x])?;
/// assert_eq!(y[0].read()?, Literal::from_slice(&[3], &[2.0f32, 4.0, 6.0])?);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct CpuClient {
    inner: Arc<Inner>,
}

/// Options of [`CpuClient::with_options`].
#[derive(Clone, Debug)]
pub struct CpuOptions {
    /// The number of threads that work on programs, shared by all devices.
    pub threads: usize,
    /// The number of devices, each with a queue of its own: more than one are virtual devices, for programs that need several.
    pub devices: usize,
    /// Whether long runs return before they are finished; otherwise every run ends within its call.
    pub asynchronous: bool,
    /// The cache on disk for compiled programs, if any.
    pub cache: Option<Arc<DiskCache>>,
    /// The profiler that records the times of steps, if any.
    pub profiler: Option<Profiler>,
}

impl Default for CpuOptions {
    fn default() -> Self {
        CpuOptions { threads: cores(), devices: 1, asynchronous: true, cache: None, profiler: None }
    }
}

impl CpuOptions {
    /// The options in the environment: `JARRAH_THREADS` and `JARRAH_CPU_DEVICES` are counts, `JARRAH_ASYNC=0` makes each run end
    /// within its call, `JARRAH_PROFILE=1` makes each run print where its time went; [`DiskCache::from_env`] reads the options of
    /// the cache. An invalid value is reported and treated as unset, except that of `JARRAH_CPU`.
    pub fn from_env() -> CpuOptions {
        let default = CpuOptions::default();
        CpuOptions {
            threads: count("JARRAH_THREADS", default.threads, ThreadPool::MOST),
            devices: count("JARRAH_CPU_DEVICES", default.devices, CpuClient::MOST_DEVICES),
            asynchronous: std::env::var("JARRAH_ASYNC").map_or(default.asynchronous, |value| value != "0"),
            cache: DiskCache::from_env()
                .unwrap_or_else(|error| {
                    report(format_args!("jarrah: programs are compiled and not kept: {error}"));
                    None
                })
                .map(Arc::new),
            profiler: said("JARRAH_PROFILE").then(Profiler::reporting),
        }
    }

    /// Checks `JARRAH_CPU`, the one variable for which an invalid value is not replaced by a default: clients would panic.
    ///
    /// # Errors
    /// `Environment`: it asks for instructions that this machine or this build lacks, or for what is none of `avx512`, `avx2` and
    /// `portable`.
    pub fn check_env() -> Result<()> {
        crate::vector::Isa::asked().map(|_| ())
    }
}

/// Whether the environment variable `name` is set, and not to 0.
fn said(name: &str) -> bool {
    std::env::var(name).is_ok_and(|value| value != "0" && !value.is_empty())
}

/// The count in the environment variable `name`, from 1 to `most`. Any other value is reported, and `default` is taken.
fn count(name: &str, default: usize, most: usize) -> usize {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else {
        return default;
    };
    let count =
        value.to_str().and_then(|value| value.parse().ok()).filter(|count| (1..=most).contains(count));
    count.unwrap_or_else(|| {
        report(format_args!(
            "jarrah: {name} is a number from 1 to {most}, not {value:?}; it is taken as {default}"
        ));
        default
    })
}

pub(crate) struct Inner {
    pub id: ClientId,
    pub pool: ThreadPool,
    pub profiler: Option<Profiler>,
    pub registry: Registry,
    asynchronous: bool,
    cache: Option<Arc<DiskCache>>,
    devices: Vec<RuntimeDevice>,
    lanes: Vec<Lane>,
}

/// The parts of a client that each device has for itself.
struct Lane {
    queue: Queue,
    memory: BufferPool,
}

impl CpuClient {
    /// The most devices of a client.
    pub const MOST_DEVICES: usize = 1024;

    /// A client with the options in the environment: see [`CpuOptions::from_env`].
    pub fn new() -> CpuClient {
        CpuClient::with_options(CpuOptions::from_env())
    }

    /// A client with one device and `threads` threads. Results do not depend on their number.
    pub fn with_threads(threads: usize) -> CpuClient {
        CpuClient::with_options(CpuOptions { threads, ..CpuOptions::default() })
    }

    /// A client with these options; counts that are out of range are clamped.
    ///
    /// # Panics
    /// `JARRAH_CPU` asks for instructions that this machine or this build lacks, or for what is none of `avx512`, `avx2` and
    /// `portable`.
    pub fn with_options(options: CpuOptions) -> CpuClient {
        if let Err(error) = crate::vector::Isa::asked() {
            panic!("{error}");
        }
        let count = options.devices.clamp(1, CpuClient::MOST_DEVICES);
        let device = |index: usize| {
            RuntimeDevice::new(DeviceInfo {
                id: DeviceId(index as u32),
                process: 0,
                kind: "cpu".into(),
                memories: MEMORIES.to_vec(),
                attributes: Vec::new(),
            })
        };
        let lane = |index: usize| Lane {
            queue: Queue::new(format!("jarrah-device-{index}")),
            memory: BufferPool::new(KEPT / count),
        };
        let inner = Inner {
            id: ClientId::new(),
            pool: ThreadPool::new(options.threads),
            profiler: options.profiler,
            registry: Registry::new(),
            asynchronous: options.asynchronous,
            cache: options.cache,
            devices: (0..count).map(device).collect(),
            lanes: (0..count).map(lane).collect(),
        };
        CpuClient { inner: Arc::new(inner) }
    }

    /// The number of threads that work on a program.
    pub fn threads(&self) -> usize {
        self.inner.pool.threads()
    }
}

impl CpuClient {
    /// An executable of a program that was already compiled by the passes for this client's target: only the steps are built.
    ///
    /// # Errors
    /// The options do not suit the program; it names a custom call that there is no handler for.
    pub fn prepare(
        &self,
        compiled: CompiledProgram,
        options: &CompileOptions,
    ) -> Result<Arc<dyn Executable>> {
        check_compile_options(&self.inner.devices, &compiled.program, options)?;
        Ok(Arc::new(CpuExecutable::new(self.inner.clone(), compiled, options)?))
    }

    /// The bytes that the steps of a program need besides arguments, results and temporaries while they run on this client's threads.
    ///
    /// # Errors
    /// As [`Client::compile`].
    pub fn scratch(&self, program: &Program, options: &CompileOptions) -> Result<usize> {
        Ok(stored::compile(&self.inner, program, options)?.scratch_bytes())
    }
}

impl Default for CpuClient {
    fn default() -> Self {
        CpuClient::new()
    }
}

impl Client for CpuClient {
    fn platform(&self) -> &str {
        stored::PLATFORM
    }

    fn version(&self) -> &str {
        stored::version()
    }

    fn devices(&self) -> &[RuntimeDevice] {
        &self.inner.devices
    }

    fn registry(&self) -> &Registry {
        &self.inner.registry
    }

    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer> {
        check_placement(&self.inner.devices, placement)?;
        let memory = self.inner.bring(ty, source, placement.device)?;
        Ok(Buffer::new(CpuBuffer::new(self.inner.id, ty, placement, Slot::filled(Arc::new(memory)))))
    }

    fn zeros(&self, ty: Type, placement: Placement) -> Result<Buffer> {
        check_placement(&self.inner.devices, placement)?;
        let pool = &self.inner.lanes[placement.device.index()].memory;
        let memory = pool.zeros(ty.bytes()?).ok_or_else(|| full(ty.bytes().unwrap_or(0), &ty.to_string()))?;
        let slot = Slot::filled(Arc::new(Bytes::Pooled(memory)));
        Ok(Buffer::new(CpuBuffer::new(self.inner.id, ty, placement, slot)))
    }

    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        check_placement(&self.inner.devices, placement)?;
        let (slot, filler) = Slot::promise(true);
        let inner = self.inner.clone();
        let keep = move |tensor: Result<HostSource<'_>>| {
            filler.fill(tensor.and_then(|source| inner.bring(ty, source, placement.device)).map(Arc::new));
        };
        Ok((Buffer::new(CpuBuffer::new(self.inner.id, ty, placement, slot)), BufferPromise::new(keep)))
    }

    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer> {
        check_placement(&self.inner.devices, placement)?;
        let Some(data) = CpuBuffer::of(self.inner.id, buffer) else {
            return Err(Error::program("a buffer of another client cannot be copied by this one"));
        };
        let (source, ty) = (data.slot()?, buffer.ty());
        let due = source.is_due();
        let bytes = ty.bytes()?;
        let inner = self.inner.clone();
        let copy = move || {
            let memory = source.wait()?;
            inner.bring(ty, HostSource::Borrowed(&memory.bytes()[..bytes]), placement.device).map(Arc::new)
        };
        let lane = &self.inner.lanes[placement.device.index()];
        let now = bytes <= SMALL || !self.inner.asynchronous;
        let slot = if now && data.ready().is_ready() {
            copy().map_or_else(Slot::failed, Slot::filled)
        } else {
            let (slot, filler) = Slot::promise(due);
            let place = lane.queue.reserve(due, None);
            lane.queue.submit(place, [data.ready()], Box::new(move || filler.fill(copy())));
            slot
        };
        Ok(Buffer::new(CpuBuffer::new(self.inner.id, ty, placement, slot)))
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        check_compile_options(&self.inner.devices, program, options)?;
        // Unknown names of handlers are reported before other errors.
        self.inner.registry.resolve(program)?;
        Ok(Arc::new(stored::executable(&self.inner, program, options)?))
    }

    /// The panels of a product's right operand; smaller operands stay in a cache and need none.
    fn panels(&self, dot: &DotGeneral, operands: [Type; 2]) -> Option<Panels> {
        let large = operands[1].bytes().is_ok_and(|bytes| bytes >= 32 << 10);
        panels(operands[1].dtype(), dot.out).filter(|_| large)
    }

    fn panels_of_makers(&self, dot: &DotGeneral, operands: [Type; 2]) -> Option<usize> {
        // A line of bytes, and four registers of sums.
        const COLUMNS: usize = 64;
        let large = operands[1].bytes().is_ok_and(|bytes| bytes >= 128 << 10);
        let streams = crate::gemm::RowBlock::multiplied(operands[1].dtype(), [1, 0], true, None).is_some();
        (large && streams && has_matrices(operands[1].dtype(), dot.out)).then_some(COLUMNS)
    }

    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>> {
        let (compiled, mut options) = stored::from_bytes(&self.inner, serialized)?;
        if let Some(devices) = devices {
            options.devices = devices.to_vec();
        }
        check_compile_options(&self.inner.devices, &compiled.program, &options)?;
        Ok(Arc::new(CpuExecutable::new(self.inner.clone(), compiled, &options)?))
    }

    fn give_back_unused(&self) {
        self.inner.lanes.iter().for_each(|lane| lane.memory.clear());
    }

    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats> {
        check_placement(&self.inner.devices, device.into())?;
        let used = self.inner.lanes[device.index()].memory.usage();
        Ok(MemoryStats { limit: limit(), ..used })
    }
}

fn full(bytes: usize, what: &str) -> Error {
    Error::environment(format!("the system has no {} of memory left for {what}", size(bytes)))
}

impl Inner {
    /// Memory of a device for `what`, as an error names it.
    pub fn take(
        &self,
        device: DeviceId,
        bytes: usize,
        what: impl FnOnce() -> String,
    ) -> Result<PooledMemory> {
        self.lanes[device.index()].memory.take(bytes).ok_or_else(|| full(bytes, &what()))
    }

    /// Copies a tensor's bytes to a device's memory; a source that may be kept and is well aligned is used where it is.
    fn bring(&self, ty: Type, source: HostSource<'_>, device: DeviceId) -> Result<Bytes> {
        let (bytes, found) = (ty.bytes()?, source.bytes().len());
        if bytes != found {
            return Err(Error::program(format!("{ty} has {bytes} bytes, {found} were given")));
        }
        let source = match source {
            HostSource::Shared(view) if view.bytes().as_ptr().addr().is_multiple_of(ALIGNMENT) => {
                return Ok(Bytes::Foreign(view));
            }
            source => source,
        };
        let mut memory = self.take(device, bytes, || ty.to_string())?;
        memory.bytes_mut()[..bytes].copy_from_slice(source.bytes());
        Ok(Bytes::Pooled(memory))
    }
}
