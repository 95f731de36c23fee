//! The CPU device: its client, the worker [`threads::ThreadPool`] and the hand-written kernels.
//!
//! [`CpuClient`] compiles programs to steps over the kernels of the other modules.
//! Kernels know slices, extents and strides, never programs. Each states its order of accumulation; the bits of a
//! result depend on nothing else: not on threads, blocking, batch or the instruction set found at run time.
//!
//! # Where things are
//!
//! * `client/` is the device: `target.rs` holds the CPU's answers to the compiler (its text is part of `Client::version`), `backend.rs` those
//!   to the executor, `build.rs` has a row of steps for each op, `steps/` one file for each family of steps.
//! * [`gemm`] is matrix products, [`attention`] attention, [`vector`] the loops of kernels, interpreted or as machine code.
//! * [`threads`] is the worker pool, which all devices of a client share.
//!
//! Kernels of the form `Loop` run in [`vector`]. A product of the form `Contract` runs in [`gemm`], which calls the prologues
//! of its operands for each block that it packs (`gemm::Prologue`), and the epilogue on each finished tile of the result. A user's
//! kernel that is no loop runs its body as steps, grid point by grid point, on several threads (`client/steps/points.rs`). An op
//! without code here runs on the reference evaluator (`client/steps/reference.rs`).
//!
//! # Environment
//!
//! `JARRAH_CPU=avx512|avx2|portable` chooses the instructions of loops, products and attention; a client refuses a choice that
//! the machine lacks. `JARRAH_CPU_WITHOUT` hides instruction sets (`avx2`, `avx512`, `avx512bf16`, `avx512vnni`) from all code
//! and tests, as on a machine without them: `isa.rs` alone asks the processor. `--cfg jarrah_portable` builds without code for
//! x86.
//!
//! # Limits
//!
//! * Machine code is made for x86-64 with AVX2 or AVX-512; elsewhere, for bitcasts of `f16`, and for `argmax` of a few rows so
//!   long that threads share each, loops are interpreted.
//! * Decompositions, Fourier transforms, and `WindowArg` with a program of its own run on the reference evaluator (batches of the
//!   first two in parallel), and so do `Reduce`, `ReduceWindow`, `Scatter` and `Sort` whose program has no machine code: on the
//!   portable tier, with calls, or with functions of complex numbers; and so do windows of integers of less than eight bits.
//! * Rows found by a gather are copied before kernels read them; concatenations are read where their operands lie, and copied
//!   only where a step needs them whole.
//! * An operand of a product is copied first if neither its contracted nor its free axes are neighbours in memory, and if a loop
//!   makes it in such an order. Where a loop over a carry reads the carry that its own product reads, the carry has two buffers.
//! * Grid points of a user's kernel run in order where they store blocks at any element that the map returns, and where two of
//!   them store one block.
//! * Buffers are dense and row-major: prepared operands are arrays of other extents, not other layouts. Weights that a loop's
//!   body reads are not prepared.

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

pub use client::{CpuClient, CpuOptions, Processor};
pub use jarrah_execute::{Profile, ProfiledStep, Profiler};
