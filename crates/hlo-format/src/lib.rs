//! Programs in the field's interchange forms: StableHLO text, portable bytecode, `jax.export` artifacts.
//!
//! A file is read into a tree, [`ir::IrModule`], that says what the file says and no more: [`read`] for any format,
//! [`assembly`] for text. [`import`] gives a module its meaning as a [`Program`]; [`export`] goes
//! back. Ops that StableHLO lacks are `jarrah.*` in MLIR's generic syntax.
//!
//! ```
//! let text = r#"
//! module @double {
//!   func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
//!     %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
//!     return %0 : tensor<8xf32>
//!   }
//! }
//! "#;
//! let program = jarrah_hlo_format::parse(text)?;
//! assert_eq!(program.name(), "double");
//! assert_eq!(jarrah_hlo_format::print(&program).trim(), text.trim());
//! # Ok::<(), jarrah_base::Error>(())
//! ```
//!
//! Regions of StableHLO may use values from outside; programs are closed. What a region captures becomes an operand
//! when a module is imported, and is captured again when a program is exported.
//!
//! # From bytes to programs
//!
//! ```text
//! text     -> assembly \                                /-> export -> assembly -> text
//! bytecode -> bytecode  >-> ir::Module -> lower -> Program          -> bytecode -> .mlirbc
//! artifact -> artifact /                                            -> artifact -> .jax_export
//! ```
//!
//! Constructs that `Program` lacks stand in [`ir::IrModule`] and nowhere else: tokens, tuples, quantized types,
//! dynamic shapes, annotations, deprecated and composite ops. `lower` gives a module its meaning:
//!
//! * Tuples are flattened, tokens become the order of effects, and quantized values become their storage integers with the
//!   arithmetic that the specification prescribes.
//! * A function is built for the types of its actual arguments, so dynamic shapes become static; the values that shapes depend on
//!   are computed while importing, by `hlo-eval` and within a bound of work.
//! * A program for many devices (`shard_map`, which is `sdy.manual_computation`, and `interpreter.run_parallel`) becomes a
//!   program for one: each device has its own values, and an exchange between devices is ordinary ops (`lower/parallel`). Devices
//!   that exchange values inside a branch or a loop enter it together; where the text does not prove that they agree on the way,
//!   the program has an `Assert` that they do.
//!
//! Syntax is data: a row of the table in `ir/definitions.rs` says how an op is written, and parser and printer interpret it. So
//! is VHLO: a row of `bytecode/table.rs` says which attributes each version of an op has. Assertions of test programs (`check.*`)
//! become further results and a list of [`Check`]s.
//!
//! An artifact holds more than its module, and all of it is kept from artifact to artifact. An artifact for several platforms
//! passes the platform's number to `@main`; a module outside of an artifact is for one platform, with a constant in the
//! argument's place.
//!
//! Sizes are symbolic in exported modules only: [`symbolic`] generalises modules traced at several sizes.
//!
//! * A program that many devices run (`LowerOptions::processes`) keeps its collectives, as ops along the axes of replicas and partitions.
//!   A send and the receive of its channel and pairs are one permutation; `ragged_all_to_all` is an all-gather of rows (`lower/ragged`).
//!
//! Export writes collectives as StableHLO's, with groups of device numbers, also those along the axes of a manual computation, which are
//! read as groups of partitions (`export/collectives`).
//!
//! Limits: a program for many devices that becomes one for one device grows with their number. Devices that exchange values inside a
//! branch or a loop have to take the same way through all of it; where each runs its own program, so do all devices of a permutation
//! whose paths and cycles differ.

pub mod artifact;
pub mod assembly;
pub mod bytecode;
mod export;
pub mod ir;
pub mod lower;
mod same;
pub mod spelled;
pub mod symbolic;
mod templates;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::Program;

pub use assembly::PrintOptions;
pub use lower::{Check, CheckKind, EffectTokens, EntryFunction};

/// How deep regions, calls, attributes and types may nest in a file.
pub(crate) const MAX_DEPTH: usize = 100;

