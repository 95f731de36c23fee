//! Derivatives, partial evaluation, transposition and batching: functions from [`Program`] to [`Program`].
//!
//! Each walks the instructions of a program and asks their ops for the rule; none knows an op by name. Reverse mode is
//! [`jvp`], then [`partial_eval`], then [`transpose`].
//!
//! ```
//! use jarrah_base::{DType, Type};
//! use jarrah_hlo::Builder;
//! use jarrah_transforms::{ResidualPolicy, value_and_grad};
//!
//! let mut b = Builder::new("square");
//! let x = b.param(Type::scalar(DType::F32), "x");
//! let y = b.mul(x, x)?;
//! let program = value_and_grad(&b.finish(&[y])?, &[0], ResidualPolicy::Recompute)?;
//! assert_eq!(program.result_types(), [Type::scalar(DType::F32); 2]);
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! The rules live in the ops (`jarrah_hlo::Rules`); this crate makes one op itself, `Remat`. Facts that are not visible in one
//! file:
//!
//! * **The tangents of a custom rule with a backward pass** are an op that is the transpose of that pass (`CustomTangent`). They
//!   are computed forwards where forward mode asks for them, and only transposed back in reverse mode ([`Tangents`]).
//! * **Effects.** Partial evaluation keeps two instructions whose effects conflict (`Effects::conflicts`) in one part.
//! * **Cotangents** of one value are added by `Builder::accumulate`, which adds a slice among zeros to the slice of the sum, so
//!   the gradient of a loop over slices of an array takes as long as the loop.
//! * **Checkpoints.** `Remat` names by a `Saveable` the values that the backward pass may keep, within scans (as stacks) and
//!   branches too; `CheckpointName` gives values the names that a `Saveable` mentions.
//! * **[`batch_along`] a named axis** puts ordinary ops in the place of `AxisIndex` and collectives, also where
//!   no operand is batched; nothing else runs these ops. With [`Batching::one_by_one`] a batch whose elements take different
//!   branches or numbers of steps becomes a scan over the batch, so nothing is computed for an element that does not take part;
//!   batches of effects always do.
//! * **[`autocast`]** makes a product a `CustomRule` whose backward pass rounds cotangents and sums in the original type: the
//!   derivative of a product of rounded operands would multiply wide cotangents and round the gradient.
//! * **[`rows`]** compares the program traced over more rows with the same program traced over fewer. Types tell which values
//!   grow, so each instruction is judged by itself, in loops too.
//!
//! Where a loop's body passes activity from carry to carry, one per step, [`jvp`], [`partial_eval`] and [`batch`] transform the
//! body once per carry; all other work is in proportion to a program's instructions.

mod autocast;
mod batch;
mod checked;
mod cut;
mod dce;
mod engine;
mod grad;
mod jvp;
mod memo;
mod one_device;
mod partial;
mod remat;
mod rows;
mod transpose;

pub use autocast::{autocast, check_compute};
pub use batch::{Batching, batch, batch_along};
pub use checked::{CheckedProgram, checked};
pub use dce::{dce, used_params};
pub use engine::{ProgramTransforms, Tangents};
pub use grad::{VjpPrograms, linear_transpose, linearize, value_and_grad, vjp};
pub use jvp::jvp;
pub use memo::Memo;
pub use one_device::on_one_device;
pub use partial::{ResidualPolicy, partial_eval};
pub use remat::remat;
pub use rows::rows;
pub use transpose::transpose;

#[cfg(doc)]
use jarrah_hlo::Program;
