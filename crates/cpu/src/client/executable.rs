//! A compiled program and its runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jarrah_base::{Error, Literal, Location, Result, Type, panic_message};
use jarrah_compiler::{CompiledProgram, MemoryPlace, MemoryPlan};
use jarrah_hlo::{Instr, Program, Value};
use jarrah_runtime::{
    Arg, Buffer, BufferData, CompileOptions, CompiledMemory, DeviceId, Event, Executable, ExecuteOptions,
    Execution, Parameters, Promise, StepLabel, portable_device,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Inner;
use super::buffer::{Bytes, CpuBuffer, Filler, Reading, Slot};
use super::build;
use super::frame::{Frame, Loc, Prepared};
use super::profile::{Costed, Record};
use super::site::{ARENA, Block, Needs, OWN, SHARED, StepBuilder};
use super::stored;
use super::together;
use crate::buffers::PooledMemory;

/// The steps of a program, and the bases that have to be bound before they run.
pub struct CpuExecutable(Arc<Code>);

struct Code {
    client: Arc<Inner>,
    options: CompileOptions,
    compiled: CompiledProgram,
    results: Vec<ResultAt>,
    /// The types of the parameters.
    takes: Vec<Type>,
    /// The parameters whose memory the steps may write.
    overwritten: Vec<usize>,
    /// The parameters that a caller must donate.
    must: Vec<usize>,
    arena: usize,
    own: usize,
    shared: usize,
    needs_shared: Option<Needs>,
    bases: u32,
    first_param: u32,
    constants: Vec<(u32, Literal)>,
    steps: Vec<Prepared>,
    /// The label and the cost of each step, by its number.
    costs: Vec<Costed>,
    memory: CompiledMemory,
    /// Whether a run takes less time than handing it to the device's thread.
    short: bool,
    /// Whether runs have effects that must happen in the order of the runs.
    ordered: bool,
}

/// A run is short if it takes less than about this many nanoseconds, ...
const SHORT: f64 = 50_000.0;
/// ... where a step takes this many, ...
const STEP: f64 = 300.0;
/// ... and a flop or a byte this many more.
const UNIT: f64 = 0.1;

/// The memory that holds a result after the last step.
struct ResultAt {
    ty: Type,
    source: From,
    /// The op that computes the result, and its line, for errors; nothing for a parameter.
    made: Option<(String, Option<Location>)>,
}

enum From {
    /// In fresh memory, bound to this base.
    Fresh(u32),
    /// In the memory of this parameter.
    Parameter(usize),
}

impl CpuExecutable {
    /// The bytes that the steps need besides arguments, results and temporaries.
    pub fn scratch_bytes(&self) -> usize {
        self.0.memory.temporaries - self.0.compiled.buffers.arena()
    }

    /// Builds the steps of a compiled program.
    pub fn new(
        client: Arc<Inner>,
        compiled: CompiledProgram,
        options: &CompileOptions,
    ) -> Result<CpuExecutable> {
        // A program in the cache refers to handlers by name, as a serialized one must: the names are resolved here.
        let program = client.registry.resolve(&compiled.program)?;
        let (program, assignment) = (&*program, &compiled.buffers);
        let mut builder = StepBuilder::new(client.pool.threads(), build::block);
        let first_param = builder.bases;
        let params: Vec<Loc> = program.params().iter().map(|_| Loc::base(builder.base())).collect();
        let mut results = Vec::new();
        let mut locs = Vec::new();
        let mut overwritten = vec![false; params.len()];
        let makers: FxHashMap<Value, &Instr> =
            program.instrs().iter().flat_map(|instr| instr.results().map(move |v| (v, instr))).collect();
        for (j, &value) in program.results().iter().enumerate() {
            let source = match (assignment.donations[j], assignment.unchanged[j]) {
                (Some(p), _) => {
                    overwritten[p] = true;
                    From::Parameter(p)
                }
                // Buffers are shared and never change.
                (None, Some(p)) => From::Parameter(p),
                (None, None) => From::Fresh(builder.base()),
            };
            locs.push(match source {
                From::Parameter(p) => params[p],
                From::Fresh(base) => Loc::base(base),
            });
            let made =
                makers.get(&value).map(|instr| (jarrah_compiler::what_it_does(instr), instr.source.location));
            results.push(ResultAt { ty: program.ty(value), source, made });
        }
        for place in &assignment.places[program.params().len()..] {
            if let MemoryPlace::Parameter(p) = *place {
                overwritten[p] = true;
            }
        }
        let block = Block { program, assignment, params, results: locs, arena: Loc::base(ARENA) };
        let steps = builder.block(&block)?;
        let time = |step: &Prepared| {
            let Costed { flops, bytes, .. } = builder.steps[step.number];
            if step.step.is_long() { SHORT } else { STEP + UNIT * (flops + bytes) }
        };
        let short = steps.iter().map(time).sum::<f64>() < SHORT;
        let steps = together::group(steps);
        let bytes = |types: Vec<Type>| {
            types.iter().try_fold(0usize, |sum, ty| Ok::<_, Error>(sum.saturating_add(ty.bytes()?)))
        };
        let fresh = results.iter().filter(|r| matches!(r.source, From::Fresh(_)));
        let memory = CompiledMemory {
            arguments: bytes(program.param_types())?,
            results: bytes(fresh.map(|r| r.ty).collect())?,
            temporaries: assignment.arena().saturating_add(builder.own).saturating_add(builder.shared),
        };
        Ok(CpuExecutable(Arc::new(Code {
            client,
            options: options.clone(),
            results,
            takes: program.param_types(),
            overwritten: (0..overwritten.len()).filter(|&p| overwritten[p]).collect(),
            must: options.aliases.iter().filter(|alias| alias.must).map(|alias| alias.parameter).collect(),
            arena: assignment.arena(),
            own: builder.own,
            shared: builder.shared,
            needs_shared: builder.needs_shared,
            bases: builder.bases,
            first_param,
            constants: builder.constants,
            steps,
            costs: builder.steps,
            memory,
            short,
            ordered: compiled.program.effects().ordered,
            compiled,
        })))
    }
}

/// An argument of a run.
enum Argument<'a> {
    /// The caller keeps the buffer.
    Borrowed(Reading<'a>),
    /// The caller donated the buffer.
    Donated(Reading<'a>),
    /// The run happens after the call that began it; `donated` says whether the caller donated the buffer.
    Later { slot: Arc<Slot>, donated: bool },
    /// Memory that belongs to the run alone, which steps overwrite.
    Written(Arc<Bytes>),
}

/// Usually few enough to need no heap allocation.
type Arguments<'a> = SmallVec<[Argument<'a>; 6]>;

/// The memory of tensors.
type Memories = SmallVec<[Arc<Bytes>; 6]>;

impl<'a> Argument<'a> {
    #[inline]
    fn slot(&self) -> Option<&Arc<Slot>> {
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => Some(reading.slot()),
            Argument::Later { slot, .. } => Some(slot),
            Argument::Written(_) => None,
        }
    }

    #[inline]
    fn memory(&self) -> Result<&Arc<Bytes>> {
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => reading.slot().wait(),
            Argument::Later { slot, .. } => slot.wait(),
            Argument::Written(memory) => Ok(memory),
        }
    }

    #[inline]
    fn is_ready(&self) -> bool {
        self.slot().is_none_or(|slot| slot.ready().is_ready())
    }

    fn is_donated(&self) -> bool {
        matches!(self, Argument::Donated(_) | Argument::Later { donated: true, .. })
    }

    /// The buffer that is read, if the run happens within the call.
    fn buffer(&self) -> Option<&'a CpuBuffer> {
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => Some(reading.buffer()),
            Argument::Later { .. } | Argument::Written(_) => None,
        }
    }

    /// The argument in a form that outlives the call, for a run that happens later.
    fn later(self) -> Argument<'static> {
        let donated = self.is_donated();
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => {
                Argument::Later { slot: reading.slot().clone(), donated }
            }
            Argument::Later { slot, donated } => Argument::Later { slot, donated },
            Argument::Written(memory) => Argument::Written(memory),
        }
    }
}

