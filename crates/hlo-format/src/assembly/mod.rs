//! A module as MLIR text.
//!
//! The syntax of every op stands in one table ([`Definition`](crate::ir::Definition)), which the parser and the printer
//! interpret; what is irregular is a directive with code of its own on both sides.

mod element;
mod format;
mod lexer;
mod normal;
mod parse;
mod print;

use std::io;

use jarrah_base::{Error, Result};

use crate::ir::IrModule;

pub(crate) use format::Format;

/// Options for printing a module.
#[derive(Clone, Debug, Default)]
pub struct PrintOptions {
    /// Whether locations follow ops and arguments.
    pub locations: bool,
    /// Constants with more elements than this are left out. Such a text is for reading: it does not parse.
    pub elide_larger_than: Option<usize>,
    /// Whether every op has MLIR's generic syntax.
    pub generic: bool,
}

/// The module that the text of the file `name` describes; ops outside of a module are put into one without a name.
///
/// # Errors
/// The text is malformed; the error has line and column.
pub fn parse(name: &str, text: &str) -> Result<IrModule> {
    parse::module(name, text).map_err(|error| explained(name, text, error))
}

/// The modules of a file whose parts are separated by lines `// -----`.
///
/// # Errors
/// As [`parse`], with lines counted from the beginning of the file.
pub fn parse_split(name: &str, text: &str) -> Result<Vec<IrModule>> {
    parse::modules(name, text).map_err(|error| explained(name, text, error))
}

/// The error of a text that does not parse: where nothing in it is of MLIR, the text as a whole is at fault and not its first word.
fn explained(name: &str, text: &str, error: Error) -> Error {
    const WORDS: [&str; 6] = ["func.func", "stablehlo.", "builtin.", "tensor<", "dense<", "loc("];
    const STARTS: [&str; 4] = ["module @", "module {", "module attributes", "%"];
    let begins = |line: &str| STARTS.iter().any(|start| line.trim_start().starts_with(start));
    if WORDS.iter().any(|word| text.contains(word)) || text.lines().any(begins) {
        return error;
    }
    let help = match text.trim_start().starts_with("HloModule") {
        true => "it is HLO text of XLA: what JAX exports with `jax.jit(f).lower(x).as_text()` is read",
        false => {
            "text of StableHLO (.mlir), portable bytecode (.mlirbc) and artifacts of jax.export are read"
        }
    };
    let whole = Error::input(format!("{name} is not StableHLO text")).help(help);
    match error.location() {
        Some(place) => whole.at(place),
        None => whole,
    }
}

/// The text of a module: StableHLO's own syntax, canonical, so that printing what was parsed from it changes nothing.
pub fn print(module: &IrModule, options: &PrintOptions) -> String {
    print::text(module, options)
}

/// As [`print()`], piece by piece into a writer.
///
/// # Errors
/// The errors of the writer.
pub fn write(module: &IrModule, options: &PrintOptions, out: &mut dyn io::Write) -> io::Result<()> {
    print::write(module, options, out)
}
