//! The questions that the executor asks of a device, and the interface of its steps.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use jarrah_base::{HostView, Literal, Location, Result};
use jarrah_compiler::Target;
use jarrah_hlo::ops::NamedAxis;
use jarrah_runtime::{Event, MemoryStats, ObservedStep, Preferences, RunObserver, Way};
use smallvec::{SmallVec, smallvec};

pub use crate::address::BackendAddress;
use crate::exchanged::Exchanged;
use crate::grid::DeviceGrid;
use crate::meeting::Member;
use crate::place::{OWN, Place, PlacedArray, SHARED, StepSite};

/// Memory of a device, freed when it is dropped: at least as many bytes as were asked for.
pub trait BackendMemory: Sized + Send + Sync + 'static {
    /// The places in it.
    type Address: BackendAddress;

    /// The first byte. Steps that get this address may read the memory, and write it if it [is writable](BackendMemory::is_writable).
    fn address(&self) -> Self::Address;

    /// Whether steps may write the memory if nobody else has it: memory of somebody else is read alone.
    fn is_writable(&self) -> bool;

    /// The first `bytes` in host memory, where they lie if the host reads the device's memory, and otherwise as a copy. The bytes stay as long
    /// as the view does.
    ///
    /// # Errors
    /// The device failed.
    fn view(self: &Arc<Self>, bytes: usize) -> Result<HostView>;

    /// Takes these bytes from the system, if it has not given them yet; see [`BufferData::populate`](jarrah_runtime::BufferData::populate).
    fn populate(&self, bytes: Range<usize>);
}

/// The steps of an instruction.
pub type BoxedSteps<D> = Vec<Box<dyn Step<D>>>;

/// The addresses of a device.
pub type AddressOf<D> = <<D as Backend>::Memory as BackendMemory>::Address;

/// A device on which compiled programs run: its memory, and the steps that it has for instructions.
///
/// No answer has a default. A device is asked from several threads for memory, and from the thread of its queue to run steps; where it
/// [runs inline](Backend::runs_inline), also from callers. Steps may return before their work is done, as on a stream of an
/// accelerator, where the device does in order what is asked of it; then [`finish`](Backend::finish) says when it is done, and
/// [`integer`](Backend::integer) and [`BackendMemory::view`] wait.
pub trait Backend: Sized + Send + Sync + 'static {
    /// Its memory.
    type Memory: BackendMemory;

    /// The answers to the compiler's questions.
    type Target: Target;

    /// The state that the steps of one executable share while they are built, such as plans of equal loops.
    type Plans;

    /// The kind of device: see [`Client::platform`](jarrah_runtime::Client::platform).
    fn platform(&self) -> &str;

    /// The version of the steps: see [`Client::version`](jarrah_runtime::Client::version).
    fn version(&self) -> &str;

    /// The forms of operands that it reads faster than as they are.
    fn preferences(&self) -> &dyn Preferences;

    /// Whether a short run may take place within the call that begins it, beside runs of other threads. A stream that runs share
    /// says no: it could not tell whose work has failed.
    fn runs_inline(&self) -> bool;

    /// The compiler's target.
    fn target(&self) -> Self::Target;

    /// Memory of at least so many bytes, whose contents are arbitrary; `None` if there is none left.
    fn take(&self, bytes: usize) -> Option<Self::Memory>;

    /// Memory of at least so many bytes, of which these are zero; `None` if there is none left.
    fn zeros(&self, bytes: usize) -> Option<Self::Memory>;

    /// Host memory as memory of the device, where it lies; given back if the device does not read it there.
    ///
    /// # Errors
    /// The view itself, of which a copy has to be made.
    fn adopt(&self, view: HostView) -> std::result::Result<Self::Memory, HostView>;

    /// A constant of a program as memory of the device.
    ///
    /// # Errors
    /// There is no memory left.
    fn constant(&self, value: &Literal) -> Result<Self::Memory>;

    /// Writes host memory to the beginning of the device's.
    ///
    /// # Errors
    /// The device failed.
    fn write(&self, memory: &mut Self::Memory, bytes: &[u8]) -> Result<()>;

    /// Copies the first `bytes` of another memory, which may be that of another device of the same kind.
    ///
    /// # Errors
    /// The device failed.
    fn duplicate(&self, memory: &mut Self::Memory, from: &Arc<Self::Memory>, bytes: usize) -> Result<()>;

    /// Lets the host fill the first `bytes` of a memory: where they lie, if the host writes the device's memory, and otherwise in host memory
    /// that is copied then.
    ///
    /// # Errors
    /// The device failed; `by` did.
    fn fill(
        &self,
        memory: &mut Self::Memory,
        bytes: usize,
        by: &mut dyn FnMut(&mut [u8]) -> Result<()>,
    ) -> Result<()>;

    /// How its memory is used.
    fn usage(&self) -> MemoryStats;

    /// Gives memory that is kept for reuse back to the system.
    fn give_back_unused(&self);

    /// The state of building the steps of an executable.
    fn plans(&self) -> Self::Plans;

    /// Appends the steps of an instruction. Loops and branches may be given those of [`control`](crate::control), which run the
    /// steps of their programs.
    ///
    /// # Errors
    /// The device has no step for the instruction, which the compiler should not have left.
    fn lower(
        builder: &mut StepBuilder<Self>,
        site: &StepSite<'_>,
        steps: &mut BoxedSteps<Self>,
    ) -> Result<()>;

    /// Copies bytes from one place to another one, which do not overlap. They may lie in the memory of another device of the run, where a
    /// step may read its operands, too: devices that exchange values reach each other's memory.
    ///
    /// # Errors
    /// The device failed.
    fn copy(frame: &Frame<'_, Self>, from: AddressOf<Self>, to: AddressOf<Self>, bytes: usize) -> Result<()>;

    /// The bytes at a place, once they are computed: where they lie, if the host reads the device's memory, and otherwise as a copy.
    ///
    /// # Errors
    /// The device failed.
    fn bytes<'f>(frame: &'f Frame<'_, Self>, at: AddressOf<Self>, bytes: usize) -> Result<Cow<'f, [u8]>>;

    /// The value of an integer scalar or a predicate, once it is computed.
    ///
    /// # Errors
    /// The device failed.
    fn integer(frame: &Frame<'_, Self>, array: &PlacedArray) -> Result<i128>;

    /// Runs steps that touch nothing of each other, in any order or at once.
    ///
    /// # Errors
    /// The device failed.
    fn beside(frame: &Frame<'_, Self>, steps: &[Beside<'_, Self>]) -> Result<()>;

    /// The end of everything that was asked of the device so far.
    fn finish(&self) -> Event;
}