/// A run that has not happened yet.
struct Run<'a> {
    code: Arc<Code>,
    device: DeviceId,
    arguments: Arguments<'a>,
}

impl Run<'_> {
    /// Runs the steps, and returns the memory of the results. A panic is a defect, and becomes an error like any other.
    fn run(self) -> Result<Memories> {
        let Run { code, device, arguments } = self;
        let ran = catch_unwind(AssertUnwindSafe(|| code.run(device, arguments)));
        ran.unwrap_or_else(|payload| {
            let said = panic_message(&*payload).unwrap_or("no message");
            Err(Error::internal(format!("running {} panicked: {said}", code.program().name())))
        })
    }
}

impl Code {
    fn program(&self) -> &Program {
        &self.compiled.program
    }

    /// An argument's name in errors.
    fn named(&self, index: usize) -> String {
        Parameters::name(self.program(), index)
    }

    /// Checks the arguments of a run. Each comes with whether it is donated, but no buffer is deleted yet.
    fn arguments<'a>(
        &self,
        device: DeviceId,
        args: impl ExactSizeIterator<Item = (&'a Buffer, bool)>,
    ) -> Result<Arguments<'a>> {
        let parameters = Parameters { program: self.program(), types: &self.takes, device };
        parameters.check_count(args.len())?;
        let mut arguments = Arguments::with_capacity(args.len());
        for (index, (buffer, donated)) in args.enumerate() {
            let data = parameters.check(index, CpuBuffer::of(self.client.id, buffer))?;
            let reading = match Reading::new(data) {
                Ok(reading) => reading,
                Err(error) => return Err(error.context(self.named(index))),
            };
            arguments.push(if donated { Argument::Donated(reading) } else { Argument::Borrowed(reading) });
        }
        parameters.check_donations(&self.must, |index| {
            let argument = &arguments[index];
            let address = argument.buffer().map_or(0, |buffer| std::ptr::from_ref(buffer).addr());
            (address, argument.is_donated())
        })?;
        Ok(arguments)
    }

    /// Takes the scratch memory that the steps share.
    fn scratch(&self, device: DeviceId) -> Result<PooledMemory> {
        let needs = self.needs_shared.as_ref();
        let of = needs.map_or(String::new(), |needs| match &needs.types[..] {
            // An op without operands is named by its name.
            "" => format!(" of {}", needs.op),
            types => format!(" of {types}"),
        });
        let taken =
            self.client.take(device, self.shared, || format!("the scratch{of} in {}", self.program().name()));
        taken.map_err(|error| match needs {
            Some(needs) => made_by(error, &needs.op, needs.location),
            None => error,
        })
    }

    /// Makes an argument's memory writable for the steps: a copy, if anything else may read the memory.
    fn own(&self, device: DeviceId, index: usize, argument: &mut Argument<'_>) -> Result<()> {
        let (memory, donated) = (argument.memory()?.clone(), argument.is_donated());
        // Ends the reading, which held the memory too.
        *argument = Argument::Written(memory);
        let Argument::Written(memory) = argument else { return Ok(()) };
        // `get_mut` orders what is written from here on after the last read of whoever held the memory before.
        if donated && Arc::get_mut(memory).is_some_and(|bytes| bytes.is_writable()) {
            return Ok(());
        }
        let bytes = self.takes[index].bytes()?;
        let what = || format!("a copy of {}, which is overwritten and may still be read", self.named(index));
        let mut copy = self.client.take(device, bytes, what)?;
        copy.bytes_mut()[..bytes].copy_from_slice(&memory.bytes()[..bytes]);
        *memory = Arc::new(Bytes::Pooled(copy));
        Ok(())
    }

    /// Runs the steps. Returns the memory of the results.
    fn run(&self, device: DeviceId, mut arguments: Arguments<'_>) -> Result<Memories> {
        let profiler = self.client.profiler.as_ref();
        let record = profiler.map(|_| Record::new(self.costs.len()));
        let mut frame = Frame::new(&self.client.pool, self.bases, record);
        for &index in &self.overwritten {
            self.own(device, index, &mut arguments[index])?;
        }
        for (index, argument) in arguments.iter().enumerate() {
            frame.bind(self.first_param + index as u32, argument.memory()?.as_ptr().cast_mut());
        }
        let start = profiler.map(|_| std::time::Instant::now());
        let temporaries = |bytes| {
            let name = self.program().name();
            let taken = self.client.take(device, bytes, || format!("the temporaries of {name}"));
            taken.map_err(|error| {
                let largest = MemoryPlan::new(self.program(), &self.compiled.buffers).largest(3);
                largest.iter().fold(error, |error, line| error.context(line))
            })
        };
        let (arena, own) = (temporaries(self.arena)?, temporaries(self.own)?);
        let shared = self.scratch(device)?;
        for (base, memory) in [(ARENA, &arena), (OWN, &own), (SHARED, &shared)] {
            frame.bind(base, memory.as_ptr().cast_mut());
        }
        for (base, literal) in &self.constants {
            frame.bind(*base, literal.bytes().as_ptr().cast_mut());
        }
        let mut fresh: SmallVec<[Option<Arc<Bytes>>; 6]> = SmallVec::with_capacity(self.results.len());
        for (j, result) in self.results.iter().enumerate() {
            fresh.push(match result.source {
                From::Fresh(base) => {
                    let name = || format!("result {j} of {}", self.program().name());
                    let memory = result.take(&self.client, device, name)?;
                    frame.bind(base, memory.as_ptr().cast_mut());
                    Some(Arc::new(Bytes::Pooled(memory)))
                }
                From::Parameter(_) => None,
            });
        }
        frame.run(&self.steps)?;
        if let (Some(profiler), Some(record), Some(start)) = (profiler, &frame.record, start) {
            let whole = start.elapsed();
            profiler.add(self.program().name(), &self.costs, record, whole);
        }
        let memory = |(result, fresh): (&ResultAt, Option<Arc<Bytes>>)| match (&result.source, fresh) {
            (From::Parameter(p), _) => arguments[*p].memory().cloned(),
            (From::Fresh(_), Some(memory)) => Ok(memory),
            (From::Fresh(_), None) => Err(Error::internal("a result without memory")),
        };
        self.results.iter().zip(fresh).map(memory).collect()
    }
}

