//! The executor: it runs compiled programs on any device.
//!
//! A compiled program says which steps there are and where each value lies ([`jarrah_compiler::CompiledProgram`]). Building an
//! executable decides everything else once: the addresses of operands and results relative to a few bases ([`Place`]), and for each
//! instruction the device's [`Step`]. A run binds the bases (arguments, results, temporaries, constants) in a [`Frame`] and runs the
//! steps in order, allocating nothing but its results, one arena and the steps' scratch.
//!
//! A [`Backend`] gives memory, the steps of instructions, and the answers that the executor needs; no answer has a default. All else is
//! done here for every device: the check of arguments, donation and copies of memory that is still read, carries of loops and
//! branches ([`control`]), the queue of runs, small steps that run together, executables as bytes, the cache on disk and profiles.
//! [`Devices`] is the client of some devices of one kind; `CpuClient` of the crate `cpu` is the example, and `tests/stream.rs` of `testing`
//! a device with memory of its own and a stream.
//!
//! # Runs
//!
//! A device is a queue with a thread (`queue.rs`): runs take place there one after another, each when its arguments are ready. A
//! run that is shorter than handing it over, with no run before it, takes place within the call, without locks, and without
//! handles where the caller lends its own (`Executable::execute_borrowed`). Runs with ordered effects also wait for the runs
//! before them. At most 32 runs are begun ahead, not counting those that wait for a tensor promised by the caller, nor those whose steps a
//! stream has yet to do. A buffer
//! counts its readers; a deleted one is freed with the last of them (`jarrah_base::Deletable`). `tests/runtime.rs` of `testing` runs random
//! schedules against a model, from sixteen threads too.
//!
//! A run on several devices is put into all their queues at one moment, when the arguments of all its parts are ready, and behind the
//! runs on several devices that were begun before it (`launch.rs`). Its results are ready when all its parts have ended; if one
//! failed, its error is that of all results, and if an argument failed, no part begins. Within a host call its parts run one after another.
//!
//! The steps of a run may return before their work is done: the run ends, its results are ready and its memory is freed when the
//! device's [`finish`](Backend::finish) is over. A run that fails fails its results and everything that is computed from them.
//!
//! Observers see each run, step and transfer (`Client::observe`, `observers.rs`): profiles, and the timeline of the PJRT plugin. Where there
//! is none, a run looks at one flag and a step at one option.
//!
//! # Memory
//!
//! Base 0 is the arena of temporaries, 1 holds what steps keep for a whole run, 2 is scratch that each step may use while it runs; then
//! come parameters, results, constants, and the bases that loops bind. A step reads its operands and writes its results and scratch,
//! nothing else; results overlap nothing that the step reads unless the assignment shared them on purpose.

mod address;
mod backend;
mod buffer;
mod client;
mod code;
mod collective;
mod compile;
pub mod control;
mod exchanged;
mod executable;
mod grid;
mod launch;
mod meeting;
mod observers;
mod place;
mod processes;
mod profile;
mod queue;
mod run;
mod shared;
mod span;
mod spmd;
mod steps;
mod stored;
mod together;

pub use backend::{
    AddressOf, Backend, BackendAddress, BackendMemory, Beside, BoxedSteps, BuiltStep, Frame, Independent,
    Step, StepBuilder,
};
pub use client::{DeviceOptions, Devices};
pub use place::{OWN, Place, PlacedArray, PlacedProgram, SHARED, StepSite, arena, assignment, locs, nested};
pub use profile::{Profile, ProfiledStep, Profiler};
