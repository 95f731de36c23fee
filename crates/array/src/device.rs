//! The devices that arrays live on.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, Weak};
use std::time::Instant;

use jarrah_base::{Error, Location, Result};
use jarrah_hlo::Program;
use jarrah_runtime::{
    Buffer, Cache, Client, CompileOptions, DeviceId, Event, Executable, HostSource, MemoryStats,
    platform_client, register_platform,
};
use jarrah_transforms::on_one_device;

use crate::array::{Array, Repr};
use crate::error::fail_at;
use crate::monitoring;
use crate::{autodiff, eager, precision};

/// A device of a client. Two devices are equal if their clients and numbers are.
///
/// An array that was [put](Array::to_device) on a device stays there, and so does what is computed from it. Other arrays
/// live on the [default device](default_device); where they are used on another one they are copied there, once.
///
/// ```
/// use jarrah_array::{Array, Device, default_device};
/// let device = default_device();
/// let all = Device::all(device.client().clone());
/// assert_eq!(all.len(), device.client().devices().len());
/// assert_eq!((all[0].id(), all[0].to_string().as_str()), (device.id(), "cpu:0"));
/// let x = Array::ones(&[1000]).to_device(&device)?;
/// x.block_until_ready()?;
/// assert!(device.memory_stats()?.in_use >= 4000);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone)]
pub struct Device {
    backend: Arc<Backend>,
    id: DeviceId,
}

/// A client with its caches of executables.
pub(crate) struct Backend {
    pub(crate) cache: Cache,
    eager: eager::Cache,
    /// How often the caches were cleared.
    cleared: AtomicU64,
}

/// The most executables in the cache.
const CACHED: usize = 4096;

/// The platform of arrays where nobody says more.
const CPU: &str = "cpu";

static DEFAULT: LazyLock<RwLock<Device>> = LazyLock::new(|| {
    let first = devices_of(CPU).map(|devices| devices.into_iter().find(Device::is_addressable));
    let first = first.unwrap_or_else(|error| panic!("{error}"));
    RwLock::new(first.expect("invariant: a client has a device of its process"))
});

/// The backends of the platforms that were asked for, as long as somebody holds them.
static KNOWN: Mutex<Vec<(String, Weak<Backend>)>> = Mutex::new(Vec::new());

thread_local! {
    static CHOSEN: RefCell<Vec<Device>> = const { RefCell::new(Vec::new()) };
}

/// Makes the first device of `client` the default one. Arrays that are on a device of another client stay there.
///
/// ```
/// use std::sync::Arc;
/// use jarrah_array::{Array, default_device, devices, set_client};
/// use jarrah_cpu::{CpuClient, CpuOptions};
///
/// set_client(Arc::new(CpuClient::with_options(CpuOptions { devices: 2, ..CpuOptions::default() })));
/// assert_eq!(devices().len(), 2);
/// assert_eq!(Array::zeros(&[3]).device(), default_device());
/// ```
pub fn set_client(client: Arc<dyn Client>) {
    *DEFAULT.write().unwrap_or_else(PoisonError::into_inner) = Device::first(client);
}

/// Joins the processes that a launcher has started together with this one, `jarrah launch` or, with the feature `mpi`, `mpirun` and
/// `srun`: from here on [`devices`] are those of all processes, and the default device is this process's first. Returns false
/// where no launcher has started this process.
///
/// Every process runs the same functions on arrays over devices of several processes, in the same order. `JARRAH_CPU_DEVICES` is the
/// number of devices of each process.
///
/// ```
/// use jarrah_array::{device_count, devices, join_processes};
/// if join_processes()? {
///     let own = devices().iter().filter(|device| device.is_addressable()).count();
///     println!("{own} of {} devices are this process's", device_count());
/// }
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// # Errors
/// The others do not come, or have another version.
///
/// Source: `jax.distributed.initialize`.
pub fn join_processes() -> Result<bool> {
    let Some(exchange) = jarrah_exchange::from_env()? else { return Ok(false) };
    set_client(Arc::new(jarrah_cpu::CpuClient::join(jarrah_cpu::CpuOptions::from_env(), exchange)?));
    Ok(true)
}