impl ResultAt {
    /// Memory for the result that an error calls `name`.
    fn take(&self, client: &Inner, device: DeviceId, name: impl FnOnce() -> String) -> Result<PooledMemory> {
        let taken = client.take(device, self.ty.bytes()?, || format!("{}, {}", self.ty, name()));
        taken.map_err(|error| match &self.made {
            Some((op, location)) => made_by(error, op, *location),
            None => error,
        })
    }
}

/// The error, with the op that needs the memory, and its line.
fn made_by(error: Error, op: &str, location: Option<Location>) -> Error {
    let error = error.op(op);
    match location {
        Some(location) => error.at(location),
        None => error,
    }
}

impl Executable for CpuExecutable {
    fn program(&self) -> &Program {
        self.0.program()
    }

    fn options(&self) -> &CompileOptions {
        &self.0.options
    }

    fn execute_on_one(&self, args: Vec<Arg>, options: &ExecuteOptions) -> Result<(Vec<Buffer>, Event)> {
        self.begin_on_one(args.first().map(Arg::buffer), args.iter().map(given), options)
    }

    fn execute_borrowed(&self, args: &[&Buffer], options: &ExecuteOptions) -> Result<(Vec<Buffer>, Event)> {
        self.begin_on_one(args.first().copied(), args.iter().map(|&buffer| (buffer, false)), options)
    }

