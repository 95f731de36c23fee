//! Runs [`jarrah_tile::LoopKernel`]s, in one of two ways that give the same bits.
//!
//! The **interpreter** walks tiles that stay in the L1 cache, by loops compiled ahead of time, one for each instruction or pair
//! of instructions. Other processors than x86-64 have the interpreter alone. Because machine code does most of the work where it
//! exists, the interpreter's loops are compiled for the instructions of the build's target, and those of `f32`, `bf16` and 32-bit
//! words for AVX2 too.
//!
//! The **emitter** (`emit/`) makes machine code in tens of microseconds. `tests/vector/coverage.txt` says for every instruction
//! and element type which of the two runs it; a task with one instruction that the emitter lacks runs in the interpreter as a
//! whole.
//!
//! [`Plan::new`] lays the registers of a kernel out in scratch tiles and picks a loop for each instruction or the code of each
//! task; [`Plan::run`] shares tiles and tasks out over a pool. [`Plan::assembly`] is the code as text.
//!
//! A `while` or `scan` whose values are all scalars, of elementwise ops alone, is one function too (`emit/scalars.rs`, found by
//! `client/steps/scalar_loop.rs`): carried values stay in registers. Every other loop runs its body step by step.
//!
//! `functions.rs` and `crate::math` have the interpreter's functions operation by operation, and `emit/math.rs` the emitter's: a
//! change of one needs the same change of the other, and `tests/vector/random.rs` compares them. `tests/vector/emit.txt` counts
//! the instructions of a list of loops.

mod body;
mod boxes;
mod collapse;
mod column;
mod compiled;
mod element;
#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
mod emit;
mod fold;
mod frame;
pub mod functions;
mod gelu;
mod moves;
mod plan;
mod program;
mod row_blocks;
mod rows;
mod runnable;
mod scalar_ops;
pub(crate) mod scalars;
mod table;
pub(crate) mod window;

pub use crate::isa::Isa;
pub use boxes::BoxPlan;
pub(crate) use compiled::Kernel;
pub use plan::{Plan, Tier};
pub use row_blocks::RowBlocks;