/// The devices of the default device's client.
///
/// The CPU is one, or as many as `JARRAH_CPU_DEVICES` says; [`Device::all`] has those of a client with other options.
///
/// ```
/// use jarrah_array::{default_device, devices};
/// assert_eq!(devices()[0], default_device());
/// ```
pub fn devices() -> Vec<Device> {
    default_device().siblings()
}

/// The devices of a platform: of `cpu`, or of one that was [registered](jarrah_runtime::register_platform).
///
/// ```
/// use std::sync::Arc;
/// use jarrah_array::{Array, devices_of};
/// use jarrah_cpu::{CpuClient, CpuOptions};
/// use jarrah_runtime::register_platform;
///
/// register_platform("four", || {
///     Ok(Arc::new(CpuClient::with_options(CpuOptions { devices: 4, ..CpuOptions::default() })))
/// })?;
/// let devices = devices_of("four")?;
/// assert_eq!((devices.len(), &devices), (4, &devices_of("four")?));
/// let x = Array::from_slice(&[1.0f32, 2.0]).to_device(&devices[3])?;
/// assert_eq!((x + 1.0).to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// # Errors
/// There is no such platform, or its client cannot be made.
pub fn devices_of(platform: &str) -> Result<Vec<Device>> {
    if platform == CPU {
        // A client that the user registered as `cpu` before stays registered.
        let _ = register_platform(CPU, || Ok(Arc::new(jarrah_cpu::CpuClient::new())));
    }
    let find = |known: &[(String, Weak<Backend>)]| {
        let (_, backend) = known.iter().find(|(name, _)| name == platform)?;
        Some(Device { backend: backend.upgrade()?, id: DeviceId(0) }.siblings())
    };
    if let Some(devices) = find(&KNOWN.lock().unwrap_or_else(PoisonError::into_inner)) {
        return Ok(devices);
    }
    let client = platform_client(platform)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(devices) = find(&known) {
        return Ok(devices);
    }
    let first = Device::first(client);
    known.retain(|(name, _)| name != platform);
    known.push((platform.to_owned(), Arc::downgrade(&first.backend)));
    Ok(first.siblings())
}

/// How many devices the default device's client has.
///
/// ```
/// use jarrah_array::{device_count, devices};
/// assert_eq!(device_count(), devices().len());
/// ```
pub fn device_count() -> usize {
    default_device().client().devices().len()
}

/// The name of the platform of the default device's client: `cpu`.
///
/// ```
/// assert_eq!(jarrah_array::default_backend(), "cpu");
/// ```
pub fn default_backend() -> String {
    default_device().client().platform().to_owned()
}

/// The device of arrays that were not put on any device: the innermost of [`with_default_device`] on this thread, or else the
/// first device of the client that was set, or of the CPU.
///
/// ```
/// use jarrah_array::{default_device, devices, with_default_device};
/// let last = devices().pop().unwrap();
/// assert_eq!(with_default_device(&last, default_device), last);
/// ```
pub fn default_device() -> Device {
    let chosen = CHOSEN.with_borrow(|chosen| chosen.last().cloned());
    chosen.unwrap_or_else(|| DEFAULT.read().unwrap_or_else(PoisonError::into_inner).clone())
}

