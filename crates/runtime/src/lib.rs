//! Clients, devices, buffers and executables.
//!
//! A [`Client`] stands for the [`Device`]s of one kind. It brings host tensors to [`Buffer`]s and compiles programs to
//! [`Executable`]s, which take buffers and return buffers at once: a run takes place later, one with ordered effects in order
//! with such runs of its device, and its results are [ready](Event) when it is over. An error of a run is an error of its results, and of
//! everything that is computed from them. Nothing here knows arrays or transformations.

mod buffer;
mod cache;
mod check;
mod client;
mod device;
mod disk;
mod event;
mod reference;
mod serial;
mod steps;

pub use buffer::{Buffer, BufferData, BufferPromise, HostSource, Reader};
pub use cache::{Cache, CacheKey};
pub use check::{Parameters, check_compile_options, check_placement};
pub use client::{
    Arg, Client, CompileOptions, CompiledMemory, Executable, ExecuteOptions, Execution, portable_device,
};
pub use device::{Attribute, Device, DeviceId, DeviceInfo, MemoryKind, MemoryStats, Placement};
pub use disk::{DiskCache, DiskKey, DiskUse, Kept};
pub use event::{Event, Promise};
pub use reference::ReferenceClient;
pub use serial::Serialized;
pub use steps::{Label, Way};
