//! Clients, devices, buffers and executables.
//!
//! A [`Client`] stands for the [`RuntimeDevice`]s of one kind. It brings host tensors to [`Buffer`]s and compiles programs to
//! [`Executable`]s, which take buffers and return buffers at once: a run takes place later, one with ordered effects in order
//! with such runs of its device, and its results are [ready](Event) when it is over. An error of a run is an error of its results, and of
//! everything that is computed from them. Nothing here knows arrays or transformations.
//!
//! # Buffers and runs
//!
//! A client is a value: the devices of one kind, their compiler, and the handlers of custom calls that programs may name. A
//! [`Buffer`] knows its type, its [`Placement`] (device and kind of memory) and the [`Event`] of its readiness; its contents
//! never change, and deletion or donation takes it from every handle. [`Executable::execute`] returns at once. A run starts when
//! its arguments are ready, one on several devices when those of all its parts are; its error is the error of its results and of everything computed from them, and surfaces where one of
//! these is read.
//!
//! A donation is declared twice: at compilation as a `jarrah_hlo::Alias` (a result may or must lie in a parameter's memory; an
//! alias that must hold and cannot is an error), and at each run as [`Arg::Donate`]. Where the program would overwrite memory
//! that is still read, a copy is overwritten instead. Aligned host memory that a caller gives away is used where it lies.
//!
//! # Executables as bytes
//!
//! `Program::to_bytes` writes the fields that ops declare, by serde, with each sub-program once; reading infers every type anew,
//! so a program that was read verifies. `CompiledProgram::to_bytes` adds the assignment of memory, and reading checks it as a debug
//! build checks a compilation. [`Executable::serialize`] wraps these bytes as [`Serialized`] with platform, version, options and
//! a hash. Machine code is never written: a device builds its steps when it loads the file, so a file holds nothing that the
//! processor decides. [`Client::version`] is the fact that has to match: the crate version, the name of the sources
//! (`JARRAH_BUILD`, made by `crates/compiler/build.rs`), and the processor's abilities. A program that calls a function of this
//! process, or a handler registered as local, has no bytes.
//!
//! A [`Cache`] keeps executables in memory. Behind it a [`DiskCache`] is a folder of such files by [`DiskKey`], a hash of the
//! program with its names and lines, options, version and numerics; `CpuOptions::cache`, from `JARRAH_CACHE`, sets it. A file
//! that is damaged or of another version is removed and the program compiled; beyond the size limit the files unused for longest
//! go. Files are written whole, so processes may share a folder and be killed. The same folders hold other bytes that can be
//! recomputed ([`Kept`]): keys and values of prefixes, and prepared weights, whose files are mapped ([`DiskCache::map`]).

mod buffer;
mod cache;
mod check;
mod client;
mod device;
mod disk;
mod event;
mod observer;
mod platforms;
mod serial;
mod steps;

pub use buffer::{Buffer, BufferData, BufferPromise, HostSource, Reader};
pub use cache::{Cache, CacheKey};
pub use check::{Parameters, check_compile_options, check_placement};
pub use client::{
    Arg, Client, CompileOptions, CompiledMemory, Executable, ExecuteOptions, Execution, NoPreferences,
    Preferences, portable_device,
};
pub use device::{DeviceAttribute, DeviceId, DeviceInfo, MemoryKind, MemoryStats, Placement, RuntimeDevice};
pub use disk::{DiskCache, DiskKey, DiskUse, Kept};
pub use event::{Event, Promise};
pub use observer::{ObservedRun, ObservedStep, Observer, Observing, RunObserver, Transfer};
pub use platforms::{platform_client, platform_names, register_platform};
pub use serial::Serialized;
pub use steps::{StepLabel, Way};