/// Calls `f` with another default device on this thread.
///
/// ```
/// use std::sync::Arc;
/// use jarrah_array::{Array, Device, with_default_device};
/// use jarrah_cpu::{CpuClient, CpuOptions};
///
/// let client = CpuClient::with_options(CpuOptions { devices: 2, ..CpuOptions::default() });
/// let second = Device::all(Arc::new(client)).swap_remove(1);
/// let x = with_default_device(&second, || Array::from_slice(&[1.0f32, 2.0]) + 1.0);
/// assert_eq!(x.to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn with_default_device<R>(device: &Device, f: impl FnOnce() -> R) -> R {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            CHOSEN.with_borrow_mut(|chosen| chosen.pop());
        }
    }
    CHOSEN.with_borrow_mut(|chosen| chosen.push(device.clone()));
    let _restore = Restore;
    f()
}

/// How many programs the default device's client has compiled so far.
///
/// ```
/// use jarrah_array::{Array, compiled_programs, jit};
/// let (f, before) = (jit(|x: &Array| x.sin()), compiled_programs());
/// for x in [[1.0f32, 2.0], [3.0, 4.0]] {
///     f.call(Array::from_slice(&x))?;
/// }
/// assert_eq!(compiled_programs() - before, 1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn compiled_programs() -> u64 {
    default_device().backend.cache.compiled()
}

/// Drops everything that the default device's client has compiled. Traces are kept: a compiled function drops its code at its
/// next call, and is compiled again.
///
/// ```
/// use jarrah_array::{Array, clear_caches, compiled_programs, jit};
/// let f = jit(|x: &Array| x.sin());
/// let x = Array::from_slice(&[1.0f32, 2.0]);
/// f.call(x.clone())?;
/// let before = compiled_programs();
/// clear_caches();
/// f.call(x)?;
/// assert_eq!((compiled_programs() - before, f.traces()), (1, 1));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn clear_caches() {
    let Device { backend, .. } = default_device();
    backend.cleared.fetch_add(1, Ordering::Relaxed);
    backend.cache.clear();
    backend.eager.clear();
    autodiff::forget();
    precision::forget();
}

thread_local! {
    /// The ends of runs with effects that this thread has begun and not waited for.
    static IN_FLIGHT: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
}

/// Records that a run with effects has begun. Runs that have succeeded are dropped from the list; of the failed ones the first
/// few are kept, so that [`effects_barrier`] returns their errors.
pub(crate) fn in_flight(done: Event) {
    IN_FLIGHT.with_borrow_mut(|runs| {
        let mut failed = 0;
        runs.retain(|run| match run.outcome() {
            Some(Ok(())) => false,
            Some(Err(_)) => {
                failed += 1;
                failed <= FAILURES
            }
            None => true,
        });
        runs.push(done);
    });
}

/// The most failed runs that are kept until [`effects_barrier`] returns their errors.
const FAILURES: usize = 16;

/// Waits until all effects of the calls that this thread has made have happened: prints, callbacks, checks.
///
/// # Errors
/// The error of the first of these runs that failed since the last call of this function.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use jarrah_array::{Array, CallbackOrder, debug, effects_barrier, jit};
/// static SEEN: AtomicU32 = AtomicU32::new(0);
/// let note = |_: &Array| {
///     SEEN.fetch_add(1, Ordering::Relaxed);
///     Ok(())
/// };
/// let f = jit(move |x: &Array| {
///     debug::callback(note, x, CallbackOrder::Any);
///     x.sin()
/// });
/// f.call(Array::zeros(&[1 << 20]))?;
/// effects_barrier()?;
/// assert_eq!(SEEN.load(Ordering::Relaxed), 1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn effects_barrier() -> Result<()> {
    let runs = IN_FLIGHT.take();
    let ends: Vec<Result<()>> = runs.iter().map(Event::wait).collect();
    ends.into_iter().collect()
}

impl Device {
    /// All devices of a client, which need not be the default one.
    pub fn all(client: Arc<dyn Client>) -> Vec<Device> {
        Device::first(client).siblings()
    }

    fn first(client: Arc<dyn Client>) -> Device {
        let cache = Cache::new(client, CACHED);
        let backend = Backend { cache, eager: eager::Cache::default(), cleared: AtomicU64::new(0) };
        let id = backend.cache.client().first();
        Device { backend: Arc::new(backend), id }
    }