/// The base addresses of one run, and the device that executes it. Clones are for other threads of the run.
pub struct Frame<'a, D: Backend> {
    /// The device.
    pub device: &'a D,
    observer: Option<&'a dyn RunObserver>,
    /// The device among those of its run, where there are several.
    pub(crate) member: Option<Member<'a, AddressOf<D>>>,
    bases: Bases<D>,
}

/// The base addresses of a run.
type Bases<D> = SmallVec<[AddressOf<D>; 16]>;

impl<D: Backend> Clone for Frame<'_, D> {
    fn clone(&self) -> Self {
        Frame { bases: self.bases.clone(), ..*self }
    }
}

impl<'a, D: Backend> Frame<'a, D> {
    /// A frame for a run that is watched by an observer, if there is one.
    pub(crate) fn new(
        device: &'a D,
        bases: u32,
        observer: Option<&'a dyn RunObserver>,
        member: Option<Member<'a, AddressOf<D>>>,
    ) -> Frame<'a, D> {
        Frame { device, observer, member, bases: smallvec![AddressOf::<D>::default(); bases as usize] }
    }

    /// The frame with nobody watching: of steps so short that watching them would be most of their time.
    pub fn unobserved(self) -> Frame<'a, D> {
        Frame { observer: None, ..self }
    }

    /// Binds a base, which the step that runs has made for itself while it was built.
    #[inline]
    pub fn bind(&mut self, base: u32, address: AddressOf<D>) {
        self.bases[base as usize] = address;
    }

    /// The address of a place.
    #[inline]
    pub fn address(&self, place: Place) -> AddressOf<D> {
        self.bases[place.base as usize].plus(place.offset)
    }

    /// Runs steps in order.
    ///
    /// # Errors
    /// A step failed; those behind it do not run.
    pub fn run(&mut self, steps: &[BuiltStep<D>]) -> Result<()> {
        for built in steps {
            match (self.observer, built.number) {
                (None, _) | (_, None) => built.step.run(self)?,
                (Some(observer), Some(number)) => {
                    let began = Instant::now();
                    built.step.run(self)?;
                    observer.step(number, began, Instant::now());
                }
            }
        }
        Ok(())
    }
}

/// One instruction, ready to run.
///
/// A step accesses the memory of its operands and results only: [`Frame::address`] of the addresses it holds is valid for
/// their sizes, results overlap nothing the step reads unless the assignment shared them on purpose, and no one else
/// touches either during the step.
pub trait Step<D: Backend>: Send + Sync {
    /// Runs the step.
    ///
    /// # Errors
    /// The step failed, such as an assertion of the program or a function of the host.
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()>;

    /// A description of how the step runs, for profiles and dumps.
    fn way(&self) -> Way;

    /// Whether the step runs other steps, which are observed one by one.
    fn nests(&self) -> bool {
        false
    }

    /// Whether the step may take longer than its cost says, because it runs other steps or runs them repeatedly.
    fn is_long(&self) -> bool {
        self.nests()
    }

