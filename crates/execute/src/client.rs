//! The client of some devices of one kind.

use std::sync::Arc;

use jarrah_base::{Error, Result, Type};
use jarrah_compiler::CompiledProgram;
use jarrah_exchange::Exchange;
use jarrah_hlo::Program;
use jarrah_hlo::host::Registry;
use jarrah_runtime::{
    Buffer, BufferData, BufferPromise, Client, CompileOptions, DeviceId, DiskCache, Executable, HostSource,
    MemoryKind, MemoryStats, Observer, Observing, Placement, Preferences, RuntimeDevice,
    check_compile_options,
};

use crate::backend::Backend;
use crate::buffer::{ClientId, DeviceBuffer, Slot};
use crate::compile;
use crate::executable::DeviceExecutable;
use crate::launch::Launches;
use crate::observers::Observers;
use crate::processes::{self, Processes};
use crate::queue::Queue;
use crate::shared::{Lane, Shared, full};
use crate::stored;

/// The most bytes of a copy that is made within the call that asks for it; larger copies are queued.
const SMALL: usize = 1 << 16;

/// Options of [`Devices::new`].
#[derive(Clone)]
pub struct DeviceOptions {
    /// The model of the hardware, for each device.
    pub kind: String,
    /// The kinds of memory of a device, the default one first.
    pub memories: Vec<MemoryKind>,
    /// Whether long runs return before they are finished; otherwise every run ends within its call.
    pub asynchronous: bool,
    /// The cache on disk for compiled programs, if any.
    pub cache: Option<Arc<DiskCache>>,
    /// The observers of all runs.
    pub observers: Vec<Arc<dyn Observer>>,
}

/// Some devices of one kind, with their compiler, their buffers and their runs: what a `Client` of them is made of. Clones are the
/// same devices.
pub struct Devices<D: Backend>(Arc<Shared<D>>);

impl<D: Backend> Clone for Devices<D> {
    fn clone(&self) -> Self {
        Devices(self.0.clone())
    }
}

impl<D: Backend> Devices<D> {
    /// A client of these devices, of which there is at least one.
    ///
    /// # Panics
    /// There is none.
    pub fn new(devices: Vec<D>, options: DeviceOptions) -> Devices<D> {
        let counts = [devices.len() as u32];
        Devices::of(devices, options, &counts, None)
    }

    /// A client of these devices, of which there is at least one, and of those of the other processes of an exchange, all of which make
    /// their clients at the same time.
    ///
    /// # Errors
    /// The exchange fails; another process has devices of another kind or version.
    ///
    /// # Panics
    /// There is no device.
    pub fn join(devices: Vec<D>, options: DeviceOptions, exchange: Arc<dyn Exchange>) -> Result<Devices<D>> {
        assert!(!devices.is_empty(), "a client has at least one device");
        let (counts, client) =
            processes::counts(&*exchange, devices.len() as u32, &options.kind, devices[0].version())?;
        Ok(Devices::of(devices, options, &counts, Some(Processes::new(exchange, client))))
    }

    fn of(
        devices: Vec<D>,
        options: DeviceOptions,
        counts: &[u32],
        processes: Option<Processes>,
    ) -> Devices<D> {
        assert!(!devices.is_empty(), "a client has at least one device");
        let own = processes.as_ref().map_or(0, |processes| processes.exchange().rank());
        let first = counts[..own].iter().sum::<u32>() as usize;
        let observers = Observers::default();
        for observer in options.observers {
            observers.add(observer);
        }
        let lane =
            |(index, device)| Lane { queue: Queue::new(format!("jarrah-device-{}", first + index)), device };
        Devices(Arc::new(Shared {
            id: ClientId::new(),
            registry: Registry::new(),
            asynchronous: options.asynchronous,
            cache: options.cache,
            observers,
            devices: processes::devices(counts, &options.kind, &options.memories),
            lanes: devices.into_iter().enumerate().map(lane).collect(),
            first,
            processes,
            launches: Launches::default(),
        }))
    }

    /// The device of this number.
    pub fn device(&self, id: DeviceId) -> &D {
        self.0.device(id)
    }

    /// An executable of a program that was already compiled by the passes for the devices' target: only the steps are built.
    ///
    /// # Errors
    /// The options do not suit the program; it names a custom call that there is no handler for.
    pub fn prepare(
        &self,
        compiled: CompiledProgram,
        options: &CompileOptions,
    ) -> Result<Arc<dyn Executable>> {
        check_compile_options(&self.0.devices, &compiled.program, options)?;
        Ok(Arc::new(DeviceExecutable::new(self.0.clone(), compiled, options)?))
    }

