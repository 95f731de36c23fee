use std::ops::Deref;
use std::sync::Arc;

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::host::Registry;
use jarrah_hlo::ops::DotGeneral;
use jarrah_hlo::{Alias, Panels, Program};
use serde::{Deserialize, Serialize};

use crate::buffer::{Buffer, BufferPromise, HostSource};
use crate::device::{DeviceId, MemoryStats, Placement, RuntimeDevice};
use crate::event::Event;
use crate::observer::{Observer, Observing};
use crate::steps::StepLabel;

/// Devices of one kind, and the compiler for them. Several clients in one process do not know of each other.
pub trait Client: Send + Sync {
    /// The kind of device: `cpu`.
    fn platform(&self) -> &str;

    /// The version of the compiler, and what of the processor it depends on: clients of the same platform and version load
    /// each other's executables.
    fn version(&self) -> &str;

    /// The devices, by [`DeviceId`], those of other processes among them.
    fn devices(&self) -> &[RuntimeDevice];

    /// The number of this process among those whose devices these are. Its own devices are the *addressable* ones, at least one: buffers
    /// lie there, and runs take the arguments and give the results of these alone.
    fn process(&self) -> usize;

    /// The handlers of the custom calls that programs may name; they are looked up when a program is compiled.
    fn registry(&self) -> &Registry;

    /// Brings a tensor of type `ty` to a device.
    ///
    /// # Errors
    /// The number of bytes is not that of the type; there is no such device or memory; the memory is full.
    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer>;

    /// A tensor of zeros, in memory of its own: of a large one the device may touch no page before something is written there.
    ///
    /// # Errors
    /// There is no such device or memory; the memory is full.
    fn zeros(&self, ty: Type, placement: Placement) -> Result<Buffer> {
        self.buffer_from_host(ty, HostSource::Borrowed(Literal::zeros(ty)?.bytes()), placement)
    }

    /// A buffer whose tensor is given later.
    ///
    /// # Errors
    /// There is no such device or memory.
    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)>;

    /// A copy of a buffer of this client, in order after what fills it.
    ///
    /// # Errors
    /// The buffer belongs to another client or was deleted; there is no such device or memory.
    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer>;

    /// Compiles a program.
    ///
    /// # Errors
    /// The program is invalid, uses what the device lacks, does not fit into its memory, or asks for devices that
    /// there are not; an alias that must hold cannot; it does not fit within its memory limit, whatever is computed again.
    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>>;

    /// The forms of operands that the devices read faster than as they are.
    fn preferences(&self) -> &dyn Preferences;

    /// The executable that [`Executable::serialize`] of such a client wrote, without compiling it again; on these devices
    /// if some are given, or else on those it was compiled for.
    ///
    /// The bytes are trusted as code is: damage is found, malice may not be.
    ///
    /// # Errors
    /// The bytes are damaged, or those of another platform, version or processor; as [`Client::compile`].
    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>>;

    /// How the memory of a device is used.
    ///
    /// # Errors
    /// There is no such device.
    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats>;

    /// Lets somebody watch the runs and transfers that begin from now on, until the result is dropped. Observers change nothing
    /// of what runs.
    ///
    /// # Errors
    /// The devices tell nobody what they do.
    fn observe(&self, observer: Arc<dyn Observer>) -> Result<Observing>;

    /// Gives memory that is kept to be used again back to the system. A client that keeps none has nothing to do.
    fn give_back_unused(&self) {}

    /// The first device of this process.
    fn first(&self) -> DeviceId {
        let own = self.devices().iter().find(|device| device.process == self.process());
        own.map_or(DeviceId(0), |device| device.id)
    }

    /// Copies a tensor to the first device of this process.
    ///
    /// # Errors
    /// The device is out of memory.
    fn upload(&self, literal: &Literal) -> Result<Buffer> {
        let source = HostSource::Borrowed(literal.bytes());
        self.buffer_from_host(literal.ty(), source, self.first().into())
    }
}

/// The forms of operands that devices read faster than as they are. It pays to bring an operand into them that many runs read.
pub trait Preferences {
    /// The panels in which the devices read the right operand of this product faster, if there are any.
    fn panels(&self, dot: &DotGeneral, operands: [Type; 2]) -> Option<Panels>;

