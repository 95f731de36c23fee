//! What runs on the CPU: the client, the worker [`threads::Pool`] and the hand-written kernels.
//!
//! [`CpuClient`] compiles programs to steps over the kernels of the other modules.
//! Kernels know slices, extents and strides, never programs. Each states its order of accumulation; the bits of a
//! result depend on nothing else: not on threads, blocking, batch or the instruction set found at run time.

// Kernels write disjoint parts of one buffer from several threads and use the vector units directly;
// neither can be expressed in safe Rust. Each block carries its argument.
#![allow(unsafe_code)]

pub mod attention;
pub mod buffers;
mod client;
pub mod copy;
pub mod core_of;
pub mod gemm;
mod isa;
pub mod math;
pub mod peak;
pub mod threads;
pub mod vector;

pub use client::{CpuClient, CpuOptions, Processor, Profile, ProfiledStep, Profiler};
