//! The program form: closed, typed, StableHLO-compatible SSA, with every rule of every op.
//!
//! A [`Program`] is a value. Tracing makes one, transformations map one to another, the compiler turns one into
//! machine code, and the reference evaluator says what it means.
//!
//! ```
//! use jarrah_base::{DType, Type};
//! use jarrah_hlo::Builder;
//!
//! let mut b = Builder::new("double");
//! let x = b.param(Type::tensor(DType::F32, [8]), "x");
//! let y = b.add(x, x)?;
//! let program = b.finish(&[y])?;
//! assert_eq!(program.result_types(), [Type::tensor(DType::F32, [8])]);
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! Nothing here knows a device, an array, or how a transformation walks a program.

mod accumulate;
mod alias;
mod build;
mod builder;
mod checked;
mod cost;
mod effects;
mod example;
pub mod expand;
pub mod host;
mod op;
pub mod ops;
mod order;
mod panels;
mod program;
mod prune;
mod rows;
#[macro_use]
mod rules;
mod serial;
mod verify;

pub use alias::Alias;
pub use builder::{Builder, Results};
pub use checked::{
    Categories, CheckCx, Checked, Checker, Failure, NUMBERS, Site, State, filled, fresh as fresh_state,
    wrong_numbers,
};
pub use effects::Effects;
pub use example::Example;
pub use jarrah_base::{Result, Type};
pub use op::Op;
pub use panels::Panels;
pub use program::{Instr, MAX_DEPTH, MAX_EXPANDED, Operands, Param, Program, Value};
pub use rows::{Growth, Rows, RowsCx, RowsWithin, is_prefix};
pub use rules::{
    Batch, BatchCx, Batched, Cost, Docs, Jvp, JvpCx, JvpProgram, LinearOperand, Partial, PartialEval,
    PartialEvalCx, Precision, ProgramRef, ProgramRefs, ResidualClass, Rules, Split, SplitProgram, Tangent,
    Transforms, Transpose, TransposeCx, TypeVec,
};
