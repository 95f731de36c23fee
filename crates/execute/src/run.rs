//! Runs of a compiled program: their arguments, the memory that they take, and their results.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jarrah_base::{Error, Literal, Result, panic_message};
use jarrah_compiler::MemoryPlan;
use jarrah_hlo::Program;
use jarrah_hlo::ops::NamedAxis;
use jarrah_runtime::{Buffer, DeviceId, Event, ObservedRun, Parameters, Promise};
use smallvec::SmallVec;

use crate::backend::{AddressOf, Backend, BackendMemory, Frame};
use crate::buffer::{DeviceBuffer, Filler, Slot, SlotReading};
use crate::code::{Code, From, ResultAt, made_by};
use crate::grid::DeviceGrid;
use crate::meeting::{Meeting, Member};
use crate::place::{ARENA, OWN, SHARED};
use crate::queue::Queue;

/// An argument of a run.
pub(crate) enum Argument<'a, M: BackendMemory> {
    /// The caller keeps the buffer.
    Borrowed(SlotReading<'a, M>),
    /// The caller donated the buffer.
    Donated(SlotReading<'a, M>),
    /// The run happens after the call that began it; `donated` says whether the caller donated the buffer.
    Later { slot: Arc<Slot<M>>, donated: bool },
    /// Memory that belongs to the run alone, which steps overwrite.
    Written(Arc<M>),
}

/// Usually few enough to need no heap allocation.
pub(crate) type Arguments<'a, M> = SmallVec<[Argument<'a, M>; 6]>;

/// The memory of tensors.
pub(crate) type Memories<M> = SmallVec<[Arc<M>; 6]>;

/// The results of a run, whose steps have all been asked of the device.
pub(crate) struct Ran<D: Backend> {
    pub results: Memories<D::Memory>,
    /// When the device has done them.
    pub end: Event,
    /// The memory that they use until then.
    pub used: Option<Box<Used<D>>>,
}

/// The memory that a device uses for a run after the run's last step was asked of it.
pub(crate) struct Used<D: Backend> {
    _arguments: Arguments<'static, D::Memory>,
    _taken: [D::Memory; 3],
    /// The program, which has the constants.
    code: Option<Arc<Code<D>>>,
}

impl<'a, M: BackendMemory> Argument<'a, M> {
    #[inline]
    pub fn slot(&self) -> Option<&Arc<Slot<M>>> {
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => Some(reading),
            Argument::Later { slot, .. } => Some(slot),
            Argument::Written(_) => None,
        }
    }

    #[inline]
    fn memory(&self) -> Result<&Arc<M>> {
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => reading.wait(),
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

    /// The address of the handle that all handles of the buffer share, if the run happens within the call.
    fn handle(&self) -> usize {
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => {
                std::ptr::from_ref(reading.holder()).addr()
            }
            Argument::Later { .. } | Argument::Written(_) => 0,
        }
    }

    /// The argument in a form that outlives the call, for a run that happens later.
    pub fn later(self) -> Argument<'static, M> {
        let donated = self.is_donated();
        match self {
            Argument::Borrowed(reading) | Argument::Donated(reading) => {
                Argument::Later { slot: reading.clone(), donated }
            }
            Argument::Later { slot, donated } => Argument::Later { slot, donated },
            Argument::Written(memory) => Argument::Written(memory),
        }
    }
}

/// A run that has not happened yet.
pub(crate) struct Run<'a, D: Backend> {
    pub code: Arc<Code<D>>,
    pub device: DeviceId,
    pub arguments: Arguments<'a, D::Memory>,
    /// The meeting of the devices of the run, and the position of the device among them, where there are several.
    pub member: Option<(Arc<Meeting<AddressOf<D>>>, usize)>,
}

