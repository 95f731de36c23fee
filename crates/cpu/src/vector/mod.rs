//! Runs [`jarrah_tile::LoopKernel`]s: an interpreter over tiles that stay in the L1 cache, each step a loop compiled
//! ahead of time for several instruction sets.
//!
//! [`Plan::new`] lays the registers of a kernel out in scratch tiles and picks a loop for each instruction (or pair of
//! instructions); [`Plan::run`] shares the tiles out over a pool. No code is generated.

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
mod rows;
mod runnable;
mod scalar_ops;
pub(crate) mod scalars;
mod streaming;
mod table;
pub(crate) mod window;

pub use crate::isa::Isa;
pub use boxes::BoxPlan;
pub(crate) use compiled::Kernel;
pub use plan::{Plan, Tier};
pub use streaming::Streaming;