    fn siblings(&self) -> Vec<Device> {
        let ids = self.client().devices().iter().map(|device| device.id);
        ids.map(|id| Device { backend: self.backend.clone(), id }).collect()
    }

    /// The client.
    pub fn client(&self) -> &Arc<dyn Client> {
        self.backend.cache.client()
    }

    /// Whether the device is one of this process's: arrays are put there, and read from there.
    ///
    /// ```
    /// assert!(jarrah_array::default_device().is_addressable());
    /// ```
    pub fn is_addressable(&self) -> bool {
        self.process() == self.client().process()
    }

    /// The number of the process that drives the device.
    ///
    /// ```
    /// assert_eq!(jarrah_array::default_device().process(), 0);
    /// ```
    pub fn process(&self) -> usize {
        self.client().devices()[self.id.index()].process
    }

    /// The device's number within its client.
    pub fn id(&self) -> DeviceId {
        self.id
    }

    /// The use of the device's memory.
    ///
    /// # Errors
    /// The device failed.
    pub fn memory_stats(&self) -> Result<MemoryStats> {
        self.client().memory_stats(self.id)
    }

    /// Returns memory that the device's client holds for reuse to the system.
    ///
    /// ```
    /// use jarrah_array::{Array, default_device};
    /// Array::ones(&[1000]).sum(..).item::<f32>()?;
    /// default_device().give_back_unused();
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn give_back_unused(&self) {
        self.client().give_back_unused();
    }

    /// The executable of a program, compiled at its first use and cached. A program that calls host functions of this process is
    /// not cached: each trace makes a new function, so that its program would never be found again.
    pub(crate) fn executable(
        &self,
        program: &Arc<Program>,
        options: &CompileOptions,
    ) -> Result<Arc<dyn Executable>> {
        // One device computes what all devices of a mesh do.
        let alone;
        let program = match program.names_axes() {
            true => {
                alone = Arc::new(on_one_device(program)?);
                &alone
            }
            false => program,
        };
        let started = Instant::now();
        let (executable, hit) = match program.calls_functions() {
            true => (self.client().compile(program, options)?, false),
            false => self.backend.cache.look_up(program, options)?,
        };
        let name = || program.name().to_owned();
        monitoring::tell(|| match hit {
            true => monitoring::MonitoringEvent::CacheHit { program: name() },
            false => monitoring::MonitoringEvent::Compile { program: name(), took: started.elapsed() },
        });
        Ok(executable)
    }

    /// The executable of the program of a partition, compiled at its first use and cached.
    pub(crate) fn partitioned(
        &self,
        program: &Arc<Program>,
        options: &CompileOptions,
    ) -> Result<Arc<dyn Executable>> {
        match program.calls_functions() {
            true => self.client().compile(program, options),
            false => Ok(self.backend.cache.look_up(program, options)?.0),
        }
    }

    /// How often the caches of the device's client were cleared.
    pub(crate) fn cleared(&self) -> u64 {
        self.backend.cleared.load(Ordering::Relaxed)
    }

    /// The client's cache for eager operations.
    pub(crate) fn eager(&self) -> &eager::Cache {
        &self.backend.eager
    }