    fn execute(&self, args: Vec<Vec<Arg>>, options: &ExecuteOptions) -> Result<Execution> {
        let code = &self.0;
        let mut devices: SmallVec<[DeviceId; 1]> = code.options.devices.as_slice().into();
        if devices.is_empty() {
            devices
                .push(portable_device(options, args.first().and_then(|args| args.first()).map(Arg::buffer)));
        }
        if devices.len() != args.len() {
            let (name, runs, found) = (code.program().name(), devices.len(), args.len());
            return Err(Error::program(format!(
                "{name} runs on {runs} devices, arguments for {found} were given"
            )));
        }
        // Two rounds: nothing begins before all arguments are known to be right.
        let checked = devices.iter().zip(&args).map(|(&device, args)| {
            jarrah_runtime::check_placement(&code.client.devices, device.into())?;
            code.arguments(device, args.iter().map(given))
        });
        let checked: SmallVec<[Arguments<'_>; 1]> = checked.collect::<Result<_>>()?;
        let mut execution = Execution { results: Vec::new(), done: Vec::new() };
        for (device, arguments) in devices.into_iter().zip(checked) {
            let (results, done) = code.begin(device, arguments);
            execution.results.push(results);
            execution.done.push(done);
        }
        Ok(execution)
    }

    fn memory(&self) -> CompiledMemory {
        self.0.memory
    }

    fn notes(&self) -> Vec<String> {
        self.0.compiled.recomputed.iter().map(ToString::to_string).collect()
    }

    fn steps(&self) -> Vec<StepLabel> {
        self.0.costs.iter().map(|step| step.label.clone()).collect()
    }

    fn serialize(&self) -> Result<Vec<u8>> {
        stored::to_bytes(&self.0.client, &self.0.compiled, &self.0.options)
    }
}

/// The buffer of an argument, and whether it is donated.
fn given(arg: &Arg) -> (&Buffer, bool) {
    (arg.buffer(), matches!(arg, Arg::Donate(_)))
}

impl CpuExecutable {
    /// Begins a run on one device, which by default is that of the `first` argument.
    fn begin_on_one<'a>(
        &self,
        first: Option<&Buffer>,
        args: impl ExactSizeIterator<Item = (&'a Buffer, bool)>,
        options: &ExecuteOptions,
    ) -> Result<(Vec<Buffer>, Event)> {
        let code = &self.0;
        let device = match code.options.devices[..] {
            [] => portable_device(options, first),
            [device] => device,
            _ => {
                let (name, runs) = (code.program().name(), code.options.devices.len());
                let error = format!("{name} runs on {runs} devices, arguments for 1 were given");
                return Err(Error::program(error));
            }
        };
        jarrah_runtime::check_placement(&code.client.devices, device.into())?;
        Ok(code.begin(device, code.arguments(device, args)?))
    }
}

impl Code {
    /// Begins a run. Returns its results, and the event of its end. Donated buffers are deleted from here on.
    fn begin(self: &Arc<Self>, device: DeviceId, arguments: Arguments<'_>) -> (Vec<Buffer>, Event) {
        for argument in &arguments {
            if let Argument::Donated(reading) = argument {
                reading.buffer().delete();
            }
        }
        let queue = &self.client.lanes[device.index()].queue;
        let ready = || arguments.iter().all(Argument::is_ready);
        let now = !self.client.asynchronous || self.short && ready() && queue.may_run_here();
        let code = self.clone();
        let (slots, event): (SmallVec<[Arc<Slot>; 6]>, Event) = if now {
            match (Run { code, device, arguments }).run() {
                Ok(memory) => (memory.into_iter().map(Slot::filled).collect(), Event::done()),
                Err(error) => {
                    let slots = self.results.iter().map(|_| Slot::failed(error.clone())).collect();
                    (slots, Event::failed(error))
                }
            }
        } else {
            let (done, event) = Event::promise();
            let read = || arguments.iter().filter_map(Argument::slot);
            let place = queue.reserve(read().any(|slot| slot.is_due()), self.ordered.then_some(&event));
            let needed: Vec<Event> = read().map(|slot| slot.ready().clone()).collect();
            let (slots, fillers): (SmallVec<_>, Vec<_>) =
                self.results.iter().map(|_| Slot::promise(place.outside)).unzip();
            let run = Run { code, device, arguments: arguments.into_iter().map(Argument::later).collect() };
            queue.submit(place, needed, Box::new(move || submitted(run, fillers, done)));
            (slots, event)
        };
        let buffer = |(result, slot): (&ResultAt, Arc<Slot>)| {
            Buffer::new(CpuBuffer::new(self.client.id, result.ty, device.into(), slot))
        };
        (self.results.iter().zip(slots).map(buffer).collect(), event)
    }
}

/// Runs the steps, and fills the results with their memory or with the error.
fn submitted(run: Run<'_>, results: Vec<Filler>, done: Promise) {
    let outcome = match run.run() {
        Ok(memory) => {
            results.into_iter().zip(memory).for_each(|(result, memory)| result.fill(Ok(memory)));
            Ok(())
        }
        Err(error) => {
            results.into_iter().for_each(|result| result.fill(Err(error.clone())));
            Err(error)
        }
    };
    done.complete(outcome);
}