    /// The step as an [`Independent`] one, if it may run beside other steps.
    fn independent(&self) -> Option<&dyn Independent<D>> {
        None
    }
}

/// A step that needs the addresses of its frame only, so that it may run while other steps do.
pub trait Independent<D: Backend>: Send + Sync {
    /// The arrays that the step reads.
    fn reads(&self) -> &[PlacedArray];

    /// The arrays that the step writes.
    fn writes(&self) -> &[PlacedArray];

    /// Runs the step.
    fn run_beside(&self, frame: &Frame<'_, D>);
}

/// A step, with its number among all steps of an executable, by which its name and cost are found.
pub struct BuiltStep<D: Backend> {
    /// The step.
    pub step: Box<dyn Step<D>>,
    /// Its number; none where it is steps that have numbers.
    pub number: Option<usize>,
}

impl<D: Backend> BuiltStep<D> {
    /// The step as one that runs beside others, if it may.
    pub(crate) fn beside(&self) -> Option<Beside<'_, D>> {
        Some(Beside { step: self.step.independent()?, number: self.number })
    }
}

/// A step that runs beside others.
pub struct Beside<'s, D: Backend> {
    pub(crate) step: &'s dyn Independent<D>,
    pub(crate) number: Option<usize>,
}

impl<D: Backend> Beside<'_, D> {
    /// Runs the step.
    pub fn run(&self, frame: &Frame<'_, D>) {
        match (frame.observer, self.number) {
            (None, _) | (_, None) => self.step.run_beside(frame),
            (Some(observer), Some(number)) => {
                let began = Instant::now();
                self.step.run_beside(frame);
                observer.step(number, began, Instant::now());
            }
        }
    }
}

/// The state shared by building all steps of an executable: bases, constants and scratch.
pub struct StepBuilder<D: Backend> {
    /// The device's own state of building.
    pub plans: D::Plans,
    /// The number of bases.
    pub(crate) bases: u32,
    /// The constants, each with its base.
    pub(crate) constants: Vec<(u32, Literal)>,
    /// Bytes at [`OWN`].
    pub own: usize,
    /// Bytes at [`SHARED`].
    pub shared: usize,
    /// The instruction that needs the most scratch, for errors.
    pub(crate) needs_shared: Option<Needs>,
    /// The label and the cost of each step, by its number.
    pub(crate) steps: Vec<ObservedStep>,
    /// The devices of a run.
    pub(crate) grid: DeviceGrid,
    /// The compiler's target, for programs that steps are made of.
    pub(crate) target: Arc<D::Target>,
    /// The collectives.
    pub(crate) exchanged: Exchanged,
    /// Whether some are between devices of several processes.
    pub(crate) between: bool,
    /// The bases of the coordinates of the device, each with its axis.
    pub(crate) coordinates: Vec<(u32, NamedAxis)>,
}

/// The names of an instruction that needs scratch, for errors.
pub(crate) struct Needs {
    pub bytes: usize,
    /// The types of the operands.
    pub types: String,
    pub op: String,
    pub location: Option<Location>,
}

impl<D: Backend> StepBuilder<D> {
    pub(crate) fn new(device: &D, grid: DeviceGrid) -> StepBuilder<D> {
        StepBuilder {
            plans: device.plans(),
            bases: SHARED + 1,
            constants: Vec::new(),
            own: 0,
            shared: 0,
            needs_shared: None,
            steps: Vec::new(),
            grid,
            target: Arc::new(device.target()),
            exchanged: Exchanged::default(),
            between: false,
            coordinates: Vec::new(),
        }
    }

    /// Steps that are part of one step, and not observed by themselves.
    pub(crate) fn unlisted(
        &mut self,
        build: impl FnOnce(&mut Self) -> Result<Vec<BuiltStep<D>>>,
    ) -> Result<Vec<BuiltStep<D>>> {
        let listed = self.steps.len();
        let mut steps = build(self)?;
        self.steps.truncate(listed);
        steps.iter_mut().for_each(|step| step.number = None);
        Ok(steps)
    }

    /// A new base, which the run or a step binds.
    pub fn base(&mut self) -> u32 {
        self.bases += 1;
        self.bases - 1
    }

    /// Reserves memory of a step that keeps its contents for the whole run.
    pub fn own(&mut self, bytes: usize) -> Place {
        let offset = self.own;
        let taken = bytes.checked_next_multiple_of(64).unwrap_or(usize::MAX);
        self.own = self.own.saturating_add(taken);
        Place { base: OWN, offset }
    }

    /// Reserves scratch, whose contents are lost when the step ends.
    pub fn shared(&mut self, bytes: usize) -> Place {
        self.shared = self.shared.max(bytes);
        Place::base(SHARED)
    }
}