/// The forms in which a program is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramFormat {
    /// MLIR text.
    Text,
    /// MLIR bytecode: a portable artifact, or a module as MLIR writes it.
    Bytecode,
    /// A function exported by `jax.export`, as it is serialized there.
    Artifact,
}

/// The modules in the content of the file `name`, in any of the formats.
///
/// A text may hold several, separated by lines `// -----`.
///
/// # Errors
/// The content is malformed; the error says where.
pub fn read(name: &str, bytes: &[u8]) -> Result<(ProgramFormat, Vec<ir::IrModule>)> {
    if bytecode::is_bytecode(bytes) {
        return Ok((ProgramFormat::Bytecode, vec![bytecode::read(name, bytes)?]));
    }
    if artifact::is_artifact(bytes) {
        let exported = artifact::read(name, bytes)?;
        return Ok((ProgramFormat::Artifact, vec![exported.module()?]));
    }
    if name.ends_with(".jax_export") {
        return Err(Error::input(format!(
            "{name} is no artifact of jax.export: it is damaged or ends early"
        )));
    }
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| {
        let message = format!(
            "{name} is binary, but neither bytecode nor an artifact of jax.export: it is damaged or ends early"
        );
        Error::input(message).help("text, portable bytecode and jax.export artifacts are read")
    })?;
    Ok((ProgramFormat::Text, parse_tree(name, text)?))
}

/// The text of a program: a module of the program's name, whose public function `@main` is the program.
///
/// Programs that the program calls follow as private functions, identical programs once.
pub fn print(program: &Program) -> String {
    print_with(program, &PrintOptions::default())
}

/// As [`print()`], with locations or without large constants.
pub fn print_with(program: &Program, options: &PrintOptions) -> String {
    print_tree(&export(program), options)
}

/// The text of a module: canonical, so that printing what is read from it changes nothing.
pub fn print_tree(module: &ir::IrModule, options: &PrintOptions) -> String {
    assembly::print(module, options)
}

/// The modules in the text of the file `name`.
///
/// # Errors
/// The text is malformed; the error has line and column.
pub fn parse_tree(name: &str, text: &str) -> Result<Vec<ir::IrModule>> {
    assembly::parse_split(name, text)
}

/// The tree of a program: a module of the program's name, whose public function `@main` is the program.
pub fn export(program: &Program) -> ir::IrModule {
    export::module(program.name(), &[("main", program)])
}

/// The program that a text describes: its function `@main`, or the only public one.
///
/// # Errors
/// The text is malformed, does not verify, or uses what programs cannot express; the error has line and column.
pub fn parse(text: &str) -> Result<Program> {
    parse_named("<text>", text)
}

/// As [`parse`], for the text of the file `name`: instructions without a location of their own are located there.
///
/// # Errors
/// As [`parse`].
pub fn parse_named(name: &str, text: &str) -> Result<Program> {
    import(&assembly::parse(name, text)?)
}

/// The program that a module's function `@main` is, or its only public one. Assertions in it are dropped.
///
/// # Errors
/// The module does not verify, uses what programs cannot express, or its shapes depend on its arguments.
pub fn import(module: &ir::IrModule) -> Result<Program> {
    Ok(lower::entry(module, &lower::LowerOptions::default())?.program)
}

/// As [`import`], for arguments of these types: dynamic shapes become those of the arguments.
///
/// # Errors
/// As [`import`], or the module does not take such arguments.
pub fn import_for(module: &ir::IrModule, types: &[Type]) -> Result<Program> {
    let options = lower::LowerOptions { arguments: Some(types.to_vec()), ..lower::LowerOptions::default() };
    Ok(lower::entry(module, &options)?.program)
}

/// The functions of a module that no other calls, with the assertions in them: `check.*` ops are additional results, and
/// a [`Check`] says what must be true of them. Functions whose shapes depend on their arguments are left out.
///
/// # Errors
/// As [`import`].
pub fn checked(module: &ir::IrModule) -> Result<Vec<EntryFunction>> {
    lower::roots(module, &lower::LowerOptions { checks: true, ..lower::LowerOptions::default() })
}