impl<D: Backend> Run<'_, D> {
    /// Runs the steps, and returns the memory of the results. A panic is a defect, and becomes an error like any other.
    pub fn run(self) -> Result<Ran<D>> {
        let Run { code, device, arguments, member } = self;
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let member = member.as_ref().map(|(meeting, position)| Member { meeting, position: *position });
            code.run(device, arguments, member)
        }));
        let ran = ran
            .map(|ran| {
                ran.map(|mut ran| {
                    if let Some(used) = &mut ran.used {
                        used.code = Some(code.clone());
                    }
                    ran
                })
            })
            .unwrap_or_else(|payload| {
                // Steps that were asked of the device may still be at work.
                let _ = code.client.device(device).finish().wait();
                Err(code.panicked(&*payload))
            });
        if let Some((meeting, position)) = member {
            meeting.leave(position, ran.as_ref().err());
        }
        ran
    }
}

impl<D: Backend> Code<D> {
    pub(crate) fn program(&self) -> &Program {
        &self.compiled.program
    }

    fn panicked(&self, payload: &(dyn Any + Send)) -> Error {
        let said = panic_message(payload).unwrap_or("no message");
        Error::internal(format!("running {} panicked: {said}", self.program().name()))
    }

    /// The error of arguments for another number of devices.
    pub(crate) fn arguments_for(&self, here: usize, found: usize) -> Error {
        let (name, runs) = (self.program().name(), self.options.devices.len());
        let here =
            if here == runs.max(1) { String::new() } else { format!(", {here} of them in this process") };
        Error::program(format!("{name} runs on {runs} devices{here}, arguments for {found} were given"))
    }

    /// An argument's name in errors.
    fn named(&self, index: usize) -> String {
        Parameters::name(self.program(), index)
    }

