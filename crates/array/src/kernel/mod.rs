//! Kernels: functions of blocks, run at each point of a grid.
//!
//! A kernel's body takes a [`Ref`] to the block of each operand, of each result, and of each scratch array; it reads and
//! writes them, in loops and branches too. A [`Block`] says which part of an array a point sees. What a kernel computes is
//! defined to the last bit: points run as if one after another in row-major order, results begin as zeros, blocks that reach out
//! of their array read zeros there. Points along axes that nothing carries over run at the same time.
//!
//! ```
//! use jarrah_array::kernel::{Block, kernel};
//! use jarrah_array::{Array, DType, Type, grad};
//!
//! // The product of two matrices, tile by tile.
//! let product = kernel(|[x, y, z]| {
//!     z.addupdate(x.get().matmul(&y.get()));
//! })
//! .grid(&[2, 2, 3])
//! .input(Block::new([2, 4], |[i, _, k]| [i, k]))
//! .input(Block::new([4, 2], |[_, j, k]| [k, j]))
//! .output(Type::tensor(DType::F32, [4, 4]), Block::new([2, 2], |[i, j, _]| [i, j]));
//! let (x, y) = (Array::arange(48).reshape(&[4, 12]) / 10.0, Array::arange(48).reshape(&[12, 4]) / 10.0);
//! let z = product.call_one(&[&x, &y]);
//! assert!((&z - x.matmul(&y)).abs().max(..).item::<f32>()? < 1e-4);
//! // A kernel is differentiated, batched and compiled as everything else is.
//! let slope = grad(|x: &Array| product.call_one(&[x, &y]).sum(..))(&x);
//! assert_eq!(slope.shape(), [4, 12]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! Source: `jax.experimental.pallas`.

mod block;
mod body;
mod checked;
mod control;
mod indirect;
mod integers;
mod launch;
mod maps;
mod point;
mod select;
mod semaphore;
mod view;
mod window;

pub use block::{Block, BlockDim, BlockStart, IntoBlockDims, IntoStarts};
pub use body::{num_programs, program_id};
pub use control::{for_each, run_scoped, when};
pub use integers::{align_to, cdiv, multiple_of, next_power_of_2, strides_from_shape};
pub use launch::{KernelFunction, kernel, kernel_of};
pub use select::{Selected, select_ref, stochastic_round};
pub use semaphore::{AsyncCopy, Semaphore, async_copy};
pub use window::{Bounds, IntoRefIndices, KernelWindow, RefAt, RefIndex, bounds, ds};

pub use crate::mutable::Ref;