    /// Whether `self` and `other` belong to the same client.
    pub(crate) fn is_sibling(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.backend, &other.backend)
    }

    /// Whether `buffer`, on a device of the client of `home`, already lies in this device's own memory.
    pub(crate) fn has(&self, buffer: &Buffer, home: &Device) -> bool {
        self.is_sibling(home) && buffer.placement() == self.id.into()
    }

    /// The data of `buffer`, a buffer of `home`, on this device: the same buffer if it is there already, otherwise a copy.
    pub(crate) fn bring(&self, buffer: &Buffer, home: &Device) -> Result<Buffer> {
        if !self.is_sibling(home) {
            return self.client().buffer_from_host(
                buffer.ty(),
                HostSource::Shared(buffer.view()?),
                self.id.into(),
            );
        }
        if self.has(buffer, home) {
            return Ok(buffer.clone());
        }
        self.client().copy(buffer, self.id.into())
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.is_sibling(other) && self.id == other.id
    }
}
impl Eq for Device {}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.client().platform(), self.id)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The device of arrays that are used together: the one that some of them were put on; `None` if none was.
///
/// # Errors
/// They are on different devices.
pub(crate) fn common<'a>(devices: impl IntoIterator<Item = Option<&'a Device>>) -> Result<Option<Device>> {
    let mut common: Option<&Device> = None;
    for device in devices.into_iter().flatten() {
        match common {
            Some(known) if known != device => {
                let error = format!("the operands are on different devices, {known} and {device}");
                return Err(Error::program(error).help("bring them together with to_device"));
            }
            _ => common = Some(device),
        }
    }
    Ok(common.cloned())
}

impl Array {
    /// Waits until the array is computed: calls of compiled functions return when their runs have begun.
    ///
    /// # Errors
    /// The run failed; the array is being traced.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let y = jit(|x: &Array| x.sin()).call(Array::ones(&[1000]))?;
    /// y.block_until_ready()?;
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn block_until_ready(&self) -> Result<()> {
        if let Some(shards) = self.node().and_then(|node| node.shards()) {
            return shards.wait();
        }
        self.to_buffer()?.ready().wait()
    }

    /// Takes memory for these bytes of the array from the system, if it has not given it yet: of [reserved](Array::reserve) memory a page comes with the first
    /// write to it, which then waits for pages to be cleared. The array stays as it is; where memory is there, or is taken in other ways, nothing happens.
    ///
    /// # Errors
    /// As [`block_until_ready`](Array::block_until_ready).
    ///
    /// ```
    /// use jarrah_array::{Array, DType, Type};
    /// let x = Array::reserve(Type::tensor(DType::F32, [1 << 20]))?;
    /// x.populate(0..2 << 20)?;
    /// assert_eq!(x.sum(..).item::<f32>()?, 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn populate(&self, bytes: Range<usize>) -> Result<()> {
        let buffer = self.to_buffer()?;
        buffer.ready().wait()?;
        buffer.populate(bytes);
        Ok(())
    }

    /// The array on `device`, where it stays, with all that is computed from it. In a function that is traced, the array
    /// itself: a compiled function runs on the device of its arguments.
    ///
    /// # Errors
    /// The device is out of memory; the computation of the array failed.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_array::{Array, Device};
    /// use jarrah_cpu::{CpuClient, CpuOptions};
    ///
    /// let client = CpuClient::with_options(CpuOptions { devices: 2, ..CpuOptions::default() });
    /// let all = Device::all(Arc::new(client));
    /// let x = Array::from_slice(&[1.0f32, 2.0]).to_device(&all[1])?;
    /// let y = x + 1.0;
    /// assert_eq!(y.device(), all[1]);
    /// assert_eq!(y.to_vec::<f32>()?, [2.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_device(&self, device: &Device) -> Result<Array> {
        let Repr::Node(node) = &self.repr else { return Ok(self.clone()) };
        Ok(Array::from_node(node.put(device, crate::array::here())?))
    }

    /// The device that the array is on, or goes to when it is computed.
    ///
    /// # Errors
    ///
    /// A program error in a function that is being traced, whose arrays are on no device.
    ///
    /// ```
    /// use jarrah_array::{Array, default_device};
    /// assert_eq!(Array::zeros(&[3]).device(), default_device());
    /// ```
    #[track_caller]
    pub fn device(&self) -> Device {
        let Repr::Node(node) = &self.repr else {
            let error = Error::program("an array of a function that is traced is on no device").op("device");
            fail_at(Location::caller(), error)
        };
        node.location()
    }
}