    /// Checks the arguments of a run. Each comes with whether it is donated, but no buffer is deleted yet.
    pub(crate) fn arguments<'a>(
        &self,
        device: DeviceId,
        args: impl ExactSizeIterator<Item = (&'a Buffer, bool)>,
    ) -> Result<Arguments<'a, D::Memory>> {
        let parameters = Parameters { program: self.program(), types: &self.takes, device };
        parameters.check_count(args.len())?;
        let mut arguments = Arguments::with_capacity(args.len());
        let mut donates = false;
        for (index, (buffer, donated)) in args.enumerate() {
            let data: &DeviceBuffer<D::Memory> =
                parameters.check(index, DeviceBuffer::of(self.client.id, buffer))?;
            let reading = match data.reading() {
                Ok(reading) => reading,
                Err(error) => return Err(error.context(self.named(index))),
            };
            donates |= donated;
            arguments.push(if donated { Argument::Donated(reading) } else { Argument::Borrowed(reading) });
        }
        // As a rule nothing is given up, and nothing has to be.
        if donates || !self.must.is_empty() {
            parameters.check_donations(&self.must, |index| {
                let argument = &arguments[index];
                (argument.handle(), argument.is_donated())
            })?;
        }
        Ok(arguments)
    }

    /// Takes the scratch memory that the steps share.
    fn scratch(&self, device: DeviceId) -> Result<D::Memory> {
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
    fn own(&self, device: DeviceId, index: usize, argument: &mut Argument<'_, D::Memory>) -> Result<()> {
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
        self.client.device(device).duplicate(&mut copy, memory, bytes)?;
        *memory = Arc::new(copy);
        Ok(())
    }

    /// The constants in a device's memory.
    fn constants(&self, device: DeviceId) -> Result<&[D::Memory]> {
        let placed = &self.placed[self.client.index(device)];
        if let Some(placed) = placed.get() {
            return Ok(placed);
        }
        let grid = DeviceGrid::of(&self.options, &self.client.devices, self.client.process());
        let position = self.options.devices.iter().position(|&other| other == device).unwrap_or(0);
        let coordinate = |axis: &NamedAxis| Literal::scalar(grid.coordinate(position, axis) as i32);
        let mut made = Vec::with_capacity(self.constants.len() + self.coordinates.len());
        for (_, value) in &self.constants {
            made.push(self.client.device(device).constant(value)?);
        }
        for (_, axis) in &self.coordinates {
            made.push(self.client.device(device).constant(&coordinate(axis))?);
        }
        Ok(placed.get_or_init(|| made))
    }

    /// Runs the steps.
    fn run(
        &self,
        id: DeviceId,
        mut arguments: Arguments<'_, D::Memory>,
        member: Option<Member<'_, AddressOf<D>>>,
    ) -> Result<Ran<D>> {
        let device = self.client.device(id);
        let observed = || ObservedRun { program: self.program().name(), device: id, steps: &self.costs };
        let observer = self.client.observers.run(observed);
        let mut frame = Frame::new(device, self.bases, observer.as_deref(), member);
        for &index in &self.overwritten {
            self.own(id, index, &mut arguments[index])?;
        }
        for (index, argument) in arguments.iter().enumerate() {
            frame.bind(self.first_param + index as u32, argument.memory()?.address());
        }
        let temporaries = |bytes| {
            let name = self.program().name();
            let taken = self.client.take(id, bytes, || format!("the temporaries of {name}"));
            taken.map_err(|error| {
                let largest = MemoryPlan::new(self.program(), &self.compiled.buffers).largest(3);
                largest.iter().fold(error, |error, line| error.context(line))
            })
        };
        let taken = [temporaries(self.arena)?, temporaries(self.own)?, self.scratch(id)?];
        for (base, memory) in [ARENA, OWN, SHARED].into_iter().zip(&taken) {
            frame.bind(base, memory.address());
        }
        if !self.constants.is_empty() || !self.coordinates.is_empty() {
            let bases = self.constants.iter().map(|(base, _)| base);
            let bases = bases.chain(self.coordinates.iter().map(|(base, _)| base));
            for (base, memory) in bases.zip(self.constants(id)?) {
                frame.bind(*base, memory.address());
            }
        }
        let mut fresh: SmallVec<[Option<Arc<D::Memory>>; 6]> = SmallVec::with_capacity(self.results.len());
        for (j, result) in self.results.iter().enumerate() {
            fresh.push(match result.source {
                From::Fresh(base) => {
                    let name = || format!("{}, result {j} of {}", result.ty, self.program().name());
                    let memory =
                        self.client.take(id, result.ty.bytes()?, name).map_err(|e| result.made(e))?;
                    frame.bind(base, memory.address());
                    Some(Arc::new(memory))
                }
                From::Parameter(_) => None,
            });
        }
        // A panic of a device that others read is an error before its memory goes.
        let ran = match member {
            None => frame.run(&self.steps),
            Some(_) => catch_unwind(AssertUnwindSafe(|| frame.run(&self.steps)))
                .unwrap_or_else(|payload| Err(self.panicked(&*payload))),
        };
        let end = device.finish();
        if let Err(error) = ran {
            // The steps before the one that failed may still be at work, in memory that goes now. Their error is not the first.
            let _ = end.wait();
            // Others may read this memory until they have heard of it.
            if let Some(member) = member {
                member.meeting.leave(member.position, Some(&error));
                member.meeting.wait_for_all();
            }
            if let Some(observer) = observer {
                observer.end();
            }
            return Err(error);
        }
        if let Some(observer) = observer {
            end.on_ready(move |_| observer.end());
        }
        let memory = |(result, fresh): (&ResultAt, Option<Arc<D::Memory>>)| match (&result.source, fresh) {
            (From::Parameter(p), _) => arguments[*p].memory().cloned(),
            (From::Fresh(_), Some(memory)) => Ok(memory),
            (From::Fresh(_), None) => Err(Error::internal("a result without memory")),
        };
        let results = self.results.iter().zip(fresh).map(memory).collect::<Result<_>>()?;
        let used = (!end.is_ready()).then(|| {
            let arguments = arguments.into_iter().map(Argument::later).collect();
            Box::new(Used { _arguments: arguments, _taken: taken, code: None })
        });
        Ok(Ran { results, end, used })
    }
}

