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
mod suggest;

use std::io;

use jarrah_base::Result;

use crate::ir::Module;

pub(crate) use format::Format;

/// What a text shows.
#[derive(Clone, Debug, Default)]
pub struct Options {
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
pub fn parse(name: &str, text: &str) -> Result<Module> {
    parse::module(name, text)
}

/// The modules of a file whose parts are separated by lines `// -----`.
///
/// # Errors
/// As [`parse`], with lines counted from the beginning of the file.
pub fn parse_split(name: &str, text: &str) -> Result<Vec<Module>> {
    parse::modules(name, text)
}

/// The text of a module: StableHLO's own syntax, canonical, so that printing what was parsed from it changes nothing.
pub fn print(module: &Module, options: &Options) -> String {
    print::text(module, options)
}

/// As [`print()`], piece by piece into a writer.
///
/// # Errors
/// Those of the writer.
pub fn write(module: &Module, options: &Options, out: &mut dyn io::Write) -> io::Result<()> {
    print::write(module, options, out)
}
