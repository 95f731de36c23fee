//! The vector-loop IR: what lies between a fused kernel and the code that runs it.
//!
//! A [`LoopKernel`] is a loop nest over strided buffers with a straight-line body in SSA form. It is written with a
//! [`LoopBuilder`], checked by [`LoopKernel::verify`], printed with `Display` and read back with `FromStr`.
//! The bits a kernel computes are fixed here, not by the code tier that runs it: see [`LoopKernel`].
//!
//! [`lower`] makes loops from the kernels of a program, both those that fusion writes and those of a user. Values narrower than
//! the loop types ([`DTYPES`]: `i4`, `f8e4m3fn`, ...) are bytes in loops, decoded and rounded by instructions that
//! `lower/narrow.rs` writes; `lower/bits.rs` writes `next_after` and `reduce_precision` in the instructions that loops have.

mod builder;
mod kernel;
mod lower;
mod ops;
mod parse;
mod parts;
mod text;
mod verify;

pub use builder::LoopBuilder;
pub use kernel::{Class, DTYPES, Inst, LoopKernel, Map, Reg, ScalarBits, Store};
pub use lower::{has_loop, has_op, lower, lower_to_one, stored, work};
pub use ops::{Axis, Binary, Direction, LoopReducer, Unary};
pub use parts::{ProgramInParts, has_parts, parts};
