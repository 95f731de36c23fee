//! The reference evaluator: what a [`Program`] means, op by op.
//!
//! ```
//! use jarrah_base::{DType, Literal, Type};
//! use jarrah_hlo::Builder;
//! use jarrah_hlo_eval::evaluate;
//!
//! let mut b = Builder::new("double");
//! let x = b.param(Type::tensor(DType::F32, [3]), "x");
//! let y = b.add(x, x)?;
//! let program = b.finish(&[y])?;
//! let x = Literal::from_slice(&[3], &[1.0f32, 2.0, 3.0])?;
//! assert_eq!(evaluate(&program, &[x])?, [Literal::from_slice(&[3], &[2.0f32, 4.0, 6.0])?]);
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! Integers wrap and are exact. A function of floats is computed in `f64` and rounded once to the element type.
//! Contractions and reductions have fixed orders, described at their ops, that compiled code shares.
//!
//! Nothing here is fast, and nothing is slower than the size of the operands explains.

mod apply;
mod complex;
mod control;
mod convert;
mod convolution;
mod copy;
mod dot;
mod elementwise;
mod fft;
mod functions;
mod gather;
mod kernel;
mod linalg;
mod machine;
mod math;
mod movement;
mod number;
mod precision;
mod ragged;
mod reduce;
mod rng;
mod running;
mod sort;
mod threefry;
mod window;

use jarrah_base::{Literal, Result};
use jarrah_hlo::{Instr, Program};

pub use functions::{
    ComplexFunction, FloatFunction, ScalarFunction, function_of_complexes, function_of_floats,
};
use machine::Machine;
pub use running::Running;
pub use sort::merge_sort;

/// The results of `program` for `arguments`.
///
/// # Errors
/// The number or types of the arguments are not those of the parameters, or an instruction has no value: the forward
/// derivative of a function for which only a backward rule is given, a custom call by name (resolve the program by a
/// [`Registry`](jarrah_hlo::host::Registry) first), or a failure of host code.
pub fn evaluate(program: &Program, arguments: &[Literal]) -> Result<Vec<Literal>> {
    evaluate_with(program, arguments, &mut |_, _| {})
}

/// As [`evaluate`], and `observe` sees the results of every instruction, those of sub-programs included.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_with(
    program: &Program,
    arguments: &[Literal],
    observe: &mut dyn FnMut(&Instr, &[Literal]),
) -> Result<Vec<Literal>> {
    let arguments = arguments.to_vec();
    Machine::new(observe).run(program, arguments)
}
