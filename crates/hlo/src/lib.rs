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
//!
//! # The form
//!
//! * A program has parameters, instructions and results; a value is a number. The sub-programs of loops, branches and custom
//!   rules are `Arc<Program>`s inside ops, so identical ones are shared. They are closed: a value that a region of StableHLO
//!   would capture is an operand here.
//! * Extents are numbers. There is one program for each shape, and no rule, pass or kernel meets an extent that it does not know.
//!   Symbolic sizes exist in the interchange forms alone (`jarrah-hlo-format`).
//! * A [`Type`] takes sixteen bytes; scopes and file names are interned, within a bound. A program's hash is computed once, when
//!   it is finished.
//! * Every instruction carries its `Source`: the user's line and the scope path (`blocks.3.attention.qkv`), which errors, dumps
//!   and profiles show. Transformations pass it on.
//!
//! # Ops
//!
//! Every op is a struct in `src/ops/` with all its rules in one [`impl Rules`](Rules). The trait has no default methods, so a
//! missing rule does not compile. Answers that many ops share are enumerated ([`Batch::Elementwise`], `Jvp::Linear(1)`), so most
//! bodies are a word. Elementwise functions are rows of one table, `src/ops/elementwise/table.rs`: name, dtypes, derivative, doc,
//! example. An op enters the law tests through [`Rules::examples`].
//!
//! Ops above StableHLO are written `jarrah.*`: `scan`, `custom_rule`, `custom_tangent`, `linear_solve`, `remat`,
//! `checkpoint_name`, `assert`, `axis_index`, `all_gather`, `reduce_scatter`, `attention` and its two derivatives, `ragged_dot`
//! and its transposes, `threefry2x32`, `kernel`, and the decompositions of linear algebra by the names of `jax.lax.linalg`.
//!
//! The rules beyond types, derivatives and batches:
//!
//! * [`Rules::precision`] says which operands a product rounds where the program computes in `bf16` or `f16`;
//!   `jarrah_transforms::autocast` applies it.
//! * [`Rules::checked`] says how an op can fail: a NaN, a division by zero, an index out of bounds. `jarrah_transforms::checked`
//!   makes the program that returns the first failed instruction.
//! * [`Rules::rows_apart`] says whether a result row depends on its own input row only, so that rows may be appended;
//!   `jarrah_transforms::rows` follows it through a program.
//! * [`Rules::effects`] says what an op does besides computing its results ([`Effects`]): whether it is observed (never dropped),
//!   runs once (never recomputed), and is ordered. An op with sub-programs has their effects; an op that runs a sub-program an
//!   unspecified number of times (a reduction, the map of a kernel) takes pure ones only. No value stands for the order:
//!   [`Program::order_edges`] gives the pairs of instructions whose order a schedule keeps.
//!
//! [`ops::CustomCall`] is the one op that calls host code: a [`host::Handler`] that gets the program's own memory, found by name
//! in the client's [`host::Registry`] when the program is compiled, or held as a function of this process, which no file can
//! hold.
//!
//! # Shardings
//!
//! [`sharding`] holds meshes and the ways to say how a tensor is cut over devices, by axes as Shardy does and by tiles as XLA does; every
//! reader and printer of either uses these types.
//!
//! # Limits
//!
//! Walks over sub-programs are recursive, so programs nest at most [`MAX_DEPTH`] deep. A program that would have more than
//! [`MAX_EXPANDED`] instructions with every call written out is refused.

mod accumulate;
mod alias;
mod build;
mod builder;
mod checked;
mod cost;
mod effects;
mod example;
mod family;
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
pub mod sharding;
mod varying;
mod verify;
mod widen;

pub use alias::Alias;
pub use builder::{Builder, Results};
pub use checked::{
    Categories, CheckCx, CheckState, Checked, Checker, Failure, NUMBERS, Site, filled, fresh as fresh_state,
    wrong_numbers,
};
pub use effects::Effects;
pub use example::Example;
pub use family::Family;
pub use jarrah_base::{Result, Type};
pub use op::Op;
pub use panels::Panels;
pub use program::{Instr, MAX_DEPTH, MAX_EXPANDED, Operands, Param, Program, Value};
pub use rows::{RowGrowth, Rows, RowsCx, RowsWithin, is_prefix};
pub use rules::{
    Batch, BatchCx, Batched, Cost, Docs, Jvp, JvpCx, JvpProgram, LinearOperand, PartialEval, PartialEvalCx,
    PartialValue, Precision, ProgramRef, ProgramRefs, ResidualClass, Rules, Split, SplitProgram, Tangent,
    Transforms, Transpose, TransposeCx, TypeVec,
};
pub use varying::varying;
pub use widen::{doubled, widened};
