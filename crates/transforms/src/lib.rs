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

mod autocast;
mod batch;
mod checked;
mod cut;
mod dce;
mod engine;
mod grad;
mod jvp;
mod memo;
mod partial;
mod remat;
mod rows;
mod transpose;

pub use autocast::{autocast, check_compute};
pub use batch::{Batching, batch, batch_along};
pub use checked::{CheckedProgram, checked};
pub use dce::{dce, used_params};
pub use engine::{Engine, Tangents};
pub use grad::{VjpPrograms, linear_transpose, linearize, value_and_grad, vjp};
pub use jvp::jvp;
pub use memo::Memo;
pub use partial::{ResidualPolicy, partial_eval};
pub use remat::remat;
pub use rows::rows;
pub use transpose::transpose;

#[cfg(doc)]
use jarrah_hlo::Program;
