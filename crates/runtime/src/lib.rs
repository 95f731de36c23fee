//! Clients, buffers and executables.
//!
//! A [`Client`] stands for the devices of one kind. It uploads host tensors to [`Buffer`]s and compiles programs to
//! [`Executable`]s, which take buffers and return buffers. Nothing here knows arrays or transformations.

mod buffer;
mod cache;
mod client;
mod reference;

pub use buffer::{Buffer, BufferData};
pub use cache::{Cache, CacheKey};
pub use client::{Client, CompileOptions, Executable, Memory};
pub use reference::ReferenceClient;