    /// The bytes that the steps of a program need besides arguments, results and temporaries while they run on the devices.
    ///
    /// # Errors
    /// As [`Client::compile`].
    pub fn scratch(&self, program: &Program, options: &CompileOptions) -> Result<usize> {
        Ok(compile::compile(&self.0, program, options)?.scratch_bytes())
    }
}

impl<D: Backend> Client for Devices<D> {
    fn platform(&self) -> &str {
        self.0.kind().platform()
    }

    fn version(&self) -> &str {
        self.0.kind().version()
    }

    fn devices(&self) -> &[RuntimeDevice] {
        &self.0.devices
    }

    fn process(&self) -> usize {
        self.0.process()
    }

    fn registry(&self) -> &Registry {
        &self.0.registry
    }

    fn preferences(&self) -> &dyn Preferences {
        self.0.kind().preferences()
    }

    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer> {
        self.0.check(placement)?;
        let memory = self.0.bring(ty, source, placement.device)?;
        Ok(self.0.buffer(ty, placement, Slot::filled(Arc::new(memory))))
    }

    fn zeros(&self, ty: Type, placement: Placement) -> Result<Buffer> {
        self.0.check(placement)?;
        let memory = self.0.device(placement.device).zeros(ty.bytes()?);
        let memory = memory.ok_or_else(|| full(ty.bytes().unwrap_or(0), &ty.to_string()))?;
        Ok(self.0.buffer(ty, placement, Slot::filled(Arc::new(memory))))
    }

    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        self.0.check(placement)?;
        let (slot, filler) = Slot::promise(true);
        let shared = self.0.clone();
        let keep = move |tensor: Result<HostSource<'_>>| {
            filler.fill(tensor.and_then(|source| shared.bring(ty, source, placement.device)).map(Arc::new));
        };
        Ok((self.0.buffer(ty, placement, slot), BufferPromise::new(keep)))
    }

    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer> {
        self.0.check(placement)?;
        let Some(data) = DeviceBuffer::<D::Memory>::of(self.0.id, buffer) else {
            return Err(Error::program("a buffer of another client cannot be copied by this one"));
        };
        let (source, ty, home) = (data.slot()?, buffer.ty(), buffer.placement().device);
        let due = source.is_due();
        let bytes = ty.bytes()?;
        let shared = self.0.clone();
        let copy = move || {
            let from = source.wait()?;
            shared.observers.transfer(Some(home), placement.device, bytes, || {
                let mut memory = shared.take(placement.device, bytes, || ty.to_string())?;
                shared.device(placement.device).duplicate(&mut memory, from, bytes)?;
                Ok(Arc::new(memory))
            })
        };
        let lane = self.0.lane(placement.device);
        let now = bytes <= SMALL || !self.0.asynchronous;
        let slot = if now && data.ready().is_ready() {
            copy().map_or_else(Slot::failed, Slot::filled)
        } else {
            let (slot, filler) = Slot::promise(due);
            let place = lane.queue.reserve(due, None);
            lane.queue.submit(place, [data.ready()], Box::new(move || filler.fill(copy())));
            slot
        };
        Ok(self.0.buffer(ty, placement, slot))
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        check_compile_options(&self.0.devices, program, options)?;
        // Unknown names of handlers are reported before other errors.
        self.0.registry.resolve(program)?;
        Ok(Arc::new(compile::executable(&self.0, program, options)?))
    }

    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>> {
        let (compiled, mut options) = stored::from_bytes(&self.0, serialized)?;
        if let Some(devices) = devices {
            options.devices = devices.to_vec();
        }
        self.prepare(compiled, &options)
    }

    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats> {
        self.0.check(device.into())?;
        Ok(self.0.device(device).usage())
    }

    fn observe(&self, observer: Arc<dyn Observer>) -> Result<Observing> {
        let (shared, number) = (Arc::downgrade(&self.0), self.0.observers.add(observer));
        Ok(Observing::new(move || {
            if let Some(shared) = shared.upgrade() {
                shared.observers.remove(number);
            }
        }))
    }

    fn give_back_unused(&self) {
        self.0.lanes.iter().for_each(|lane| lane.device.give_back_unused());
    }
}