    /// The columns of the panels in which the devices read faster what a loop makes the right operand of this product of, as the product
    /// reads it, if there are any: values whose last axis is the columns.
    fn panels_of_makers(&self, dot: &DotGeneral, operands: [Type; 2]) -> Option<usize>;
}

/// The preferences of devices that read every operand as it is.
#[derive(Clone, Copy, Debug)]
pub struct NoPreferences;

impl Preferences for NoPreferences {
    fn panels(&self, _: &DotGeneral, _: [Type; 2]) -> Option<Panels> {
        None
    }

    fn panels_of_makers(&self, _: &DotGeneral, _: [Type; 2]) -> Option<usize> {
        None
    }
}

/// A handle of a client is a client.
impl<T: Deref<Target: Client> + Send + Sync> Client for T {
    fn platform(&self) -> &str {
        (**self).platform()
    }

    fn version(&self) -> &str {
        (**self).version()
    }

    fn devices(&self) -> &[RuntimeDevice] {
        (**self).devices()
    }

    fn process(&self) -> usize {
        (**self).process()
    }

    fn registry(&self) -> &Registry {
        (**self).registry()
    }

    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer> {
        (**self).buffer_from_host(ty, source, placement)
    }

    fn zeros(&self, ty: Type, placement: Placement) -> Result<Buffer> {
        (**self).zeros(ty, placement)
    }

    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        (**self).promise(ty, placement)
    }

    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer> {
        (**self).copy(buffer, placement)
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        (**self).compile(program, options)
    }

    fn preferences(&self) -> &dyn Preferences {
        (**self).preferences()
    }

    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>> {
        (**self).load(serialized, devices)
    }

    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats> {
        (**self).memory_stats(device)
    }

    fn observe(&self, observer: Arc<dyn Observer>) -> Result<Observing> {
        (**self).observe(observer)
    }

    fn give_back_unused(&self) {
        (**self).give_back_unused();
    }

    fn upload(&self, literal: &Literal) -> Result<Buffer> {
        (**self).upload(literal)
    }
}

/// Options of [`Client::compile`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CompileOptions {
    /// The parameters that callers may give up, and what becomes of their memory; by parameter, each at most once.
    pub aliases: Vec<Alias>,
    /// The device of each partition of each replica, replica by replica. Where there is none, the program is portable: each execution chooses a
    /// device.
    pub devices: Vec<DeviceId>,
    /// The partitions of a replica, whose devices follow one another; 0 is 1. The program is that of a partition.
    pub partitions: usize,
    /// The bytes that a run may take at most, arguments and results included: where it would take more, values are computed
    /// again near their later uses, which changes no bit.
    pub memory_limit: Option<usize>,
}

impl CompileOptions {
    /// Lets any result overwrite these parameters, which are increasing.
    pub fn donating(parameters: &[usize]) -> CompileOptions {
        CompileOptions {
            aliases: parameters.iter().copied().map(Alias::donor).collect(),
            ..CompileOptions::default()
        }
    }
}

/// An argument of an execution.
#[derive(Clone, Debug)]
pub enum Arg {
    /// The buffer stays as it is.
    Borrow(Buffer),
    /// The buffer is gone for every handle, and a result may take its memory. Where the program would overwrite memory
    /// that something still reads, a copy is overwritten instead.
    Donate(Buffer),
}

impl Arg {
    /// The buffer.
    #[inline]
    pub fn buffer(&self) -> &Buffer {
        match self {
            Arg::Borrow(buffer) | Arg::Donate(buffer) => buffer,
        }
    }
}

/// Options of [`Executable::execute`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExecuteOptions {
    /// The device of a portable program; by default that of its first argument, or else the first one.
    pub device: Option<DeviceId>,
}

/// An execution that was begun.
#[derive(Debug)]
pub struct Execution {
    /// The results on each addressable device; errors of the run are theirs.
    pub results: Vec<Vec<Buffer>>,
    /// When each addressable device has finished, effects included.
    pub done: Vec<Event>,
}

/// A compiled program.
pub trait Executable: Send + Sync {
    /// The program as it runs, after all passes.
    fn program(&self) -> &Program;

    /// The options that it was compiled with.
    fn options(&self) -> &CompileOptions;