/// Begins a run. Returns its results, and the event of its end. Donated buffers are deleted from here on.
pub(crate) fn begin<D: Backend>(
    code: &Arc<Code<D>>,
    device: DeviceId,
    arguments: Arguments<'_, D::Memory>,
) -> (Vec<Buffer>, Event) {
    delete_donated(&arguments);
    let (client, lanes) = (&code.client, &code.client.lanes);
    let queue = &client.lane(device).queue;
    let ready = || arguments.iter().all(Argument::is_ready);
    let inline = code.client.device(device).runs_inline();
    let now = inline && (!code.client.asynchronous || code.short && ready() && queue.may_run_here());
    let run = code.clone();
    let (slots, event): (SmallVec<[Arc<Slot<D::Memory>>; 6]>, Event) = if now {
        match (Run { code: run, device, arguments, member: None }).run() {
            Ok(Ran { results, end, used: None }) => match end.outcome() {
                Some(Err(error)) => failed(code.results.len(), error),
                _ => (results.into_iter().map(Slot::filled).collect(), Event::done()),
            },
            Ok(ran) => {
                let (done, event) = Event::promise();
                let (slots, fillers): (SmallVec<_>, Vec<_>) =
                    code.results.iter().map(|_| Slot::promise(false)).unzip();
                ended(ran, fillers, done);
                if !client.asynchronous {
                    let _ = event.wait();
                }
                (slots, event)
            }
            Err(error) => failed(code.results.len(), error),
        }
    } else {
        let (done, event) = Event::promise();
        let read = || arguments.iter().filter_map(Argument::slot);
        // Runs on several devices take all their places in one order with it.
        let reserving =
            (code.ordered && lanes.len() > 1 && !Queue::serves()).then(|| client.launches.reserving());
        let place = queue.reserve(read().any(|slot| slot.is_due()), code.ordered.then_some(&event));
        drop(reserving);
        let needed: Vec<Event> = read().map(|slot| slot.ready().clone()).collect();
        let (slots, fillers): (SmallVec<_>, Vec<_>) =
            code.results.iter().map(|_| Slot::promise(place.outside)).unzip();
        let arguments = arguments.into_iter().map(Argument::later).collect();
        let run = Run { code: run, device, arguments, member: None };
        queue.submit(place, needed, Box::new(move || submitted(run, fillers, done)));
        if !code.client.asynchronous {
            // The error is that of the results.
            let _ = event.wait();
        }
        (slots, event)
    };
    (buffers(code, device, slots), event)
}

/// Deletes the buffers that a run was given up.
pub(crate) fn delete_donated<M: BackendMemory>(arguments: &[Argument<'_, M>]) {
    for argument in arguments {
        if let Argument::Donated(reading) = argument {
            reading.holder().delete();
        }
    }
}

/// The results of a run, which these slots hold.
pub(crate) fn buffers<D: Backend>(
    code: &Code<D>,
    device: DeviceId,
    slots: impl IntoIterator<Item = Arc<Slot<D::Memory>>>,
) -> Vec<Buffer> {
    let buffer = |(result, slot): (&ResultAt, Arc<Slot<D::Memory>>)| {
        Buffer::new(DeviceBuffer::new(code.client.id, result.ty, device.into(), slot))
    };
    code.results.iter().zip(slots).map(buffer).collect()
}

/// The results of a run that failed.
fn failed<M>(results: usize, error: Error) -> (SmallVec<[Arc<Slot<M>>; 6]>, Event) {
    ((0..results).map(|_| Slot::failed(error.clone())).collect(), Event::failed(error))
}

/// Runs the steps, and fills the results with their memory or with the error.
fn submitted<D: Backend>(run: Run<'_, D>, results: Vec<Filler<D::Memory>>, done: Promise) {
    match run.run() {
        Ok(ran) => ended(ran, results, done),
        Err(error) => {
            results.into_iter().for_each(|result| result.fill(Err(error.clone())));
            done.complete(Err(error));
        }
    }
}

/// Fills the results once the device has done all steps.
fn ended<D: Backend>(ran: Ran<D>, results: Vec<Filler<D::Memory>>, done: Promise) {
    let Ran { results: memory, end, used } = ran;
    end.on_ready(move |outcome| {
        drop(used);
        for (result, memory) in results.into_iter().zip(memory) {
            result.fill(outcome.clone().map(|()| memory));
        }
        done.complete(outcome.clone());
    });
}
