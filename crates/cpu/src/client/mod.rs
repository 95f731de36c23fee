//! The CPU as a device: programs in, buffers in, buffers out.
//!
//! The executor of the crate `execute` runs compiled programs; here are the answers and the steps of the CPU as its device
//! (`backend.rs`). All devices of a client share the worker pool.
//!
//! Kernels become vector loops ([`jarrah_tile::lower`]); a hand-written kernel that cannot be one runs grid point by grid point,
//! each op of its body as a step on block buffers (`steps/points.rs`). Small loops that follow each other and share no written
//! memory run as the tasks of one parallel region. `lib.rs` lists which ops run on the reference evaluator.
//!
//! With `JARRAH_PROFILE=1` in the environment each run prints where its time went; a [`Profiler`] in [`CpuOptions`] collects the
//! times of steps, which `jarrah hlo profile` compares with the peak of the machine ([`crate::peak`]).

mod backend;
mod build;
mod device;
mod memory;
mod plans;
mod steps;
mod target;

use std::ops::Deref;
use std::sync::Arc;

use jarrah_base::parallel::cores;
use jarrah_base::{Result, report};
use jarrah_compiler::CompiledProgram;
use jarrah_exchange::Exchange;
use jarrah_execute::{DeviceOptions, Devices, Profiler};
use jarrah_hlo::Program;
use jarrah_runtime::{Client, CompileOptions, DiskCache, Executable, MemoryKind, Observer};

use crate::threads::ThreadPool;
use device::Cpu;
pub use target::Processor;

/// The most bytes of freed memory that the pools of a client keep for reuse.
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
pub struct CpuClient(Devices<Cpu>);

/// The methods of the client are those of its devices, compiled in this crate: a generic executor that others could name would be compiled anew
/// in theirs, and without optimization where they are.
impl Deref for CpuClient {
    type Target = dyn Client;

    #[inline(never)]
    fn deref(&self) -> &(dyn Client + 'static) {
        &self.0
    }
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
        let (devices, options) = CpuClient::parts(options);
        CpuClient(Devices::new(devices, options))
    }

    /// A client of such devices and of those of the other processes of an exchange, which make their clients at the same time. Devices are
    /// numbered through all processes.
    ///
    /// ```
    /// use jarrah_cpu::{CpuClient, CpuOptions};
    /// use jarrah_runtime::Client;
    ///
    /// // Two threads stand for two processes.
    /// let ranks = jarrah_exchange::Threads::start(2);
    /// std::thread::scope(|scope| {
    ///     for rank in ranks {
    ///         scope.spawn(move || {
    ///             let client = CpuClient::join(CpuOptions { devices: 2, ..CpuOptions::default() }, rank).unwrap();
    ///             assert_eq!((client.devices().len(), client.first().0), (4, client.process() as u32 * 2));
    ///         });
    ///     }
    /// });
    /// ```
    ///
    /// # Errors
    /// The exchange fails; another process has another version, or a processor with other instructions.
    ///
    /// # Panics
    /// As [`CpuClient::with_options`].
    pub fn join(options: CpuOptions, exchange: Arc<dyn Exchange>) -> Result<CpuClient> {
        let (devices, options) = CpuClient::parts(options);
        Devices::join(devices, options, exchange).map(CpuClient)
    }

    fn parts(options: CpuOptions) -> (Vec<Cpu>, DeviceOptions) {
        if let Err(error) = crate::vector::Isa::asked() {
            panic!("{error}");
        }
        let count = options.devices.clamp(1, CpuClient::MOST_DEVICES);
        let pool = Arc::new(ThreadPool::new(options.threads).shared_by(count));
        let devices = (0..count).map(|_| Cpu::new(pool.clone(), KEPT / count)).collect();
        // One memory under three names, so that programs that place tensors run.
        let memories = MemoryKind::ALL.to_vec();
        let CpuOptions { asynchronous, cache, profiler, .. } = options;
        let observers =
            profiler.into_iter().map(|profiler| Arc::new(profiler) as Arc<dyn Observer>).collect();
        (devices, DeviceOptions { kind: "cpu".to_owned(), memories, asynchronous, cache, observers })
    }

    /// The number of threads that work on a program.
    pub fn threads(&self) -> usize {
        self.0.device(self.first()).pool.threads()
    }

    /// An executable of a program that was already compiled by the passes for the devices' target: only the steps are built.
    ///
    /// # Errors
    /// The options do not suit the program; it names a custom call that there is no handler for.
    #[inline(never)]
    pub fn prepare(
        &self,
        compiled: CompiledProgram,
        options: &CompileOptions,
    ) -> Result<Arc<dyn Executable>> {
        self.0.prepare(compiled, options)
    }

    /// The bytes that the steps of a program need besides arguments, results and temporaries while they run on the devices.
    ///
    /// # Errors
    /// As [`Client::compile`].
    #[inline(never)]
    pub fn scratch(&self, program: &Program, options: &CompileOptions) -> Result<usize> {
        self.0.scratch(program, options)
    }
}

impl Default for CpuClient {
    fn default() -> Self {
        CpuClient::new()
    }
}