    /// Begins a run on each device of the program, with the arguments for that device. Where some of the devices belong to other
    /// processes, each process gives the arguments of its own, in the order of the program's devices, and begins the runs in the same order.
    ///
    /// A run begins when its arguments are ready; one with ordered effects also after all such runs that were begun on the
    /// device before, except where it is begun inside of one, by host code. An argument that failed fails the results.
    ///
    /// # Errors
    /// The number, types or devices of the arguments are wrong; one was deleted, belongs to another client, or is given
    /// up and used twice; one that must be given up is not. Nothing is given up then.
    fn execute(&self, args: Vec<Vec<Arg>>, options: &ExecuteOptions) -> Result<Execution>;

    /// As [`Executable::execute`] with the arguments for one device, which is all that the program runs on: the results, and
    /// when it has finished.
    ///
    /// # Errors
    /// As [`Executable::execute`].
    fn execute_on_one(&self, args: Vec<Arg>, options: &ExecuteOptions) -> Result<(Vec<Buffer>, Event)> {
        let Execution { mut results, mut done } = self.execute(vec![args], options)?;
        let missing = || Error::internal("a run on no device");
        Ok((results.pop().ok_or_else(missing)?, done.pop().ok_or_else(missing)?))
    }

    /// As [`Executable::execute_on_one`] where nothing is given up, and the caller keeps the handles.
    ///
    /// # Errors
    /// As [`Executable::execute`].
    fn execute_borrowed(&self, args: &[&Buffer], options: &ExecuteOptions) -> Result<(Vec<Buffer>, Event)> {
        self.execute_on_one(args.iter().map(|&buffer| Arg::Borrow(buffer.clone())).collect(), options)
    }

    /// The memory one run needs.
    fn memory(&self) -> CompiledMemory;

    /// Notes of the compiler for its user, a line each: the steps that run again to stay within
    /// [`CompileOptions::memory_limit`].
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The steps, those of nested programs included, each before the step that runs it; none where the client does not tell.
    fn steps(&self) -> Vec<StepLabel> {
        Vec::new()
    }

    /// The executable as bytes, which [`Client::load`] takes: in this process or in another one of the same version, on
    /// such a processor.
    ///
    /// # Errors
    /// The program calls a function of this process.
    fn serialize(&self) -> Result<Vec<u8>>;
}

impl dyn Executable {
    /// Begins a run on the device of its arguments, which it keeps.
    ///
    /// # Errors
    /// As [`Executable::execute`].
    pub fn run(&self, args: Vec<Buffer>) -> Result<Vec<Buffer>> {
        self.run_args(args.into_iter().map(Arg::Borrow).collect())
    }

    /// Begins a run on the device of its arguments.
    ///
    /// # Errors
    /// As [`Executable::execute`].
    pub fn run_args(&self, args: Vec<Arg>) -> Result<Vec<Buffer>> {
        self.begin(args, &ExecuteOptions::default())
    }

    /// Begins a run on one device. If it has no results, which could carry its error, waits for its end.
    ///
    /// # Errors
    /// As [`Executable::execute`].
    pub fn run_on(&self, device: DeviceId, args: Vec<Arg>) -> Result<Vec<Buffer>> {
        self.begin(args, &ExecuteOptions { device: Some(device) })
    }

    fn begin(&self, args: Vec<Arg>, options: &ExecuteOptions) -> Result<Vec<Buffer>> {
        let (results, done) = self.execute_on_one(args, options)?;
        if results.is_empty() {
            done.wait()?;
        }
        Ok(results)
    }
}

/// The memory one run of an executable needs, known before it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompiledMemory {
    /// Bytes of the arguments.
    pub arguments: usize,
    /// Bytes of the results that do not reuse an argument.
    pub results: usize,
    /// Bytes of intermediate values at their peak.
    pub temporaries: usize,
}

impl CompiledMemory {
    /// Arguments, results and temporaries together.
    pub fn total(&self) -> usize {
        self.arguments.saturating_add(self.results).saturating_add(self.temporaries)
    }
}

/// The device on which a portable program runs: the one wished for, that of the first argument, or the first one.
pub fn portable_device(options: &ExecuteOptions, argument: Option<&Buffer>, first: DeviceId) -> DeviceId {
    options.device.or_else(|| Some(argument?.placement().device)).unwrap_or(first)
}
